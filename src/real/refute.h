// A cheap look before a proof by cases: a filter, never an answer.
#pragma once
#include <span>

#include "real/dag.h"
#include "real/facts.h"

namespace ptxequiv::real {

// Whether doubles at a few points that satisfy the facts say clearly that a and b differ.
bool seems_different(const Dag& dag, RealId a, RealId b, const Facts& facts);

}  // namespace ptxequiv::real
