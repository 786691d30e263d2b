// What mma and wmma share: shapes, types and fragments of an instruction's operands.
#pragma once
#include <string_view>
#include <vector>

#include "ir/fragment.h"
#include "isa/context.h"

namespace ptxequiv::isa {

// Of the modifier mXnYkZ; the rest is as ir::Mma has it.
ir::Mma matrix_shape(Context& c);
// In order: "f32", "b1".
std::vector<std::string_view> type_modifiers(Context& c);
// Of each .row or .col, in order.
std::vector<bool> layouts_are_row(Context& c);
ir::Mma::Element element_named(std::string_view name);

// What a register of a fragment is used as.
Type register_type(const ir::Mma& mma, ir::Operand operand);
// The registers of operand `name`; an error unless they are as many as the fragment has.
std::vector<ptx::Operand> fragment_registers(Context& c, std::string_view name, const ir::Mma& mma,
                                             ir::Operand operand);
// The product of the operands a, b and c, to d.
void emit_product(Context& c, ir::Mma mma);

}  // namespace ptxequiv::isa
