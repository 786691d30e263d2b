// Equality of terms with few inputs, by every input.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "term/arena.h"

namespace ptxequiv::term {

// All that a leaf may hold, as bits; nothing where that is too much.
using LeafValues = std::function<std::optional<std::vector<uint64_t>>(TermId leaf)>;

// True if `a` and `b` have the same bits for all these values of the leaves below them. False if
// they differ somewhere, if nodes times inputs are more than `most_work`, or if anything below is no
// exact function of inputs: unwritten bytes, addresses, and of float operations those whose results
// IEEE does not define to the bit (approximations, a sum that the assembler may fuse with a
// product).
bool equal_for_all_values(const Arena& arena, TermId a, TermId b, const LeafValues& values,
                          uint64_t most_work);

}  // namespace ptxequiv::term
