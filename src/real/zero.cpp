#include "real/zero.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "real/content.h"

namespace ptxequiv::real {
namespace {

// Fractions are reduced one by one only in sums up to this size.
constexpr size_t kManyTerms = 20000;
constexpr size_t kFewTerms = 64;

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

// A variable of a sum: an atom, or a coordinate of its exponents.
struct Direction {
  std::optional<AtomId> atom;
  uint64_t coordinate = 0;
};

Coefficient degree(const Algebra& algebra, Monomial m, const Direction& d) {
  if (d.atom) {
    Factor buffer[3];
    for (const Factor& f : algebra.factors(m, buffer)) {
      if (f.atom == *d.atom) return Coefficient(int64_t{f.power});
    }
    return {};
  }
  for (const Term& t : algebra.poly(algebra.exponent(m))) {
    if (t.monomial.bits == d.coordinate) return t.coefficient;
  }
  return {};
}

// The ends of p along a direction, where one term alone has the highest and one the lowest degree.
struct Ends {
  Direction direction;
  Term high, low;
  Coefficient high_degree, low_degree;
};

std::optional<Ends> ends_of(const Algebra& algebra, const Poly& p) {
  constexpr size_t kMaxTerms = 32;
  if (p.size() > kMaxTerms || p.size() < 2) return std::nullopt;
  std::vector<Direction> directions;
  Factor buffer[3];
  for (const Term& t : p) {
    for (const Factor& f : algebra.factors(t.monomial, buffer)) {
      if ((f.atom & kSpecialAtom) == 0) directions.push_back({f.atom, 0});
    }
    for (const Term& e : algebra.poly(algebra.exponent(t.monomial))) {
      if (!e.monomial.is_unit()) directions.push_back({std::nullopt, e.monomial.bits});
    }
  }
  for (const Direction& d : directions) {
    std::vector<std::pair<Coefficient, size_t>> order;
    for (size_t i = 0; i < p.size(); ++i) order.emplace_back(degree(algebra, p[i].monomial, d), i);
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return a.first < b.first || (a.first == b.first && a.second < b.second);
    });
    const size_t n = order.size();
    if (order[0].first == order[1].first || order[n - 1].first == order[n - 2].first) continue;
    return Ends{d, p[order[n - 1].second], p[order[0].second], order[n - 1].first, order[0].first};
  }
  return std::nullopt;
}

// Writes the terms over the factor's denominator with degrees from its low end up to below its high
// one: by x/(x + 1) = 1 - 1/(x + 1). Sums of many fractions then cancel one denominator at a time.
void reduce_fractions(Forms& forms, Poly& p, AtomId factor) {
  Algebra& algebra = forms.algebra();
  const Poly& base = algebra.poly(algebra.atom(factor).argument);
  const std::optional<Ends> ends = ends_of(algebra, base);
  if (!ends) return;
  Factor buffer[3];
  for (int round = 0; round < 64; ++round) {
    algebra.deadline().poll();
    Poly next;
    bool changed = false;
    for (Term& t : p) {
      const auto view = algebra.factors(t.monomial, buffer);
      const bool over = std::any_of(view.begin(), view.end(), [&](const Factor& f) {
        return f.atom == factor && f.power <= -kOnePower;
      });
      const Coefficient d = over ? degree(algebra, t.monomial, ends->direction) : Coefficient();
      const bool too_high = over && !(d < ends->high_degree),
                 too_low = over && d < ends->low_degree;
      if (!too_high && !too_low) {
        next.push_back(std::move(t));
        continue;
      }
      changed = true;
      // end = factor - rest, so m*end/factor = m - m*rest/factor.
      const Term& end = too_high ? ends->high : ends->low;
      const Product inverse = algebra.inverse(end.monomial);
      const Product m = algebra.multiply(t.monomial, inverse.monomial);
      const Coefficient k = (t.coefficient / end.coefficient).shifted(inverse.shift + m.shift);
      for (const Term& r : base) {
        if (r.monomial != end.monomial) algebra.append_scaled(next, {r}, -k, m.monomial);
      }
      const Product whole = algebra.multiply(m.monomial, algebra.of(factor));
      next.push_back({whole.monomial, k.shifted(whole.shift)});
    }
    p = std::move(next);
    if (!changed) return;
    Algebra::sort_and_merge(p);
    algebra.settle(p);
    if (p.size() > algebra.max_monomials()) return;
  }
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
  const std::map<AtomId, int32_t> all = denominators(algebra, p);
  if (all.size() > 1 && p.size() <= kManyTerms) {
    for (const auto& [atom, least] : all) {
      if (may_multiply(forms, atom)) reduce_fractions(forms, p, atom);
    }
  }
  while (!p.empty()) {
    if (p.size() == 1) break;
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
    if (power == 0) break;
    Poly next;
    algebra.append_scaled(next, p, 1, algebra.of(best, power));
    Algebra::sort_and_merge(next);
    algebra.settle(next);
    p = std::move(next);
  }
  // The facts of the case may say it.
  return p.empty() || (p.size() <= kFewTerms && forms.signs().of(p).is_zero());
}

}  // namespace ptxequiv::real
