// Values of integer scalars that a program treats apart from others: what it compares with, their
// neighbours, and the ends of the range (design: sizes next to constants).
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "check/facts.h"
#include "term/arena.h"

namespace ptxequiv::check {

// Each a scalar's leaf with bits, ascending by value for each leaf; only those with a declared range
// that occur below the roots.
std::vector<std::pair<term::TermId, uint64_t>> special_sizes(const term::Arena& arena,
                                                             const SpecFacts& facts,
                                                             std::span<const term::TermId> roots);

}  // namespace ptxequiv::check
