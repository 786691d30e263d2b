#include "isa/operand.h"

#include <fmt/format.h>

#include "op/evaluate.h"

namespace ptxequiv::isa {
namespace {

using op::Type;

// kPacked: floats that live in .b registers, alone or several in one.
enum class Class : uint8_t { kPredicate, kBits, kInteger, kFloat, kPacked };

Class class_of(Type type) {
  switch (type) {
    case Type::kPred:
      return Class::kPredicate;
    case Type::kF16x2:
    case Type::kBF16x2:
    case Type::kE4M3x2:
    case Type::kE5M2x2:
    case Type::kF32x2:
    case Type::kTF32:
    case Type::kE4M3:
    case Type::kE5M2:
      return Class::kPacked;
    case Type::kU16x2:
    case Type::kS16x2:
      return Class::kInteger;
    default:
      break;
  }
  if (op::is_float(type)) return Class::kFloat;
  return op::info(type).is_integer ? Class::kInteger : Class::kBits;
}

}  // namespace

std::string register_problem(Type declared, Type use, Fit fit) {
  const unsigned have = op::bits(declared), want = op::bits(use);
  const Class own = class_of(declared), wanted = class_of(use);
  const std::string allowed = fmt::format("a .{} operand", op::name(use));
  const auto problem = [&](std::string_view what) {
    return fmt::format("a .{} register cannot be {}: {}", op::name(declared), allowed, what);
  };
  if (own == Class::kPredicate || wanted == Class::kPredicate) {
    return own == wanted ? "" : problem("predicates match only predicates");
  }
  const bool fits = have == want || (fit == Fit::kRelaxed && have > want);
  if (!fits) {
    return problem(fit == Fit::kRelaxed ? fmt::format("it must have {} bits or more", want)
                                        : fmt::format("it must have {} bits", want));
  }
  if (own == Class::kBits || wanted == Class::kBits) return "";
  if (own == wanted && (own != Class::kFloat || have == want)) return "";
  return problem(wanted == Class::kFloat || wanted == Class::kPacked
                     ? fmt::format("it must be .{} or .b{}", op::name(use), want)
                     : fmt::format("it must be .s{0}, .u{0} or .b{0}", want));
}

uint64_t immediate_bits(const ptx::Immediate& immediate, Type use, std::string& problem) {
  using Form = ptx::Immediate::Form;
  const unsigned width = op::bits(use);
  const Class wanted = class_of(use);
  if (wanted == Class::kPredicate) {
    if (immediate.form != Form::kInteger) problem = "a predicate is 0 or 1";
    return immediate.bits != 0 ? 1 : 0;
  }
  if (immediate.form == Form::kInteger) {
    if (wanted == Class::kFloat || wanted == Class::kPacked) {
      problem = fmt::format("an integer cannot be a .{} operand", op::name(use));
    }
    return immediate.bits & op::mask(width);
  }
  const bool is_f32 = immediate.form == Form::kF32Bits;
  if (use == Type::kB32 && is_f32) return immediate.bits & op::mask(32);
  if (use == Type::kB64 && immediate.form == Form::kF64Bits) return immediate.bits;
  if (use == Type::kF32) {
    return is_f32 ? immediate.bits & op::mask(32)
                  : op::from_double(Type::kF32, op::to_double(Type::kF64, immediate.bits));
  }
  if (use == Type::kF64) {
    return is_f32 ? op::from_double(Type::kF64, op::to_double(Type::kF32, immediate.bits))
                  : immediate.bits;
  }
  problem = fmt::format("this floating-point literal cannot be a .{} operand", op::name(use));
  return 0;
}

}  // namespace ptxequiv::isa
