// Fills in what a check leaves unsaid, where the PTX says it: the only entry, the block of
// .reqntid, arguments that can be assigned in one way. Never sizes. Every guess is a sentence in
// Check::inferred.
#pragma once
#include <functional>
#include <string>

#include "ptx/ast.h"
#include "spec/spec.h"

namespace ptxequiv::spec {

using ModuleOf = std::function<const ptx::Module&(const std::string& path)>;

// Throws base::InputError where something is unsaid and cannot be inferred safely, or where the
// entry does not exist. Afterwards every launch has a kernel, a block and arguments.
void infer(Check& check, const ModuleOf& module_of);

}  // namespace ptxequiv::spec
