// Equality of terms with few inputs, by every input.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "term/arena.h"

namespace ptxequiv::term {

// True if `a` and `b` have the same bits for every value of the leaves below them. False if they
// differ somewhere, if the leaves have more than `max_bits` bits together, or if anything below is
// not an exact function of integer inputs (float arithmetic, unwritten bytes, addresses).
bool equal_for_all_inputs(const Arena& arena, TermId a, TermId b, unsigned max_bits = 16);

// All that a leaf may hold, as bits; nothing where that is too much.
using LeafValues = std::function<std::optional<std::vector<uint64_t>>(TermId leaf)>;

// The same for the given values, and with IEEE's float operations, whose results are defined to the
// bit: none that is approximate, and no sum that the assembler may fuse with a product.
// `most_work` bounds the nodes times the inputs.
bool equal_for_all_values(const Arena& arena, TermId a, TermId b, const LeafValues& values,
                          uint64_t most_work);

}  // namespace ptxequiv::term
