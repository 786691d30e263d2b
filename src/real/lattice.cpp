// Maxima and minima: flattened, translated and scaled to one canonical set of operands.
#include <algorithm>
#include <unordered_map>

#include "real/content.h"
#include "real/forms.h"

namespace ptxequiv::real {
namespace {

// Operand pairs are compared only in small sets of small sums.
constexpr size_t kCompareOperands = 8, kCompareTerms = 24;
constexpr int kMaxDepth = 8;  // of translations that bring up another maximum

// The term of p that is a positive multiple of a maximum, if it is the only one.
const Term* only_maximum(const Algebra& algebra, const Poly& p) {
  const Term* found = nullptr;
  Factor buffer[3];
  for (const Term& t : p) {
    if (t.coefficient.sign() < 0 || algebra.exponent(t.monomial) != kZeroPoly) continue;
    const auto f = algebra.factors(t.monomial, buffer);
    if (f.size() != 1 || f[0].power != kOnePower) continue;
    if (algebra.atom(f[0].atom).kind != AtomKind::kMax) continue;
    if (found != nullptr) return nullptr;
    found = &t;
  }
  return found;
}

const std::vector<PolyId>& operands_of(const Algebra& algebra, const Term& t) {
  Factor buffer[3];
  return algebra.atom(algebra.factors(t.monomial, buffer)[0].atom).operands;
}

// For each monomial the least coefficient over all operands, an absent one being 0.
Poly least_coefficients(const std::vector<Poly>& operands) {
  struct Least {
    size_t count = 0;
    Coefficient least;
  };
  std::unordered_map<uint64_t, Least> all;
  for (const Poly& p : operands) {
    for (const Term& t : p) {
      Least& l = all[t.monomial.bits];
      if (l.count++ == 0 || t.coefficient < l.least) l.least = t.coefficient;
    }
  }
  Poly result;
  for (const auto& [bits, l] : all) {
    if (l.count < operands.size() && l.least.sign() > 0) continue;
    result.push_back({{bits}, l.least});
  }
  Algebra::sort_and_merge(result);
  return result;
}

Poly negative_part(const std::vector<Poly>& operands) {
  Poly result;
  std::unordered_map<uint64_t, Coefficient> all;
  for (const Poly& p : operands) {
    for (const Term& t : p) {
      if (t.coefficient.sign() >= 0) continue;
      Coefficient& c = all[t.monomial.bits];
      if (t.coefficient < c) c = t.coefficient;
    }
  }
  for (const auto& [bits, c] : all) result.push_back({{bits}, c});
  Algebra::sort_and_merge(result);
  return result;
}

}  // namespace

Poly Forms::maximum(std::vector<Poly> operands, int depth) {
  // max(k*m + r, s, ...) = r + k*max(m, (s - r)/k, ...): measured from the largest maximum among
  // the operands, so that a running maximum takes one step for each new operand.
  Poly offset;
  Coefficient factor = 1;
  std::vector<PolyId> base;  // operands of that maximum: jointly primitive, least coefficients 0
  const Poly* pivot = nullptr;
  const Term* pivot_term = nullptr;
  for (const Poly& p : operands) {
    const Term* t = only_maximum(algebra_, p);
    if (t == nullptr) continue;
    if (pivot_term != nullptr &&
        operands_of(algebra_, *t).size() <= operands_of(algebra_, *pivot_term).size()) {
      continue;
    }
    pivot = &p;
    pivot_term = t;
  }
  std::vector<Poly> others;
  if (pivot != nullptr) {
    base = operands_of(algebra_, *pivot_term);
    factor = pivot_term->coefficient;
    offset = algebra_.add(*pivot, {*pivot_term}, -1);
    const Coefficient inverse = factor.inverse();
    for (const Poly& p : operands) {
      if (&p == pivot) continue;
      others.push_back(offset.empty() && factor.is_one()
                           ? p
                           : algebra_.scale(algebra_.add(p, offset, -1), inverse));
    }
  } else {
    others = std::move(operands);
  }
  // Maxima among the rest are flattened the plain way.
  for (size_t i = 0; i < others.size(); ++i) {
    const Term* t = only_maximum(algebra_, others[i]);
    if (t == nullptr) continue;
    const std::vector<PolyId> inner = operands_of(algebra_, *t);
    const Coefficient k = t->coefficient;
    const Poly rest = algebra_.add(others[i], {*t}, -1);
    others.erase(others.begin() + static_cast<ptrdiff_t>(i--));
    for (const PolyId p : inner) {
      others.push_back(algebra_.add(rest, algebra_.poly(p), k));
    }
    algebra_.deadline().poll();
  }
  auto finish = [&](const Poly& p) { return algebra_.add(offset, algebra_.scale(p, factor)); };
  // Drop what is there already, then what another operand dominates.
  std::vector<PolyId> ids = base;
  std::vector<Poly> fresh;
  for (Poly& p : others) {
    const PolyId id = algebra_.intern(p);
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) continue;
    ids.push_back(id);
    fresh.push_back(std::move(p));
  }
  bool base_intact = !base.empty();
  const bool comparable =
      ids.size() <= kCompareOperands && std::all_of(ids.begin(), ids.end(), [&](PolyId p) {
        return algebra_.poly(p).size() <= kCompareTerms;
      });
  if (comparable && !fresh.empty()) {
    for (size_t i = 0; i < ids.size(); ++i) {
      for (size_t j = 0; j < ids.size(); ++j) {
        if (i == j) continue;
        const Poly difference = algebra_.add(algebra_.poly(ids[i]), algebra_.poly(ids[j]), -1);
        if (!signs_.of(difference).is_nonnegative()) continue;
        if (std::find(base.begin(), base.end(), ids[j]) != base.end()) base_intact = false;
        ids.erase(ids.begin() + static_cast<ptrdiff_t>(j));
        if (j < i) --i;
        --j;
      }
    }
  }
  if (ids.size() == 1) return finish(algebra_.poly(ids[0]));
  // A common factor that is positive leaves: max(x*e, y*e) = e*max(x, y). The base has none, so
  // with the base intact only negative powers of the new operands count.
  if (const Monomial common = positive_content(base_intact ? fresh : polys_of(ids), base_intact);
      !common.is_unit() && depth < kMaxDepth) {
    const Product inverse = algebra_.inverse(common);
    std::vector<Poly> again;
    for (const PolyId id : ids)
      again.push_back(algebra_.scale(algebra_.poly(id), 1, inverse.monomial));
    const Poly inner = maximum(std::move(again), depth + 1);
    // common * 2^-shift * inverse = 1.
    return finish(algebra_.scale(inner, Coefficient(1).shifted(inverse.shift), common));
  }
  // Translate: with the base intact its least coefficients are 0 already.
  const Poly shift = base_intact ? negative_part(fresh) : least_coefficients(polys_of(ids));
  if (!shift.empty()) {
    bool nested = false;
    for (PolyId& id : ids) {
      id = algebra_.intern(algebra_.add(algebra_.poly(id), shift, -1));
      nested = nested || only_maximum(algebra_, algebra_.poly(id)) != nullptr;
    }
    // max(v - m, 0) = max(v, m) - m: the shift may bring a maximum to where it flattens, or a
    // common factor.
    if (depth < kMaxDepth && (nested || !positive_content(polys_of(ids), false).is_unit())) {
      return finish(algebra_.add(shift, maximum(polys_of(ids), depth + 1)));
    }
  }
  Coefficient g;
  if (base_intact && shift.empty()) {
    g = 1;
    for (const Poly& p : fresh) {
      if (!p.empty()) g = Coefficient::gcd(g, rational_content(p));
    }
  } else {
    for (const PolyId id : ids) {
      const Poly& p = algebra_.poly(id);
      if (!p.empty())
        g = g.is_zero() ? rational_content(p) : Coefficient::gcd(g, rational_content(p));
    }
  }
  if (!g.is_one()) {
    for (PolyId& id : ids) id = algebra_.intern(algebra_.scale(algebra_.poly(id), g.inverse()));
  }
  std::sort(ids.begin(), ids.end());
  const Poly atom = algebra_.of_atom(algebra_.maximum(std::move(ids)));
  return finish(algebra_.add(shift, atom, g));
}

std::vector<Poly> Forms::polys_of(const std::vector<PolyId>& ids) const {
  std::vector<Poly> result;
  for (const PolyId id : ids) result.push_back(algebra_.poly(id));
  return result;
}

Monomial Forms::positive_content(const std::vector<Poly>& operands, bool among_others) {
  Poly terms;  // not merged: only the monomials matter
  if (among_others) terms.push_back({kUnit, 1});
  for (const Poly& p : operands) terms.insert(terms.end(), p.begin(), p.end());
  const Monomial common = common_content(algebra_, terms);
  if (common.is_unit()) return common;
  Factor buffer[3];
  const auto view = algebra_.factors(common, buffer);
  const std::vector<Factor> all(view.begin(), view.end());
  std::vector<Factor> kept;
  for (const Factor& f : all) {
    if (signs_.of_power(f).is_positive()) kept.push_back(f);
  }
  return algebra_.make(kept, algebra_.exponent(common));
}

Poly Forms::minimum(const Poly& a, const Poly& b) {
  return algebra_.scale(maximum({algebra_.scale(a, -1), algebra_.scale(b, -1)}), -1);
}

}  // namespace ptxequiv::real
