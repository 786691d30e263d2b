// Whether operands are what their form says: kinds, widths, numbers of vector elements.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "isa/operand.h"
#include "isa/table.h"

namespace ptxequiv::isa {
namespace {

using op::Type;
using ptx::Operand;
using Rule = OperandKind::Rule;

struct Width {
  std::string_view name;
  unsigned bits;
};
// Of packed types that no operation here knows.
constexpr std::array kExoticWidths = {Width{"e2m1x2", 8},  Width{"e2m1x4", 16}, Width{"e2m3x2", 16},
                                      Width{"e2m3x4", 32}, Width{"e3m2x2", 16}, Width{"e3m2x4", 32},
                                      Width{"e4m3x4", 32}, Width{"e5m2x4", 32}, Width{"u8x4", 32},
                                      Width{"s8x4", 32},   Width{"ue8m0x2", 16}};

bool has(const ptx::Instruction& inst, std::string_view modifier) {
  return std::find(inst.modifiers.begin(), inst.modifiers.end(), modifier) != inst.modifiers.end();
}

// The number that follows `prefix` in a modifier that is `prefix`, a number and `suffix`; else 0.
unsigned modifier_number(const ptx::Instruction& inst, std::string_view prefix,
                         std::string_view suffix) {
  for (const std::string& modifier : inst.modifiers) {
    std::string_view rest = modifier;
    if (rest.substr(0, prefix.size()) != prefix) continue;
    rest.remove_prefix(prefix.size());
    unsigned value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc()) continue;
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    if (rest == suffix || (suffix == "*" && !rest.empty())) return value;
  }
  return 0;
}

// Coordinates of a texture or surface: a vector of four for three of them (9.7.10.3).
unsigned texture_coordinates(const ptx::Instruction& inst) {
  struct Geometry {
    std::string_view name;
    unsigned count;
  };
  static constexpr Geometry kGeometries[] = {{"1d", 1},    {"2d", 2},   {"3d", 4},
                                             {"a1d", 2},   {"a2d", 4},  {"cube", 4},
                                             {"acube", 4}, {"2dms", 4}, {"a2dms", 4}};
  for (const Geometry& geometry : kGeometries) {
    if (has(inst, geometry.name)) return geometry.count;
  }
  return 1;
}

// Registers of a warp-group's accumulator: 64 rows of n elements over 128 threads (9.7.15.5).
unsigned accumulator_registers(const Match& match, const ptx::Instruction& inst) {
  const unsigned n = modifier_number(inst, "m64n", "*");
  return match.types.front() == "f16" ? n / 4 : n / 2;
}

// Registers of a tensor memory access (9.7.16.8).
unsigned tensor_memory_registers(const ptx::Instruction& inst) {
  const unsigned repeat = modifier_number(inst, "x", "");
  if (has(inst, "16x256b")) return 4 * repeat;
  return has(inst, "16x128b") ? 2 * repeat : repeat;
}

std::string kind_name(const OperandKind& kind, const Match& match, unsigned lanes) {
  switch (kind.rule) {
    case Rule::kAddress:
      return "an address [base + offset]";
    case Rule::kLiteral:
      return "a literal";
    case Rule::kSink:
      return "_";
    default:
      break;
  }
  const Type type = kind_type(kind, match);
  const std::string name = type != Type::kNone ? std::string(op::name(type))
                                               : fmt::format("b{}", kind_bits(kind, match));
  if (lanes > 1) return fmt::format("a vector of {} .{} elements", lanes, name);
  return fmt::format("a register or a literal, usable as .{}", name);
}

class Checker {
 public:
  Checker(const Match& match, const ptx::Instruction& inst, const ptx::Module& module)
      : match_(match), inst_(inst), module_(module) {}

  std::optional<OperandProblem> run() {
    if (match_.entry->form.any_operands) return std::nullopt;
    for (const Binding& binding : bind(match_.entry->form, inst_)) {
      const bool is_dest = binding.form->name == "d" || binding.form->name == "r" ||
                           (binding.form->name == "p" && binding.operand == &inst_.operands[0]);
      check(*binding.operand, *binding.form, is_dest && !binding.form->address);
      if (problem_) return problem_;
    }
    return std::nullopt;
  }

