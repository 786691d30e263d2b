// What formats the two sides round to, and whether ptxas may fuse what they wrote.
#pragma once
#include <cstdint>
#include <vector>

#include "check/elements.h"
#include "term/arena.h"

namespace ptxequiv::check {

// Lines (Arena::origin tags) at which the candidate rounds to a format of fewer significand bits
// than any rounding in the reference's cone of the same elements, or computes in one where the
// reference's arithmetic does not.
std::vector<uint32_t> narrowing_origins(const term::Arena& arena, const std::vector<Element>& elements);

// Some un-suffixed mul flows into an un-suffixed add or sub of the same type.
bool may_contract(const term::Arena& arena, const std::vector<Element>& elements);

// An .approx or .full operation lies below: its bits are the hardware's own.
bool has_approximation(const term::Arena& arena, const Element& element);

// By term: a floating-point operation lies below. Where none does, numbers are bits, and equal
// integers equal bits.
std::vector<bool> floats_below(const term::Arena& arena);

}  // namespace ptxequiv::check
