// Loops that stop when a step changes nothing: a fixed point is one for all later steps.
#pragma once
#include "real/dag.h"

namespace ptxequiv::real {

// `root` with each choice (a = b ? x : y) replaced by y where x is what y becomes when b is a (or a
// is b): then both arms are equal wherever the condition holds. Equal to `root` wherever that is
// defined; what is defined where is a question for the original.
RealId without_early_exits(Dag& dag, RealId root);

}  // namespace ptxequiv::real
