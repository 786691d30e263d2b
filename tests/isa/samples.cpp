#include "samples.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxequiv::testing {
namespace {

using isa::OperandForm;
using isa::OperandKind;
using Rule = OperandKind::Rule;

// One choice for each group; -1 where an optional group is left out.
using Choices = std::vector<int>;

int option_count(const isa::ModifierGroup& group) {
  return static_cast<int>(group.choices.size()) + (group.required ? 0 : 1);
}

// Number `index` of the options of a group, the plainest first.
int option(const isa::ModifierGroup& group, int index) {
  return group.required ? index : index - 1;
}

std::vector<Choices> combinations(const isa::Form& form, size_t limit) {
  size_t all = 1;
  for (const auto& group : form.groups) {
    all = std::min(all * static_cast<size_t>(option_count(group)), limit + 1);
  }
  const size_t count = form.groups.size();
  std::vector<Choices> result;
  const auto add = [&](const std::vector<int>& indices) {
    Choices choices;
    for (size_t i = 0; i < count; ++i) {
      choices.push_back(option(form.groups[i], indices[i]));
      // Of groups that come together the first one decides.
      const bool follows =
          i > 0 && form.groups[i].unit != 0 && form.groups[i].unit == form.groups[i - 1].unit;
      if (follows && choices[i - 1] < 0) choices[i] = -1;
      if (follows && choices[i - 1] >= 0) choices[i] = std::max(choices[i], 0);
    }
    if (std::find(result.begin(), result.end(), choices) == result.end()) {
      result.push_back(std::move(choices));
    }
  };
  std::vector<int> indices(count, 0);
  if (all <= limit) {
    while (true) {
      add(indices);
      size_t i = 0;
      while (i < count && ++indices[i] == option_count(form.groups[i])) indices[i++] = 0;
      if (i == count) return result;
    }
  }
  add(indices);
  for (size_t i = 0; i < count; ++i) {
    for (int k = 1; k < option_count(form.groups[i]); ++k) {
      std::vector<int> varied(count, 0);
      varied[i] = k;
      add(varied);
    }
  }
  uint64_t state = 1;
  for (size_t tries = 0; result.size() < limit && tries < 4 * limit; ++tries) {
    std::vector<int> varied(count, 0);
    for (size_t i = 0; i < count; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      varied[i] =
          static_cast<int>((state >> 33) % static_cast<uint64_t>(option_count(form.groups[i])));
    }
    add(varied);
  }
  return result;
}

class Writer {
 public:
  Writer(const isa::Entry& entry, const Choices& choices) : entry_(entry) {
    inst_.opcode = entry.row->opcode;
    for (size_t i = 0; i < choices.size(); ++i) {
      if (choices[i] >= 0) {
        inst_.modifiers.push_back(entry.form.groups[i].choices[static_cast<size_t>(choices[i])]);
      }
    }
    match_.entry = &entry;
    for (const std::string& modifier : inst_.modifiers) {
      if (isa::is_type_name(modifier)) match_.types.push_back(modifier);
    }
  }

  // Every combination of operands that may be missing and of their kinds.
  std::vector<std::string> texts() {
    std::vector<std::string> result;
    const auto given = [&](const std::string& name) {
      return std::find(inst_.modifiers.begin(), inst_.modifiers.end(), name) !=
             inst_.modifiers.end();
    };
    std::vector<const OperandForm*> operands, optional;
    for (const OperandForm& form : entry_.form.operands) {
      if (!form.condition.empty() && !given(form.condition)) continue;
      operands.push_back(&form);
    }
    size_t spare = 0;
    for (const auto* form : operands) spare += form->optional && form->condition.empty() ? 1 : 0;
    for (size_t keep = 0; keep <= spare; ++keep) {
      std::vector<const OperandForm*> kept;
      size_t left = keep;
      for (const OperandForm* form : operands) {
        if (form->optional && form->condition.empty() && left == 0) continue;
        if (form->optional && form->condition.empty()) --left;
        kept.push_back(form);
      }
      size_t kinds = 1;
      for (const auto* form : kept) kinds = std::max(kinds, form->kinds.size());
      for (kind_ = 0; kind_ < kinds; ++kind_) result.push_back(text(kept));
    }
    return result;
  }

