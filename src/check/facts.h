// What the specification says of the inputs: ranges of buffers and scalars, and `assume` relations.
#pragma once
#include <span>
#include <vector>

#include "check/prepare.h"
#include "check/schedule.h"
#include "real/facts.h"
#include "real/reading.h"

namespace ptxequiv::check {

class SpecFacts : public real::Facts {
 public:
  // Reads the check's `assume` relations into `reading`'s Dag. Throws base::InputError for one that
  // names something undeclared.
  SpecFacts(const Prepared& prepared, term::Arena& arena, real::Reading& reading);

  real::Interval range(real::RealId leaf, const real::Node& node) const override;
  std::span<const real::RealId> assumptions() const override { return assumptions_; }

  // Declared range of a leaf term, else the finite range of its type.
  real::Interval leaf_range(const term::Node& leaf) const;
  // A query on bits: the condition, and that the integer leaves below it keep to their declared
  // ranges, as 1-bit terms.
  std::vector<term::TermId> within_ranges(term::Arena& arena, term::TermId condition) const;
  // All values of an input leaf, as bits, where there are at most `most`.
  std::optional<std::vector<uint64_t>> all_values(const term::Node& leaf, size_t most) const;
  // What the schedule decides, for points.
  void set_schedule(const ScheduleInputs* schedule) { schedule_ = schedule; }
  bool schedule_is_free(term::TermId leaf) const {
    return schedule_ != nullptr && schedule_->is_free(leaf);
  }
  std::optional<uint64_t> schedule_bits(term::TermId leaf) const {
    return schedule_ == nullptr ? std::nullopt : schedule_->bits(leaf);
  }
  // A range was declared for this leaf.
  bool has_declared_range(const term::Node& leaf) const;

 private:
  const term::Arena& arena_;
  std::vector<std::optional<real::Interval>> buffer_ranges_, scalar_ranges_;
  std::vector<real::RealId> assumptions_;
  const ScheduleInputs* schedule_ = nullptr;
};

}  // namespace ptxequiv::check
