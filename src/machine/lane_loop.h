// Whole-warp evaluation of operations on plain bits: loops that the compiler vectorises for the
// common integer operations, op::evaluate for the rest.
#pragma once
#include <cstdint>

#include "machine/lane.h"
#include "op/op.h"

namespace ptxequiv::machine {

// Operands of `count` lanes: lane i's are a[i * a_step], ...; steps are 0 (uniform) or 1.
struct LaneOperands {
  const uint64_t *a, *b, *c;
  unsigned a_step, b_step, c_step;
};

// d[i] = op(a[i], b[i], c[i]) for all i < count. Returns false if the operation has no fast loop.
// Only operations whose results are always exact have one.
bool run_lanes(op::Op op, unsigned position, const LaneOperands& in, uint64_t* d, unsigned count);
// The same for floating-point operations that round: only where concrete execution is asked for.
bool run_float_lanes(op::Op op, const LaneOperands& in, uint64_t* d, unsigned count);

}  // namespace ptxequiv::machine
