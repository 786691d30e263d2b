// Bounds of forms, from the ranges of leaves upwards.
#include "real/dag_fold.h"
#include "real/sign.h"

namespace ptxequiv::real {

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
