// Loops that a thread never leaves: which branch ends a turn is a matter of registers alone, and
// those that it depends on are what they were a turn ago.
#pragma once
#include "machine/code.h"

namespace ptxequiv::machine {

// Marks in `code` the edges back to the start of such loops (CodeEdge::control), with the phis that
// decide which way a turn goes.
void find_turning_edges(Code& code);

}  // namespace ptxequiv::machine
