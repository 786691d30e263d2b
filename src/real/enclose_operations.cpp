// The operations on enclosed values: finite ones, infinities, and where they are undefined.
#include <arb_hypgeom.h>

#include <algorithm>

#include "base/error.h"
#include "real/dag_fold.h"
#include "real/encloser.h"

namespace ptxequiv::real::enclosing {

Value Encloser::arithmetic(const Node& node, const Value& a, const Value& b) {
  if (a.exact && b.exact) {
    switch (node.kind) {
      case Kind::kAdd:
        return rational(*a.exact + *b.exact);
      case Kind::kSub:
        return rational(*a.exact - *b.exact);
      default:
        return rational(*a.exact * *b.exact);
    }
  }
  Ball result;
  const Ball x = to_ball(a), y = to_ball(b);
  switch (node.kind) {
    case Kind::kAdd:
      arb_add(result.get(), x.get(), y.get(), precision_);
      break;
    case Kind::kSub:
      arb_sub(result.get(), x.get(), y.get(), precision_);
      break;
    default:
      arb_mul(result.get(), x.get(), y.get(), precision_);
      break;
  }
  return ball(std::move(result));
}

// At least one is an infinity.
Value Encloser::infinite_arithmetic(Kind kind, const Value& a, const Value& b) {
  if (kind == Kind::kMul) {
    const auto negative = [&](const Value& v) {
      return v.infinite() ? v.negative_infinity() : signs(v).negative;
    };
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
    case Kind::kNeg:
      arb_neg(r, x.get());
      break;
    case Kind::kAbs:
      arb_abs(r, x.get());
      break;
    case Kind::kSqrt:
      arb_sqrt(r, x.get(), precision_);
      break;
    case Kind::kExp:
      arb_exp(r, x.get(), precision_);
      break;
    case Kind::kExp2:
      arb_const_log2(constant.get(), precision_);
      arb_mul(r, x.get(), constant.get(), precision_);
      arb_exp(r, r, precision_);
      break;
    case Kind::kLog:
      arb_log(r, x.get(), precision_);
      break;
    case Kind::kLog2:
      arb_const_log2(constant.get(), precision_);
      arb_log(r, x.get(), precision_);
      arb_div(r, r, constant.get(), precision_);
      break;
    case Kind::kSin:
      arb_sin(r, x.get(), precision_);
      break;
    case Kind::kCos:
      arb_cos(r, x.get(), precision_);
      break;
    case Kind::kTanh:
      arb_tanh(r, x.get(), precision_);
      break;
    case Kind::kErf:
      arb_hypgeom_erf(r, x.get(), precision_);
      break;
    default:
      PTXEQUIV_CHECK(false, "not a function of one real");
  }
  return ball(std::move(result));
}

// Limits where they are the design's: exp(-inf) = 0, the odd functions' bounds.
Value Encloser::function_at_infinity(Kind kind, bool negative) {
  switch (kind) {
    case Kind::kNeg:
      return infinite(!negative);
    case Kind::kAbs:
      return infinite(false);
    case Kind::kExp:
    case Kind::kExp2:
      return negative ? rational(0) : infinite(false);
    case Kind::kSqrt:
    case Kind::kLog:
    case Kind::kLog2:
      return negative ? plain(State::kUndefined) : infinite(false);
    case Kind::kTanh:
    case Kind::kErf:
      return rational(negative ? -1 : 1);
    default:
      return plain(State::kUndefined);
  }
}

Value Encloser::step(Kind kind, const Value& a) {
  if (a.infinite()) return a;
  const auto apply = [&](const mpq_class& x) -> mpz_class {
    switch (kind) {
      case Kind::kRint:
        return rint(x);
      case Kind::kFloor:
        return floor(x);
      case Kind::kCeil:
        return ceil(x);
      default:
        return trunc(x);
    }
  };
  if (a.exact) return rational(apply(*a.exact));
  const auto ends = a.ball.ends();
  if (!ends) return unsettled();
  const mpq_class low = apply(ends->first), high = apply(ends->second);
  if (low == high) return rational(low);
  precision_matters_ = true;  // a step lies inside; the functions are monotone
  return ball(hull(Ball(low, precision_), Ball(high, precision_), precision_));
}

Value Encloser::choose(const Value& condition, const Value& b, const Value& c) {
  switch (condition.truth) {
    case Truth::kTrue:
      return b;
    case Truth::kFalse:
      return c;
    case Truth::kUndefined: {
      Value value = plain(State::kUndefined);
      value.truth = Truth::kUndefined;
      return value;
    }
    case Truth::kUndecided:
      break;
    case Truth::kUnknown:
      return {};
  }
  if (b.truth != Truth::kUnknown && b.truth == c.truth) return truth(b.truth);  // arms of sort Bool
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

}  // namespace ptxequiv::real::enclosing
