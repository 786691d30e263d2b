// Both sides of a check executed on the same data: do their values over the reals meet?
#pragma once
#include <optional>
#include <string>

#include "base/deadline.h"
#include "base/log.h"
#include "check/prepare.h"
#include "run/margin.h"

namespace ptxequiv::run {

struct Meeting {
  // The element whose two values lie farthest apart, measured by what roundings explain.
  struct Apart {
    std::string buffer;
    uint64_t index = 0;
    op::Type type = op::Type::kNone;
    Margin reference, candidate;
    double factor = 0;  // run::apart
  };
  std::optional<Apart> farthest;
  uint64_t elements = 0;
  uint64_t unknown = 0;  // of these: nothing can be said
  std::optional<machine::Fault> reference_fault, candidate_fault;

  // The two reals differ.
  bool disjoint() const { return farthest && farthest->factor > 1; }
};

// `prepared` has data in all buffers and a value for each scalar. A side with a fault ends it.
Meeting meet(const check::Prepared& prepared, const machine::Limits& limits,
             const base::Deadline& deadline, base::Log& log);

}  // namespace ptxequiv::run
