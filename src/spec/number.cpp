#include "spec/number.h"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace ptxequiv::spec {
namespace {

using base::InputError;
using op::Type;

constexpr size_t kMaxDigits = 2000;
constexpr long kMaxMagnitude = 400;  // of a decimal exponent: far outside every format

constexpr const char* kForms =
    "write 5, -0.25, 1e-5, or as a text \"0x10\", \"0f3F800000\" (the bits of an f32), \"inf\"";

std::string shown(const std::string& text) {
  return text.size() > 40 ? text.substr(0, 40) + "..." : text;
}

[[noreturn]] void no_number(const std::string& text) {
  throw InputError("", {}, fmt::format("\"{}\" is not a number", shown(text)), kForms);
}

bool all_hex(std::string_view digits) {
  if (digits.empty()) return false;
  for (const char c : digits)
    if (!std::isxdigit(static_cast<unsigned char>(c))) return false;
  return true;
}

mpz_class power_of_ten(unsigned long exponent) {
  mpz_class result;
  mpz_ui_pow_ui(result.get_mpz_t(), 10, exponent);
  return result;
}

// 2^e for any sign of e.
mpq_class power_of_two(long e) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 2, static_cast<unsigned long>(e < 0 ? -e : e));
  return e < 0 ? mpq_class(1, power) : mpq_class(power);
}

// Digits with an optional point and exponent; the sign is already off.
mpq_class decimal(std::string_view rest, const std::string& text) {
  std::string digits;
  long scale = 0;
  bool point = false, any = false;
  size_t i = 0;
  for (; i < rest.size(); ++i) {
    if (rest[i] == '.' && !point) {
      point = true;
    } else if (std::isdigit(static_cast<unsigned char>(rest[i]))) {
      digits += rest[i];
      any = true;
      if (point) --scale;
    } else {
      break;
    }
  }
  if (!any || digits.size() > kMaxDigits) no_number(text);
  if (i < rest.size()) {
    if (rest[i] != 'e' && rest[i] != 'E') no_number(text);
    ++i;
    const bool negative = i < rest.size() && rest[i] == '-';
    if (i < rest.size() && (rest[i] == '-' || rest[i] == '+')) ++i;
    if (i == rest.size()) no_number(text);
    long exponent = 0;
    for (; i < rest.size(); ++i) {
      if (!std::isdigit(static_cast<unsigned char>(rest[i]))) no_number(text);
      exponent = std::min(exponent * 10 + (rest[i] - '0'), 1000000L);
    }
    scale += negative ? -exponent : exponent;
  }
  mpz_class mantissa(digits, 10);
  if (mantissa == 0) return 0;
  // Nothing is rounded here, so what no format could tell from 0 or infinity is not let in.
  const long magnitude = scale + static_cast<long>(mantissa.get_str().size());
  if (magnitude > kMaxMagnitude || magnitude < -kMaxMagnitude)
    throw InputError("", {}, fmt::format("{} is beyond the range of every type", shown(text)),
                     "write 0 or \"inf\" if that is meant");
  if (scale >= 0) return mpq_class(mantissa * power_of_ten(static_cast<unsigned long>(scale)));
  mpq_class result(mantissa, power_of_ten(static_cast<unsigned long>(-scale)));
  result.canonicalize();
  return result;
}

// Exponent e with 2^e <= |q| < 2^(e+1), q not zero.
long floor_log2(const mpq_class& q) {
  const mpz_class n = abs(q.get_num());
  const mpz_class& d = q.get_den();
  long e = static_cast<long>(mpz_sizeinbase(n.get_mpz_t(), 2)) -
           static_cast<long>(mpz_sizeinbase(d.get_mpz_t(), 2));
  if (abs(q) < power_of_two(e)) --e;
  return e;
}

struct Rounded {
  mpz_class significand;
  long exponent;
};  // significand * 2^exponent

