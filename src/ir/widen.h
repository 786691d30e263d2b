// A copy of a function in which some 32-bit integer instructions do not wrap around: what the
// checker executes to see whether a fault comes from an overflow.
#pragma once
#include <vector>

#include "ir/ir.h"

namespace ptxequiv::ir {

// PTX instructions whose 32-bit additions, subtractions, products and left shifts may wrap.
std::vector<const ptx::Instruction*> wrapping_instructions(const Function& function);

// The results of `instructions`, and what is computed from them by 32-bit integer arithmetic, have
// 64 bits; 32-bit operands are extended by their sign, or by zeros. Whatever else uses such a
// result gets its low half, an extension to 64 bits gets all of it.
Function widen(const Function& function, const std::vector<const ptx::Instruction*>& instructions,
               bool is_signed);

// A copy that stores to address kProbe wherever the instruction wraps around, in this reading of
// its operands. The store's source is the instruction.
inline constexpr uint64_t kProbe = 16;
Function probe_wrap(const Function& function, const ptx::Instruction* instruction, bool is_signed);

}  // namespace ptxequiv::ir
