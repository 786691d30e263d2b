#include "term/dot.h"

#include <algorithm>

#include "base/error.h"

namespace ptxequiv::term {

using op::Kind;

DotChain dot_chain(const Arena& arena, TermId close) {
  PTXEQUIV_CHECK(arena.kind(close) == Kind::kDotClose, "not the end of a tensor core's pass");
  DotChain chain;
  TermId link = arena[close].a;
  for (; arena.kind(link) == Kind::kDotTerm; link = arena[link].a) {
    PTXEQUIV_CHECK(chain.count < op::kMaxFactors, "a tensor core's pass has fewer terms");
    const Node& node = arena[link];
    chain.term = node.op;
    chain.factors[chain.count++] = {node.b, node.c};
  }
  PTXEQUIV_CHECK(arena.kind(link) == Kind::kDotOpen, "a tensor core's pass has no start");
  std::reverse(chain.factors.begin(), chain.factors.begin() + chain.count);
  chain.accumulator = arena[link].a;
  return chain;
}

}  // namespace ptxequiv::term
