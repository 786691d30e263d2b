// Evaluation of terms at a point that knows whether anything rounded on the way: bits that come
// from exact steps only are also the value over the reals.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "check/points.h"
#include "op/evaluate.h"
#include "term/arena.h"

namespace ptxequiv::check {

// Per root: bits, and whether every float operation below it was exact at this point.
std::vector<op::Result> evaluate_exactly(const term::Arena& arena,
                                         std::span<const term::TermId> roots, const Point& point);

}  // namespace ptxequiv::check
