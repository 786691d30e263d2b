#include "real/enclose.h"

#include <arb_hypgeom.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "real/ball.h"
#include "real/dag_fold.h"

namespace ptxequiv::real {
namespace {

using State = Enclosure::State;

// Rationals longer than this become balls.
constexpr size_t kMaxExactBits = 4096;

// A boolean's value. kUndecided: certainly defined, but the precision did not tell.
enum class Truth : uint8_t { kFalse, kTrue, kUndecided, kUndefined, kUnknown };

struct Value {
  State state = State::kUnknown;
  Truth truth = Truth::kUnknown;
  std::optional<mpq_class> exact;   // kFinite: the value itself, while it is short
  Ball ball;                        // kFinite and not exact

  bool finite() const { return state == State::kFinite; }
  bool infinite() const {
    return state == State::kPlusInfinity || state == State::kMinusInfinity;
  }
  bool negative_infinity() const { return state == State::kMinusInfinity; }
};

Value plain(State state) {
  Value value;
  value.state = state;
  return value;
}
Value infinite(bool negative) {
  return plain(negative ? State::kMinusInfinity : State::kPlusInfinity);
}
Value truth(Truth t) {
  Value value;
  value.truth = t;
  return value;
}
Value truth(bool t) { return truth(t ? Truth::kTrue : Truth::kFalse); }

// Signs of a finite value that are not excluded.
struct Signs {
  bool negative, zero, positive;
  bool certain() const { return int{negative} + int{zero} + int{positive} == 1; }
};

class Encloser {
 public:
  Encloser(const Dag& dag, const LeafValue& leaf, unsigned precision)
      : dag_(dag), leaf_(leaf), precision_(static_cast<long>(precision)) {}

  std::vector<Enclosure> run(std::span<const RealId> roots);
  // Something was left open that a higher precision may settle.
  bool precision_matters() const { return precision_matters_; }

 private:
  Value compute(RealId id, const Node& node);
  Value arithmetic(const Node& node, const Value& a, const Value& b);
  Value infinite_arithmetic(Kind kind, const Value& a, const Value& b);
  Value quotient(const Value& a, const Value& b);
  Value lattice(bool least, const Value& a, const Value& b);
  Value function(Kind kind, const Value& a);
  Value function_at_infinity(Kind kind, bool negative);
  Value step(Kind kind, const Value& a);
  Value choose(const Value& condition, const Value& b, const Value& c);
  Value compare(Kind kind, const Value& a, const Value& b);
  Value logic(Kind kind, const Value& a, const Value& b);

  const Value& at(RealId id) const { return values_[index_[id]]; }
  Value rational(const mpq_class& q) const;
  Value ball(Ball b);
  Value unsettled() {
    precision_matters_ = true;
    return {};
  }
  Ball to_ball(const Value& v) const { return v.exact ? Ball(*v.exact, precision_) : v.ball; }
  Signs signs(const Value& v) const;
  Enclosure finish(const Value& v);

