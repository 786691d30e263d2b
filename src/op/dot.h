// A tensor core's sum of products, on factors that were taken apart beforehand: a factor of a
// matrix product is in many sums.
#pragma once
#include <cstdint>

#include "op/evaluate.h"

namespace ptxequiv::op {

// value = significand * 2^(exponent - 10); a zero's exponent is far below all others.
struct DotFactor {
  int32_t significand = 0;
  int16_t exponent = kZeroExponent;
  bool infinite = false;
  bool nan = false;

  static constexpr int16_t kZeroExponent = -4096;
};

// Of f16, bf16 and tf32 (whose 13 low bits play no part).
DotFactor dot_factor(Type type, uint64_t bits);

// The accumulator, of `type`, plus the sum of a[i] * b[i], as a result of type `result` (f16, f32).
Result dot_pass(Type type, uint64_t accumulator, Type result, const DotFactor* a,
                const DotFactor* b, unsigned count);

}  // namespace ptxequiv::op