// To nearest, ties to even, with the format's precision and gradual underflow.
Rounded round_nearest(const mpq_class& magnitude, unsigned precision, long min_exponent) {
  const long e = std::max(floor_log2(magnitude), min_exponent);
  const long quantum = e - static_cast<long>(precision) + 1;
  const mpq_class scaled = magnitude * power_of_two(-quantum);
  mpz_class floor, rest;
  mpz_fdiv_qr(floor.get_mpz_t(), rest.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
  const int half = cmp(2 * rest, scaled.get_den());
  if (half > 0 || (half == 0 && mpz_odd_p(floor.get_mpz_t()))) ++floor;
  return {floor, quantum};
}

struct Layout {
  unsigned mantissa_bits, exponent_bits, shift;
};

Layout layout(Type type) {
  const op::TypeInfo& info = op::info(type);
  // A tf32 is kept in 32 bits, its 19 at the top (PTX manual, 5.2.3).
  if (type == Type::kTF32) return {10, 8, 13};
  return {info.precision - 1u, unsigned{info.bits} - info.precision, 0};
}

[[noreturn]] void does_not_fit(const std::string& text, Type type, const std::string& hint) {
  throw InputError("", {}, fmt::format("{} does not fit in {}", shown(text), op::name(type)), hint);
}

uint64_t float_bits(const ExactNumber& number, const std::string& text, Type type) {
  const op::TypeInfo& info = op::info(type);
  const Layout form = layout(type);
  const unsigned width = type == Type::kTF32 ? 32 : info.bits;
  const uint64_t sign = number.negative ? uint64_t{1} << (width - 1) : 0;
  const uint64_t exponent_ones = op::mask(form.exponent_bits) << form.mantissa_bits;
  if (number.kind == ExactNumber::Kind::kNan) {
    // PTX's canonical NaN has all bits but the sign set (manual, 5.2.3 and 9.7.3).
    return (exponent_ones | op::mask(form.mantissa_bits)) << form.shift;
  }
  const bool finite_only = type == Type::kE4M3;
  if (number.kind == ExactNumber::Kind::kInfinity) {
    if (finite_only) does_not_fit(text, type, "e4m3 has no infinity; its largest value is 448");
    return sign | (exponent_ones << form.shift);
  }
  if (number.value == 0) return sign;
  const Rounded r = round_nearest(abs(number.value), info.precision, info.min_exponent);
  if (r.significand == 0) return sign;
  const mpq_class rounded = mpq_class(r.significand) * power_of_two(r.exponent);
  const long e = floor_log2(rounded);
  uint64_t field = 0, fraction = 0;
  if (e >= info.min_exponent) {
    const mpq_class scaled = rounded * power_of_two(static_cast<long>(form.mantissa_bits) - e);
    field = static_cast<uint64_t>(e - info.min_exponent + 1);
    fraction = mpz_class(scaled.get_num()).get_ui() & op::mask(form.mantissa_bits);
  } else {
    fraction = r.significand.get_ui();
  }
  if (e > info.max_exponent ||
      (finite_only && e == info.max_exponent && fraction == op::mask(form.mantissa_bits)))
    does_not_fit(text, type,
                 finite_only ? "its largest value is 448" : "for an infinity write \"inf\"");
  return sign | (((field << form.mantissa_bits) | fraction) << form.shift);
}

uint64_t integer_bits(const ExactNumber& number, const std::string& text, Type type) {
  const op::TypeInfo& info = op::info(type);
  const unsigned width = info.bits;
  const bool untyped = !info.is_integer;
  if (number.bit_width != 0) {
    if (untyped && number.bit_width == width) return number.bits;
    does_not_fit(text, type, "it gives the bits of a float; write an integer here");
  }
  if (number.kind != ExactNumber::Kind::kFinite)
    does_not_fit(text, type, "it is an integer type; write an integer");
  if (number.value.get_den() != 1)
    does_not_fit(text, type, "it is an integer type; write an integer, or another type");
  const mpz_class value(number.value.get_num());
  const mpz_class one = 1;
  const mpz_class half = one << (width - 1), full = one << width;
  const mpz_class low = info.is_signed || untyped ? mpz_class(-half) : mpz_class(0);
  const mpz_class high = info.is_signed ? mpz_class(half - 1) : mpz_class(full - 1);
  if (value < low || value > high)
    does_not_fit(text, type,
                 fmt::format("{} holds {} to {}", op::name(type), low.get_str(), high.get_str()));
  const mpz_class wrapped = value < 0 ? mpz_class(value + full) : value;
  return wrapped.get_ui();
}

ExactNumber from_bits(unsigned width, uint64_t bits) {
  ExactNumber result;
  result.bit_width = width;
  result.bits = bits;
  const double value = width == 64 ? std::bit_cast<double>(bits)
                                   : double{std::bit_cast<float>(static_cast<uint32_t>(bits))};
  result.negative = std::signbit(value);
  if (std::isnan(value)) {
    result.kind = ExactNumber::Kind::kNan;
  } else if (std::isinf(value)) {
    result.kind = ExactNumber::Kind::kInfinity;
  } else {
    result.value = value;
  }
  return result;
}

}  // namespace

