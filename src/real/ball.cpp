#include "real/ball.h"

namespace ptxequiv::real {
namespace {

// Numbers beyond 2^+-this are not written out as rationals.
constexpr long kMaxExponent = 1 << 16;
// Of an end, rounded outwards; more than any precision that is worked with.
constexpr long kEndPrecision = 1 << 14;

// Numbers too small to write out move outwards: down for a lower end, up for an upper one.
std::optional<mpq_class> to_rational(const arf_t value, bool upper) {
  if (!arf_is_finite(value)) return {};
  if (arf_is_zero(value)) return mpq_class(0);
  if (arf_cmpabs_2exp_si(value, kMaxExponent) > 0) return {};
  if (arf_cmpabs_2exp_si(value, -kMaxExponent) < 0) {
    const bool negative = arf_sgn(value) < 0;
    if (negative == upper) return mpq_class(0);
    mpq_class least(upper ? 1 : -1);
    mpq_div_2exp(least.get_mpq_t(), least.get_mpq_t(), kMaxExponent);
    return least;
  }
  fmpz_t mantissa, exponent;
  fmpz_init(mantissa);
  fmpz_init(exponent);
  arf_get_fmpz_2exp(mantissa, exponent, value);
  mpq_class result;
  fmpz_get_mpz(result.get_num_mpz_t(), mantissa);
  const long shift = fmpz_get_si(exponent);
  fmpz_clear(mantissa);
  fmpz_clear(exponent);
  if (shift >= 0) {
    mpq_mul_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(shift));
  } else {
    mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(-shift));
  }
  return result;
}

}  // namespace

Ball::Ball(const mpq_class& value, long precision) : Ball() {
  fmpq_t rational;
  fmpq_init(rational);
  fmpq_set_mpq(rational, value.get_mpq_t());
  arb_set_fmpq(value_, rational, precision);
  fmpq_clear(rational);
}

std::optional<std::pair<mpq_class, mpq_class>> Ball::ends() const {
  arf_t low, high;
  arf_init(low);
  arf_init(high);
  arb_get_lbound_arf(low, value_, kEndPrecision);
  arb_get_ubound_arf(high, value_, kEndPrecision);
  const auto first = to_rational(low, false), second = to_rational(high, true);
  arf_clear(low);
  arf_clear(high);
  if (!first || !second) return {};
  return std::pair{*first, *second};
}

double Ball::midpoint() const {
  return arf_get_d(arb_midref(value_), ARF_RND_NEAR);
}

Ball hull(const Ball& a, const Ball& b, long precision) {
  Ball result;
  arb_union(result.get(), a.get(), b.get(), precision);
  return result;
}

}  // namespace ptxequiv::real
