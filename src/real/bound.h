// Proves |reference - candidate| <= atol + rtol * |reference| over the ranges of the leaves, by
// first-order models (what is linear in the leaves, and an interval for the rest) on boxes that are
// subdivided where a bound is not met. Outward rounding throughout: a bound that is met is a proof.
#pragma once
#include <gmpxx.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/deadline.h"
#include "real/dag.h"
#include "real/facts.h"

namespace ptxequiv::real {

struct BoundQuestion {
  RealId reference = kNoReal, candidate = kNoReal;
  mpq_class atol, rtol;
};

struct BoundOptions {
  uint64_t max_boxes = 60000;
  size_t max_terms = size_t{1} << 22;   // nodes times leaves of one model
};

struct BoundAnswer {
  bool proved = false;
  bool stopped = false;   // `try_point` said so
  std::string why;        // if not proved: "boxes", "timeout", "definedness", "size"
  uint64_t boxes = 0;
};

// A point where the difference seems too large, by leaf; true ends the search.
using TryPoint = std::function<bool(const std::map<RealId, mpq_class>&)>;

// Proved: wherever the facts hold and the reference is defined, the candidate is defined and within
// the bound. Inputs at which an assumption of the facts fails are left out.
BoundAnswer bound_difference(const Dag& dag, const Facts& facts, const BoundQuestion& question,
                             const BoundOptions& options, const base::Deadline& deadline,
                             const TryPoint& try_point);

}  // namespace ptxequiv::real