ExactNumber exact(const Number& number) {
  std::string lower;
  for (const char c : number.text)
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower.size() == 10 && lower.starts_with("0f") && all_hex(lower.substr(2)))
    return from_bits(32, std::stoull(lower.substr(2), nullptr, 16));
  if (lower.size() == 18 && lower.starts_with("0d") && all_hex(lower.substr(2)))
    return from_bits(64, std::stoull(lower.substr(2), nullptr, 16));

  ExactNumber result;
  std::string_view rest = lower;
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) {
    result.negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  if (rest == "inf" || rest == "infinity") {
    result.kind = ExactNumber::Kind::kInfinity;
  } else if (rest == "nan") {
    result.kind = ExactNumber::Kind::kNan;
  } else if (rest.starts_with("0x")) {
    rest.remove_prefix(2);
    if (!all_hex(rest) || rest.size() > 32) no_number(number.text);
    result.value = mpz_class(std::string(rest), 16);
  } else {
    result.value = decimal(rest, number.text);
  }
  if (result.negative) result.value = -result.value;
  return result;
}

int compare(const Number& a, const Number& b) {
  const ExactNumber x = exact(a), y = exact(b);
  const auto rank = [](const ExactNumber& n) {
    if (n.kind != ExactNumber::Kind::kInfinity) return 0;
    return n.negative ? -1 : 1;
  };
  if (rank(x) != rank(y)) return rank(x) < rank(y) ? -1 : 1;
  if (rank(x) != 0) return 0;
  const int order = cmp(x.value, y.value);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

uint64_t Number::bits(Type type) const {
  const ExactNumber number = exact(*this);
  if (!op::is_float(type)) return integer_bits(number, text, type);
  const bool hex = text.find('x') != std::string::npos || text.find('X') != std::string::npos;
  if (hex)
    throw InputError(
        "", {}, fmt::format("{} says neither a value nor the bits of {}", text, op::name(type)),
        "write a decimal number, or the bits of an f32 as \"0f3F800000\"");
  if (number.bit_width == op::bits(type) && type != Type::kTF32) return number.bits;
  return float_bits(number, text, type);
}

double Number::as_double() const {
  const ExactNumber number = exact(*this);
  switch (number.kind) {
    case ExactNumber::Kind::kNan:
      return std::numeric_limits<double>::quiet_NaN();
    case ExactNumber::Kind::kInfinity:
      return number.negative ? -std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::infinity();
    case ExactNumber::Kind::kFinite:
      break;
  }
  if (number.value == 0) return number.negative ? -0.0 : 0.0;
  if (floor_log2(number.value) > 1023)
    return number.negative ? -std::numeric_limits<double>::infinity()
                           : std::numeric_limits<double>::infinity();
  const Rounded r = round_nearest(abs(number.value), 53, -1022);
  const double magnitude = std::ldexp(r.significand.get_d(), static_cast<int>(r.exponent));
  return number.negative ? -magnitude : magnitude;
}

uint64_t Buffer::elements() const {
  uint64_t count = 1;
  for (const uint64_t extent : shape) count *= extent;
  return count;
}

}  // namespace ptxequiv::spec
