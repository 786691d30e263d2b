// Conversions (PTX 9.7.9.21), with the NaN and flush rules that hardware was found to follow.
#include <bit>
#include <cmath>

#include "base/error.h"
#include "op/float_util.h"
#include "op/internal.h"

namespace ptxequiv::op {
namespace {

using soft::Class;
using soft::Format;
using soft::U128;
using soft::Unpacked;

// A finite real rounded to an integer: magnitude, saturated to 2^64 - 1 or so.
struct Integral {
  U128 magnitude = 0;
  bool huge = false;  // beyond any integer type
};

// Directed roundings look at the sign; kNone is toward zero, as `cvt` to integers has it.
Integral round_to_integral(const Unpacked& u, Rounding rounding) {
  if (u.kind == Class::kZero) return {};
  if (u.exponent >= 0) {
    if (u.exponent > 70) return {0, true};
    return {U128{u.significand} << u.exponent, false};
  }
  const int shift = -u.exponent;
  U128 value = 0;
  int compare = -1;
  bool inexact = true;
  if (shift < 64) {
    value = u.significand >> shift;
    const uint64_t rest = u.significand & mask(static_cast<unsigned>(shift));
    const uint64_t half = uint64_t{1} << (shift - 1);
    compare = rest > half ? 1 : rest == half ? 0 : -1;
    inexact = rest != 0;
  }
  bool up = false;
  switch (rounding) {
    case Rounding::kRn:
      up = compare > 0 || (compare == 0 && (value & 1) != 0);
      break;
    case Rounding::kRna:
      up = compare >= 0;
      break;
    case Rounding::kRm:
      up = u.negative && inexact;
      break;
    case Rounding::kRp:
      up = !u.negative && inexact;
      break;
    default:
      break;
  }
  return {value + (up ? 1 : 0), false};
}

// NaN results of float-to-float conversions, by source and destination.
uint64_t converted_nan(Op op, uint64_t a) {
  const Format& from = soft::format_of(op.src);
  const Format& to = soft::format_of(op.type);
  const bool plain = op.rounding == Rounding::kNone && !op.ftz;
  if (op.type == Type::kTF32) {
    // .rna truncates; 7f800001 becomes infinity. With .satfinite one unit less.
    if (op.rounding != Rounding::kRna) return to.canonical_nan();
    return (a & 0xffffe000u) - (op.satfinite ? 0x2000u : 0u);
  }
  if (op.type == Type::kE4M3 || op.type == Type::kE5M2) return to.canonical_nan();
  if (op.src == Type::kF64 && op.type == Type::kF64 && op.rounding == Rounding::kNone) return a;
  if (op.src == Type::kF32 && op.type == Type::kF64 && op.ftz) return 0x7fffffffe0000000u;
  if (op.src == Type::kF64 || op.type == Type::kF64) {
    const Unpacked u = unpack(from, a);
    const int widen = to.fraction - from.fraction;
    const uint64_t payload = widen >= 0 ? u.significand << widen : u.significand >> -widen;
    return (u.negative ? to.sign() : 0) | to.infinity() | payload |
           uint64_t{1} << (to.fraction - 1);
  }
  if (op.src == Type::kBF16 && op.type == Type::kF32 && !op.ftz) return a << 16;
  if (op.src == Type::kF32 && op.type == Type::kF32 && plain) return a;
  return to.canonical_nan();
}

// Clamps under .sat and .relu, which for NaN means: +0 under .sat.
Result clamped(const Format& f, Op op, uint64_t bits, bool exact) {
  return {clamp(f, op, bits), exact};
}

}  // namespace

namespace handlers {

Result frint(Op op, uint64_t a, uint64_t, uint64_t) {
  const Format& f = soft::format_of(op.type);
  if (soft::is_nan(f, a)) return nan_result(f, op, {a});
  const bool flushed = op.ftz && soft::is_subnormal(f, a);
  if (flushed) a &= f.sign();
  const Unpacked u = unpack(f, a);
  if (u.kind == Class::kInfinity || u.kind == Class::kZero || u.exponent >= 0) {
    return clamped(f, op, a, !flushed);
  }
  const Integral integral = round_to_integral(u, op.rounding);
  const soft::Rounded rounded = pack(f, u.negative, integral.magnitude, 0, false, Rounding::kRn);
  return clamped(f, op, rounded.bits, rounded.exact && !flushed);
}

Result fcvt(Op op, uint64_t a, uint64_t, uint64_t) {
  const Format& from = soft::format_of(op.src);
  const Format& to = soft::format_of(op.type);
  if (soft::is_nan(from, a)) return {op.sat ? 0 : converted_nan(op, a), false};
  // .ftz flushes f32 operands and results only; and not on the way to f16 (found: .rm and .rp).
  const bool flushed =
      op.ftz && op.src == Type::kF32 && op.type != Type::kF16 && soft::is_subnormal(from, a);
  if (flushed) a &= from.sign();
  const Unpacked u = unpack(from, a);
  const uint64_t sign = u.negative ? to.sign() : 0;
  // PTX demands .satfinite for the 8-bit formats.
  const bool saturate = op.satfinite || op.type == Type::kE4M3 || op.type == Type::kE5M2;
  if (u.kind == Class::kInfinity) {
    return clamped(to, op, sign | (saturate ? to.largest() : to.infinity()), !saturate);
  }
  if (u.kind == Class::kZero) return clamped(to, op, sign, !flushed);
  const soft::Rounded rounded =
      pack(to, u.negative, u.significand, u.exponent, false, op.rounding,
           saturate ? soft::Overflow::kSaturate : soft::Overflow::kInfinity);
  uint64_t bits = rounded.bits;
  bool exact = rounded.exact && !flushed;
  if (op.ftz && op.type == Type::kF32 && soft::is_subnormal(to, bits)) {
    bits &= to.sign();
    exact = false;
  }
  return clamped(to, op, bits, exact);
}

Result ftoi(Op op, uint64_t a, uint64_t, uint64_t) {
  const Format& f = soft::format_of(op.src);
  const unsigned width = bits(op.type);
  const uint64_t top = uint64_t{1} << (width - 1);
  if (soft::is_nan(f, a)) {
    // Found: the top bit alone for 64-bit results and f64 sources; else 0, as the manual has it.
    return {width == 64 || op.src == Type::kF64 ? top : 0, false};
  }
  const bool flushed = op.ftz && op.src == Type::kF32 && soft::is_subnormal(f, a);
  if (flushed) a &= f.sign();
  const Unpacked u = unpack(f, a);
  const bool infinite = u.kind == Class::kInfinity;
  const Integral integral = infinite ? Integral{0, true} : round_to_integral(u, op.rounding);
  const U128 magnitude = integral.magnitude;
  const uint64_t largest = is_signed(op.type) ? top - 1 : mask(width);
  const uint64_t least = is_signed(op.type) ? top : 0;
  uint64_t result = 0;
  if (u.negative) {
    const bool below = integral.huge || magnitude > least;
    result = below ? least : uint64_t{0} - static_cast<uint64_t>(magnitude);
  } else {
    const bool above = integral.huge || magnitude > largest;
    result = above ? largest : static_cast<uint64_t>(magnitude);
  }
  return {result & mask(width), !infinite && !flushed};
}

Result itof(Op op, uint64_t a, uint64_t, uint64_t) {
  const Format& f = soft::format_of(op.type);
  const unsigned width = bits(op.src);
  const bool negative = is_signed(op.src) && (a >> (width - 1) & 1) != 0;
  const uint64_t magnitude = (negative ? uint64_t{0} - a : a) & mask(width);
  const soft::Rounded rounded = pack(f, negative, magnitude, 0, false, op.rounding);
  return clamped(f, op, rounded.bits, rounded.exact);
}

}  // namespace handlers

double to_double(Type type, uint64_t bits) {
  const Op op{.kind = Kind::kFCvt, .type = Type::kF64, .src = type};
  return std::bit_cast<double>(handlers::fcvt(op, bits & mask(op::bits(type)), 0, 0).bits);
}

uint64_t from_double(Type type, double value) {
  const Op op{.kind = Kind::kFCvt, .type = type, .src = Type::kF64, .rounding = Rounding::kRn};
  const Format& to = soft::format_of(type);
  const auto bits = std::bit_cast<uint64_t>(value);
  const Unpacked u = unpack(soft::format_of(Type::kF64), bits);
  if (u.kind == Class::kNan) return handlers::fcvt(op, bits, 0, 0).bits;
  const uint64_t infinity = to.has_infinity ? to.infinity() : to.canonical_nan();
  if (u.kind == Class::kInfinity) return infinity | (u.negative ? to.sign() : 0);
  return pack(to, u.negative, u.significand, u.exponent, false, Rounding::kRn).bits;
}

}  // namespace ptxequiv::op
