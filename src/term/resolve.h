// Selects whose condition is settled by the selects around them.
#pragma once
#include <vector>

#include "term/arena.h"

namespace ptxequiv::term {

// An equal term in which a select below an arm of another takes that arm's condition as known; only
// where a leaf of `unwanted` (a mark per id, of all terms that have one below) may go away by it.
// Gives `root` itself where nothing changes or the work would be too much.
TermId resolve(Arena& arena, TermId root, const std::vector<bool>& unwanted);

}  // namespace ptxequiv::term
