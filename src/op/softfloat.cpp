#include "op/softfloat.h"

#include <array>
#include <bit>

#include "base/error.h"

namespace ptxequiv::op::soft {
namespace {

constexpr Format kF16{16, 10, 5, 0, 15, true};
constexpr Format kBf16{16, 7, 8, 0, 127, true};
constexpr Format kTf32{32, 10, 8, 13, 127, true};
constexpr Format kF32{32, 23, 8, 0, 127, true};
constexpr Format kF64{64, 52, 11, 0, 1023, true};
constexpr Format kE4m3{8, 3, 4, 0, 7, false};
constexpr Format kE5m2{8, 2, 5, 0, 15, true};

int bit_length(U128 value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return high != 0 ? 128 - std::countl_zero(high)
                   : 64 - std::countl_zero(static_cast<uint64_t>(value));
}

struct Quotient {
  U128 value;
  bool exact;
};

// significand * 2^exponent to a multiple of 2^unit.
Quotient round_to(U128 significand, int exponent, int unit, bool negative, bool sticky,
                  Rounding rounding) {
  const int shift = unit - exponent;
  U128 value = 0;
  int compare = -1;  // the remainder against half a unit
  bool inexact = sticky;
  if (shift <= 0) {
    value = significand << -shift;
  } else if (shift > 127) {
    inexact = inexact || significand != 0;
  } else {
    value = significand >> shift;
    const U128 rest = significand & ((U128{1} << shift) - 1);
    const U128 half = U128{1} << (shift - 1);
    compare = rest > half || (rest == half && sticky) ? 1 : rest == half ? 0 : -1;
    inexact = inexact || rest != 0;
  }
  if (!inexact) return {value, true};
  bool up = false;
  switch (rounding) {
    case Rounding::kRz:
      break;
    case Rounding::kRm:
      up = negative;
      break;
    case Rounding::kRp:
      up = !negative;
      break;
    case Rounding::kRna:
      up = compare >= 0;
      break;
    default:
      up = compare > 0 || (compare == 0 && (value & 1) != 0);
      break;
  }
  return {value + (up ? 1 : 0), false};
}

}  // namespace

const Format& format_of(Type type) {
  switch (type) {
    case Type::kF16:
      return kF16;
    case Type::kBF16:
      return kBf16;
    case Type::kTF32:
      return kTf32;
    case Type::kF32:
      return kF32;
    case Type::kF64:
      return kF64;
    case Type::kE4M3:
      return kE4m3;
    case Type::kE5M2:
      return kE5m2;
    default:
      break;
  }
  PTXEQUIV_CHECK(false, "not a scalar floating-point type");
  return kF32;
}

Unpacked unpack(const Format& f, uint64_t bits) {
  Unpacked u;
  u.negative = (bits & f.sign()) != 0;
  const uint64_t plain = (bits & ~f.sign()) >> f.shift;
  const auto exponent = static_cast<int>(plain >> f.fraction);
  u.significand = plain & mask(f.fraction);
  if (is_nan(f, bits)) {
    u.kind = Class::kNan;
  } else if (is_infinity(f, bits)) {
    u.kind = Class::kInfinity;
  } else if (plain == 0) {
    u.kind = Class::kZero;
  } else {
    u.kind = Class::kFinite;
    if (exponent != 0) u.significand |= uint64_t{1} << f.fraction;
    u.exponent = (exponent == 0 ? 1 : exponent) - f.bias - f.fraction;
  }
  return u;
}

Rounded pack(const Format& f, bool negative, U128 significand, int exponent, bool sticky,
             Rounding rounding, Overflow overflow) {
  const uint64_t sign = negative ? f.sign() : 0;
  if (significand == 0) {
    if (!sticky) return {sign, true, false};
    significand = 1;  // a speck, far below everything
    exponent = -20000;
  }
  const int top = bit_length(significand) - 1 + exponent;
  const int least = f.min_exponent();
  int unit = (top > least ? top : least) - f.fraction;
  Quotient q = round_to(significand, exponent, unit, negative, sticky, rounding);
  Rounded result;
  result.exact = q.exact;
  result.tiny = top < least;
  if (top == least - 1) {
    // Rounding with unbounded exponent may lift it to the least normal number.
    const Quotient wide =
        round_to(significand, exponent, top - f.fraction, negative, sticky, rounding);
    result.tiny = (wide.value >> (f.fraction + 1)) == 0;
  }
  if ((q.value >> (f.fraction + 1)) != 0) {
    q.value >>= 1;
    ++unit;
  }
  const auto value = static_cast<uint64_t>(q.value);
  if ((value >> f.fraction) == 0) {  // zero or subnormal
    result.bits = sign | value << f.shift;
    return result;
  }
  const int biased = unit + f.fraction + f.bias;
  const uint64_t largest = f.largest() >> f.shift;
  uint64_t code = ~uint64_t{0};
  if (biased <= static_cast<int>(mask(f.exponent_bits))) {
    code = static_cast<uint64_t>(biased) << f.fraction | (value & mask(f.fraction));
  }
  if (code <= largest) {
    result.bits = sign | code << f.shift;
    return result;
  }
  result.exact = false;
  const bool to_largest = overflow == Overflow::kSaturate || rounding == Rounding::kRz ||
                          (rounding == Rounding::kRm && !negative) ||
                          (rounding == Rounding::kRp && negative);
  const uint64_t beyond = f.has_infinity ? f.infinity() : f.canonical_nan();
  result.bits = sign | (to_largest ? f.largest() : beyond);
  return result;
}

}  // namespace ptxequiv::op::soft
