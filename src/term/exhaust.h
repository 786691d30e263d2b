// Equality of integer terms with few input bits, by every input.
#pragma once
#include "term/arena.h"

namespace ptxequiv::term {

// True if `a` and `b` have the same bits for every value of the leaves below them. False if they
// differ somewhere, if the leaves have more than `max_bits` bits together, or if anything below is
// not an exact function of integer inputs (float arithmetic, unwritten bytes, addresses).
bool equal_for_all_inputs(const Arena& arena, TermId a, TermId b, unsigned max_bits = 16);

}  // namespace ptxequiv::term
