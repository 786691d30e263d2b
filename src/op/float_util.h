// What the floating-point handlers share: NaN rules, and the modifiers applied to a result.
#pragma once
#include <initializer_list>

#include "op/evaluate.h"
#include "op/softfloat.h"

namespace ptxequiv::op {

inline constexpr uint64_t kDefaultNan64 = 0xfff8000000000000u;

// The NaN that an operation on `operands` gives: canonical, except that f64 hands on the first NaN
// operand, quieted (in the order found on hardware; vectors/README).
inline uint64_t result_nan(const soft::Format& f, std::initializer_list<uint64_t> operands) {
  if (f.width != 64) return f.canonical_nan();
  for (uint64_t operand : operands) {
    if (soft::is_nan(f, operand)) return operand | uint64_t{1} << (f.fraction - 1);
  }
  return kDefaultNan64;
}

// .sat and .relu: real functions of the rounded result. NaN becomes +0 under .sat, and stays under
// .relu.
inline uint64_t clamp(const soft::Format& f, Op op, uint64_t bits) {
  if (!op.sat && !op.relu) return bits;
  if (soft::is_nan(f, bits)) return op.sat ? 0 : bits;
  if ((bits & f.sign()) != 0) return 0;
  return op.sat && bits > f.one() ? f.one() : bits;
}

inline Result nan_result(const soft::Format& f, Op op, std::initializer_list<uint64_t> operands) {
  return {clamp(f, op, result_nan(f, operands)), false};
}

// An infinity that the operation passes on is exact; one that it makes is not.
inline Result infinity_result(const soft::Format& f, Op op, bool negative, bool exact) {
  return {clamp(f, op, f.infinity() | (negative ? f.sign() : 0)), exact};
}

inline Result zero_result(const soft::Format& f, Op op, bool negative, bool exact = true) {
  return {clamp(f, op, negative ? f.sign() : 0), exact};
}

// rcp.approx.ftz and rsqrt.approx.ftz of f64 look at the high word only: a NaN whose payload is in
// the low word counts as infinity (found).
inline uint64_t without_low_nan(Op op, uint64_t a) {
  const uint64_t high = a & 0x7fffffff00000000u;
  return op.type == Type::kF64 && op.ftz && high == 0x7ff0000000000000u ? a & ~mask(32) : a;
}

}  // namespace ptxequiv::op
