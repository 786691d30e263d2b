// Real expressions as Z3 formulas. Included only in src/smt, used only in the child process.
#pragma once
#include <z3++.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "real/dag.h"
#include "real/facts.h"

namespace ptxequiv::smt {

struct RealQuery {
  std::vector<z3::expr> assertions;
  // Ranges with ends too large to matter in most queries (a float's finite range). Dropping them
  // keeps Unsat a proof; a model that leaves them is tried again with them.
  std::vector<z3::expr> wide_ranges;
  std::vector<std::pair<real::RealId, z3::expr>> leaves;   // kLeaf, kOpaque, kOpaqueBool
  bool nonlinear = false;      // a product or power of unknowns occurs
  bool integers = false;       // an integer-valued unknown occurs
  std::string obstacle;        // not empty: "infinity" or "undefined" occurs, nothing is encoded
};

// Every model of the conjunction (with the facts) is a model of the query, so that Unsat carries
// over; not the other way round, since exp and its like, and partial operations outside their
// domain, are only constrained.
RealQuery encode_real(z3::context& context, const real::Dag& dag,
                      std::span<const real::RealId> conjunction, const real::Facts& facts);

}  // namespace ptxequiv::smt
