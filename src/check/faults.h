// Settles what the machine reported: which faults are certain for some input, which cannot happen,
// which stay possible.
#pragma once
#include <optional>
#include <vector>

#include "check/refuter.h"
#include "machine/machine.h"
#include "smt/solver.h"

namespace ptxequiv::check {

struct SettledFault {
  const machine::Fault* fault = nullptr;
  enum class State : uint8_t { kCertain, kPossible } state = State::kPossible;
  std::optional<Point> point;      // an input under which it happens; absent: under any
};

// Faults that cannot happen are left out. Certain ones come first, in order of severity.
std::vector<SettledFault> settle_faults(const std::vector<machine::Fault>& faults,
                                        term::Arena& arena, Refuter& refuter, smt::Solver& solver,
                                        const base::Deadline& deadline);

// An unwritten byte of this side shows in the element: two evaluations at one input that differ in
// the unwritten bytes alone (in `which` of them, if given) and give different bits. The point is the
// second of them.
std::optional<Point> shows_uninitialised(const term::Arena& arena, const SpecFacts& facts,
                                         TermId value, const Element& element, uint64_t seed,
                                         const std::vector<TermId>* which = nullptr);

}  // namespace ptxequiv::check