 private:
  void fail(const Operand& operand, std::string message) {
    if (!problem_) problem_ = OperandProblem{&operand, std::move(message)};
  }

  void check(const Operand& operand, const OperandForm& form, bool is_dest) {
    const auto* pair = std::get_if<ptx::Pair>(&operand.value);
    if (pair == nullptr) {
      if (form.pair_required) return fail(operand, "a pair p|q is needed here");
      return check_kinds(operand, form, is_dest);
    }
    if (form.second.empty()) return fail(operand, "a single register is needed here");
    const bool first_is_sink = std::holds_alternative<ptx::Sink>(pair->elements.at(0).value);
    if (!first_is_sink) check_kinds(pair->elements.at(0), form, is_dest);
    if (std::holds_alternative<ptx::Sink>(pair->elements.at(1).value)) return;
    const OperandKind predicate{.rule = Rule::kFixed, .fixed = Type::kPred};
    check_scalar(pair->elements.at(1), predicate, is_dest);
  }

  void check_kinds(const Operand& operand, const OperandForm& form, bool is_dest) {
    std::optional<OperandProblem> first;
    for (const OperandKind& kind : form.kinds) {
      problem_.reset();
      check_kind(operand, kind, form, is_dest);
      if (!problem_) return;
      if (!first) first = problem_;
    }
    problem_ = first;
  }

  void check_kind(const Operand& operand, const OperandKind& kind, const OperandForm& form,
                  bool is_dest) {
    switch (kind.rule) {
      case Rule::kAny:
        if (kind.lanes > 0 && element_count(operand) != kind.lanes) {
          fail(operand, fmt::format("a vector of {} elements is needed here", kind.lanes));
        }
        return;
      case Rule::kSink:
        if (!std::holds_alternative<ptx::Sink>(operand.value)) fail(operand, "_ is needed here");
        return;
      case Rule::kLiteral:
        return check_literal(operand, kind);
      case Rule::kAddress:
        return check_address(operand, form);
      default:
        break;
    }
    const unsigned lanes = kind_lanes(kind, match_, inst_);
    const auto* vector = std::get_if<ptx::Vector>(&operand.value);
    const size_t have = element_count(operand);
    if (lanes == 0 && (vector != nullptr || have > 1)) {
      return fail(operand, fmt::format("{} is needed here", kind_name(kind, match_, 0)));
    }
    if (lanes > 0 && have != lanes) {
      return fail(operand, fmt::format("{} is needed here", kind_name(kind, match_, lanes)));
    }
    if (kind.lanes_by == 'N' && lanes * kind_bits(kind, match_) > 128) {
      return fail(operand, "a vector has at most 128 bits");
    }
    const bool braces = lanes == 1 && kind.lanes_by != 'N';
    if (braces && vector == nullptr) return fail(operand, "a vector in braces is needed here");
    if (lanes > 1 && vector == nullptr) return check_type(operand, vector_type(operand), kind);
    if (vector == nullptr) return check_scalar(operand, kind, is_dest);
    if (!same_widths(vector->elements)) {
      return fail(operand, "the elements of a vector have the same size");
    }
    for (const Operand& element : vector->elements) {
      if (is_dest && std::holds_alternative<ptx::Sink>(element.value)) continue;
      check_scalar(element, kind, is_dest);
    }
  }

  bool same_widths(const std::vector<Operand>& elements) const {
    unsigned width = 0;
    for (const Operand& element : elements) {
      const ptx::Symbol* symbol = register_symbol(element);
      if (symbol == nullptr) continue;
      if (width != 0 && op::bits(symbol->type) != width) return false;
      width = op::bits(symbol->type);
    }
    return true;
  }

