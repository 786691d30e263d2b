// Facts about forms, and what follows from them linearly.
#include "real/content.h"
#include "real/dag_fold.h"
#include "real/sign.h"

namespace ptxequiv::real {
namespace {

// What linear reasoning takes on.
constexpr size_t kLinearTerms = 24, kLinearFacts = 64, kLinearVariables = 48;

}  // namespace

void Signs::remember(const Poly& p, SignSet signs) {
  Coefficient g = rational_content(p);
  if (p[0].coefficient.sign() < 0) g = -g;
  const PolyId id = algebra_.intern(algebra_.scale(p, g.inverse()));
  if (g.sign() < 0) signs = -signs;
  const auto [place, fresh] = remembered_.try_emplace(id, signs);
  if (!fresh) place->second = place->second & signs;
  if (place->second == SignSet(0)) empty_ = true;
}

SignSet Signs::recall(const Poly& p) {
  Coefficient g = rational_content(p);
  if (p[0].coefficient.sign() < 0) g = -g;
  const auto known =
      remembered_.find(algebra_.intern(g.is_one() ? p : algebra_.scale(p, g.inverse())));
  if (known == remembered_.end()) return SignSet::any();
  return g.sign() < 0 ? -known->second : known->second;
}

void Signs::add_known(Poly p, bool strict) {
  if (p.empty() || (p.size() == 1 && p[0].monomial.is_unit())) {
    const int sign = p.empty() ? 0 : p[0].coefficient.sign();
    if (sign < 0 || (strict && sign == 0)) empty_ = true;
    return;
  }
  // Integers: g*q + c >= 0 is q >= ceil(-c/g), and > is >= one more.
  Poly rest = p;
  Coefficient constant;
  if (rest[0].monomial.is_unit()) {
    constant = rest[0].coefficient;
    rest.erase(rest.begin());
  }
  const Coefficient g = rational_content(rest);
  rest = algebra_.scale(rest, g.inverse());
  constant = constant / g;
  if (is_integral(rest)) {
    mpz_class whole = floor(constant.to_mpq());
    if (strict && mpq_class(whole) == constant.to_mpq()) whole -= 1;
    constant = Coefficient(mpq_class(whole));
    strict = false;
  }
  p = algebra_.add(algebra_.constant(constant), rest);
  if (rest.size() == 1) {
    // A bound of one atom: rest is +a or -a.
    Factor buffer[3];
    const auto f = algebra_.factors(rest[0].monomial, buffer);
    if (algebra_.exponent(rest[0].monomial) == kZeroPoly && f.size() == 1 &&
        f[0].power == kOnePower) {
      Range bound;
      const mpq_class k = rest[0].coefficient.to_mpq(), end = -constant.to_mpq() / k;
      if (sgn(k) > 0) {
        bound.low = end;
        bound.low_open = strict;
      } else {
        bound.high = end;
        bound.high_open = strict;
      }
      const auto [place, fresh] = narrowed_.try_emplace(f[0].atom, bound);
      if (!fresh) place->second = intersect(place->second, bound);
    }
  }
  known_.push_back({std::move(p), strict});
}

void Signs::assume(const Poly& p, Relation relation) {
  if (p.empty()) {
    if (relation != Relation::kNonNegative) empty_ = true;
    return;
  }
  const Split parts = split(algebra_, p);
  if (parts.is_zero()) {
    assume({}, relation);
    return;
  }
  const SignSet content = SignSet::of(parts.scale.sign()) * of(parts.content);
  const SignSet signs(relation == Relation::kPositive ? 4 : relation == Relation::kNonZero ? 5 : 6);
  remember(p, signs);
  if (relation == Relation::kNonZero) {
    if (!parts.is_monomial()) remember(parts.primitive, signs);
    Factor buffer[3];
    const auto view = algebra_.factors(parts.content, buffer);
    const std::vector<Factor> all(view.begin(), view.end());
    for (const Factor& f : all) remember(algebra_.of_atom(f.atom), signs);
  } else {
    const bool strict = relation == Relation::kPositive;
    add_known(p, strict);
    if (auto difference = exponent_difference(p)) add_known(std::move(*difference), strict);
    if (!parts.is_monomial() && (content.is_positive() || content.is_negative())) {
      Poly rest = algebra_.scale(parts.primitive, content.is_positive() ? 1 : -1);
      remember(rest, signs);
      if (!parts.content.is_unit()) add_known(std::move(rest), strict);
    }
  }
  poly_ranges_.clear();
  atom_ranges_.clear();
  signs_.clear();
  atom_signs_.clear();
}

bool Signs::contradictory() {
  if (empty_) return true;
  for (const auto& [atom, bound] : narrowed_) {
    const Range r = atom_range(atom);
    if (r.low && r.high &&
        (*r.low > *r.high || (*r.low == *r.high && (r.low_open || r.high_open)))) {
      return true;
    }
  }
  for (const Known& k : known_) {
    if (k.poly.size() > kSmallSum) continue;
    const Range& r = range(algebra_.intern(k.poly));
    if (r.is_negative() || (k.strict && r.is_nonpositive())) return true;
  }
  return !known_.empty() && linear({}, true);
}

bool Signs::needs_linear(const Poly& p) const {
  if (p.size() > kLinearTerms) return false;
  if (!known_.empty()) return true;
  Factor buffer[3];
  for (const Term& t : p) {
    for (const Factor& f : algebra_.factors(t.monomial, buffer)) {
      if (algebra_.atom(f.atom).kind == AtomKind::kMax) return true;
    }
  }
  return false;
}

bool Signs::linear(const Poly& target, bool strict) {
  std::unordered_map<uint64_t, int> variables;
  std::vector<Monomial> order;
  std::vector<LinearFact> facts;
  auto to_form = [&](const Poly& p) {
    LinearForm form;
    for (const Term& t : p) {
      if (t.monomial.is_unit()) {
        form.constant = t.coefficient.to_mpq();
        continue;
      }
      const auto [place, fresh] =
          variables.try_emplace(t.monomial.bits, static_cast<int>(order.size()));
      if (fresh) order.push_back(t.monomial);
      form.terms.emplace_back(place->second, t.coefficient.to_mpq());
    }
    return form;
  };
  const LinearForm goal = to_form(target);
  // Facts that share a variable with what is there already, transitively. A contradiction may
  // start anywhere.
  std::vector<bool> used(known_.size());
  for (bool changed = true; changed && facts.size() < kLinearFacts;) {
    changed = false;
    for (size_t i = 0; i < known_.size() && facts.size() < kLinearFacts; ++i) {
      const Known& k = known_[i];
      if (used[i] || k.poly.size() > kLinearTerms) continue;
      bool shares = target.empty();
      for (const Term& t : k.poly) shares = shares || variables.contains(t.monomial.bits);
      if (!shares) continue;
      used[i] = changed = true;
      facts.push_back({to_form(k.poly), k.strict});
    }
  }
  for (size_t i = 0; i < order.size() && facts.size() < 4 * kLinearFacts; ++i) {
    if (order.size() > kLinearVariables) return false;
    // m = max(a, b, ...) is at least each of them.
    Factor buffer[3];
    const auto f = algebra_.factors(order[i], buffer);
    if (f.size() == 1 && f[0].power == kOnePower && algebra_.exponent(order[i]) == kZeroPoly) {
      const Atom& atom = algebra_.atom(f[0].atom);
      if (atom.kind == AtomKind::kMax && atom.operands.size() <= 8) {
        const Poly self = {{order[i], 1}};
        for (const PolyId operand : atom.operands) {
          const Poly& p = algebra_.poly(operand);
          if (p.size() <= kLinearTerms) {
            facts.push_back({to_form(algebra_.add(self, p, -1)), false});
          }
        }
      }
    }
  }
  if (facts.empty() || order.size() > kLinearVariables) return false;  // ranges alone were tried
  for (size_t i = 0; i < order.size(); ++i) {
    const Range r = term_range({order[i], 1});
    if (r.low) facts.push_back({{-*r.low, {{static_cast<int>(i), 1}}}, r.low_open});
    if (r.high) facts.push_back({{*r.high, {{static_cast<int>(i), -1}}}, r.high_open});
  }
  return follows(goal, strict, facts, static_cast<int>(order.size()), algebra_.deadline());
}

}  // namespace ptxequiv::real
