#include "smt/encode_float.h"

#include <algorithm>

namespace ptxequiv::smt {
namespace {

using op::Kind;
using op::Type;

struct Format {
  explicit Format(Type type)
      : width(op::bits(type)),
        fraction(op::info(type).precision - 1u),
        bias(static_cast<unsigned>(1 - op::info(type).min_exponent)) {}
  unsigned width, fraction, bias;
  uint64_t sign() const { return uint64_t{1} << (width - 1); }
  uint64_t infinity() const { return op::mask(width - 1) & ~op::mask(fraction); }
  unsigned exponent_bits() const { return width - 1 - fraction; }
};

bool is_ieee(Type type) {
  return type == Type::kF16 || type == Type::kBF16 || type == Type::kF32 || type == Type::kF64;
}

z3::expr magnitude(z3::context& c, const Format& f, const z3::expr& e) {
  return e & c.bv_val(f.sign() - 1, f.width);
}

z3::expr is_nan(z3::context& c, const Format& f, const z3::expr& e) {
  return z3::ugt(magnitude(c, f, e), c.bv_val(f.infinity(), f.width));
}

// -0 comes just before +0 (op/float_select.cpp).
z3::expr extreme(z3::context& c, const Format& f, bool greatest, const z3::expr& a,
                 const z3::expr& b, const z3::expr& otherwise) {
  const auto key = [&](const z3::expr& e) {
    const z3::expr negative = e.extract(f.width - 1, f.width - 1) == c.bv_val(1, 1);
    const z3::expr size = magnitude(c, f, e);
    return z3::ite(negative, ~size, size);
  };
  const z3::expr less = z3::slt(key(a), key(b));
  const z3::expr value = greatest ? z3::ite(less, b, a) : z3::ite(less, a, b);
  return z3::ite(is_nan(c, f, a) || is_nan(c, f, b), otherwise, value);
}

// `code` with its low `cut` bits rounded off to nearest, ties to even.
z3::expr rounded_off(z3::context& c, const z3::expr& code, unsigned cut) {
  const unsigned width = code.get_sort().bv_size();
  const z3::expr last = z3::zext(code.extract(cut, cut), width - 1);
  const z3::expr half = c.bv_val((uint64_t{1} << (cut - 1)) - 1, width);
  return (code + half + last).extract(width - 1, cut);
}

// Formats whose exponents are the same: the fraction is cut, or zeros follow.
std::optional<z3::expr> convert(z3::context& c, const op::Op& op, const z3::expr& a,
                                const z3::expr& otherwise) {
  const bool flags = op.ftz || op.sat || op.relu;
  if (flags) return std::nullopt;
  const auto pair = [&](Type from, Type to) { return op.src == from && op.type == to; };
  const bool narrows = pair(Type::kF32, Type::kBF16) || pair(Type::kF16, Type::kE5M2);
  const bool widens = pair(Type::kBF16, Type::kF32) || pair(Type::kE5M2, Type::kF16);
  if (!narrows && !widens) return std::nullopt;
  const Format from(op.src), to(op.type);
  if (widens) {
    const z3::expr wide = z3::concat(a, c.bv_val(0, to.width - from.width));
    return z3::ite(is_nan(c, from, a), otherwise, wide);
  }
  if (op.rounding != op::Rounding::kRn) return std::nullopt;
  // PTX demands .satfinite for the 8-bit formats; of bf16 it is left alone.
  if (op.type == Type::kBF16 && op.satfinite) return std::nullopt;
  const z3::expr size = rounded_off(c, magnitude(c, from, a), from.width - to.width);
  z3::expr value = size;
  if (op.type == Type::kE5M2) {
    const z3::expr most = c.bv_val(to.infinity() - 1, to.width);
    value = z3::ite(z3::ugt(size, most), most, size);
  }
  const z3::expr sign =
      z3::concat(a.extract(from.width - 1, from.width - 1), c.bv_val(0, to.width - 1));
  return z3::ite(is_nan(c, from, a), otherwise, sign | value);
}

// An integer as a float: shifted until its highest bit is the hidden one, and rounded to nearest.
std::optional<z3::expr> from_integer(z3::context& c, const op::Op& op, const z3::expr& a) {
  const unsigned width = op::bits(op.src);
  const Format f(op.type);
  const bool range = (uint64_t{1} << (f.exponent_bits() - 1)) > width;  // never infinite
  const bool rn = op.rounding == op::Rounding::kRn || op.rounding == op::Rounding::kNone;
  if (!is_ieee(op.type) || !range || !rn || op.sat || op.relu || width < 8) return std::nullopt;
  const z3::expr top = a.extract(width - 1, width - 1);
  const z3::expr negative = op::is_signed(op.src) ? top == c.bv_val(1, 1) : c.bool_val(false);
  const z3::expr size = z3::ite(negative, -a, a);
  z3::expr zeros = c.bv_val(width, width);
  for (unsigned i = 0; i < width; ++i) {
    zeros = z3::ite(size.extract(i, i) == c.bv_val(1, 1), c.bv_val(width - 1 - i, width), zeros);
  }
  // Wide enough for the fraction and a bit to cut; its top bit, the hidden one, is 1.
  const unsigned fraction = std::max(f.fraction + 2, width);
  const z3::expr moved = z3::shl(size, zeros);
  const z3::expr significand =
      fraction > width ? z3::concat(moved, c.bv_val(0, fraction - width)) : moved;
  const unsigned cut = fraction - 1 - f.fraction;
  // Exponent and fraction as one number: rounding up carries into the exponent.
  const unsigned whole = f.exponent_bits() + fraction + 2;
  const z3::expr exponent =
      c.bv_val(f.bias + width - 1, whole) -
      (whole > width ? z3::zext(zeros, whole - width) : zeros.extract(whole - 1, 0));
  const z3::expr below = z3::zext(significand.extract(fraction - 2, 0), whole - (fraction - 1));
  const z3::expr code = z3::shl(exponent, c.bv_val(fraction - 1, whole)) + below;
  const z3::expr last = z3::zext(code.extract(cut, cut), whole - 1);
  const z3::expr half = z3::shl(c.bv_val(1, whole), c.bv_val(cut - 1, whole));
  const z3::expr up = half - c.bv_val(1, whole) + last;
  const z3::expr rounded = (code + up).extract(cut + f.width - 2, cut);
  const z3::expr sign = z3::ite(negative, c.bv_val(1, 1), c.bv_val(0, 1));
  return z3::ite(a == c.bv_val(0, width), c.bv_val(0, f.width), z3::concat(sign, rounded));
}

}  // namespace

std::optional<z3::expr> encode_float(z3::context& context, const op::Op& op, const z3::expr& a,
                                     const std::optional<z3::expr>& b, const z3::expr& otherwise) {
  switch (op.kind) {
    case Kind::kFMin:
    case Kind::kFMax:
      if (!is_ieee(op.type) || op.ftz || op.sat || op.relu || !b) return std::nullopt;
      return extreme(context, Format(op.type), op.kind == Kind::kFMax, a, *b, otherwise);
    case Kind::kFCopysign: {
      if (!is_ieee(op.type) || !b) return std::nullopt;
      const Format f(op.type);
      return (a & context.bv_val(f.sign(), f.width)) | magnitude(context, f, *b);
    }
    case Kind::kFCvt:
      return convert(context, op, a, otherwise);
    case Kind::kIToF:
      return from_integer(context, op, a);
    default:
      return std::nullopt;
  }
}

}  // namespace ptxequiv::smt
