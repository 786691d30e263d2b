// Which symbols a function mentions.
#pragma once
#include <vector>

#include "ptx/ast.h"

namespace ptxequiv::ptx {

// The registers, labels, tables and variables of the function itself, in the order of their first
// mention; its parameters and what belongs to the module are left out.
std::vector<SymbolId> own_symbols(const Module& module, const Function& function);

}  // namespace ptxequiv::ptx
