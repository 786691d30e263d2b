// Outcomes of data-dependent conditions that decide who synchronises: a CTA is run once for each.
#pragma once
#include <optional>
#include <vector>

#include "machine/context.h"
#include "machine/lane.h"

namespace ptxequiv::machine {

struct Decision {
  TermId condition = kNoTerm;
  bool value = false;
};

class Worlds {
 public:
  explicit Worlds(Context& context);

  // Starts a CTA: one world, nothing decided.
  void begin_cta();
  // The outcome of `condition` in this world; a new condition splits off a world in which it is
  // false.
  bool decide(TermId condition);
  std::optional<bool> decided(TermId condition) const;
  // Conjunction of what this world assumes.
  TermId condition() const { return condition_; }
  const std::vector<Decision>& decisions() const { return decisions_; }
  // Goes to the next world that is still to be run. Throws LimitReached("worlds").
  bool next();
  bool split() const { return split_; }
  bool pending() const { return !pending_.empty(); }
  // May another world be split off before the limit is reached?
  bool room() const { return started_ + pending_.size() < context_.limits.max_worlds; }

 private:
  Context& context_;
  term::Arena& arena_;
  std::vector<Decision> decisions_;
  std::vector<std::vector<Decision>> pending_;
  TermId condition_;
  uint32_t started_ = 1;
  bool split_ = false;
};

// If `fact` (1 bit) holds, does it settle `question`? Looks through and, or, not.
std::optional<bool> implied(const term::Arena& arena, TermId fact, bool fact_value,
                            TermId question);

}  // namespace ptxequiv::machine
