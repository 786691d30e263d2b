#include "isa/form.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/error.h"

namespace ptxequiv::isa {
namespace {

// Types that appear only in instructions without a meaning here.
constexpr std::array<std::string_view, 23> kExoticTypes = {
    "b1",     "b4",     "s4",   "u4",     "e2m1",   "e2m1x2", "e2m1x4", "e2m3",
    "e2m3x2", "e2m3x4", "e3m2", "e3m2x2", "e3m2x4", "e4m3x4", "e5m2x4", "ue8m0",
    "ue4m3",  "u8x4",   "s8x4", "s2",     "u2",     "b1024",  "ue8m0x2"};

class FormParser {
 public:
  explicit FormParser(std::string_view text) : text_(text) {}

  Form parse() {
    parse_modifiers();
    skip_blanks();
    if (at_end()) return form_;
    if (rest() == "...") {
      form_.any_operands = true;
      return form_;
    }
    form_.operands = parse_operands();
    PTXEQUIV_CHECK(at_end(), bad());
    return form_;
  }

 private:
  std::string bad() const { return "bad form: " + std::string(text_); }
  bool at_end() const { return position_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[position_]; }
  std::string_view rest() const { return text_.substr(position_); }
  bool take(std::string_view what) {
    if (rest().substr(0, what.size()) != what) return false;
    position_ += what.size();
    return true;
  }
  void expect(std::string_view what) { PTXEQUIV_CHECK(take(what), bad()); }
  void skip_blanks() {
    while (take(" ")) {
    }
  }
  std::string word(std::string_view extra) {
    const size_t start = position_;
    while (!at_end() && (std::isalnum(static_cast<unsigned char>(peek())) != 0 ||
                         extra.find(peek()) != std::string_view::npos)) {
      ++position_;
    }
    PTXEQUIV_CHECK(position_ > start, bad());
    return std::string(text_.substr(start, position_ - start));
  }

  uint16_t number(std::string_view digits) const {
    uint16_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    PTXEQUIV_CHECK(error == std::errc() && end == digits.data() + digits.size(), bad());
    return value;
  }

  // <74,80>
  Floor parse_floor() {
    Floor floor;
    if (!take("<")) return floor;
    const size_t comma = rest().find(','), end = rest().find('>');
    PTXEQUIV_CHECK(comma < end && end != std::string_view::npos, bad());
    floor.ptx = number(rest().substr(0, comma));
    const std::string_view targets = rest().substr(comma + 1, end - comma - 1);
    const bool plain = targets.find_first_not_of("0123456789") == std::string_view::npos;
    floor.targets = plain ? Targets(number(targets)) : Targets(targets);
    position_ += end + 1;
    return floor;
  }

  void parse_choice(ModifierGroup& group) {
    group.choices.push_back(word("_:"));
    group.floors.push_back(parse_floor());
  }

  void parse_modifiers() {
    while (peek() == '.' || peek() == '{') {
      if (take(".*")) {
        form_.any_modifiers = true;
        continue;
      }
      if (!take("{")) {
        expect(".");
        parse_group(true, 0);
        continue;
      }
      const size_t first = form_.groups.size();
      ++unit_;
      while (take(".")) parse_group(false, unit_);
      expect("}");
      if (form_.groups.size() == first + 1) form_.groups.back().unit = 0;
      if (peek() == '<') {
        const Floor floor = parse_floor();
        for (size_t i = first; i < form_.groups.size(); ++i) {
          std::fill(form_.groups[i].floors.begin(), form_.groups[i].floors.end(), floor);
        }
      }
    }
  }

  // After the dot: x  (x|y)  x|.y
  void parse_group(bool required, unsigned unit) {
    ModifierGroup group;
    group.required = required;
    group.unit = unit;
    if (take("(")) {
      do parse_choice(group);
      while (take("|"));
      expect(")");
      if (peek() == '<') {
        const Floor floor = parse_floor();
        std::fill(group.floors.begin(), group.floors.end(), floor);
      }
    } else {
      parse_choice(group);
      while (take("|")) {
        expect(".");
        parse_choice(group);
      }
    }
    group.is_type = is_type_name(group.choices.front());
    form_.groups.push_back(std::move(group));
  }

