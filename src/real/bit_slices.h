// Where the bits of a term come from: runs of bits of other terms, and constants.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "term/arena.h"

namespace ptxequiv::real {

struct Slice {
  term::TermId source = term::kNoTerm;  // kNoTerm: the constant `bits`
  unsigned from = 0;                    // position in the source
  unsigned at = 0;                      // position in the term
  unsigned width = 0;
  bool negated = false;  // every bit is the source's complement
  uint64_t bits = 0;
};

// Takes extracts, concatenations, extensions, shifts by constants, complements and masks apart, and
// unions whose bits do not meet. What is none of these is one slice of itself.
class BitSlices {
 public:
  explicit BitSlices(const term::Arena& arena) : arena_(arena) {}
  // From the lowest bits up; the slices cover the term, at most 64 bits wide.
  const std::vector<Slice>& of(term::TermId id);
  // The term is one slice of itself.
  bool is_whole(term::TermId id);

 private:
  std::vector<Slice> take_apart(term::TermId id);

  const term::Arena& arena_;
  std::unordered_map<term::TermId, std::vector<Slice>> known_;
};

}  // namespace ptxequiv::real
