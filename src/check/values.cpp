#include "check/values.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "op/evaluate.h"

namespace ptxequiv::check {
namespace {

mpz_class to_mpz(uint64_t value) {
  mpz_class out;
  mpz_import(out.get_mpz_t(), 1, 1, sizeof value, 0, 0, &value);
  return out;
}

uint64_t low_bits(const mpz_class& value) {
  mpz_class reduced;
  mpz_fdiv_r_2exp(reduced.get_mpz_t(), value.get_mpz_t(), 64);
  uint64_t out = 0;
  mpz_export(&out, nullptr, 1, sizeof out, 0, 0, reduced.get_mpz_t());
  return out;
}

int64_t sign_extend(uint64_t bits, unsigned width) {
  return width >= 64 ? static_cast<int64_t>(bits)
                     : static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

}  // namespace

std::optional<mpq_class> value_of(op::Type type, uint64_t bits) {
  if (op::is_float(type)) {
    const double value = op::to_double(type, bits);
    if (!std::isfinite(value)) return std::nullopt;
    return mpq_class(value);
  }
  const unsigned width = op::bits(type);
  bits &= op::mask(width);
  if (op::is_signed(type)) {
    const int64_t value = sign_extend(bits, width);
    const mpz_class magnitude = to_mpz(value < 0 ? 0 - static_cast<uint64_t>(value)
                                                 : static_cast<uint64_t>(value));
    return mpq_class(value < 0 ? mpz_class(-magnitude) : magnitude);
  }
  return mpq_class(to_mpz(bits));
}

mpq_class greatest(op::Type type) {
  if (op::is_float(type)) {
    const op::TypeInfo& t = op::info(type);
    if (type == op::Type::kE4M3) return 448;
    // (2 - 2^(1-p)) * 2^emax
    mpz_class significand = (mpz_class(1) << t.precision) - 1;
    const int shift = t.max_exponent - (t.precision - 1);
    mpq_class out(significand);
    if (shift >= 0) return out * mpq_class(mpz_class(1) << shift);
    return out / mpq_class(mpz_class(1) << -shift);
  }
  const unsigned width = op::bits(type);
  return op::is_signed(type) ? mpq_class((mpz_class(1) << (width - 1)) - 1)
                             : mpq_class((mpz_class(1) << width) - 1);
}

mpq_class least(op::Type type) {
  if (op::is_float(type)) return -greatest(type);
  if (op::is_signed(type)) return mpq_class(-(mpz_class(1) << (op::bits(type) - 1)));
  return 0;
}

uint64_t nearest_bits(op::Type type, const mpq_class& value) {
  if (value >= greatest(type)) {
    if (!op::is_float(type)) return low_bits(greatest(type).get_num());
    return op::from_double(type, greatest(type).get_d());
  }
  if (value <= least(type)) {
    if (!op::is_float(type)) return low_bits(least(type).get_num()) & op::mask(op::bits(type));
    return op::from_double(type, least(type).get_d());
  }
  if (op::is_float(type)) return op::from_double(type, value.get_d());
  mpz_class rounded;
  const mpq_class shifted = value + mpq_class(1, 2);
  mpz_fdiv_q(rounded.get_mpz_t(), shifted.get_num_mpz_t(), shifted.get_den_mpz_t());
  return low_bits(rounded) & op::mask(op::bits(type));
}

std::string to_decimal(op::Type type, uint64_t bits) {
  if (op::is_float(type)) {
    const double value = op::to_double(type, bits);
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    if (type == op::Type::kF64) return fmt::format("{}", value);
    return fmt::format("{}", static_cast<float>(value));  // every narrower format is exact in f32
  }
  return value_of(type, bits)->get_str();
}

std::string to_hex(op::Type type, uint64_t bits) {
  const unsigned width = op::bits(type);
  return fmt::format("0x{:0{}x}", bits & op::mask(width), (width + 3) / 4);
}

}  // namespace ptxequiv::check
