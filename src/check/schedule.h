// Values that only the schedule decides (machine::ScheduleInput): clocks, processor numbers,
// tickets. A proof holds for all of them; what depends on one is shown by two runs that hardware
// may give.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "machine/machine.h"
#include "term/arena.h"

namespace ptxequiv::check {

using term::TermId;

// What a run of the hardware gives to each schedule input, by its nature.
struct ScheduleRun {
  uint64_t number = 1;               // kNumber
  uint64_t start = 1000, step = 16;  // kCounter: of the first, and from one reading to the next
  uint64_t any = 0, any_step = 0;    // kAny; kMask: none if 0, else all
};

class ScheduleInputs {
 public:
  explicit ScheduleInputs(const term::Arena& arena) : arena_(arena) {}
  void add(const machine::Outcome& outcome);

  bool any() const { return !inputs_.empty(); }
  // Does such a value lie below?
  bool depends(TermId id);
  // Those below, in the order of their reading.
  std::vector<const machine::ScheduleInput*> below(std::initializer_list<TermId> roots) const;
  // What the run gives a leaf; nothing for a term that is no schedule input.
  std::optional<uint64_t> bits(TermId leaf, const ScheduleRun& run = {}) const;
  // May it be any value, whatever the others are?
  bool is_free(TermId leaf) const {
    const auto at = index_.find(leaf);
    if (at == index_.end()) return false;
    using Nature = machine::ScheduleInput::Nature;
    const Nature nature = inputs_[at->second].nature;
    return nature == Nature::kAny || nature == Nature::kState;
  }
  // The terms as they are in that run.
  std::vector<TermId> in_run(term::Arena& arena, const std::vector<TermId>& roots,
                             const ScheduleRun& run) const;
  // Runs to compare with the usual one: some fixed, some from the constants that these terms
  // compare such values with.
  std::vector<ScheduleRun> other_runs(const std::vector<TermId>& roots);
  // "what %clock gives thread 3 is 1016; ...": for a witness; of at most a few.
  std::string describe(std::initializer_list<TermId> roots, const ScheduleRun& run = {}) const;

 private:
  const term::Arena& arena_;
  std::vector<machine::ScheduleInput> inputs_;
  std::unordered_map<TermId, size_t> index_;  // of a leaf among them
  std::vector<bool> depends_;                 // by TermId
};

// The terms with some leaves, or other sub-terms, replaced.
std::vector<TermId> substitute(term::Arena& arena, const std::vector<TermId>& roots,
                               const std::unordered_map<TermId, TermId>& replacements);

}  // namespace ptxequiv::check