 private:
  std::string text(const std::vector<const OperandForm*>& operands) {
    register_ = 0;
    std::vector<std::string> parts;
    for (const OperandForm* form : operands) parts.push_back(operand(*form));
    std::string name = inst_.opcode;
    for (const std::string& modifier : inst_.modifiers) name += "." + modifier;
    return fmt::format("{} {};", name, fmt::join(parts, ", "));
  }

  std::string register_of(unsigned bits) {
    const char* prefix = bits == 1    ? "%p"
                         : bits == 8  ? "%b"
                         : bits == 16 ? "%h"
                         : bits == 32 ? "%r"
                         : bits == 64 ? "%rd"
                                      : "%q";
    return fmt::format("{}{}", prefix, register_++ % (bits == 32 ? 300 : 40));
  }

  std::string operand(const OperandForm& form) {
    if (form.address) {
      std::string text = register_of(inst_.opcode == "tcgen05" ? 32 : 64);
      for (const OperandForm& extra : form.extra) text += ", " + operand(extra);
      return "[" + text + "]";
    }
    const OperandKind& kind = form.kinds[std::min(kind_, form.kinds.size() - 1)];
    if (kind.rule == Rule::kAddress) return fmt::format("[{}]", register_of(32));
    if (kind.rule == Rule::kSink) return "_";
    if (kind.rule == Rule::kLiteral) {
      return fmt::format("{}", kind.values.empty() ? 1 : kind.values.front());
    }
    if (form.name == "target") return "LAB";
    if (form.name == "table") return "TABLE";
    unsigned bits = isa::kind_bits(kind, match_);
    unsigned lanes = isa::kind_lanes(kind, match_, inst_);
    if (kind.rule == Rule::kAny) {
      bits = lanes > 0 && !match_.types.empty() ? op::bits(op::type_named(match_.types[0])) / lanes
                                                : 64;
    }
    std::string text;
    if (lanes > 0) {
      std::vector<std::string> elements;
      for (unsigned i = 0; i < lanes; ++i) elements.push_back(register_of(bits));
      const bool bare = lanes == 1 && kind.lanes_by == 'N';
      text = bare ? elements[0] : fmt::format("{{{}}}", fmt::join(elements, ", "));
    } else {
      text = register_of(bits);
      // A destination with a selector merges.
      if (kind.selectable && form.name == "d") text += ".h0";
    }
    if (!form.second.empty() && form.pair_required) text += "|%p39";
    return text;
  }

  const isa::Entry& entry_;
  ptx::Instruction inst_;
  isa::Match match_;
  size_t kind_ = 0;
  unsigned register_ = 0;
};

}  // namespace

std::vector<std::string> samples(const isa::Entry& entry, size_t limit) {
  std::vector<std::string> result;
  if (entry.form.any_operands || entry.form.any_modifiers || entry.row->opcode == "brx") {
    return result;  // brx needs a table of its own
  }
  for (const Choices& choices : combinations(entry.form, limit)) {
    for (std::string& text : Writer(entry, choices).texts()) result.push_back(std::move(text));
  }
  return result;
}

std::string sample_module(const std::vector<std::string>& instructions, unsigned version,
                          const std::string& target) {
  std::string text = fmt::format(
      ".version {}.{}\n.target {}\n.address_size 64\n.visible .entry k(.param .b64 in) {{\n"
      ".reg .pred %p<40>;\n.reg .b8 %b<40>;\n.reg .b16 %h<40>;\n.reg .b32 %r<300>;\n"
      ".reg .b64 %rd<40>;\n{}\n",
      version / 10, version % 10, target, version >= 83 ? ".reg .b128 %q<40>;" : "");
  for (const std::string& instruction : instructions) text += instruction + "\n";
  return text + "LAB: TABLE: .branchtargets LAB;\nret;\n}\n";
}

}  // namespace ptxequiv::testing