  const Dag& dag_;
  const LeafValue& leaf_;
  long precision_;
  bool precision_matters_ = false;
  std::vector<uint32_t> index_;   // by RealId: into values_
  std::vector<Value> values_;
};

Value Encloser::rational(const mpq_class& q) const {
  Value value = plain(State::kFinite);
  const size_t bits = mpz_sizeinbase(q.get_num_mpz_t(), 2) + mpz_sizeinbase(q.get_den_mpz_t(), 2);
  if (bits <= kMaxExactBits) {
    value.exact = q;
  } else {
    value.ball = Ball(q, precision_);
  }
  return value;
}

Value Encloser::ball(Ball b) {
  if (!arb_is_finite(b.get())) return unsettled();
  Value value = plain(State::kFinite);
  value.ball = std::move(b);
  return value;
}

Signs Encloser::signs(const Value& v) const {
  if (v.exact) return {sgn(*v.exact) < 0, sgn(*v.exact) == 0, sgn(*v.exact) > 0};
  arb_srcptr x = v.ball.get();
  return {!arb_is_nonnegative(x), arb_contains_zero(x) != 0, !arb_is_nonpositive(x)};
}

std::vector<Enclosure> Encloser::run(std::span<const RealId> roots) {
  const std::vector<RealId> ids = cone(dag_, roots);
  index_.assign(ids.empty() ? 0 : size_t{ids.back()} + 1, 0);
  values_.reserve(ids.size());
  for (const RealId id : ids) {
    index_[id] = static_cast<uint32_t>(values_.size());
    values_.push_back(compute(id, dag_[id]));
  }
  std::vector<Enclosure> result;
  for (const RealId root : roots) result.push_back(finish(at(root)));
  return result;
}

Enclosure Encloser::finish(const Value& v) {
  Enclosure result;
  result.state = v.state;
  if (!v.finite()) {
    if (v.truth == Truth::kTrue || v.truth == Truth::kFalse) {   // a boolean root: 1 or 0
      result.state = State::kFinite;
      result.low = result.high = v.truth == Truth::kTrue ? 1 : 0;
    } else if (v.truth == Truth::kUndefined) {
      result.state = State::kUndefined;
    }
    return result;
  }
  if (v.exact) {
    result.low = result.high = *v.exact;
    result.midpoint = v.exact->get_d();
    return result;
  }
  result.midpoint = v.ball.midpoint();
  if (const auto ends = v.ball.ends()) {
    std::tie(result.low, result.high) = *ends;
  } else {
    result.state = State::kUnknown;
  }
  return result;
}

Value Encloser::compute(RealId id, const Node& node) {
  switch (node.kind) {
    case Kind::kRational: return rational(dag_.rational_value(id));
    case Kind::kInfinity: return infinite(node.a != 0);
    case Kind::kUndefined: return plain(State::kUndefined);
    case Kind::kLog2E: {
      Ball b;
      arb_const_log2(b.get(), precision_);
      arb_inv(b.get(), b.get(), precision_);
      return ball(std::move(b));
    }
    case Kind::kLeaf:
    case Kind::kOpaque: {
      const auto value = leaf_(id, node);
      return value ? rational(*value) : Value{};
    }
    case Kind::kOpaqueBool: {
      const auto value = leaf_(id, node);
      return value ? truth(sgn(*value) != 0) : Value{};
    }
    case Kind::kTrue:
    case Kind::kFalse: return truth(node.kind == Kind::kTrue);
    case Kind::kIte:
    case Kind::kIteBool: return choose(at(node.a), at(node.b), at(node.c));
    case Kind::kAnd:
    case Kind::kOr: return logic(node.kind, at(node.a), at(node.b));
    case Kind::kNot: return logic(node.kind, at(node.a), at(node.a));
    default: break;
  }
  const bool binary = info(node.kind).arity > 1;
  const Value& a = at(node.a);
  const Value& b = binary ? at(node.b) : a;
  if (a.state == State::kUndefined || b.state == State::kUndefined) {
    return info(node.kind).is_bool ? truth(Truth::kUndefined) : plain(State::kUndefined);
  }
  if (a.state == State::kUnknown || b.state == State::kUnknown) return {};
  switch (node.kind) {
    case Kind::kLt:
    case Kind::kLe:
    case Kind::kEq: return compare(node.kind, a, b);
    case Kind::kMin:
    case Kind::kMax: return lattice(node.kind == Kind::kMin, a, b);
    case Kind::kAdd:
    case Kind::kSub:
    case Kind::kMul:
      return a.infinite() || b.infinite() ? infinite_arithmetic(node.kind, a, b)
                                          : arithmetic(node, a, b);
    case Kind::kDiv: return quotient(a, b);
    case Kind::kRint:
    case Kind::kFloor:
    case Kind::kCeil:
    case Kind::kTrunc: return step(node.kind, a);
    default:
      return a.infinite() ? function_at_infinity(node.kind, a.negative_infinity())
                          : function(node.kind, a);
  }
}

Value Encloser::arithmetic(const Node& node, const Value& a, const Value& b) {
  if (a.exact && b.exact) {
    switch (node.kind) {
      case Kind::kAdd: return rational(*a.exact + *b.exact);
      case Kind::kSub: return rational(*a.exact - *b.exact);
      default: return rational(*a.exact * *b.exact);
    }
  }
  Ball result;
  const Ball x = to_ball(a), y = to_ball(b);
  switch (node.kind) {
    case Kind::kAdd: arb_add(result.get(), x.get(), y.get(), precision_); break;
    case Kind::kSub: arb_sub(result.get(), x.get(), y.get(), precision_); break;
    default: arb_mul(result.get(), x.get(), y.get(), precision_); break;
  }
  return ball(std::move(result));
}

// At least one is an infinity.
Value Encloser::infinite_arithmetic(Kind kind, const Value& a, const Value& b) {
  if (kind == Kind::kMul) {
    const auto negative = [&](const Value& v) { return v.infinite() ? v.negative_infinity() : signs(v).negative; };
    for (const Value* v : {&a, &b}) {
      if (v->infinite()) continue;
      const Signs s = signs(*v);
      if (!s.certain()) return unsettled();
      if (s.zero) return plain(State::kUndefined);
    }
    return infinite(negative(a) != negative(b));
  }
  const bool flip = kind == Kind::kSub;
  if (!b.infinite()) return a;
  const bool b_negative = b.negative_infinity() != flip;
  if (a.infinite() && a.negative_infinity() != b_negative) return plain(State::kUndefined);
  return infinite(b_negative);
}

Value Encloser::quotient(const Value& a, const Value& b) {
  if (b.infinite()) return a.infinite() ? plain(State::kUndefined) : rational(0);
  const Signs s = signs(b);
  if (s.zero) return s.certain() ? plain(State::kUndefined) : unsettled();
  if (a.infinite()) {
    if (!s.certain()) return unsettled();
    return infinite(a.negative_infinity() != s.negative);
  }
  if (a.exact && b.exact) return rational(*a.exact / *b.exact);
  Ball result;
  const Ball x = to_ball(a), y = to_ball(b);
  arb_div(result.get(), x.get(), y.get(), precision_);
  return ball(std::move(result));
}

Value Encloser::lattice(bool least, const Value& a, const Value& b) {
  if (a.infinite()) return a.negative_infinity() == least ? a : b;
  if (b.infinite()) return b.negative_infinity() == least ? b : a;
  if (a.exact && b.exact) return (*a.exact < *b.exact) == least ? a : b;
  Ball result;
  const Ball x = to_ball(a), y = to_ball(b);
  (least ? arb_min : arb_max)(result.get(), x.get(), y.get(), precision_);
  return ball(std::move(result));
}

Value Encloser::function(Kind kind, const Value& a) {
  if (kind == Kind::kSqrt || kind == Kind::kLog || kind == Kind::kLog2) {
    const Signs s = signs(a);
    const bool outside = s.negative || (kind != Kind::kSqrt && s.zero);
    const bool inside = s.positive || (kind == Kind::kSqrt && s.zero);
    if (outside) return inside ? unsettled() : plain(State::kUndefined);
  }
  if (a.exact && kind == Kind::kNeg) return rational(-*a.exact);
  if (a.exact && kind == Kind::kAbs) return rational(abs(*a.exact));
  if (a.exact && (kind == Kind::kSqrt || kind == Kind::kExp2 || kind == Kind::kExp)) {
    if (const auto value = exact_function(kind, *a.exact)) return rational(*value);
  }
  Ball result, constant;
  const Ball x = to_ball(a);
  arb_ptr r = result.get();
  switch (kind) {
    case Kind::kNeg: arb_neg(r, x.get()); break;
    case Kind::kAbs: arb_abs(r, x.get()); break;
    case Kind::kSqrt: arb_sqrt(r, x.get(), precision_); break;
    case Kind::kExp: arb_exp(r, x.get(), precision_); break;
    case Kind::kExp2:
      arb_const_log2(constant.get(), precision_);
      arb_mul(r, x.get(), constant.get(), precision_);
      arb_exp(r, r, precision_);
      break;
    case Kind::kLog: arb_log(r, x.get(), precision_); break;
    case Kind::kLog2:
      arb_const_log2(constant.get(), precision_);
      arb_log(r, x.get(), precision_);
      arb_div(r, r, constant.get(), precision_);
      break;
    case Kind::kSin: arb_sin(r, x.get(), precision_); break;
    case Kind::kCos: arb_cos(r, x.get(), precision_); break;
    case Kind::kTanh: arb_tanh(r, x.get(), precision_); break;
    case Kind::kErf: arb_hypgeom_erf(r, x.get(), precision_); break;
    default: PTXEQUIV_CHECK(false, "not a function of one real");
  }
  return ball(std::move(result));
}

// Limits where they are the design's: exp(-inf) = 0, the odd functions' bounds.
Value Encloser::function_at_infinity(Kind kind, bool negative) {
  switch (kind) {
    case Kind::kNeg: return infinite(!negative);
    case Kind::kAbs: return infinite(false);
    case Kind::kExp:
    case Kind::kExp2: return negative ? rational(0) : infinite(false);
    case Kind::kSqrt:
    case Kind::kLog:
    case Kind::kLog2: return negative ? plain(State::kUndefined) : infinite(false);
    case Kind::kTanh:
    case Kind::kErf: return rational(negative ? -1 : 1);
    default: return plain(State::kUndefined);
  }
}

Value Encloser::step(Kind kind, const Value& a) {
  if (a.infinite()) return a;
  const auto apply = [&](const mpq_class& x) -> mpz_class {
    switch (kind) {
      case Kind::kRint: return rint(x);
      case Kind::kFloor: return floor(x);
      case Kind::kCeil: return ceil(x);
      default: return trunc(x);
    }
  };
  if (a.exact) return rational(apply(*a.exact));
  const auto ends = a.ball.ends();
  if (!ends) return unsettled();
  const mpq_class low = apply(ends->first), high = apply(ends->second);
  if (low == high) return rational(low);
  precision_matters_ = true;   // a step lies inside; the functions are monotone
  return ball(hull(Ball(low, precision_), Ball(high, precision_), precision_));
}

Value Encloser::choose(const Value& condition, const Value& b, const Value& c) {
  switch (condition.truth) {
    case Truth::kTrue: return b;
    case Truth::kFalse: return c;
    case Truth::kUndefined: {
      Value value = plain(State::kUndefined);
      value.truth = Truth::kUndefined;
      return value;
    }
    case Truth::kUndecided: break;
    case Truth::kUnknown: return {};
  }
  if (b.truth != Truth::kUnknown && b.truth == c.truth) return truth(b.truth);   // arms of sort Bool
  const auto defined = [](Truth t) { return t <= Truth::kUndecided; };
  if (defined(b.truth) && defined(c.truth)) return truth(Truth::kUndecided);
  if (b.finite() && c.finite()) return ball(hull(to_ball(b), to_ball(c), precision_));
  return {};
}

Value Encloser::compare(Kind kind, const Value& a, const Value& b) {
  if (a.infinite() || b.infinite()) {
    const auto rank = [](const Value& v) {
      return v.finite() ? 0 : v.negative_infinity() ? -1 : 1;
    };
    const int x = rank(a), y = rank(b);
    return truth(kind == Kind::kLt ? x < y : kind == Kind::kLe ? x <= y : x == y);
  }
  if (a.exact && b.exact) {
    const int order = cmp(*a.exact, *b.exact);
    return truth(kind == Kind::kLt ? order < 0 : kind == Kind::kLe ? order <= 0 : order == 0);
  }
  const Ball x = to_ball(a), y = to_ball(b);
  const bool less = arb_lt(x.get(), y.get()), greater = arb_gt(x.get(), y.get());
  if (less) return truth(kind != Kind::kEq);
  if (greater) return truth(false);
  if (kind == Kind::kLt && arb_ge(x.get(), y.get())) return truth(false);
  if (kind == Kind::kLe && arb_le(x.get(), y.get())) return truth(true);
  precision_matters_ = true;
  return truth(Truth::kUndecided);
}

// Both sides must be defined, also where one of them settles the result.
Value Encloser::logic(Kind kind, const Value& a, const Value& b) {
  if (a.truth == Truth::kUndefined || b.truth == Truth::kUndefined) {
    return truth(Truth::kUndefined);
  }
  if (a.truth == Truth::kUnknown || b.truth == Truth::kUnknown) return {};
  if (kind == Kind::kNot) {
    return a.truth == Truth::kUndecided ? a : truth(a.truth == Truth::kFalse);
  }
  const Truth absorbing = kind == Kind::kAnd ? Truth::kFalse : Truth::kTrue;
  if (a.truth == absorbing || b.truth == absorbing) return truth(absorbing);
  if (a.truth == Truth::kUndecided || b.truth == Truth::kUndecided) {
    return truth(Truth::kUndecided);
  }
  return a;
}

Comparison settle(const Enclosure& reference, const Enclosure& candidate) {
  if (reference.state == State::kUndefined) return Comparison::kReferenceUndefined;
  if (reference.state == State::kUnknown) return Comparison::kUnknown;
  if (candidate.state == State::kUndefined) return Comparison::kCandidateUndefined;
  if (candidate.state == State::kUnknown) return Comparison::kUnknown;
  if (reference.state != State::kFinite || candidate.state != State::kFinite) {
    return reference.state == candidate.state ? Comparison::kOverlap : Comparison::kDisjoint;
  }
  const bool disjoint = reference.high < candidate.low || candidate.high < reference.low;
  return disjoint ? Comparison::kDisjoint : Comparison::kOverlap;
}

}  // namespace

std::vector<Enclosure> enclose(const Dag& dag, std::span<const RealId> roots, const LeafValue& leaf,
                               unsigned precision) {
  return Encloser(dag, leaf, precision).run(roots);
}

PointComparison compare_at(const Dag& dag, RealId reference, RealId candidate, const LeafValue& leaf,
                           unsigned max_precision) {
  PointComparison result;
  const RealId roots[] = {reference, candidate};
  for (unsigned precision = std::min(64u, max_precision);; precision *= 2) {
    precision = std::min(precision, max_precision);
    Encloser encloser(dag, leaf, precision);
    const std::vector<Enclosure> values = encloser.run(roots);
    result = {settle(values[0], values[1]), values[0], values[1], precision};
    const bool open = result.result == Comparison::kOverlap || result.result == Comparison::kUnknown;
    const bool exact = values[0].state == State::kFinite && values[1].state == State::kFinite &&
                       values[0].low == values[0].high && values[1].low == values[1].high;
    const bool inexact_ends = result.result == Comparison::kOverlap && !exact &&
                              values[0].state == State::kFinite;
    if (!open || precision >= max_precision) return result;
    if (!inexact_ends && !encloser.precision_matters()) return result;
  }
}

}  // namespace ptxequiv::real
