#include "real/zero.h"

#include <algorithm>
#include <map>

#include "real/content.h"

namespace ptxequiv::real {
namespace {

// Sum factors with a negative power somewhere, with the least one.
std::map<AtomId, int32_t> denominators(const Algebra& algebra, const Poly& p) {
  std::map<AtomId, int32_t> result;
  Factor buffer[3];
  for (const Term& t : p) {
    if (!algebra.has_negative(t.monomial)) continue;
    for (const Factor& f : algebra.factors(t.monomial, buffer)) {
      if (f.power >= 0 || algebra.atom(f.atom).kind != AtomKind::kFactor) continue;
      int32_t& least = result[f.atom];
      least = std::min(least, f.power);
    }
  }
  return result;
}

// Multiplying by a factor that may be a zero divisor proves nothing where its quotient is not
// selected; then it must be known not to be zero.
bool may_multiply(Forms& forms, AtomId factor) {
  return !is_fragile(forms.algebra(), factor) || forms.signs().of(factor).is_nonzero();
}

size_t terms_after(const Algebra& algebra, const Poly& p, AtomId factor, int32_t by) {
  const size_t size = algebra.poly(algebra.atom(factor).argument).size();
  size_t total = 0;
  Factor buffer[3];
  for (const Term& t : p) {
    int32_t power = by;
    for (const Factor& f : algebra.factors(t.monomial, buffer)) {
      if (f.atom == factor) power += f.power;
    }
    size_t here = 1;
    for (; power >= kOnePower && here <= algebra.max_monomials(); power -= kOnePower) here *= size;
    total += here;
  }
  return total;
}

}  // namespace

bool is_zero(Forms& forms, Poly p) {
  Algebra& algebra = forms.algebra();
  algebra.settle(p);
  while (!p.empty()) {
    if (p.size() == 1) return false;
    algebra.deadline().poll();
    // The denominator whose removal costs least.
    AtomId best = 0;
    int32_t power = 0;
    size_t cost = 0;
    for (const auto& [atom, least] : denominators(algebra, p)) {
      if (!may_multiply(forms, atom)) continue;
      const size_t after = terms_after(algebra, p, atom, -least);
      if (after > algebra.max_monomials() || (power != 0 && after >= cost)) continue;
      best = atom;
      power = -least;
      cost = after;
    }
    if (power == 0) return false;
    Poly next;
    algebra.append_scaled(next, p, 1, algebra.of(best, power));
    Algebra::sort_and_merge(next);
    algebra.settle(next);
    p = std::move(next);
  }
  return true;
}

}  // namespace ptxequiv::real
