// Which literals of an arena are read as multiples of log2 e or ln 2 (design.md, section 5).
#pragma once
#include <unordered_map>
#include <vector>

#include "real/constants.h"
#include "term/arena.h"

namespace ptxequiv::real {

class SnapSet {
 public:
  // Looks at the nodes that the arena got since the last call. True if the set changed.
  bool update(const term::Arena& arena);
  bool empty() const { return multiples_.empty(); }
  const LogMultiple* find(term::TermId constant) const {
    const auto it = multiples_.find(constant);
    return it == multiples_.end() ? nullptr : &it->second;
  }

 private:
  void consider(const term::Arena& arena, term::TermId constant, op::Type type);
  void into_ex2(const term::Arena& arena, term::TermId argument, op::Type type);

  std::unordered_map<term::TermId, LogMultiple> multiples_;
  std::vector<bool> from_lg2_;  // by term: a logarithm flows into it
  std::vector<bool> into_ex2_;  // by term: it flows into a power of two
};

}  // namespace ptxequiv::real
