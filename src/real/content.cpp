#include "real/content.h"

#include <algorithm>

#include "base/error.h"

namespace ptxequiv::real {
namespace {

struct Least {
  Factor factor;
  bool everywhere = true;
};

// The least power of each atom over all monomials.
std::vector<Factor> common_factors(const Algebra& algebra, const Poly& p) {
  std::vector<Least> least;
  Factor buffer[3];
  for (const Factor& f : algebra.factors(p[0].monomial, buffer)) least.push_back({f});
  for (size_t k = 1; k < p.size(); ++k) {
    const Monomial m = p[k].monomial;
    if (least.empty() && !algebra.has_negative(m)) continue;
    const auto here = algebra.factors(m, buffer);
    std::vector<Least> next;
    size_t i = 0, j = 0;
    while (i < least.size() || j < here.size()) {
      if (j == here.size() || (i < least.size() && least[i].factor.atom < here[j].atom)) {
        if (least[i].factor.power < 0) next.push_back({least[i].factor, false});
        ++i;
      } else if (i == least.size() || here[j].atom < least[i].factor.atom) {
        if (here[j].power < 0) next.push_back({here[j], false});
        ++j;
      } else {
        next.push_back({{here[j].atom, std::min(here[j].power, least[i].factor.power)},
                        least[i].everywhere});
        ++i, ++j;
      }
    }
    least = std::move(next);
  }
  std::vector<Factor> result;
  for (const Least& l : least) {
    if (l.factor.power == 0) continue;
    const bool special = (l.factor.atom & kSpecialAtom) != 0;
    if (special && is_indicator(algebra.atom(l.factor.atom).kind)) continue;   // never divided by
    if (!l.everywhere && is_fragile(algebra, l.factor.atom)) continue;
    result.push_back(l.factor);
  }
  return result;
}

// The least coefficient of each coordinate of the exponents; their constants stay.
Poly common_exponent(const Algebra& algebra, const Poly& p) {
  struct Coordinate {
    size_t count = 0;
    Coefficient least;
  };
  std::unordered_map<uint64_t, Coordinate> coordinates;
  bool any = false;
  for (const Term& t : p) {
    for (const Term& e : algebra.poly(algebra.exponent(t.monomial))) {
      any = true;
      if (e.monomial.is_unit()) continue;
      Coordinate& c = coordinates[e.monomial.bits];
      if (c.count++ == 0 || e.coefficient < c.least) c.least = e.coefficient;
    }
  }
  Poly result;
  if (!any) return result;
  for (const auto& [bits, c] : coordinates) {
    if (c.count < p.size() && c.least.sign() > 0) continue;
    result.push_back({{bits}, c.least});
  }
  Algebra::sort_and_merge(result);
  return result;
}

}  // namespace

bool is_fragile(const Algebra& algebra, AtomId factor) {
  if ((factor & kSpecialAtom) == 0) return false;
  const Atom& atom = algebra.atom(factor);
  if (atom.kind != AtomKind::kFactor) return atom.kind != AtomKind::kSin;
  Factor buffer[3];
  for (const Term& t : algebra.poly(atom.argument)) {
    if (algebra.has_indicator(t.monomial)) return true;
    for (const Factor& f : algebra.factors(t.monomial, buffer)) {
      if ((f.atom & kSpecialAtom) == 0) continue;
      if (algebra.atom(f.atom).kind == AtomKind::kMax || f.power % kOnePower != 0) return true;
    }
  }
  return false;
}

Coefficient rational_content(const Poly& p) {
  Coefficient g = p[0].coefficient.sign() < 0 ? -p[0].coefficient : p[0].coefficient;
  for (size_t i = 1; i < p.size() && !g.is_one(); ++i) g = Coefficient::gcd(g, p[i].coefficient);
  if (!g.is_one()) return g;
  for (const Term& t : p) {
    if (!t.coefficient.is_integer()) {
      g = Coefficient::gcd(g, t.coefficient);
    }
  }
  return g;
}

Split split(Algebra& algebra, const Poly& p) {
  PTXEQUIV_CHECK(!p.empty(), "content of zero");
  Split result;
  if (p.size() == 1) {
    result.scale = p[0].coefficient;
    result.content = p[0].monomial;
    result.primitive = algebra.constant(1);
    return result;
  }
  result.primitive = p;
  // Dividing may expand factors, which may show more content.
  for (int round = 0; round < 8; ++round) {
    const std::vector<Factor> factors = common_factors(algebra, result.primitive);
    const Poly exponent = common_exponent(algebra, result.primitive);
    if (factors.empty() && exponent.empty()) break;
    const Product power = algebra.exponential(exponent);
    const Product content = algebra.multiply(algebra.make(factors, kZeroPoly), power.monomial);
    const Product inverse = algebra.inverse(content.monomial);
    const Product total = algebra.multiply(result.content, content.monomial);
    // p = content * (inverse * p) up to the powers of two split off on the way.
    const Product one = algebra.multiply(content.monomial, inverse.monomial);
    result.scale = result.scale.shifted(total.shift - one.shift);
    result.content = total.monomial;
    result.primitive = algebra.scale(result.primitive, 1, inverse.monomial);
    if (result.primitive.size() <= 1) break;
  }
  if (result.primitive.empty()) return result;   // (x + y)/(x + y) - 1
  if (result.primitive.size() == 1) {
    const Product total = algebra.multiply(result.content, result.primitive[0].monomial);
    result.scale = (result.scale * result.primitive[0].coefficient).shifted(total.shift);
    result.content = total.monomial;
    result.primitive = algebra.constant(1);
    return result;
  }
  Coefficient g = rational_content(result.primitive);
  if (result.primitive[0].coefficient.sign() < 0) g = -g;
  result.scale = result.scale * g;
  if (!g.is_one()) result.primitive = algebra.scale(result.primitive, g.inverse());
  return result;
}

}  // namespace ptxequiv::real
