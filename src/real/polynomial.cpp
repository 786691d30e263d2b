// Sums of monomials: interning, arithmetic, and the relations of special atoms.
#include <algorithm>

#include "base/error.h"
#include "real/algebra.h"

namespace ptxequiv::real {
namespace {

uint64_t hash(const Poly& p) {
  uint64_t h = p.size();
  for (const Term& t : p) {
    h = (h ^ t.monomial.bits) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
    h += t.coefficient.hash();
  }
  return h ^ h >> 32;
}

}  // namespace

PolyId Algebra::intern(const Poly& p) {
  const uint64_t h = hash(p);
  if (2 * (polys_.size() + 1) > poly_slots_.size()) grow_polys();
  size_t slot = h & (poly_slots_.size() - 1);
  while (poly_slots_[slot] != UINT32_MAX) {
    const uint32_t id = poly_slots_[slot];
    if (poly_hashes_[id] == h && polys_[id] == p) return id;
    slot = (slot + 1) & (poly_slots_.size() - 1);
  }
  const auto id = static_cast<PolyId>(polys_.size());
  poly_slots_[slot] = id;
  polys_.push_back(p);
  poly_hashes_.push_back(h);
  return id;
}

PolyId Algebra::intern(const Coefficient& c) {
  return intern(constant(c));
}

void Algebra::grow_polys() {
  poly_slots_.assign(poly_slots_.size() * 2, UINT32_MAX);
  for (uint32_t i = 0; i < poly_hashes_.size(); ++i) {
    size_t slot = poly_hashes_[i] & (poly_slots_.size() - 1);
    while (poly_slots_[slot] != UINT32_MAX) slot = (slot + 1) & (poly_slots_.size() - 1);
    poly_slots_[slot] = i;
  }
}

void Algebra::sort_and_merge(Poly& p) {
  auto less = [](const Term& x, const Term& y) { return x.monomial < y.monomial; };
  if (!std::is_sorted(p.begin(), p.end(), less)) std::sort(p.begin(), p.end(), less);
  size_t out = 0;
  for (size_t i = 0; i < p.size();) {
    size_t j = i + 1;
    for (; j < p.size() && p[j].monomial == p[i].monomial; ++j) {
      p[i].coefficient = p[i].coefficient + p[j].coefficient;
    }
    if (!p[i].coefficient.is_zero()) {
      if (out != i) p[out] = std::move(p[i]);
      ++out;
    }
    i = j;
  }
  p.erase(p.begin() + static_cast<ptrdiff_t>(out), p.end());
}

Poly Algebra::constant(const Coefficient& c) const {
  if (c.is_zero()) return {};
  return {{kUnit, c}};
}

Poly Algebra::add(const Poly& a, const Poly& b, const Coefficient& b_scale) {
  Poly result;
  result.reserve(a.size() + b.size());
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a[i].monomial < b[j].monomial)) {
      result.push_back(a[i++]);
    } else if (i == a.size() || b[j].monomial < a[i].monomial) {
      result.push_back({b[j].monomial, b[j].coefficient * b_scale});
      ++j;
    } else {
      Coefficient sum = a[i].coefficient + b[j].coefficient * b_scale;
      if (!sum.is_zero()) result.push_back({a[i].monomial, std::move(sum)});
      ++i, ++j;
    }
  }
  return result;
}

void Algebra::append_scaled(Poly& out, const Poly& p, const Coefficient& c, Monomial m) {
  for (const Term& t : p) {
    const Product product = multiply(t.monomial, m);
    if (product.monomial == kNothing) continue;
    Coefficient k = t.coefficient * c;
    if (product.shift != 0) k = k.shifted(product.shift);
    out.push_back({product.monomial, std::move(k)});
  }
}

Poly Algebra::scale(const Poly& p, const Coefficient& c, Monomial m) {
  Poly result;
  if (c.is_zero()) return result;
  result.reserve(p.size());
  append_scaled(result, p, c, m);
  if (!m.is_unit()) {
    sort_and_merge(result);
    settle(result);
  }
  return result;
}

Poly Algebra::multiply(const Poly& a, const Poly& b) {
  const Poly& small = a.size() <= b.size() ? a : b;
  const Poly& large = a.size() <= b.size() ? b : a;
  if (small.empty()) return {};
  if (small.size() == 1) return scale(large, small[0].coefficient, small[0].monomial);
  Poly result;
  size_t merge_at = std::max<size_t>(1 << 14, 4 * large.size());
  for (const Term& t : small) {
    append_scaled(result, large, t.coefficient, t.monomial);
    if (result.size() >= merge_at) {
      deadline_.poll();
      sort_and_merge(result);
      merge_at = std::max(merge_at, 2 * result.size() + large.size());
    }
  }
  sort_and_merge(result);
  settle(result);
  return result;
}

