// Whole-warp evaluation of operations on plain bits: loops that the compiler vectorises for the
// common integer operations, op::evaluate for the rest.
#pragma once
#include <cstdint>

#include "machine/lane.h"
#include "op/op.h"

namespace ptxequiv::machine {

// d[i] = op(a[i * a_step], ...) for all i < count; steps are 0 (uniform) or 1. Returns false if the
// operation has no fast loop. Only operations whose results are always exact have one.
bool run_lanes(op::Op op, unsigned position, const uint64_t* a, unsigned a_step, const uint64_t* b,
               unsigned b_step, const uint64_t* c, unsigned c_step, uint64_t* d, unsigned count);

}  // namespace ptxequiv::machine
