#include "isa/form.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace ptxequiv::isa {
namespace {

// Types that appear only in instructions without a meaning here.
constexpr std::array kExoticTypes = {
    std::string_view("b1"),     std::string_view("b4"),     std::string_view("s4"),
    std::string_view("u4"),     std::string_view("e2m1"),   std::string_view("e2m1x2"),
    std::string_view("e2m3"),   std::string_view("e2m3x2"), std::string_view("e3m2"),
    std::string_view("e3m2x2"), std::string_view("ue8m0"),  std::string_view("ue8m0x2"),
    std::string_view("ue4m3"),  std::string_view("u8x4"),   std::string_view("s8x4"),
    std::string_view("s2"),     std::string_view("u2")};

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
    parse_operands();
    return form_;
  }

 private:
  bool at_end() const { return position_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[position_]; }
  std::string_view rest() const { return text_.substr(position_); }
  bool take(char c) {
    if (peek() != c) return false;
    ++position_;
    return true;
  }
  void expect(char c) { PTXEQUIV_CHECK(take(c), std::string("bad form: ") + std::string(text_)); }
  void skip_blanks() {
    while (take(' ')) {
    }
  }
  std::string word(std::string_view extra) {
    const size_t start = position_;
    while (!at_end() && (std::isalnum(static_cast<unsigned char>(peek())) != 0 ||
                         extra.find(peek()) != std::string_view::npos)) {
      ++position_;
    }
    PTXEQUIV_CHECK(position_ > start, std::string("bad form: ") + std::string(text_));
    return std::string(text_.substr(start, position_ - start));
  }

  void parse_modifiers() {
    while (peek() == '.' || peek() == '{') {
      if (rest().substr(0, 2) == ".*") {
        form_.any_modifiers = true;
        position_ += 2;
        continue;
      }
      ModifierGroup group;
      group.required = !take('{');
      expect('.');
      if (take('(')) {
        do group.choices.push_back(word("_:"));
        while (take('|'));
        expect(')');
      } else {
        group.choices.push_back(word("_:"));
        while (take('|')) {
          expect('.');
          group.choices.push_back(word("_:"));
        }
      }
      if (!group.required) expect('}');
      group.is_type = is_type_name(group.choices.front());
      form_.groups.push_back(std::move(group));
    }
  }

  void parse_operands() {
    do {
      skip_blanks();
      const bool optional = take('{');
      if (optional) {
        skip_blanks();
        if (!form_.operands.empty()) expect(',');
        skip_blanks();
      }
      parse_operand(optional);
      if (optional) expect('}');
      skip_blanks();
    } while (take(',') || peek() == '{');
    PTXEQUIV_CHECK(at_end(), std::string("bad form: ") + std::string(text_));
  }

  void parse_operand(bool optional) {
    OperandForm operand;
    operand.optional = optional;
    take('!');
    operand.address = take('[');
    operand.name = word("_");
    if (operand.address) expect(']');
    if (take('|')) {
      operand.second = word("");
      operand.pair_required = true;
    } else if (rest().substr(0, 2) == "{|") {
      position_ += 2;
      operand.second = word("");
      expect('}');
    }
    if (take(':')) set_rule(operand, word(""));
    form_.operands.push_back(std::move(operand));
  }

  void set_rule(OperandForm& operand, const std::string& rule) const {
    if (rule == "t2") {
      operand.rule = OperandForm::Rule::kSecondType;
    } else if (rule == "wide") {
      operand.rule = OperandForm::Rule::kWide;
    } else if (rule == "any") {
      operand.rule = OperandForm::Rule::kAny;
    } else {
      operand.rule = OperandForm::Rule::kFixed;
      operand.fixed = op::type_named(rule);
      PTXEQUIV_CHECK(operand.fixed != op::Type::kNone,
                     std::string("bad form: ") + std::string(text_));
    }
  }

  std::string_view text_;
  size_t position_ = 0;
  Form form_;
};

}  // namespace

size_t Form::required_operands() const {
  return static_cast<size_t>(std::count_if(operands.begin(), operands.end(),
                                           [](const auto& operand) { return !operand.optional; }));
}

Form parse_form(std::string_view text) {
  return FormParser(text).parse();
}

bool is_type_name(std::string_view modifier) {
  return op::type_named(modifier) != op::Type::kNone ||
         std::find(kExoticTypes.begin(), kExoticTypes.end(), modifier) != kExoticTypes.end();
}

}  // namespace ptxequiv::isa
