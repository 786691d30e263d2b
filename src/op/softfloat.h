// Exact binary floating point in integers: decode, encode with every rounding direction. All
// formats go through here, except where float_arith.cpp can ask the host.
#pragma once
#include <cstdint>

#include "op/op.h"

namespace ptxequiv::op::soft {

__extension__ typedef unsigned __int128 U128;  // not ISO C++

struct Format {
  uint8_t width;     // of the register
  uint8_t fraction;  // stored significand bits
  uint8_t exponent_bits;
  uint8_t shift;  // tf32: low bits of the register that play no part
  int16_t bias;
  bool has_infinity;  // e4m3 has none, and one NaN code per sign

  constexpr int min_exponent() const { return 1 - bias; }
  constexpr uint64_t sign() const { return uint64_t{1} << (width - 1); }
  constexpr uint64_t infinity() const { return mask(exponent_bits) << (fraction + shift); }
  constexpr uint64_t largest() const {
    return (has_infinity ? (infinity() >> shift) - 1 : (infinity() >> shift) | (mask(fraction) - 1))
           << shift;
  }
  // What arithmetic makes: all ones below the sign (7fffffff, 7fff); f64 has its own rule.
  constexpr uint64_t canonical_nan() const { return infinity() | mask(fraction) << shift; }
  constexpr uint64_t one() const { return static_cast<uint64_t>(bias) << (fraction + shift); }
};

// Throws if `type` is not a scalar float.
const Format& format_of(Type type);

enum class Class : uint8_t { kZero, kFinite, kInfinity, kNan };

struct Unpacked {
  Class kind = Class::kZero;
  bool negative = false;
  uint64_t significand = 0;  // value = significand * 2^exponent
  int exponent = 0;
};

Unpacked unpack(const Format& format, uint64_t bits);

inline bool is_nan(const Format& f, uint64_t bits) {
  const uint64_t plain = bits & ~f.sign();
  return f.has_infinity ? plain >> f.shift > f.infinity() >> f.shift : plain == f.canonical_nan();
}
inline bool is_subnormal(const Format& f, uint64_t bits) {
  return (bits & f.infinity()) == 0 && (bits & ~f.sign()) >> f.shift != 0;
}
inline bool is_infinity(const Format& f, uint64_t bits) {
  return f.has_infinity && (bits & ~f.sign()) >> f.shift == f.infinity() >> f.shift;
}
inline uint64_t flush(const Format& f, uint64_t bits) {
  return is_subnormal(f, bits) ? bits & f.sign() : bits;
}

struct Rounded {
  uint64_t bits = 0;
  bool exact = true;
  bool tiny = false;  // below the least normal number once rounded with unbounded exponent
};

enum class Overflow : uint8_t { kInfinity, kSaturate };

// Rounds (-1)^negative * (significand + something in (0, 1) if sticky) * 2^exponent.
Rounded pack(const Format& format, bool negative, U128 significand, int exponent, bool sticky,
             Rounding rounding, Overflow overflow = Overflow::kInfinity);

}  // namespace ptxequiv::op::soft