void Algebra::settle(Poly& p) {
  for (int round = 0; round < 64; ++round) {
    // How many terms full expansion would make at most.
    size_t estimate = 0;
    bool any = false;
    for (const Term& t : p) {
      size_t here = 1;
      if (is_reducible(t.monomial)) {
        any = true;
        Factor buffer[3];
        for (const Factor& f : factors(t.monomial, buffer)) {
          if ((f.atom & kSpecialAtom) == 0 || atom(f.atom).kind != AtomKind::kFactor) continue;
          for (int32_t k = f.power; k >= kOnePower && here <= max_monomials_; k -= kOnePower) {
            here *= poly(atom(f.atom).argument).size();
          }
        }
      }
      estimate += here;
    }
    if (!any) return;
    const bool expand = estimate <= max_monomials_;
    Poly next;
    bool changed = false;
    for (Term& t : p) {
      if (is_reducible(t.monomial) && reduce_once(t, next, expand)) {
        changed = true;
      } else {
        next.push_back(std::move(t));
      }
    }
    p = std::move(next);
    if (!changed) return;
    sort_and_merge(p);
    deadline_.poll();
  }
}

bool Algebra::reduce_once(const Term& term, Poly& out, bool expand) {
  Factor buffer[3];
  const auto view = factors(term.monomial, buffer);
  const std::vector<Factor> all(view.begin(), view.end());
  const PolyId e = exponent(term.monomial);
  for (size_t i = 0; i < all.size(); ++i) {
    if ((all[i].atom & kSpecialAtom) == 0) continue;
    std::vector<Factor> rest = all;
    const Atom& a = atom(all[i].atom);
    const bool square = all[i].power >= 2 * kOnePower;
    if (a.kind == AtomKind::kFactor) {
      const Poly& p = poly(a.argument);
      if (p.size() == 1 && p[0].monomial.is_unit()) {
        // A root of a rational: its power goes into [0, 1).
        const int32_t whole = all[i].power >= 0 ? all[i].power / kOnePower
                                                : -((kOnePower - 1 - all[i].power) / kOnePower);
        if (whole == 0) continue;
        rest[i].power -= whole * kOnePower;
        Coefficient k = term.coefficient;
        for (int32_t n = 0; n < std::abs(whole); ++n) {
          k = whole > 0 ? k * p[0].coefficient : k / p[0].coefficient;
        }
        out.push_back({make(rest, e), std::move(k)});
        return true;
      }
      if (all[i].power < kOnePower) continue;
      if (!expand) {
        if (reduce_leading(term, all, i, out)) return true;
        continue;
      }
      rest[i].power -= kOnePower;
      append_scaled(out, p, term.coefficient, make(rest, e));
      return true;
    }
    if (a.kind == AtomKind::kMax && square) {
      const Poly& p = poly(a.operands[0]);
      const Poly& q = poly(a.operands[1]);
      if (p.size() * q.size() > 256) continue;
      // m = max(p, q) is one of the two: (m - p)(m - q) = 0.
      const Poly sum = add(p, q), product = multiply(p, q);
      rest[i].power -= kOnePower;
      append_scaled(out, sum, term.coefficient, make(rest, e));
      rest[i].power -= kOnePower;
      append_scaled(out, product, -term.coefficient, make(rest, e));
      return true;
    }
    if (a.kind == AtomKind::kSin && square) {
      const Factor cosine[] = {{function(AtomKind::kCos, a.argument), 2 * kOnePower}};
      rest[i].power -= 2 * kOnePower;
      const Monomial others = make(rest, e);
      out.push_back({others, term.coefficient});
      const Product product = multiply(others, make(cosine, kZeroPoly));
      out.push_back({product.monomial, (-term.coefficient).shifted(product.shift)});
      return true;
    }
  }
  return false;
}

bool Algebra::reduce_leading(const Term& term, const std::vector<Factor>& all, size_t at,
                             Poly& out) {
  // The factor F stands for a sum c*x + rest that is too big to expand next to others. Where x
  // stands beside it, x = (F - rest)/c: so sum(x_i)*F and F*F meet.
  const Poly& p = poly(atom(all[at].atom).argument);
  const Term* lead = nullptr;
  for (const Term& t : p) {
    if (t.monomial.is_unit()) continue;
    if (is_packed(t.monomial) && t.monomial.bits >> kFieldBits == 0) lead = &t;
    break;
  }
  if (lead == nullptr) return false;
  const auto x = static_cast<AtomId>(lead->monomial.bits - 1);
  std::vector<Factor> rest = all;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i].atom != x || rest[i].power < kOnePower) continue;
    rest[i].power -= kOnePower;
    const Coefficient k = term.coefficient / lead->coefficient;
    const PolyId e = exponent(term.monomial);
    const Monomial others = make(rest, e);
    for (const Term& t : p) {
      if (&t == lead) continue;
      const Product product = multiply(others, t.monomial);
      if (product.monomial == kNothing) continue;
      out.push_back({product.monomial, (-(k * t.coefficient)).shifted(product.shift)});
    }
    rest[at].power += kOnePower;
    out.push_back({make(rest, e), k});
    return true;
  }
  return false;
}

}  // namespace ptxequiv::real