  void check_literal(const Operand& operand, const OperandKind& kind) {
    const auto* literal = std::get_if<ptx::Immediate>(&operand.value);
    if (literal == nullptr) return fail(operand, "this operand must be a literal");
    const auto value = static_cast<int64_t>(literal->bits);
    const auto& values = kind.values;
    if (values.empty()) return;
    const bool legal =
        kind.is_range
            ? value >= values[0] && value <= values[1] && (value - values[0]) % values[2] == 0
            : std::find(values.begin(), values.end(), value) != values.end();
    if (legal) return;
    if (kind.is_range && values[2] != 1) {
      return fail(operand, fmt::format("{} is not {} to {} in steps of {}", value, values[0],
                                       values[1], values[2]));
    }
    fail(operand, kind.is_range
                      ? fmt::format("{} is not between {} and {}", value, values[0], values[1])
                      : fmt::format("{} is none of {}", value, fmt::join(values, ", ")));
  }

  const ptx::Symbol* register_symbol(const Operand& operand) const {
    if (const auto* reg = std::get_if<ptx::RegisterRef>(&operand.value)) {
      return &module_.symbol(reg->symbol);
    }
    return nullptr;
  }
  size_t element_count(const Operand& operand) const {
    if (const auto* vector = std::get_if<ptx::Vector>(&operand.value)) {
      return vector->elements.size();
    }
    const ptx::Symbol* symbol = register_symbol(operand);
    return symbol == nullptr ? 1 : symbol->vector;
  }
  Type vector_type(const Operand& operand) const { return register_symbol(operand)->type; }

  void check_type(const Operand& operand, Type declared, const OperandKind& kind) {
    Type wanted = kind_type(kind, match_);
    if (wanted == Type::kNone) wanted = op::bits_type(kind_bits(kind, match_));
    const Fit fit = kind.relaxed ? Fit::kRelaxed : Fit::kExact;
    std::string problem = register_problem(declared, wanted, fit);
    if (!problem.empty()) fail(operand, std::move(problem));
  }

  void check_scalar(const Operand& operand, const OperandKind& kind, bool is_dest) {
    if (const ptx::Symbol* symbol = register_symbol(operand)) {
      if (std::get<ptx::RegisterRef>(operand.value).negated &&
          (is_dest || symbol->type != Type::kPred)) {
        return fail(operand,
                    is_dest ? "a destination cannot be negated" : "'!' is not allowed here");
      }
      return check_type(operand, symbol->type, kind);
    }
    if (const auto* element = std::get_if<ptx::RegisterElement>(&operand.value)) {
      const bool is_selector = element->index >= ptx::RegisterElement::kByteSelector;
      if (is_selector && !kind.selectable) {
        return fail(operand, "a byte or half of a register is not allowed here");
      }
      return check_type(operand, module_.symbol(element->symbol).type, kind);
    }
    if (is_dest) {
      const bool sink = std::holds_alternative<ptx::Sink>(operand.value) && inst_.opcode == "atom";
      if (!sink) fail(operand, "the destination must be a register");
      return;
    }
    if (const auto* literal = std::get_if<ptx::Immediate>(&operand.value)) {
      Type wanted = kind_type(kind, match_);
      if (wanted == Type::kNone) wanted = op::bits_type(kind_bits(kind, match_));
      std::string problem;
      immediate_bits(*literal, wanted, problem);
      const bool truth = wanted != Type::kPred || literal->bits <= 1 || inst_.opcode == "mov";
      if (!truth) problem = "a predicate is 0 or 1";
      if (kind.only_register) problem = "a register is needed here";
      if (!problem.empty()) fail(operand, std::move(problem));
      return;
    }
    const bool widens = inst_.opcode == "cvt" && op::info(kind_type(kind, match_)).is_integer &&
                        !has(inst_, "pack");
    const bool moves = inst_.opcode == "mov" || inst_.opcode == "cvta" || widens;
    const bool named = moves || inst_.opcode == "mapa" || inst_.opcode == "getctarank";
    if (const auto* special = std::get_if<ptx::SpecialRegister>(&operand.value)) {
      if (!moves && special->name != "WARP_SZ") {
        fail(operand, fmt::format("{} may only be read by mov", special->name));
      }
      return;
    }
    const bool names = std::holds_alternative<ptx::SymbolRef>(operand.value) ||
                       std::holds_alternative<ptx::LabelRef>(operand.value);
    if (!names || !named)
      fail(operand, fmt::format("{} is needed here", kind_name(kind, match_, 0)));
  }

