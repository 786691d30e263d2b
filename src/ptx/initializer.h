// The bytes of a variable's initialiser (PTX manual, 5.4.4).
#pragma once
#include <vector>

#include "ptx/operand.h"

namespace ptxequiv::ptx {

// `node` stands at an `initializer` of `symbol`, whose array dimensions are `dimensions`, outermost
// first. An outermost dimension of zero (`x[] = {...}`) is set from the list.
Initializer build_initializer(BuildContext& context, Operands& operands, const Symbol& symbol,
                              std::vector<uint64_t>& dimensions, Cursor node);

}  // namespace ptxequiv::ptx
