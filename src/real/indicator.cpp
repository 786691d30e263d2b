// Indicators [p > 0], [p = 0] and selections by them.
#include <algorithm>

#include "real/content.h"
#include "real/dag_fold.h"
#include "real/forms.h"

namespace ptxequiv::real {
namespace {

// What c selects, if it is one side of a single q: c = [q > 0] or [q >= 0] (upper), or [q < 0] or
// [q <= 0]. The value at q = 0 is left open.
struct HalfSpace {
  PolyId q;
  bool upper;
};

std::optional<HalfSpace> half_space(const Algebra& algebra, const Poly& c) {
  Coefficient constant, slope;
  std::optional<PolyId> q, zero;
  Factor buffer[3];
  for (const Term& t : c) {
    if (t.monomial.is_unit()) {
      constant = t.coefficient;
      continue;
    }
    const auto f = algebra.factors(t.monomial, buffer);
    if (f.size() != 1 || algebra.exponent(t.monomial) != kZeroPoly) return std::nullopt;
    const Atom& atom = algebra.atom(f[0].atom);
    if (atom.kind == AtomKind::kPositive && !q) {
      q = atom.argument;
      slope = t.coefficient;
    } else if (atom.kind == AtomKind::kZero && !zero) {
      zero = atom.argument;
    } else {
      return std::nullopt;
    }
  }
  if (!q || (zero && *zero != *q)) return std::nullopt;
  if (slope.is_one() && constant.is_zero()) return HalfSpace{*q, true};
  if ((-slope).is_one() && constant.is_one()) return HalfSpace{*q, false};
  return std::nullopt;
}

// c is [q = 0] (upper), or its complement.
std::optional<HalfSpace> vanishing(const Algebra& algebra, const Poly& c) {
  if (c.empty() || c.size() > 2 || (c.size() == 2 && !c[0].monomial.is_unit())) return std::nullopt;
  const Term& t = c.back();
  Factor buffer[3];
  const auto f = algebra.factors(t.monomial, buffer);
  if (f.size() != 1 || algebra.exponent(t.monomial) != kZeroPoly) return std::nullopt;
  const Atom& atom = algebra.atom(f[0].atom);
  if (atom.kind != AtomKind::kZero) return std::nullopt;
  if (c.size() == 1 && t.coefficient.is_one()) return HalfSpace{atom.argument, true};
  if (c.size() == 2 && c[0].coefficient.is_one() && (-t.coefficient).is_one()) {
    return HalfSpace{atom.argument, false};
  }
  return std::nullopt;
}

// The monomial k*m with d = k * m * q. None by an indicator: 1/[c] would be 1, but d is not [c]*d.
std::optional<Term> ratio(Algebra& algebra, const Poly& d, const Poly& q) {
  const Split a = split(algebra, d), b = split(algebra, q);
  if (a.is_zero() || b.is_zero() || a.primitive != b.primitive) return std::nullopt;
  if (algebra.has_indicator(b.content)) return std::nullopt;
  const Product inverse = algebra.inverse(b.content);
  const Product product = algebra.multiply(a.content, inverse.monomial);
  return Term{product.monomial, (a.scale / b.scale).shifted(inverse.shift + product.shift)};
}

// r, if p is a multiple of |r| = 2 max(r, 0) - r.
std::optional<Poly> magnitude_of(Algebra& algebra, const Poly& p) {
  Factor buffer[3];
  for (const Term& t : p) {
    const auto f = algebra.factors(t.monomial, buffer);
    if (f.size() != 1 || f[0].power != kOnePower || algebra.exponent(t.monomial) != kZeroPoly) {
      continue;
    }
    const Atom& atom = algebra.atom(f[0].atom);
    if (atom.kind != AtomKind::kMax || atom.operands.size() != 2) continue;
    const size_t zero = atom.operands[0] == kZeroPoly ? 0 : 1;
    if (atom.operands[zero] != kZeroPoly) continue;
    const Poly r = algebra.poly(atom.operands[1 - zero]);
    const Coefficient half = t.coefficient * Coefficient(mpq_class(1, 2));
    if (algebra.add(algebra.add(p, {t}, -1), r, half).empty()) return r;
  }
  return std::nullopt;
}

}  // namespace

bool Forms::is_total(const Poly& p) {
  constexpr size_t kMaxPolys = 64;
  std::vector<PolyId> stack = {algebra_.intern(p)}, seen;
  Factor buffer[3];
  while (!stack.empty()) {
    const PolyId top = stack.back();
    stack.pop_back();
    if (std::find(seen.begin(), seen.end(), top) != seen.end()) continue;
    if (seen.size() >= kMaxPolys || algebra_.poly(top).size() > kMaxPolys) return false;
    seen.push_back(top);
    for (const Term& t : algebra_.poly(top)) {
      if (const PolyId e = algebra_.exponent(t.monomial); e != kZeroPoly) stack.push_back(e);
      const auto view = algebra_.factors(t.monomial, buffer);
      const std::vector<Factor> all(view.begin(), view.end());
      for (const Factor& f : all) {
        const Atom& atom = algebra_.atom(f.atom);
        const bool fractional = f.power % kOnePower != 0;
        if (fractional && !signs_.of(f.atom).is_positive()) return false;
        if (f.power < 0 && !signs_.of(f.atom).is_nonzero()) return false;
        if (atom.kind == AtomKind::kLog2 &&
            !signs_.of(algebra_.poly(atom.argument)).is_positive()) {
          return false;
        }
        if (atom.argument != kZeroPoly) stack.push_back(atom.argument);
        stack.insert(stack.end(), atom.operands.begin(), atom.operands.end());
      }
    }
  }
  return true;
}

Poly Forms::drop_irrelevant_factors(const Poly& p, bool keep_sign, bool& negative) {
  const Split parts = split(algebra_, p);
  if (parts.is_zero()) return {};
  negative = parts.scale.sign() < 0;
  Factor buffer[3];
  const auto view = algebra_.factors(parts.content, buffer);
  const std::vector<Factor> content(view.begin(), view.end());
  std::vector<Factor> kept;
  for (Factor f : content) {
    const SignSet s = signs_.of_power(f);
    if (s.is_nonzero() && (!keep_sign || s.is_positive() || s.is_negative())) {
      negative = negative != s.is_negative();
      continue;
    }
    if (!keep_sign) {
      f.power = kOnePower;
    } else if (f.power % kOnePower != 0) {
      f.power = kOnePower;  // a root is zero where its base is, and not negative
    } else if (f.power % (2 * kOnePower) == 0) {
      f.power = 2 * kOnePower;
    } else {
      f.power = kOnePower;  // a and 1/a have one sign
    }
    kept.push_back(f);
  }
  return algebra_.scale(parts.primitive, 1, algebra_.make(kept, kZeroPoly));
}

Poly Forms::positive(const Poly& p) {
  const SignSet s = signs_.of(p);
  if (s.is_positive()) return algebra_.constant(1);
  if (s.is_nonpositive()) return {};
  bool negative = false;
  Poly core = drop_irrelevant_factors(p, true, negative);
  if (core.empty()) return {};
  if (negative) core = algebra_.scale(core, -1);
  const SignSet of_core = signs_.of(core);
  if (of_core.is_positive()) return algebra_.constant(1);
  if (of_core.is_nonpositive()) return {};
  if (of_core.is_nonnegative()) return complement(zero(core));
  // As [q > k]: q primitive; for integers k is whole.
  Poly q = core;
  Coefficient k;
  if (q.front().monomial.is_unit()) {
    k = -q.front().coefficient;
    q.erase(q.begin());
    if (q.empty()) return algebra_.constant(k.sign() < 0 ? 1 : 0);
  }
  Coefficient g = rational_content(q);
  const bool flip = q.front().coefficient.sign() < 0;
  const bool integral = signs_.is_integral(algebra_.scale(q, g.inverse()));
  if (integral) {
    q = algebra_.scale(q, flip ? -g.inverse() : g.inverse());
    const mpq_class bound = (k / g).to_mpq();
    // q > bound, or -q > bound, that is not q > ceil(-bound) - 1.
    const mpz_class whole = flip ? mpz_class(real::ceil(-bound) - 1) : real::floor(bound);
    const Poly normal = algebra_.add(q, algebra_.constant(Coefficient(mpq_class(whole))), -1);
    const SignSet of_normal = signs_.of(normal);
    Poly c;
    if (of_normal.is_positive()) {
      c = algebra_.constant(1);
    } else if (!of_normal.is_nonpositive()) {
      c = algebra_.of_atom(algebra_.function(AtomKind::kPositive, algebra_.intern(normal)));
    }
    return flip ? complement(c) : c;
  }
  g = rational_content(core);
  if (flip) {
    const PolyId normal = algebra_.intern(algebra_.scale(core, -g.inverse()));
    const Poly c = algebra_.of_atom(algebra_.function(AtomKind::kPositive, normal));
    return algebra_.add(complement(c), zero(core), -1);
  }
  const PolyId normal = algebra_.intern(algebra_.scale(core, g.inverse()));
  return algebra_.of_atom(algebra_.function(AtomKind::kPositive, normal));
}

Poly Forms::zero(const Poly& p) {
  const SignSet s = signs_.of(p);
  if (s.is_zero()) return algebra_.constant(1);
  if (s.is_nonzero()) return {};
  bool negative = false;
  Poly core = drop_irrelevant_factors(p, false, negative);
  if (core.empty()) return algebra_.constant(1);
  if (core.size() == 1 && core[0].monomial.is_unit()) return {};
  const SignSet of_core = signs_.of(core);
  if (of_core.is_zero()) return algebra_.constant(1);
  if (of_core.is_nonzero()) return {};
  // |r| = 0 where r is.
  if (const auto r = magnitude_of(algebra_, core)) return zero(*r);
  if (core.front().monomial.is_unit()) {
    // Integers: g*q + c = 0 needs g to divide c.
    Poly q = core;
    q.erase(q.begin());
    const Coefficient g = rational_content(q);
    if (signs_.is_integral(algebra_.scale(q, g.inverse())) &&
        !(core.front().coefficient / g).is_integer()) {
      return {};
    }
  }
  Coefficient g = rational_content(core);
  const Term& lead = core.front().monomial.is_unit() ? core[1] : core.front();
  if (lead.coefficient.sign() < 0) g = -g;
  const PolyId normal = algebra_.intern(algebra_.scale(core, g.inverse()));
  return algebra_.of_atom(algebra_.function(AtomKind::kZero, normal));
}

Poly Forms::choose(const Poly& c, const Poly& then_form, const Poly& else_form) {
  const Poly d = algebra_.add(then_form, else_form, -1);
  if (d.empty() || c.empty()) return else_form;
  if (c.size() == 1 && c[0].monomial.is_unit()) return then_form;
  if (const auto side = half_space(algebra_, c)) {
    // [q > 0] * m*q = m * max(q, 0), whatever is selected at q = 0.
    const Poly& q = algebra_.poly(side->q);
    const auto k = ratio(algebra_, d, q);
    if (k && signs_.of(k->monomial).is_positive() && is_total({{k->monomial, 1}})) {
      // d itself changes sign with q.
      const bool upper = side->upper == (k->coefficient.sign() > 0);
      return algebra_.add(else_form, upper ? maximum({d, {}}) : minimum(d, {}));
    }
    const Poly part = side->upper ? maximum({q, {}}) : minimum(q, {});
    // With an inverse of q in k the product would say 0/0 at q = 0, where c chooses.
    if (k && is_total({{k->monomial, 1}})) {
      return algebra_.add(else_form, algebra_.scale(part, k->coefficient, k->monomial));
    }
    if (q.size() == 1) {
      // Where q is a plain x: the same with any multiple of x.
      Factor buffer[3];
      const auto f = algebra_.factors(q[0].monomial, buffer);
      if (f.size() == 1 && f[0].power == kOnePower && (f[0].atom & kSpecialAtom) == 0) {
        const AtomId x = f[0].atom;
        const bool everywhere = std::all_of(d.begin(), d.end(), [&](const Term& t) {
          Factor inner[3];
          const auto all = algebra_.factors(t.monomial, inner);
          return std::any_of(all.begin(), all.end(),
                             [&](const Factor& g) { return g.atom == x && g.power >= kOnePower; });
        });
        if (everywhere) {
          const Poly rest = algebra_.scale(d, 1, algebra_.of(x, -kOnePower));
          return algebra_.add(else_form, algebra_.multiply(rest, part));
        }
      }
    }
  }
  if (const auto point = vanishing(algebra_, c)) {
    // [q = 0] * m*q = 0.
    const auto k = ratio(algebra_, d, algebra_.poly(point->q));
    if (k && is_total({{k->monomial, 1}})) return point->upper ? else_form : then_form;
  }
  return algebra_.add(else_form, algebra_.multiply(c, d));
}

}  // namespace ptxequiv::real
