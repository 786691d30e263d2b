// Contraction: PTX lets the assembler fuse an un-suffixed `mul` into an un-suffixed `add` or `sub`
// (manual, 9.7.3.3 to 9.7.3.5).
#pragma once
#include <cstddef>

#include "ir/ir.h"

namespace ptxequiv::ir {

// Fuses wherever it is allowed, as ptxas does at its default level. Returns how many sums have
// become fused.
size_t contract(Function& function);

}  // namespace ptxequiv::ir
