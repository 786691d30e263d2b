// Which registers and immediates an operand of a given type may be (notes in docs; measured on
// ptxas: a .b register matches any type of its size, signedness never matters).
#pragma once
#include <cstdint>
#include <string>

#include "op/type.h"
#include "ptx/ast.h"

namespace ptxequiv::isa {

enum class Fit : uint8_t {
  kExact,    // the register has the type's size
  kRelaxed,  // ld, st, cvt: it may also be wider
};

// Empty if a register declared `declared` may stand where `use` is wanted, else what may.
std::string register_problem(op::Type declared, op::Type use, Fit fit);

// The bits of a literal used as `use`. Sets `problem` where the literal cannot be that.
uint64_t immediate_bits(const ptx::Immediate& immediate, op::Type use, std::string& problem);

}  // namespace ptxequiv::isa
