// How far the hardware's approximate functions are from the true ones.
#pragma once
#include "op/op.h"

namespace ptxequiv::op {

// |hardware - f(x)| <= relative * |f(x)| + absolute, wherever |x| <= domain. Largest errors seen on
// an NVIDIA H200: over every f32, f16 and bf16 input, over 2^28 random f64 inputs and 2^30 random
// pairs of a division, rounded up (shared/vectors/instructions/errors.json). `absolute` covers
// results near the subnormals, flushed or not.
struct ApproxError {
  Kind kind;
  Type type;
  double relative;
  double absolute;
  double domain;  // of the last operand (a division's divisor)
};

// The row for an operation of rounding kApprox; null if there is none.
const ApproxError* approx_error(Op op);

}  // namespace ptxequiv::op
