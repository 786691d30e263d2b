// PTX instructions to SSA, by the instruction table.
#pragma once
#include <functional>

#include "base/error.h"
#include "ir/ir.h"
#include "ptx/ast.h"

namespace ptxequiv::isa {

// SSA of one entry. Calls of functions with a body are inlined (recursion and indirect calls become
// kUnsupported). `module` must outlive the result.
// Throws base::InputError where an instruction is ill-formed: unknown opcode or modifier, wrong
// operand count or kind, a register of the wrong width; with the legal choices.
ir::Function lower(const ptx::Module& module, const ptx::Function& entry);

// Every instruction of every function, called or not; the first ill-formed one is thrown as a
// base::InputError.
void check(const ptx::Module& module);
// All of them, in order.
void check(const ptx::Module& module, const std::function<void(const base::InputError&)>& report);

}  // namespace ptxequiv::isa