  std::vector<OperandForm> parse_operands() {
    std::vector<OperandForm> operands;
    do {
      skip_blanks();
      const bool optional = take("{");
      if (optional) {
        skip_blanks();
        if (!operands.empty()) expect(",");
        skip_blanks();
      }
      operands.push_back(parse_operand(optional));
      if (optional && take(" if ")) operands.back().condition = word("_:");
      if (optional) expect("}");
      skip_blanks();
    } while (take(",") || peek() == '{');
    return operands;
  }

  OperandForm parse_operand(bool optional) {
    OperandForm operand;
    operand.optional = optional;
    take("!");
    operand.address = take("[");
    operand.name = word("_");
    if (operand.address) {
      operand.kinds.push_back({.rule = OperandKind::Rule::kAddress});
      if (take(":")) operand.address_bits = number(word(""));
      while (take(",")) {
        skip_blanks();
        operand.extra.push_back(parse_operand(false));
      }
      expect("]");
      return operand;
    }
    if (take("|")) {
      operand.second = word("");
      operand.pair_required = true;
    } else if (take("{|")) {
      operand.second = word("");
      expect("}");
    }
    if (take(":")) {
      do operand.kinds.push_back(parse_kind());
      while (take("|"));
    } else {
      operand.kinds.push_back({});
    }
    return operand;
  }

  // 4,8,16) or 0..255)
  void parse_values(OperandKind& kind) {
    do kind.values.push_back(signed_number());
    while (take(","));
    if (take("..")) {
      kind.is_range = true;
      kind.values.push_back(signed_number());
      kind.values.push_back(take("..") ? signed_number() : 1);
    }
    expect(")");
  }
  int64_t signed_number() {
    const bool negative = take("-");
    const int64_t value = number(word(""));
    return negative ? -value : value;
  }

  OperandKind parse_kind() {
    using Rule = OperandKind::Rule;
    OperandKind kind;
    if (take("_")) return {.rule = Rule::kSink};
    std::string name = word("");
    if (name[0] == 'v' && take(":")) {
      const std::string_view count = std::string_view(name).substr(1);
      if (std::isdigit(static_cast<unsigned char>(count[0])) != 0) {
        kind.lanes = number(count);
      } else {
        kind.lanes_by = count[0];
      }
      name = word("");
    }
    if (name == "imm" && take("(")) parse_values(kind);
    kind.relaxed = take("+");
    kind.selectable = take("*");
    kind.only_register = take("!");
    struct Word {
      std::string_view name;
      Rule rule;
    };
    static constexpr Word kWords[] = {{"wide", Rule::kWide},
                                      {"mem", Rule::kAddress},
                                      {"imm", Rule::kLiteral},
                                      {"any", Rule::kAny}};
    for (const Word& each : kWords) {
      if (each.name == name) {
        kind.rule = each.rule;
        return kind;
      }
    }
    if (name.size() == 2 && name[0] == 't' && name[1] >= '1' && name[1] <= '9') {
      kind.type = static_cast<uint8_t>(name[1] - '1');
      return kind;
    }
    kind.rule = Rule::kFixed;
    kind.fixed = op::type_named(name);
    PTXEQUIV_CHECK(kind.fixed != op::Type::kNone, bad());
    return kind;
  }

  std::string_view text_;
  size_t position_ = 0;
  unsigned unit_ = 0;
  Form form_;
};

}  // namespace

size_t Form::required_operands() const {
  return static_cast<size_t>(std::count_if(operands.begin(), operands.end(),
                                           [](const auto& operand) { return !operand.optional; }));
}

Form::Count Form::operand_count(const std::vector<std::string>& modifiers) const {
  Count count;
  for (const OperandForm& operand : operands) {
    const bool conditional = !operand.condition.empty();
    const bool given = conditional && std::find(modifiers.begin(), modifiers.end(),
                                                operand.condition) != modifiers.end();
    if (!operand.optional || given) ++count.least;
    if (!operand.optional || given || !conditional) ++count.most;
  }
  return count;
}

Form parse_form(std::string_view text) {
  return FormParser(text).parse();
}

bool is_type_name(std::string_view modifier) {
  return op::type_named(modifier) != op::Type::kNone ||
         std::find(kExoticTypes.begin(), kExoticTypes.end(), modifier) != kExoticTypes.end();
}

}  // namespace ptxequiv::isa
