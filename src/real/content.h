// What all monomials of a sum have in common. Taking it out is what makes quotients cancel: the
// subtracted maximum of a softmax is content of both numerator and denominator.
#pragma once
#include "real/algebra.h"

namespace ptxequiv::real {

// p = scale * content * primitive. A primitive sum has coprime integer coefficients, the first of
// them positive, and for each atom and each coordinate of the exponents its least power over all
// monomials is 0 (an absent one counts as 0), so that content * p has the same primitive part.
struct Split {
  Coefficient scale = 1;
  Monomial content = kUnit;
  Poly primitive;  // {1} for a single term
  bool is_zero() const { return primitive.empty(); }
  bool is_monomial() const { return primitive.size() == 1; }
};

// Of a settled poly that is not empty. It may turn out to be zero over its common denominator.
Split split(Algebra& algebra, const Poly& p);

// The content of several sums at once: what every monomial of all of them has in common.
Monomial common_content(Algebra& algebra, std::span<const Term> terms);

// The positive rational g for which p/g has coprime integer coefficients.
Coefficient rational_content(const Poly& p);

// Whether the factor may be a zero divisor among forms (it holds an indicator, a maximum, or a
// root): p * (1/p) = 1 then holds only where 1/p is selected, so factors of this kind are taken out
// of a sum only where every monomial has them.
bool is_fragile(const Algebra& algebra, AtomId factor);

}  // namespace ptxequiv::real
