#include "real/content.h"

#include <algorithm>

#include "base/error.h"

namespace ptxequiv::real {
namespace {

struct Least {
  Factor factor;
  size_t count = 1;            // of monomials that have the atom
  bool all_negative = true;    // to a negative power
  bool all_fractional = true;  // to a power that is no integer
};

void take_in(Least& l, const Factor& f) {
  l.factor.power = std::min(l.factor.power, f.power);
  ++l.count;
  l.all_negative = l.all_negative && f.power < 0;
  l.all_fractional = l.all_fractional && f.power % kOnePower != 0;
}

// Whether monomials may vanish together with what their other factors stand for: [x > 0]*x^(1/2) is
// 0 where the root does not exist.
bool is_guarded(const Algebra& algebra, std::span<const Term> p) {
  Factor buffer[3];
  for (const Term& t : p) {
    if (algebra.has_indicator(t.monomial)) return true;
    for (const Factor& f : algebra.factors(t.monomial, buffer)) {
      if (algebra.atom(f.atom).kind == AtomKind::kMax) return true;
    }
  }
  return false;
}

// The least power of each atom over all monomials, where it may be taken out.
std::vector<Factor> common_factors(const Algebra& algebra, std::span<const Term> p) {
  std::vector<Least> least;
  Factor buffer[3];
  auto first = [](const Factor& f) { return Least{f, 1, f.power < 0, f.power % kOnePower != 0}; };
  for (const Factor& f : algebra.factors(p[0].monomial, buffer)) least.push_back(first(f));
  for (size_t k = 1; k < p.size(); ++k) {
    const Monomial m = p[k].monomial;
    if (least.empty() && !algebra.has_negative(m)) continue;
    const auto here = algebra.factors(m, buffer);
    std::vector<Least> next;
    size_t i = 0, j = 0;
    while (i < least.size() || j < here.size()) {
      if (j == here.size() || (i < least.size() && least[i].factor.atom < here[j].atom)) {
        if (least[i].factor.power < 0) next.push_back(least[i]);
        ++i;
      } else if (i == least.size() || here[j].atom < least[i].factor.atom) {
        if (here[j].power < 0) next.push_back(first(here[j]));
        ++j;
      } else {
        take_in(least[i], here[j]);
        next.push_back(least[i]);
        ++i, ++j;
      }
    }
    least = std::move(next);
  }
  std::vector<Factor> result;
  const bool guarded = !least.empty() && is_guarded(algebra, p);
  for (const Least& l : least) {
    if (l.factor.power == 0) continue;
    const bool special = (l.factor.atom & kSpecialAtom) != 0;
    if (special && is_indicator(algebra.atom(l.factor.atom).kind)) continue;  // never divided by
    const bool everywhere = l.count == p.size();
    if (!everywhere && is_fragile(algebra, l.factor.atom)) continue;
    if (guarded) {
      // Of the monomials any one may be the only one not to vanish: it must show by itself that the
      // inverse or the root exists.
      if (l.factor.power < 0 && !(everywhere && l.all_negative)) continue;
      if (l.factor.power % kOnePower != 0 && !(everywhere && l.all_fractional)) continue;
    }
    result.push_back(l.factor);
  }
  return result;
}

// The least coefficient of each coordinate of the exponents; their constants stay.
Poly common_exponent(const Algebra& algebra, std::span<const Term> p) {
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
      if (algebra.atom(f.atom).kind == AtomKind::kMax) return true;
      if ((f.atom & kSpecialAtom) != 0 && f.power % kOnePower != 0) return true;
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

Monomial common_content(Algebra& algebra, std::span<const Term> terms) {
  if (terms.empty()) return kUnit;
  const Product power = algebra.exponential(common_exponent(algebra, terms));
  const std::vector<Factor> factors = common_factors(algebra, terms);
  return algebra.multiply(algebra.make(factors, kZeroPoly), power.monomial).monomial;
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
  if (result.primitive.empty()) return result;  // (x + y)/(x + y) - 1
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
