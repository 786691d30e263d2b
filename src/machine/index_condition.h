// The condition that an index has a certain value, in a form that does not depend on how the
// address was computed.
#pragma once
#include <unordered_map>

#include "machine/range.h"

namespace ptxequiv::machine {

// Ranges under the facts of one access, each worked out once.
class Bounds {
 public:
  Bounds(Ranges& ranges, const Facts& facts) : ranges_(ranges), facts_(facts) {}
  const Range& of(TermId id) {
    const auto [it, added] = known_.try_emplace(id);
    if (added) it->second = ranges_.of(id, facts_);
    return it->second;
  }

 private:
  Ranges& ranges_;
  const Facts& facts_;
  std::unordered_map<TermId, Range> known_;
};

// The 1-bit term `t == bits`, with additions, scalings without wrap-around and extensions of `t`
// undone, so that both programs' conditions on an index look alike.
TermId equals(term::Arena& arena, Bounds& ranges, TermId t, uint64_t bits);

}  // namespace ptxequiv::machine
