#include "real/sign.h"

#include "base/error.h"
#include "real/content.h"
#include "real/dag_fold.h"

namespace ptxequiv::real {
namespace {

// Sums beyond this are bounded by the signs of their terms only.
constexpr size_t kSmallSum = 64;
// What linear reasoning takes on.
constexpr size_t kLinearTerms = 24, kLinearFacts = 64, kLinearVariables = 48;
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

// ---- facts ----

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

// ---- ranges ----

Range Signs::leaf_range(const Atom& atom) const {
  const Node& node = dag_[atom.node];
  Range r;
  if (atom.kind == AtomKind::kLeaf) {
    const Interval declared = facts_.range(atom.node, node);
    r.low = declared.low;
    r.high = declared.high;
  } else if (atom.integral) {
    const auto type = static_cast<op::Type>(node.b);
    const auto bits = static_cast<mp_bitcnt_t>(op::bits(type));
    const mpz_class one(1);
    if (op::is_signed(type)) {
      r.low = mpq_class(mpz_class(-(one << (bits - 1))));
      r.high = mpq_class(mpz_class((one << (bits - 1)) - 1));
    } else {
      r.low = 0;
      r.high = mpq_class(mpz_class((one << bits) - 1));
    }
  }
  return r;
}

Range Signs::atom_range(AtomId id) {
  if (const auto known = atom_ranges_.find(id); known != atom_ranges_.end()) return known->second;
  const Atom& atom = algebra_.atom(id);
  Range r;
  auto step = [&](mpz_class (*round)(const mpq_class&)) {
    const Range& a = range(atom.argument);
    if (a.low) r.low = mpq_class(round(*a.low));
    if (a.high) r.high = mpq_class(round(*a.high));
  };
  switch (atom.kind) {
    case AtomKind::kLeaf:
    case AtomKind::kOpaque:
      r = leaf_range(atom);
      break;
    case AtomKind::kLog2E:
      r = {mpq_class("14426950408889634/10000000000000000"),
           mpq_class("14426950408889635/10000000000000000")};
      break;
    case AtomKind::kSin:
    case AtomKind::kCos:
      r = {mpq_class(-1), mpq_class(1)};
      break;
    case AtomKind::kErf: {
      const Range& a = range(atom.argument);
      r = {mpq_class(-1), mpq_class(1), true, true};
      if (a.is_nonnegative()) r = {mpq_class(0), mpq_class(1), a.is_positive(), true};
      if (a.is_nonpositive()) r = {mpq_class(-1), mpq_class(0), true, a.is_negative()};
      break;
    }
    case AtomKind::kLog2:
      r = log2(range(atom.argument));
      break;
    case AtomKind::kFloor:
      step(&floor);
      break;
    case AtomKind::kRint:
      step(&rint);
      break;
    case AtomKind::kTrunc:
      step(&trunc);
      break;
    case AtomKind::kFactor:
      r = range(atom.argument);
      if (const auto s = signs_.find(atom.argument); s != signs_.end()) {
        if (s->second.is_positive()) r = intersect(r, Range::above_zero());
        if (s->second.is_nonnegative()) r = intersect(r, {mpq_class(0), std::nullopt});
        if (s->second.is_negative()) r = intersect(r, -Range::above_zero());
      }
      break;
    case AtomKind::kPositive:
    case AtomKind::kZero:
    case AtomKind::kBool:
      r = {mpq_class(0), mpq_class(1)};
      break;
    case AtomKind::kMax:
      if (atom.operands.size() > kSmallSum) break;
      r = range(atom.operands[0]);
      for (const PolyId p : atom.operands) r = maximum(r, range(p));
      break;
  }
  if (const auto narrow = narrowed_.find(id); narrow != narrowed_.end()) {
    r = intersect(r, narrow->second);
  }
  atom_ranges_.emplace(id, r);
  return r;
}

Range Signs::term_range(const Term& t) {
  Range r = Range::point(t.coefficient.to_mpq());
  Factor buffer[3];
  const auto view = algebra_.factors(t.monomial, buffer);
  const std::vector<Factor> all(view.begin(), view.end());
  for (const Factor& f : all) {
    r = r * power(atom_range(f.atom), f.power);
    if (r.is_unbounded()) return r;
  }
  const PolyId e = algebra_.exponent(t.monomial);
  return e == kZeroPoly ? r : r * exp2(range(e));
}

Range Signs::sum_range(const Poly& p) {
  Range sum = Range::point(0);
  for (const Term& t : p) {
    Range r = term_range(t);
    if (p.size() > kSmallSum) {
      // Large sums: only whether all terms are on one side of zero.
      if (r.is_nonnegative())
        r.high.reset();
      else if (r.is_nonpositive())
        r.low.reset();
      else
        return Range::all();
    }
    sum = sum + r;
    if (sum.is_unbounded()) break;
  }
  return sum;
}

bool Signs::push_missing(PolyId id, std::vector<PolyId>& stack) {
  const size_t before = stack.size();
  auto want = [&](PolyId p) {
    if (!poly_ranges_.contains(p)) stack.push_back(p);
  };
  Factor buffer[3];
  for (const Term& t : algebra_.poly(id)) {
    for (const Factor& f : algebra_.factors(t.monomial, buffer)) {
      if (atom_ranges_.contains(f.atom)) continue;
      const Atom& atom = algebra_.atom(f.atom);
      if (atom.argument != kZeroPoly && !is_indicator(atom.kind)) want(atom.argument);
      if (atom.operands.size() <= kSmallSum) {
        for (const PolyId p : atom.operands) want(p);
      }
    }
    if (const PolyId e = algebra_.exponent(t.monomial); e != kZeroPoly) want(e);
    if (stack.size() - before > kSmallSum) break;  // the rest once these are done
  }
  return stack.size() != before;
}

const Range& Signs::range(PolyId id) {
  // Arguments first, with an explicit stack: forms nest as deep as the program does.
  std::vector<PolyId> stack = {id};
  while (!stack.empty()) {
    const PolyId top = stack.back();
    if (poly_ranges_.contains(top)) {
      stack.pop_back();
    } else if (!push_missing(top, stack)) {
      poly_ranges_.emplace(top, sum_range(algebra_.poly(top)));
      stack.pop_back();
    }
  }
  return poly_ranges_.at(id);
}

}  // namespace ptxequiv::real