  // Whether the symbol lies in the right space is checked where the access is made.
  void check_address(const Operand& operand, const OperandForm& form) {
    const auto* address = std::get_if<ptx::Address>(&operand.value);
    if (address == nullptr) {
      const bool bare = std::holds_alternative<ptx::SymbolRef>(operand.value) && form.extra.empty();
      if (!bare || !form.address) fail(operand, "an address [base + offset] is needed here");
      return;
    }
    if (address->base == ptx::Address::Base::kAbsolute && !has(inst_, "local")) {
      return fail(operand, "only .local addresses may be literals");
    }
    if (address->base == ptx::Address::Base::kRegister) {
      const Type type = module_.symbol(address->symbol).type;
      if (form.address_bits != 0 && op::bits(type) != form.address_bits) {
        return fail(operand, fmt::format("this address must have {} bits", form.address_bits));
      }
      const bool integer = !op::is_float(type) && (op::bits(type) == 32 || op::bits(type) == 64);
      if (!integer) {
        return fail(operand, fmt::format("a .{} register cannot be an address: it must have 32 or "
                                         "64 bits",
                                         op::name(type)));
      }
    }
    if (address->extra.size() != form.extra.size()) {
      return fail(operand, form.extra.empty()
                               ? "this address takes no coordinates"
                               : fmt::format("{} operands are needed in the brackets",
                                             form.extra.size() + 1));
    }
    for (size_t i = 0; i < form.extra.size() && !problem_; ++i) {
      check(address->extra[i], form.extra[i], false);
    }
  }

  const Match& match_;
  const ptx::Instruction& inst_;
  const ptx::Module& module_;
  std::optional<OperandProblem> problem_;
};

}  // namespace

std::optional<OperandProblem> operand_problem(const Match& match, const ptx::Instruction& inst,
                                              const ptx::Module& module) {
  return Checker(match, inst, module).run();
}

Type kind_type(const OperandKind& kind, const Match& match) {
  if (kind.rule == Rule::kFixed) return kind.fixed;
  if (kind.type >= match.types.size()) return Type::kNone;
  const Type type = op::type_named(match.types[kind.type]);
  if (kind.lanes_by == 'W' && type == Type::kF16) return Type::kF16x2;  // wgmma's accumulators
  if (kind.rule != Rule::kWide) return type;
  if (op::bits(type) == 16) return op::is_signed(type) ? Type::kS32 : Type::kU32;
  return op::is_signed(type) ? Type::kS64 : Type::kU64;
}

unsigned kind_bits(const OperandKind& kind, const Match& match) {
  const Type type = kind_type(kind, match);
  if (type != Type::kNone) return op::bits(type);
  if (kind.type >= match.types.size()) return 32;
  for (const Width& width : kExoticWidths) {
    if (width.name == match.types[kind.type]) return width.bits;
  }
  return 32;
}

unsigned kind_lanes(const OperandKind& kind, const Match& match, const ptx::Instruction& inst) {
  switch (kind.lanes_by) {
    case 'Q':  // a 256-bit access
    case 'N':
      return std::max(1u, modifier_number(inst, "v", ""));
    case 'G':
      return modifier_number(inst, "", "d");
    case 'X':
      return texture_coordinates(inst);
    case 'I':  // offsets of an im2col copy: one for each dimension but two (9.7.9.27)
      return has(inst, "im2col") ? modifier_number(inst, "", "d") - 2 : 2;
    case 'D':  // derivatives of a texture's coordinates, the layer left out
      return std::min(4u,
                      texture_coordinates(inst) / (has(inst, "a1d") || has(inst, "a2d") ? 2 : 1));
    case 'L':  // a mask of the lanes of one or two CTAs (9.7.16.10.9)
      return has(inst, "cta_group::1") ? 4 : 8;
    case 'W':
      return accumulator_registers(match, inst);
    case 'T':
      return tensor_memory_registers(inst);
    default:
      return kind.lanes;
  }
}

}  // namespace ptxequiv::isa
