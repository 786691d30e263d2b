#include "oracle.h"

#include <mpfr.h>

#include <cmath>

namespace ptxequiv::op {
namespace {

struct Number {
  mpfr_t value;
  explicit Number(mpfr_prec_t precision) { mpfr_init2(value, precision); }
  ~Number() { mpfr_clear(value); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
};

mpfr_rnd_t direction(Rounding rounding) {
  switch (rounding) {
    case Rounding::kRz:
      return MPFR_RNDZ;
    case Rounding::kRm:
      return MPFR_RNDD;
    case Rounding::kRp:
      return MPFR_RNDU;
    default:
      return MPFR_RNDN;
  }
}

}  // namespace

Result oracle(Op op, uint64_t a, uint64_t b, uint64_t c) {
  const TypeInfo& t = info(op.type);
  const mpfr_rnd_t rounding = direction(op.rounding);
  const mpfr_exp_t old_min = mpfr_get_emin();
  const mpfr_exp_t old_max = mpfr_get_emax();
  Result result;
  {
    Number x(53), y(53), z(53), r(t.precision);
    mpfr_set_d(x.value, to_double(op.type, a), MPFR_RNDN);
    mpfr_set_d(y.value, to_double(op.type, b), MPFR_RNDN);
    mpfr_set_d(z.value, to_double(op.type, c), MPFR_RNDN);
    // MPFR's significands are in [1/2, 1).
    mpfr_set_emin(t.min_exponent - t.precision + 2);
    mpfr_set_emax(t.max_exponent + 1);
    int ternary = 0;
    switch (op.kind) {
      case Kind::kFAdd:
        ternary = mpfr_add(r.value, x.value, y.value, rounding);
        break;
      case Kind::kFSub:
        ternary = mpfr_sub(r.value, x.value, y.value, rounding);
        break;
      case Kind::kFMul:
        ternary = mpfr_mul(r.value, x.value, y.value, rounding);
        break;
      case Kind::kFFma:
        ternary = mpfr_fma(r.value, x.value, y.value, z.value, rounding);
        break;
      case Kind::kFDiv:
        ternary = mpfr_div(r.value, x.value, y.value, rounding);
        break;
      default:
        ternary = mpfr_sqrt(r.value, x.value, rounding);
        break;
    }
    ternary = mpfr_check_range(r.value, ternary, rounding);
    ternary = mpfr_subnormalize(r.value, ternary, rounding);
    result.exact = ternary == 0;
    result.bits = from_double(op.type, mpfr_get_d(r.value, MPFR_RNDN));
  }
  mpfr_set_emin(old_min);
  mpfr_set_emax(old_max);
  return result;
}

}  // namespace ptxequiv::op
