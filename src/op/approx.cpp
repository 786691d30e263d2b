// The hardware's approximate functions, as the correctly rounded function (MPFR). How far hardware
// is from that is recorded in the vectors' errors.json.
#include <mpfr.h>

#include <cmath>

#include "op/float_util.h"
#include "op/internal.h"

namespace ptxequiv::op::handlers {
namespace {

using soft::Class;
using soft::Format;
using soft::U128;
using soft::Unpacked;

constexpr mpfr_prec_t kPrecision =
    120;  // truncated plus sticky: any rounding to <= 118 bits is right

class Number {
 public:
  Number() { mpfr_init2(value_, kPrecision); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

using MpfrFunction = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

// f(u) for finite non-zero u within f's domain, rounded into the operation's type. `may_fold`:
// where the true value is representable hardware is known to give it (checked by
// recorded_test.cpp).
Result rounded_function(Op op, const Unpacked& u, MpfrFunction function, bool may_fold) {
  const Format& f = soft::format_of(op.type);
  Number x;
  Number y;
  mpfr_set_ui_2exp(x.get(), u.significand, u.exponent, MPFR_RNDN);
  if (u.negative) mpfr_neg(x.get(), x.get(), MPFR_RNDN);
  const bool inexact = function(y.get(), x.get(), MPFR_RNDZ) != 0;
  if (mpfr_zero_p(y.get())) return zero_result(f, op, mpfr_signbit(y.get()) != 0, false);
  const bool negative = mpfr_signbit(y.get()) != 0;
  mpz_t integer;
  mpz_init(integer);
  const auto exponent = static_cast<int>(mpfr_get_z_2exp(integer, y.get()));
  mpz_abs(integer, integer);
  uint64_t words[2] = {0, 0};
  mpz_export(words, nullptr, -1, sizeof(uint64_t), 0, 0, integer);
  mpz_clear(integer);
  const U128 significand = U128{words[1]} << 64 | words[0];
  const soft::Rounded rounded = pack(f, negative, significand, exponent, inexact, Rounding::kRn);
  uint64_t bits = rounded.bits;
  const bool subnormal = soft::is_subnormal(f, bits);
  if (op.ftz && subnormal) bits &= f.sign();
  // ex2.approx(-127) is not 2^-127 on hardware.
  const bool exact = rounded.exact && may_fold && !subnormal;
  return {clamp(f, op, bits), exact};
}

struct Argument {
  uint64_t bits;
  Unpacked u;
  bool flushed;
};

Argument argument(const Format& f, Op op, uint64_t a) {
  const bool flushed = op.ftz && soft::is_subnormal(f, a);
  if (flushed) a &= f.sign();
  return {a, unpack(f, a), flushed};
}

double approximate(const Unpacked& u) {
  const double magnitude = std::ldexp(static_cast<double>(u.significand), u.exponent);
  return u.negative ? -magnitude : magnitude;
}

Result sin_or_cos(Op op, uint64_t a, MpfrFunction function, bool odd) {
  const Format& f = soft::format_of(op.type);
  const Argument x = argument(f, op, a);
  if (x.u.kind == Class::kNan) return nan_result(f, op, {a});
  if (x.u.kind == Class::kInfinity) return nan_result(f, op, {});
  if (x.u.kind == Class::kZero) {
    return {clamp(f, op, odd ? x.bits : f.one()), !x.flushed};
  }
  return rounded_function(op, x.u, function, false);
}

}  // namespace

Result frsqrt(Op op, uint64_t a, uint64_t, uint64_t) {
  const Format& f = soft::format_of(op.type);
  const Argument x = argument(f, op, without_low_nan(op, a));
  if (x.u.kind == Class::kNan) return nan_result(f, op, {a});
  if (x.u.kind == Class::kZero) return infinity_result(f, op, x.u.negative, false);
  if (x.u.negative) return nan_result(f, op, {});
  if (x.u.kind == Class::kInfinity) return zero_result(f, op, false, false);
  return rounded_function(op, x.u, mpfr_rec_sqrt, (x.u.significand & (x.u.significand - 1)) == 0);
}

Result fex2(Op op, uint64_t a, uint64_t, uint64_t) {
  const Format& f = soft::format_of(op.type);
  const Argument x = argument(f, op, a);
  if (x.u.kind == Class::kNan) return nan_result(f, op, {a});
  if (x.u.kind == Class::kInfinity) {
    return x.u.negative ? zero_result(f, op, false) : infinity_result(f, op, false, true);
  }
  if (x.u.kind == Class::kZero) return {clamp(f, op, f.one()), !x.flushed};
  const double value = approximate(x.u);
  if (value > 5000) return infinity_result(f, op, false, false);
  if (value < -5000) return zero_result(f, op, false, false);
  return rounded_function(op, x.u, mpfr_exp2, true);  // exact at integers only
}

Result flg2(Op op, uint64_t a, uint64_t, uint64_t) {
  const Format& f = soft::format_of(op.type);
  const Argument x = argument(f, op, a);
  if (x.u.kind == Class::kNan) return nan_result(f, op, {a});
  if (x.u.kind == Class::kZero) return infinity_result(f, op, true, false);
  if (x.u.negative) return nan_result(f, op, {});
  if (x.u.kind == Class::kInfinity) return infinity_result(f, op, false, false);
  if (x.bits == f.one()) return zero_result(f, op, false);
  // Not even powers of two: lg2.approx.f32(2^-4) is one unit off on hardware.
  return rounded_function(op, x.u, mpfr_log2, false);
}

Result fsin(Op op, uint64_t a, uint64_t, uint64_t) {
  return sin_or_cos(op, a, mpfr_sin, true);
}
Result fcos(Op op, uint64_t a, uint64_t, uint64_t) {
  return sin_or_cos(op, a, mpfr_cos, false);
}

Result ftanh(Op op, uint64_t a, uint64_t, uint64_t) {
  const Format& f = soft::format_of(op.type);
  const Argument x = argument(f, op, a);
  if (x.u.kind == Class::kNan) return nan_result(f, op, {a});
  if (x.u.kind == Class::kInfinity) {
    return {clamp(f, op, f.one() | (x.u.negative ? f.sign() : 0)), false};
  }
  if (x.u.kind == Class::kZero) return {clamp(f, op, x.bits), !x.flushed};
  return rounded_function(op, x.u, mpfr_tanh, false);
}

}  // namespace ptxequiv::op::handlers
