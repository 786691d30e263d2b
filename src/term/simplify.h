// Rewrites that hold bit for bit. Between the files of `term` only.
#pragma once
#include <optional>

#include "term/arena.h"

namespace ptxequiv::term {

// A rule sees operands already checked and ordered, and gives an equal term, or kNoTerm to build
// the node as it is. Rules may call Arena::make on strictly smaller problems; none walks down a
// chain of terms by recursion.
using Rule = TermId (*)(Arena& arena, op::Op op, TermId a, TermId b, TermId c);

// The rule of each kind, or nullptr.
Rule rule_of(op::Kind kind);

// op(select(c, k1, k2), k3) as select(c, op(k1, k3), op(k2, k3)), where both are exact.
TermId lift_selected_constants(Arena& arena, op::Op op, TermId a, TermId b, unsigned arity);

// simplify_bits.cpp
// Moves *a and *position down to the term that holds the bits; gives it if no extract is left to
// build.
TermId simplify_extract(Arena& arena, TermId* a, unsigned* position, unsigned width);
TermId simplify_concat(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_zext(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_sext(Arena&, op::Op, TermId, TermId, TermId);
// The concatenation that a | b (or a ^ b, a + b) is where their bits do not meet; else kNoTerm.
TermId join_disjoint(Arena& arena, TermId a, TermId b);
// simplify_shift.cpp
TermId simplify_shl(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_shr_u(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_shr_s(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_bfe_u(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_bfe_s(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_prmt(Arena&, op::Op, TermId, TermId, TermId);
// simplify_logic.cpp
TermId simplify_select(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_and(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_or(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_xor(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_not(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_eq(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_lt_u(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_lt_s(Arena&, op::Op, TermId, TermId, TermId);
// simplify_integer.cpp
TermId simplify_add(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_sub(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_mul(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_mul_hi(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_div_u(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_div_s(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_rem_u(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_min_max(Arena&, op::Op, TermId, TermId, TermId);
// simplify_count.cpp
TermId simplify_popc(Arena&, op::Op, TermId, TermId, TermId);
// An extract of one half of a product; or kNoTerm.
TermId extract_product(Arena& arena, TermId product, unsigned position, unsigned width);
// simplify_float.cpp
TermId simplify_fneg(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_fabs(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_fcopysign(Arena&, op::Op, TermId, TermId, TermId);
TermId simplify_fcvt(Arena&, op::Op, TermId, TermId, TermId);

// Helpers.
inline bool is_kind(const Arena& arena, TermId id, op::Kind kind) {
  return arena.kind(id) == kind;
}
inline op::Op bits_op(op::Kind kind, unsigned width) {
  return op::Op{.kind = kind, .type = op::bits_type(width)};
}
// Value of a kConst operand.
inline std::optional<uint64_t> const_value(const Arena& arena, TermId id) {
  if (!arena.is_const(id)) return std::nullopt;
  return arena.const_bits(id);
}
// A width that a register or memory cell can have, so that a term may.
inline bool is_cell(unsigned width) {
  return width == 8 || width == 16 || width == 32 || width == 64;
}
// x where `id` is op(x, constant), as ordered either way; the constant goes to *constant.
std::optional<TermId> with_constant(const Arena& arena, TermId id, op::Kind kind,
                                    uint64_t* constant);
// True for a select between two constants.
bool selects_constants(const Arena& arena, TermId id);

}  // namespace ptxequiv::term
