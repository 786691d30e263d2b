// Float operations whose results are bits of their operands, or round in a way that bits show:
// minima, maxima, conversions that cut the fraction, and integers as floats. Included only in
// src/smt.
#pragma once
#include <z3++.h>

#include <optional>

#include "op/op.h"

namespace ptxequiv::smt {

// The bits of `op` of `a` (and `b`, for two operands); nothing where it is none of these. What it
// makes of a NaN is `otherwise`.
std::optional<z3::expr> encode_float(z3::context& context, const op::Op& op, const z3::expr& a,
                                     const std::optional<z3::expr>& b, const z3::expr& otherwise);

}  // namespace ptxequiv::smt
