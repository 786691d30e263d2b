// Odd and even functions and step functions of normal forms.
#include "real/content.h"
#include "real/dag_fold.h"
#include "real/forms.h"

namespace ptxequiv::real {

Poly Forms::odd(AtomKind kind, const Poly& p) {
  if (p.empty()) return {};
  const bool flip = p[0].coefficient.sign() < 0;
  const PolyId argument = algebra_.intern(flip ? algebra_.scale(p, -1) : p);
  return {{algebra_.of(algebra_.function(kind, argument)), flip ? -1 : 1}};
}

Poly Forms::cosine(const Poly& p) {
  if (p.empty()) return algebra_.constant(1);
  const bool flip = p[0].coefficient.sign() < 0;
  const PolyId argument = algebra_.intern(flip ? algebra_.scale(p, -1) : p);
  return algebra_.of_atom(algebra_.function(AtomKind::kCos, argument));
}

Poly Forms::tanh(const Poly& p) {
  // tanh x = 1 - 2/(e^(2x) + 1), so that it meets the sigmoid forms.
  const Monomial log2e = algebra_.of(algebra_.function(AtomKind::kLog2E, kZeroPoly));
  const Poly e = exp2(algebra_.scale(p, 2, log2e));
  const std::optional<Term> inv = inverse(algebra_.add(e, algebra_.constant(1)));
  return algebra_.add(algebra_.constant(1), {inv.value()}, -2);
}

Poly Forms::floor(const Poly& p) {
  // Integer terms move out.
  Poly whole, rest;
  for (const Term& t : p) {
    if (signs_.is_integral({t}))
      whole.push_back(t);
    else
      rest.push_back(t);
  }
  if (rest.empty()) return whole;
  if (rest.front().monomial.is_unit()) {
    // Of a constant only its fraction stays.
    const mpz_class n = real::floor(rest.front().coefficient.to_mpq());
    whole = algebra_.add(whole, algebra_.constant(Coefficient(mpq_class(n))));
    rest.front().coefficient = rest.front().coefficient - Coefficient(mpq_class(n));
    if (rest.size() == 1) return whole;
  }
  const PolyId id = algebra_.intern(rest);
  if (rest.size() <= 8) {
    const Range& r = signs_.range(id);
    if (r.low && r.high) {
      const mpz_class n = real::floor(*r.low);
      if (*r.high < n + 1 || (*r.high == n + 1 && r.high_open)) {
        return algebra_.add(whole, algebra_.constant(Coefficient(mpq_class(n))));
      }
    }
  }
  return algebra_.add(whole, algebra_.of_atom(algebra_.function(AtomKind::kFloor, id)));
}

Poly Forms::rint(const Poly& p) {
  if (signs_.is_integral(p)) return p;
  if (p.size() == 1 && p[0].monomial.is_unit()) {
    return algebra_.constant(Coefficient(mpq_class(real::rint(p[0].coefficient.to_mpq()))));
  }
  return odd(AtomKind::kRint, p);
}

Poly Forms::trunc(const Poly& p) {
  const SignSet s = signs_.of(p);
  if (s.is_nonnegative()) return floor(p);
  if (s.is_nonpositive()) return ceil(p);
  if (signs_.is_integral(p)) return p;
  return odd(AtomKind::kTrunc, p);
}

}  // namespace ptxequiv::real
