#include "real/span.h"

#include <arb_hypgeom.h>

#include <algorithm>

#include "base/error.h"
#include "real/ball.h"

namespace ptxequiv::real {
namespace {

// Arguments of exp beyond this are clamped: its value is then just "very large" or "very small".
constexpr long kMaxExponent = 1 << 20;

arf_rnd_t rounding(bool upper) {
  return upper ? ARF_RND_CEIL : ARF_RND_FLOOR;
}

Dyadic end_of(const Ball& ball, bool upper, long precision) {
  Dyadic result;
  if (upper) {
    arb_get_ubound_arf(result.get(), ball.get(), precision);
  } else {
    arb_get_lbound_arf(result.get(), ball.get(), precision);
  }
  if (arf_is_nan(result.get())) return Dyadic::infinity(!upper);
  return result;
}

Ball at(const Dyadic& x) {
  Ball result;
  arb_set_arf(result.get(), x.get());
  return result;
}

const Dyadic& least(const Dyadic& a, const Dyadic& b) {
  return b < a ? b : a;
}
const Dyadic& most(const Dyadic& a, const Dyadic& b) {
  return a < b ? b : a;
}

}  // namespace

Dyadic Dyadic::infinity(bool negative) {
  Dyadic result;
  if (negative) {
    arf_neg_inf(result.get());
  } else {
    arf_pos_inf(result.get());
  }
  return result;
}

Dyadic::Dyadic(const mpq_class& value, bool up, long precision) : Dyadic() {
  fmpq_t rational;
  fmpq_init(rational);
  fmpq_set_mpq(rational, value.get_mpq_t());
  arf_set_fmpq(value_, rational, precision, rounding(up));
  fmpq_clear(rational);
}

mpq_class Dyadic::rational() const {
  mpq_class result;
  fmpq_t value;
  fmpq_init(value);
  arf_get_fmpq(value, value_);
  fmpq_get_mpq(result.get_mpq_t(), value);
  fmpq_clear(value);
  return result;
}

long Dyadic::exponent() const {
  constexpr long kMost = 1000000;
  if (arf_is_special(value_)) return arf_is_zero(value_) ? -kMost : kMost;
  return std::clamp(arf_abs_bound_lt_2exp_si(value_), -kMost, kMost);
}

Span SpanArithmetic::rational(const mpq_class& value) const {
  return {Dyadic(value, false, precision_), Dyadic(value, true, precision_)};
}

Span SpanArithmetic::log2e() const {
  Ball b;
  arb_const_log2(b.get(), precision_);
  arb_inv(b.get(), b.get(), precision_);
  return {end_of(b, false, precision_), end_of(b, true, precision_)};
}

Span SpanArithmetic::add(const Span& a, const Span& b) const {
  Span r;
  arf_add(r.low.get(), a.low.get(), b.low.get(), precision_, ARF_RND_FLOOR);
  arf_add(r.high.get(), a.high.get(), b.high.get(), precision_, ARF_RND_CEIL);
  if (arf_is_nan(r.low.get())) r.low = Dyadic::infinity(true);
  if (arf_is_nan(r.high.get())) r.high = Dyadic::infinity(false);
  return r;
}

Dyadic SpanArithmetic::product(const Dyadic& a, const Dyadic& b, bool upper) const {
  Dyadic r;
  // The values are finite: 0 times an end at infinity is the limit of products that are 0.
  if (a.zero() || b.zero()) return r;
  arf_mul(r.get(), a.get(), b.get(), precision_, rounding(upper));
  return r;
}

Span SpanArithmetic::mul(const Span& a, const Span& b) const {
  if (a.is_zero() || b.is_zero()) return Span::integer(0);
  Span r{product(a.low, b.low, false), product(a.low, b.low, true)};
  for (const auto& [x, y] : {std::pair{&a.low, &b.high}, {&a.high, &b.low}, {&a.high, &b.high}}) {
    r.low = least(r.low, product(*x, *y, false));
    r.high = most(r.high, product(*x, *y, true));
  }
  return r;
}

Span SpanArithmetic::square(const Span& a) const {
  Span r = mul(a, a);
  if (r.low.sign() < 0) r.low = Dyadic(0);
  if (a.low.sign() > 0) r.low = product(a.low, a.low, false);
  if (a.high.sign() < 0) r.low = product(a.high, a.high, false);
  return r;
}

Span SpanArithmetic::inverse(const Span& a) const {
  const auto of = [&](const Dyadic& x, bool upper) {
    if (!x.finite()) return Dyadic(0);
    Dyadic r;
    arf_ui_div(r.get(), 1, x.get(), precision_, rounding(upper));
    return r;
  };
  if (a.low.sign() < 0 && a.high.sign() > 0) return Span::all();
  if (a.is_zero()) return Span::all();
  if (a.low.sign() >= 0) {
    return {of(a.high, false), a.low.zero() ? Dyadic::infinity(false) : of(a.low, true)};
  }
  return {a.high.zero() ? Dyadic::infinity(true) : of(a.high, false), of(a.low, true)};
}

Span SpanArithmetic::negate(const Span& a) const {
  Span r{a.high, a.low};
  arf_neg(r.low.get(), r.low.get());
  arf_neg(r.high.get(), r.high.get());
  return r;
}

Span SpanArithmetic::half(const Span& a) const {
  Span r = a;
  arf_mul_2exp_si(r.low.get(), r.low.get(), -1);
  arf_mul_2exp_si(r.high.get(), r.high.get(), -1);
  return r;
}

Dyadic SpanArithmetic::middle(const Span& a) const {
  if (!a.low.finite() && !a.high.finite()) return Dyadic(0);
  if (!a.low.finite()) return a.high;
  if (!a.high.finite()) return a.low;
  Dyadic r;
  arf_add(r.get(), a.low.get(), a.high.get(), precision_, ARF_RND_NEAR);
  arf_mul_2exp_si(r.get(), r.get(), -1);
  return most(a.low, least(r, a.high));
}

Dyadic SpanArithmetic::width(const Span& a) const {
  Dyadic r;
  arf_sub(r.get(), a.high.get(), a.low.get(), precision_, ARF_RND_CEIL);
  return r;
}

Dyadic SpanArithmetic::magnitude(const Span& a) const {
  return most(negate(a).high, a.high);
}

// One end of a monotone function's values.
Dyadic SpanArithmetic::end(Kind kind, const Dyadic& x, bool upper) const {
  const bool is_exp = kind == Kind::kExp || kind == Kind::kExp2;
  if (kind == Kind::kTanh || kind == Kind::kErf) {
    if (!x.finite()) return Dyadic(x.sign());
  } else if (!x.finite()) {
    if (is_exp && x.sign() < 0) return upper ? end(kind, Dyadic(-kMaxExponent), true) : Dyadic(0);
    return Dyadic::infinity(x.sign() < 0);
  }
  if (is_exp && Dyadic(kMaxExponent) < x) {
    return upper ? Dyadic::infinity(false) : end(kind, Dyadic(kMaxExponent), false);
  }
  if (is_exp && x < Dyadic(-kMaxExponent)) {
    return upper ? end(kind, Dyadic(-kMaxExponent), true) : Dyadic(0);
  }
  if ((kind == Kind::kLog || kind == Kind::kLog2) && x.sign() <= 0) return Dyadic::infinity(true);
  if (kind == Kind::kSqrt && x.sign() <= 0) return Dyadic(0);
  Ball r = at(x), constant;
  switch (kind) {
    case Kind::kSqrt:
      arb_sqrt(r.get(), r.get(), precision_);
      break;
    case Kind::kExp:
      arb_exp(r.get(), r.get(), precision_);
      break;
    case Kind::kExp2:
      arb_const_log2(constant.get(), precision_ + 32);
      arb_mul(r.get(), r.get(), constant.get(), precision_ + 32);
      arb_exp(r.get(), r.get(), precision_);
      break;
    case Kind::kLog:
      arb_log(r.get(), r.get(), precision_);
      break;
    case Kind::kLog2:
      arb_const_log2(constant.get(), precision_);
      arb_log(r.get(), r.get(), precision_);
      arb_div(r.get(), r.get(), constant.get(), precision_);
      break;
    case Kind::kTanh:
      arb_tanh(r.get(), r.get(), precision_);
      break;
    case Kind::kErf:
      arb_hypgeom_erf(r.get(), r.get(), precision_);
      break;
    default:
      PTXEQUIV_CHECK(false, "not a monotone function");
  }
  return end_of(r, upper, precision_);
}

Span SpanArithmetic::function(Kind kind, const Span& a) const {
  if (kind == Kind::kSin || kind == Kind::kCos) {
    const Span unit{Dyadic(-1), Dyadic(1)};
    if (!a.finite() || magnitude(a).exponent() > 64) return unit;
    Ball x, r;
    arb_set_interval_arf(x.get(), a.low.get(), a.high.get(), precision_);
    (kind == Kind::kSin ? arb_sin : arb_cos)(r.get(), x.get(), precision_);
    return intersect(unit, {end_of(r, false, precision_), end_of(r, true, precision_)});
  }
  Span r{end(kind, a.low, false), end(kind, a.high, true)};
  if (kind == Kind::kTanh || kind == Kind::kErf) r = intersect(r, {Dyadic(-1), Dyadic(1)});
  if (kind == Kind::kExp || kind == Kind::kExp2) r.low = most(r.low, Dyadic(0));
  return r;
}

Span SpanArithmetic::slope(Kind kind, const Span& a) const {
  const auto ln2 = [&] { return inverse(log2e()); };
  switch (kind) {
    case Kind::kSqrt:
      return half(inverse(function(Kind::kSqrt, a)));
    case Kind::kExp:
      return function(kind, a);
    case Kind::kExp2:
      return mul(ln2(), function(kind, a));
    case Kind::kLog:
      return inverse({most(a.low, Dyadic(0)), a.high});
    case Kind::kLog2:
      return mul(log2e(), inverse({most(a.low, Dyadic(0)), a.high}));
    case Kind::kSin:
      return function(Kind::kCos, a);
    case Kind::kCos:
      return negate(function(Kind::kSin, a));
    case Kind::kTanh:
      return intersect({Dyadic(0), Dyadic(1)}, sub(Span::integer(1), square(function(kind, a))));
    case Kind::kErf: {
      Ball factor;
      arb_const_sqrt_pi(factor.get(), precision_);
      arb_inv(factor.get(), factor.get(), precision_);
      arb_mul_2exp_si(factor.get(), factor.get(), 1);
      return mul({end_of(factor, false, precision_), end_of(factor, true, precision_)},
                 function(Kind::kExp, negate(square(a))));
    }
    default:
      PTXEQUIV_CHECK(false, "not a function of one real");
  }
  return Span::all();
}

Dyadic SpanArithmetic::softplus_end(const Dyadic& x, bool upper) const {
  if (!x.finite()) return x.sign() < 0 ? Dyadic(0) : Dyadic::infinity(false);
  const Dyadic zero(0);
  // x + log1p(e^-x) for positive x, log1p(e^x) for others: both grow with their exponential.
  const bool positive = zero < x;
  Dyadic minus = x;
  if (positive) arf_neg(minus.get(), minus.get());
  const Dyadic power = end(Kind::kExp, minus, upper);
  Ball r = at(power);
  arb_log1p(r.get(), r.get(), precision_);
  const Dyadic rest = end_of(r, upper, precision_);
  if (!positive) return rest;
  Dyadic sum;
  arf_add(sum.get(), x.get(), rest.get(), precision_, rounding(upper));
  return sum;
}

Span SpanArithmetic::softplus(const Span& a) const {
  return {softplus_end(a.low, false), softplus_end(a.high, true)};
}

Span SpanArithmetic::logistic(const Span& a) const {
  return inverse(add(Span::integer(1), function(Kind::kExp, negate(a))));
}

Span intersect(const Span& a, const Span& b) {
  return {most(a.low, b.low), least(a.high, b.high)};
}
Span hull(const Span& a, const Span& b) {
  return {least(a.low, b.low), most(a.high, b.high)};
}
Span lesser(const Span& a, const Span& b) {
  return {least(a.low, b.low), least(a.high, b.high)};
}
Span greater(const Span& a, const Span& b) {
  return {most(a.low, b.low), most(a.high, b.high)};
}

}  // namespace ptxequiv::real
