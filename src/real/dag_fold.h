// The identities that Dag::make applies. All keep definedness: none drops an operand that may be
// undefined, except the unselected arm and the condition of an ite.
#pragma once
#include <optional>

#include "real/dag.h"

namespace ptxequiv::real {

// The existing or new node that `kind` applied to the operands is, or nothing where it must be
// built. Operands beyond the arity are ignored.
std::optional<RealId> fold(Dag& dag, Kind kind, RealId a, RealId b, RealId c);

// sqrt, exp2 and exp of a rational inside the domain, where the result is a rational of moderate
// size.
std::optional<mpq_class> exact_function(Kind kind, const mpq_class& x);

// Steps on exact rationals.
mpz_class floor(const mpq_class& x);
mpz_class ceil(const mpq_class& x);
mpz_class trunc(const mpq_class& x);
mpz_class rint(const mpq_class& x);  // ties to even

}  // namespace ptxequiv::real
