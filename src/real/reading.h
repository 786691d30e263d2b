// From terms to their meaning over the reals. One row per operation kind (reading.cpp).
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "real/dag.h"
#include "real/library.h"
#include "term/arena.h"

namespace ptxequiv::real {

// An idealisation that was used (design.md, section 1, Assumptions): stable id -> count and the
// origins (Arena::origin) of some of the nodes where it was.
struct AssumptionUse {
  uint64_t count = 0;
  std::vector<uint32_t> origins;   // at most 8, distinct
};
using Assumptions = std::map<std::string, AssumptionUse>;

struct ReadingOptions {
  // Read literals within one ulp of k*log2 e or k*ln 2 that flow into ex2 or out of lg2 as those
  // reals (assumption `constant`).
  bool snap_constants = false;
};

class Reading {
 public:
  // `arena` may grow while this lives; `library` may be null.
  Reading(const term::Arena& arena, const Library* library, ReadingOptions options);
  ~Reading();

  // The real (or, for kPred, boolean) that the bits of `term` stand for when read as `type`: a float
  // type, an integer type (its numeric value), or kPred. Integer arithmetic that may wrap, and bits
  // of rounded floats, are opaque. No recursion; each (term, type) is read once.
  RealId read(term::TermId term, op::Type type);

  Dag& dag() { return dag_; }
  const Dag& dag() const { return dag_; }
  const term::Arena& arena() const { return arena_; }
  // Idealisations used in the cones of `roots` (terms with the type they were read as).
  Assumptions assumptions(std::span<const std::pair<term::TermId, op::Type>> roots) const;

 private:
  struct Impl;
  const term::Arena& arena_;
  Dag dag_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ptxequiv::real
