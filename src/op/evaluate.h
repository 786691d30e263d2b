// The one exact meaning of every scalar operation, on bits. Used by the machine, the constant
// folder, the bit evaluator and `ptxequiv run`.
#pragma once
#include <cstdint>
#include <span>

#include "op/op.h"

namespace ptxequiv::op {

struct Result {
  uint64_t bits = 0;
  // The result is the operation's exact real value (no rounding, overflow, flush, or NaN made).
  // Always true for integer, bit and comparison operations and for selections.
  bool exact = true;
};

// Operands beyond the arity are ignored. For kExtract, `b` is the bit position. Approximate
// functions are evaluated by the correctly rounded function (MPFR). `op` must not be a leaf.
// Division by an integer zero gives all ones (PTX leaves it unspecified), as does the remainder.
Result evaluate(Op op, uint64_t a, uint64_t b, uint64_t c);

// One pass of a tensor core (kDotOpen, kDotTerm, kDotClose): the accumulator of type close.src plus
// all products, of elements of type term.src, summed and rounded to close.type as the hardware does
// (shared/vectors/instructions/README.md). Also exact in the sense of Result.
struct Factors {
  uint64_t a = 0, b = 0;
};
inline constexpr unsigned kMaxFactors = 64;
Result evaluate_dot(Op term, Op close, uint64_t accumulator, std::span<const Factors> factors);

// The real value of float bits as a double, exact for all types up to f64. NaN and infinities map
// to themselves.
double to_double(Type type, uint64_t bits);
// Nearest value of `type` (ties to even) as bits; saturates to infinity.
uint64_t from_double(Type type, double value);

}  // namespace ptxequiv::op
