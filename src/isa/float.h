// Floating-point operations with the modifiers of the instruction in hand.
#pragma once
#include "isa/context.h"

namespace ptxequiv::isa {

// An operation of `kind` on `type` with .ftz, .sat and .NaN as the instruction has them.
inline Op float_op(const Context& c, Kind kind, Type type,
                   op::Rounding rounding = op::Rounding::kNone) {
  Op made{.kind = kind, .type = type, .rounding = rounding};
  made.ftz = c.has("ftz");
  made.sat = c.has("sat");
  made.nan = c.has("NaN");
  return made;
}

// As above without .sat, for the parts of a longer computation.
inline Op plain_float_op(const Context& c, Kind kind, Type type,
                         op::Rounding rounding = op::Rounding::kNone) {
  Op made = float_op(c, kind, type, rounding);
  made.sat = false;
  made.nan = false;
  return made;
}

// Bits of infinity, one and the least normal number.
inline uint64_t infinity_bits(Type type) {
  const op::TypeInfo& info = op::info(type);
  const unsigned fraction = info.precision - 1u;
  return (op::mask(info.bits - 1u) >> fraction) << fraction;
}
inline uint64_t one_bits(Type type) {
  const op::TypeInfo& info = op::info(type);
  return static_cast<uint64_t>(1 - info.min_exponent) << (info.precision - 1u);
}
inline uint64_t least_normal_bits(Type type) {
  return uint64_t{1} << (op::info(type).precision - 1u);
}

// max(value, +0) with NaN kept as NaN: .relu.
inline ValueId relu(Context& c, Type type, ValueId value) {
  Op max{.kind = Kind::kFMax, .type = type};
  max.nan = true;
  return c.op(max, {value, c.constant(op::bits(type), 0)});
}

}  // namespace ptxequiv::isa
