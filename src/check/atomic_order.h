// Floating-point sums that atomics of unordered threads made. Over the reals their order is free
// (assumption `commutative-atomics`); their bits are one of several.
#pragma once
#include <map>
#include <vector>

#include "machine/machine.h"
#include "real/reading.h"
#include "term/arena.h"

namespace ptxequiv::check {

using term::TermId;

class AtomicOrder {
 public:
  explicit AtomicOrder(const term::Arena& arena) : arena_(arena) {}
  void add(const machine::Outcome& outcome);

  bool any() const { return any_; }
  // Does such a sum lie below?
  bool depends(TermId id);
  // Does the meaning rest on the bits of such a sum, as an opaque value? Those are not the same in
  // every order, though the term is the same.
  bool shows_in_bits(const real::Reading& reading, real::RealId id);

 private:
  const term::Arena& arena_;
  bool any_ = false;
  std::vector<bool> is_sum_, depends_;                       // by TermId
  std::map<const real::Reading*, std::vector<bool>> shown_;  // by RealId
};

}  // namespace ptxequiv::check
