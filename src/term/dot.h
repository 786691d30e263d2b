// A tensor core's pass in an arena: links of a chain have no bits of their own, so whoever
// evaluates terms takes the whole one where it closes.
#pragma once
#include <array>

#include "op/evaluate.h"
#include "term/arena.h"

namespace ptxequiv::term {

struct DotChain {
  op::Op term;  // of the links
  TermId accumulator = kNoTerm;
  struct Factor {
    TermId a, b;
  };
  std::array<Factor, op::kMaxFactors> factors;
  unsigned count = 0;
};

// The chain that ends at `close`, a kDotClose; factors in the order in which they were added.
DotChain dot_chain(const Arena& arena, TermId close);

// The value of that chain, where bits(id) gives those of its accumulator and factors.
template <typename Bits>
op::Result evaluate_dot(const Arena& arena, TermId close, Bits&& bits) {
  const DotChain chain = dot_chain(arena, close);
  std::array<op::Factors, op::kMaxFactors> factors;
  for (unsigned i = 0; i < chain.count; ++i) {
    factors[i] = {bits(chain.factors[i].a), bits(chain.factors[i].b)};
  }
  return op::evaluate_dot(chain.term, arena[close].op, bits(chain.accumulator),
                          std::span(factors).first(chain.count));
}

}  // namespace ptxequiv::term
