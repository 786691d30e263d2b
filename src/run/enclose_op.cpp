#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "op/approx_error.h"
#include "op/evaluate.h"
#include "run/enclosure.h"

namespace ptxequiv::run {
namespace {

using op::Kind;
using op::Type;
using Operands = std::span<const Enclosure>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Ends {
  double low = 0, high = 0;
  bool has_zero() const { return low <= 0 && high >= 0; }
};

Type integer_type(unsigned width, bool is_signed) {
  return op::type_named((is_signed ? "s" : "u") + std::to_string(width));
}

double integer_value(Type type, uint64_t bits) {
  const unsigned width = op::bits(type);
  if (!op::is_signed(type)) return static_cast<double>(bits & op::mask(width));
  return static_cast<double>(static_cast<int64_t>(bits << (64 - width)) >> (64 - width));
}

// The operand as numbers of `type`.
std::optional<Ends> ends_of(const Enclosure& value, Type type) {
  if (value.is_bits()) {
    const double x =
        op::is_float(type) ? op::to_double(type, value.bits) : integer_value(type, value.bits);
    return Ends{x, x};
  }
  if (value.is_any() || op::bits(value.type) != op::bits(type)) return std::nullopt;
  if (value.type == type) return Ends{value.low, value.high};
  // The same integers, read with or without a sign.
  const bool integers = !op::is_float(type) && !op::is_float(value.type);
  const double half = std::ldexp(1.0, static_cast<int>(op::bits(type)) - 1);
  if (integers && value.low >= 0 && value.high < half) return Ends{value.low, value.high};
  // Bits of a float that is not negative are in the order of its value.
  if (!integers && value.low >= 0 && !std::signbit(value.low) && op::bits(type) <= 32) {
    if (op::is_float(value.type) && !op::is_float(type)) {
      return Ends{integer_value(type, op::from_double(value.type, value.low)),
                  integer_value(type, op::from_double(value.type, value.high))};
    }
    if (!op::is_float(value.type) && op::is_float(type) && value.high < half) {
      const Ends ends{op::to_double(type, static_cast<uint64_t>(value.low)),
                      op::to_double(type, static_cast<uint64_t>(value.high))};
      if (!std::isnan(ends.low) && !std::isnan(ends.high)) return ends;
    }
  }
  return std::nullopt;
}

uint64_t bits_of(Type type, double value, bool up) {
  if (!op::is_float(type)) return static_cast<uint64_t>(static_cast<int64_t>(value));
  uint64_t bits = op::from_double(type, value);
  const double back = op::to_double(type, bits);
  if (back == value || std::isinf(back)) return bits;
  // One step outwards: next to a float of the same sign is the next integer.
  const bool outward = up ? back < value : back > value;
  if (!outward) return bits;
  if (back == 0) return up ? 1 : (uint64_t{1} << (op::bits(type) - 1)) | 1;
  return (back > 0) == up ? bits + 1 : bits - 1;
}

Type operand_type(const op::Op& op) {
  return op.src != Type::kNone ? op.src : op.type;
}

// Values at all combinations of the operands' ends.
std::optional<Ends> at_corners(const op::Op& op, Operands operands, Type result) {
  Ends ends[3];
  for (size_t i = 0; i < operands.size(); ++i) {
    const auto found = ends_of(operands[i], operand_type(op));
    if (!found) return std::nullopt;
    ends[i] = *found;
  }
  Ends out{kInfinity, -kInfinity};
  for (unsigned corner = 0; corner < 1u << operands.size(); ++corner) {
    uint64_t bits[3] = {0, 0, 0};
    for (size_t i = 0; i < operands.size(); ++i) {
      const bool high = corner >> i & 1;
      bits[i] = operands[i].is_bits()
                    ? operands[i].bits
                    : bits_of(operand_type(op), high ? ends[i].high : ends[i].low, high);
    }
    const uint64_t value = op::evaluate(op, bits[0], bits[1], bits[2]).bits;
    const double x =
        op::is_float(result) ? op::to_double(result, value) : integer_value(result, value);
    if (std::isnan(x)) return std::nullopt;
    out.low = std::min(out.low, x);
    out.high = std::max(out.high, x);
  }
  return out;
}

// By the error that the hardware's approximation may have.
Enclosure widened(const op::Op& op, Ends ends, Operands operands) {
  if (op.rounding != op::Rounding::kApprox)
    return Enclosure::interval(op.type, ends.low, ends.high);
  const op::ApproxError* error = op::approx_error(op);
  if (error == nullptr) return Enclosure::any();
  const auto last = ends_of(operands.back(), op.type);
  const bool within =
      last && std::fabs(last->low) <= error->domain && std::fabs(last->high) <= error->domain;
  if (!within) {
    const bool wave = op.kind == Kind::kFSin || op.kind == Kind::kFCos;
    return wave ? Enclosure::interval(op.type, -1, 1) : Enclosure::any();
  }
  // Ours is rounded too: one more half unit, covered by doubling the unit's relative size.
  const double unit = std::ldexp(1.0, -static_cast<int>(op::info(op.type).precision));
  const double relative = error->relative + unit;
  const auto out = [&](double x, double sign) {
    if (!std::isfinite(x)) return x;
    return x + sign * (std::fabs(x) * relative * (1 + 1e-9) + error->absolute);
  };
  return Enclosure::interval(op.type, out(ends.low, -1), out(ends.high, 1));
}

Enclosure hull(const Enclosure& a, const Enclosure& b) {
  if (a.is_bits() && b.is_bits() && a.bits == b.bits) return a;
  const Type type = a.is_bits() ? b.type : a.type;  // of bits: none
  if (a.is_any() || b.is_any() || type == Type::kNone) return Enclosure::any();
  const auto x = ends_of(a, type), y = ends_of(b, type);
  if (!x || !y) return Enclosure::any();
  return Enclosure::interval(type, std::min(x->low, y->low), std::max(x->high, y->high));
}

Enclosure comparison(const op::Op& op, Operands operands) {
  const auto a = ends_of(operands[0], op.type), b = ends_of(operands[1], op.type);
  if (!a || !b || std::isnan(a->low) || std::isnan(b->low)) return Enclosure::any();
  const bool below = a->high<b->low, above = a->low> b->high;
  switch (op.kind) {
    case Kind::kFUnordered:
      return Enclosure::of_bits(0);
    case Kind::kFEq:
    case Kind::kEq:
      if (below || above) return Enclosure::of_bits(0);
      return Enclosure::any();
    case Kind::kFLe:
      if (a->high <= b->low) return Enclosure::of_bits(1);
      if (above) return Enclosure::of_bits(0);
      return Enclosure::any();
    default:
      if (below) return Enclosure::of_bits(1);
      if (a->low >= b->high) return Enclosure::of_bits(0);
      return Enclosure::any();
  }
}

Enclosure absolute(const op::Op& op, Operands operands) {
  const auto a = ends_of(operands[0], op.type);
  if (!a) return Enclosure::any();
  const double most = std::max(std::fabs(a->low), std::fabs(a->high));
  const double least = a->has_zero() ? 0 : std::min(std::fabs(a->low), std::fabs(a->high));
  return Enclosure::interval(op.type, least, most);
}

// Integers cut to a multiple of a power of two, or shifted right: in the order of the operand.
Enclosure cut(const op::Op& op, Operands operands) {
  const bool is_shift = op.kind == Kind::kShrS;
  const bool first = !is_shift && operands[0].is_bits();
  const Enclosure& other = operands[first ? 0 : 1];
  const unsigned width = op::bits(op.type);
  const Type type = integer_type(width, true);
  if (!other.is_bits() || width > 32) return Enclosure::any();
  const auto a = ends_of(operands[first ? 1 : 0], type);
  const uint64_t low_bits = ~other.bits & op::mask(width);
  if (!a || (!is_shift && (low_bits & (low_bits + 1)) != 0)) return Enclosure::any();
  const auto at = [&](double x) {
    const auto value = static_cast<int64_t>(x);
    if (is_shift) return static_cast<double>(value >> std::min<uint64_t>(other.bits, 63));
    return static_cast<double>(value & ~static_cast<int64_t>(low_bits));
  };
  return Enclosure::interval(type, at(a->low), at(a->high));
}

// Masks of a float's sign bit, as compilers write abs, neg and copysign.
Enclosure sign_logic(const op::Op& op, Operands operands) {
  const bool first = operands[0].is_bits();
  const Enclosure& value = operands[first ? 1 : 0];
  const Enclosure& other = operands[first ? 0 : 1];
  if (!other.is_bits() || value.state != Enclosure::State::kInterval) return Enclosure::any();
  if (!op::is_float(value.type)) {
    return op.kind == Kind::kAnd ? cut(op, operands) : Enclosure::any();
  }
  const unsigned width = op::bits(value.type);
  const uint64_t sign = uint64_t{1} << (width - 1), mask = other.bits;
  const bool positive = value.low > 0, negative = value.high < 0;
  const auto as = [&](Kind kind) { return op::Op{.kind = kind, .type = value.type}; };
  const Enclosure one[] = {value};
  if (op.kind == Kind::kAnd && mask == (sign ^ op::mask(width))) {
    return absolute(as(Kind::kFAbs), one);
  }
  if (op.kind == Kind::kAnd && mask == sign && (positive || negative)) {
    return Enclosure::of_bits(negative ? sign : 0);
  }
  if (op.kind == Kind::kXor && mask == sign) {
    return Enclosure::interval(value.type, -value.high, -value.low);
  }
  if (op.kind == Kind::kAnd) return cut(op, operands);
  if (op.kind == Kind::kOr && mask == 0) return value;
  if (op.kind == Kind::kOr && mask == sign && value.low >= 0) {
    return Enclosure::interval(value.type, -value.high, -value.low);
  }
  return Enclosure::any();
}

Enclosure logic(const op::Op& op, Operands operands) {
  if (op::bits(op.type) != 1) return sign_logic(op, operands);
  for (const Enclosure& operand : operands) {
    if (!operand.is_bits()) continue;
    if (op.kind == Kind::kAnd && operand.bits == 0) return Enclosure::of_bits(0);
    if (op.kind == Kind::kOr && operand.bits == 1) return Enclosure::of_bits(1);
  }
  return Enclosure::any();
}

// Narrowed or widened integers that keep their value.
Enclosure resized(const op::Op& op, const Enclosure& operand, bool is_signed) {
  if (operand.state != Enclosure::State::kInterval || op::is_float(operand.type)) {
    return Enclosure::any();
  }
  const unsigned width = op::bits(op.type);
  for (const bool as_signed : {is_signed, !is_signed}) {
    const double low = as_signed ? -std::ldexp(1.0, static_cast<int>(width) - 1) : 0;
    const double high = std::ldexp(1.0, static_cast<int>(width) - as_signed) - 1;
    if (operand.low >= low && operand.high <= high) {
      return Enclosure::interval(integer_type(width, as_signed), operand.low, operand.high);
    }
  }
  return Enclosure::any();
}

Enclosure copysign(const op::Op& op, Operands operands) {
  const Enclosure magnitude = absolute(op, operands.subspan(1, 1));
  const auto sign = ends_of(operands[0], op.type), b = ends_of(magnitude, op.type);
  if (!sign || !b) return Enclosure::any();
  const bool negative =
      operands[0].is_bits() ? operands[0].bits >> (op::bits(op.type) - 1) & 1 : sign->high < 0;
  const bool known = operands[0].is_bits() || !sign->has_zero();
  if (!known) return Enclosure::interval(op.type, -b->high, b->high);
  return negative ? Enclosure::interval(op.type, -b->high, -b->low)
                  : Enclosure::interval(op.type, b->low, b->high);
}

Enclosure wave(const op::Op& op, Operands operands) {
  const auto a = ends_of(operands[0], op.type);
  if (!a || !std::isfinite(a->low) || !std::isfinite(a->high)) return Enclosure::any();
  const double middle = a->low / 2 + a->high / 2;
  const double value = op.kind == Kind::kFSin ? std::sin(middle) : std::cos(middle);
  const double reach = (a->high - a->low) / 2 * (1 + 1e-9) + 1e-15;
  return widened(op, {std::max(-1.0, value - reach), std::min(1.0, value + reach)}, operands);
}

Enclosure monotone(const op::Op& op, Operands operands, Type result) {
  const auto corners = at_corners(op, operands, result);
  if (!corners) return Enclosure::any();
  if (!op::is_float(result)) return Enclosure::interval(result, corners->low, corners->high);
  return widened(op, *corners, operands);
}

Enclosure quotient(const op::Op& op, Operands operands) {
  const auto divisor = ends_of(operands.back(), op.type);
  if (!divisor || (divisor->has_zero() && divisor->low != divisor->high)) return Enclosure::any();
  return monotone(op, operands, op.type);
}

// Integers whose sum does not wrap.
Enclosure integer(const op::Op& op, Operands operands) {
  for (const bool is_signed : {true, false}) {
    const Type type = integer_type(op::bits(op.type), is_signed);
    if (type == Type::kNone || op::bits(type) > 32) return Enclosure::any();
    const auto a = ends_of(operands[0], type), b = ends_of(operands[1], type);
    if (!a || !b) continue;
    Ends out;
    switch (op.kind) {
      case Kind::kAdd:
        out = {a->low + b->low, a->high + b->high};
        break;
      case Kind::kSub:
        out = {a->low - b->high, a->high - b->low};
        break;
      case Kind::kMinS:
      case Kind::kMinU:
        out = {std::min(a->low, b->low), std::min(a->high, b->high)};
        break;
      default:
        out = {std::max(a->low, b->low), std::max(a->high, b->high)};
    }
    const double half = std::ldexp(1.0, static_cast<int>(op::bits(type)) - 1);
    const bool fits =
        is_signed ? out.low >= -half && out.high < half : out.low >= 0 && out.high < 2 * half;
    if (fits) return Enclosure::interval(type, out.low, out.high);
  }
  return Enclosure::any();
}

Enclosure select(Operands operands) {
  if (operands[0].is_bits()) return operands[operands[0].bits & 1 ? 1 : 2];
  return hull(operands[1], operands[2]);
}

}  // namespace

Enclosure enclose_op(const term::Node& node, Operands operands) {
  const op::Op op = node.op;
  const bool all_bits =
      std::all_of(operands.begin(), operands.end(), [](const Enclosure& e) { return e.is_bits(); });
  const bool is_extract = op.kind == Kind::kExtract;
  if (all_bits) {
    const auto at = [&](size_t i) { return i < operands.size() ? operands[i].bits : 0; };
    const op::Result result = op::evaluate(op, at(0), is_extract ? node.b : at(1), at(2));
    // A special value (an infinity, a NaN, a zero that is exact) is not approximated.
    if (op.rounding != op::Rounding::kApprox || result.exact ||
        !std::isfinite(op::to_double(op.type, result.bits))) {
      return Enclosure::of_bits(result.bits);
    }
  }
  switch (op.kind) {
    case Kind::kSelect:
      return select(operands);
    case Kind::kAnd:
    case Kind::kOr:
    case Kind::kXor:
      return logic(op, operands);
    case Kind::kFEq:
    case Kind::kFLt:
    case Kind::kFLe:
    case Kind::kFUnordered:
      return comparison(op, operands);
    case Kind::kExtract:
      return node.b == 0 ? resized(op, operands[0], true) : Enclosure::any();
    case Kind::kSext:
      return resized(op, operands[0], true);
    case Kind::kZext:
      return resized(op, operands[0], false);
    case Kind::kAdd:
    case Kind::kSub:
    case Kind::kMinS:
    case Kind::kMinU:
    case Kind::kMaxS:
    case Kind::kMaxU:
      return integer(op, operands);
    case Kind::kShrS:
      return cut(op, operands);
    case Kind::kFAbs:
      return absolute(op, operands);
    case Kind::kFCopysign:
      return copysign(op, operands);
    case Kind::kFSin:
    case Kind::kFCos:
      return wave(op, operands);
    case Kind::kFDiv:
    case Kind::kFRcp:
      return quotient(op, operands);
    case Kind::kFAdd:
    case Kind::kFSub:
    case Kind::kFMul:
    case Kind::kFFma:
    case Kind::kFSqrt:
    case Kind::kFRsqrt:
    case Kind::kFEx2:
    case Kind::kFLg2:
    case Kind::kFTanh:
    case Kind::kFMin:
    case Kind::kFMax:
    case Kind::kFNeg:
    case Kind::kFRint:
    case Kind::kFCvt:
    case Kind::kFToI:
    case Kind::kIToF:
      return monotone(op, operands, op.type);
    default:
      return Enclosure::any();
  }
}

}  // namespace ptxequiv::run
