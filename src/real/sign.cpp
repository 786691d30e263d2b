#include "real/sign.h"

#include "real/content.h"

namespace ptxequiv::real {
namespace {

// Exponents within exponents that are compared.
constexpr int kMaxNesting = 4;

bool is_decided(SignSet s) {
  return s.is_positive() || s.is_negative() || s.is_zero();
}

}  // namespace

SignSet operator*(SignSet a, SignSet b) {
  unsigned r = (a.bits_ & 2) | (b.bits_ & 2);
  if (((a.bits_ & 4) && (b.bits_ & 4)) || ((a.bits_ & 1) && (b.bits_ & 1))) r |= 4;
  if (((a.bits_ & 4) && (b.bits_ & 1)) || ((a.bits_ & 1) && (b.bits_ & 4))) r |= 1;
  return SignSet(r);
}

SignSet operator+(SignSet a, SignSet b) {
  unsigned r = ((a.bits_ | b.bits_) & 5) | (a.bits_ & b.bits_ & 2);
  if ((r & 5) == 5) return SignSet::any();
  if (!(a.bits_ & 2) && !(b.bits_ & 2)) return SignSet(r);
  if (a.bits_ == 2) return b;
  if (b.bits_ == 2) return a;
  // Both on one side; zero needs both zero, a strict side needs one strict.
  const bool strict = !(a.bits_ & 2) || !(b.bits_ & 2);
  return SignSet(strict ? r & 5 : r | 2);
}

SignSet Signs::of(AtomId id) {
  const Range r = atom_range(id);
  SignSet s = SignSet::any();
  if (r.is_positive())
    s = SignSet(4);
  else if (r.is_negative())
    s = SignSet(1);
  else if (r.is_nonnegative())
    s = SignSet(6);
  else if (r.is_nonpositive())
    s = SignSet(3);
  if (known_.empty() && remembered_.empty()) return s;
  if (const auto found = atom_signs_.find(id); found != atom_signs_.end()) return found->second;
  const Poly p = algebra_.of_atom(id);
  if (!remembered_.empty()) s = s & recall(p);
  s = by_facts(p, s);
  atom_signs_.emplace(id, s);
  return s;
}

SignSet Signs::of_power(const Factor& f) {
  const bool inverse = f.power < 0;  // defined only where the base is not zero
  if (f.power % kOnePower != 0)
    return inverse || of(f.atom).is_positive() ? SignSet(4) : SignSet(6);
  SignSet s = of(f.atom);
  if (f.power % (2 * kOnePower) == 0) s = s.is_nonzero() ? SignSet(4) : SignSet(6);
  return inverse ? s & SignSet(5) : s;
}

SignSet Signs::of(Monomial m) {
  SignSet s(4);
  Factor buffer[3];
  const auto view = algebra_.factors(m, buffer);
  const std::vector<Factor> all(view.begin(), view.end());  // ranges may make new monomials
  for (const Factor& f : all) {
    s = s * of_power(f);
    if (s == SignSet::any()) break;
  }
  return s;
}

bool Signs::is_integral(const Poly& p) const {
  Factor buffer[3];
  for (const Term& t : p) {
    if (!t.coefficient.is_integer() || algebra_.exponent(t.monomial) != kZeroPoly) return false;
    for (const Factor& f : algebra_.factors(t.monomial, buffer)) {
      if (!algebra_.atom(f.atom).integral || f.power < 0 || f.power % kOnePower != 0) return false;
    }
  }
  return true;
}

SignSet Signs::of(const Poly& p) {
  if (p.empty()) return SignSet(2);
  SignSet s = SignSet::of(p[0].coefficient.sign()) * of(p[0].monomial);
  for (size_t i = 1; i < p.size() && s != SignSet::any(); ++i) {
    s = s + SignSet::of(p[i].coefficient.sign()) * of(p[i].monomial);
  }
  if (!remembered_.empty()) s = s & recall(p);
  if (p.size() > kSmallSum || s.is_positive() || s.is_negative()) return s;
  const PolyId id = algebra_.intern(p);
  if (const auto known = signs_.find(id); known != signs_.end()) return known->second;
  const Range& r = range(id);
  if (r.is_nonnegative()) s = s & SignSet(r.is_positive() ? 4 : 6);
  if (r.is_nonpositive()) s = s & SignSet(r.is_negative() ? 1 : 3);
  if (!is_decided(s) && p.size() > 1) {
    const Split parts = split(algebra_, p);
    if (parts.is_zero()) {
      s = SignSet(2);
    } else if (!parts.content.is_unit() || parts.scale.sign() < 0 || !parts.scale.is_one()) {
      s = s & (SignSet::of(parts.scale.sign()) * of(parts.content) * of(parts.primitive));
    }
  }
  s = by_facts(p, s);
  if (!is_decided(s)) s = s & by_exponents(p);
  signs_.emplace(id, s);
  return s;
}

SignSet Signs::by_facts(const Poly& p, SignSet s) {
  if (is_decided(s) || !needs_linear(p)) return s;
  const Poly minus = algebra_.scale(p, -1);
  if (s.may_be_negative() && linear(p, false)) s = s & SignSet(6);
  if (s.may_be_positive() && linear(minus, false)) s = s & SignSet(3);
  if (is_decided(s) || !s.may_be_zero()) return s;
  if (s.is_nonnegative() && linear(p, true)) return SignSet(4);
  if (s.is_nonpositive() && linear(minus, true)) return SignSet(1);
  return s;
}

std::optional<Poly> Signs::exponent_difference(const Poly& p) {
  // c*2^a - c*2^b has the sign of c*(a - b).
  if (p.size() != 2 || !(p[0].coefficient + p[1].coefficient).is_zero()) return std::nullopt;
  Factor buffer[3];
  for (const Term& t : p) {
    if (!algebra_.factors(t.monomial, buffer).empty()) return std::nullopt;
  }
  const bool first = p[0].coefficient.sign() > 0;
  return algebra_.add(algebra_.poly(algebra_.exponent(p[first ? 0 : 1].monomial)),
                      algebra_.poly(algebra_.exponent(p[first ? 1 : 0].monomial)), -1);
}

SignSet Signs::by_exponents(const Poly& p) {
  const std::optional<Poly> difference = exponent_difference(p);
  if (!difference || depth_ >= kMaxNesting) return SignSet::any();
  ++depth_;
  const SignSet s = of(*difference);
  --depth_;
  return s;
}

}  // namespace ptxequiv::real
