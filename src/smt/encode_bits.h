// Exact terms as bit-vector formulas. Included only inside src/smt, used only in the child process.
#pragma once
#include <z3++.h>

#include <span>
#include <utility>
#include <vector>

#include "term/arena.h"

namespace ptxequiv::smt {

struct BitsQuery {
  std::vector<z3::expr> assertions;
  std::vector<std::pair<term::TermId, z3::expr>> leaves;   // bit-vectors of the leaf's width
};

// Integer and bit operations have their exact meaning; float operations (and a few rare integer
// ones) are uninterpreted functions of their operands' bits, one per operation with its modifiers;
// float comparisons without .ftz are exact. Every real execution is a model, so Unsat carries over.
BitsQuery encode_bits(z3::context& context, const term::Arena& arena,
                      std::span<const term::TermId> conjunction);

}  // namespace ptxequiv::smt
