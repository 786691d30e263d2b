#include "real/constants.h"

#include <mpfr.h>

#include <cmath>

#include "base/error.h"
#include "op/evaluate.h"
#include "real/dag_fold.h"

namespace ptxequiv::real {
namespace {

constexpr int kMaxNumerator = 64;
constexpr unsigned kMaxShift = 10;

mpq_class power_of_two(long exponent) {
  const mpz_class power = mpz_class(1) << static_cast<unsigned long>(std::labs(exponent));
  return exponent < 0 ? mpq_class(1, power) : mpq_class(power);
}

// ln 2 to 256 bits. That is exact enough: a literal's distance from a multiple of an irrational is
// compared with its ulp, 2^-53 of it or more.
mpq_class ln2() {
  mpfr_t value;
  mpfr_init2(value, 256);
  mpfr_const_log2(value, MPFR_RNDN);
  mpq_class result;
  mpfr_get_q(result.get_mpq_t(), value);
  mpfr_clear(value);
  return result;
}

// The distance between neighbouring floats at a finite, non-zero value.
mpq_class ulp(op::Type type, double value) {
  int exponent = 0;
  std::frexp(value, &exponent);  // |value| in [2^(exponent-1), 2^exponent)
  const op::TypeInfo& row = op::info(type);
  const int least = row.min_exponent;
  return power_of_two(std::max(exponent - 1, least) - (row.precision - 1));
}

std::optional<mpq_class> small_factor(const mpq_class& value, const mpq_class& base,
                                      const mpq_class& tolerance) {
  const mpq_class ratio = value / base;
  if (abs(ratio) > kMaxNumerator + 1) return {};
  for (unsigned shift = 0; shift <= kMaxShift; ++shift) {
    const mpz_class scale = mpz_class(1) << shift;
    const mpz_class numerator = rint(ratio * scale);
    if (abs(numerator) > kMaxNumerator) return {};
    if (numerator == 0) continue;
    mpq_class factor(numerator, scale);
    factor.canonicalize();
    if (abs(value - factor * base) <= tolerance) return factor;
  }
  return {};
}

}  // namespace

FloatValue decode(op::Type type, uint64_t bits) {
  PTXEQUIV_CHECK(op::is_float(type), "not a float format");
  FloatValue result;
  result.negative = bits >> (op::bits(type) - 1) & 1;
  const double value = op::to_double(type, bits);
  if (std::isnan(value)) {
    result.kind = FloatValue::Class::kNan;
  } else if (std::isinf(value)) {
    result.kind = FloatValue::Class::kInfinity;
  } else {
    result.value = value;
  }
  return result;
}

mpq_class max_finite(op::Type type) {
  PTXEQUIV_CHECK(op::is_float(type), "not a float format");
  if (type == op::Type::kE4M3) return 448;  // its top code is the NaN, and it has no infinities
  const op::TypeInfo& row = op::info(type);
  return (2 - power_of_two(1 - row.precision)) * power_of_two(row.max_exponent);
}

std::optional<LogMultiple> log_multiple(op::Type type, uint64_t bits) {
  if (type != op::Type::kF32 && type != op::Type::kF64) return {};
  const FloatValue literal = decode(type, bits);
  if (literal.kind != FloatValue::Class::kFinite || sgn(literal.value) == 0) return {};
  const mpq_class tolerance = ulp(type, literal.value.get_d());
  const mpq_class natural = ln2();
  if (const auto k = small_factor(literal.value, 1 / natural, tolerance)) {
    return LogMultiple{LogMultiple::Base::kLog2E, *k};
  }
  if (const auto k = small_factor(literal.value, natural, tolerance)) {
    return LogMultiple{LogMultiple::Base::kLn2, *k};
  }
  return {};
}

}  // namespace ptxequiv::real
