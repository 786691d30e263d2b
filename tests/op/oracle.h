// IEEE arithmetic by MPFR, independent of op's own integers: value and exactness.
#pragma once
#include "op/evaluate.h"

namespace ptxequiv::op {

// The result of kFAdd, kFSub, kFMul, kFFma, kFDiv or kFSqrt on finite operands (the divisor not
// zero, the radicand not negative), without .ftz or clamping; `rounding` is kRn, kRz, kRm or kRp.
Result oracle(Op op, uint64_t a, uint64_t b, uint64_t c);

}  // namespace ptxequiv::op
