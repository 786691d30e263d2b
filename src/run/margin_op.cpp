#include <algorithm>
#include <cmath>
#include <optional>

#include "op/approx_error.h"
#include "op/evaluate.h"
#include "run/margin.h"

namespace ptxequiv::run {
namespace {

using op::Kind;
using op::Type;
using Operands = std::span<const Margin>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Bits of numbers that are known less well are no longer followed.
constexpr double kMostBlur = 0.25;

double number(Type type, uint64_t bits) {
  if (op::is_float(type)) return op::to_double(type, bits);
  const unsigned width = op::bits(type);
  if (!op::is_signed(type)) return static_cast<double>(bits & op::mask(width));
  return static_cast<double>(static_cast<int64_t>(bits << (64 - width)) >> (64 - width));
}

// The relative error of the numbers that these bits come from.
double blur(const Margin& margin) {
  if (margin.radius == 0) return 0;
  if (margin.type == Type::kNone) return margin.radius;
  return margin.radius / std::fabs(op::to_double(margin.type, margin.bits));
}

Margin bits_with(uint64_t bits, double blur) {
  return blur <= kMostBlur ? Margin{Margin::State::kNumber, bits, Type::kNone, blur}
                           : Margin::unknown();
}

Margin truth(uint64_t bits, bool sure) {
  return {Margin::State::kNumber, bits & 1, Type::kNone, sure ? 0 : kInfinity};
}

Type operand_type(const op::Op& op) {
  return op.src != Type::kNone ? op.src : op.type;
}

// The value of a rounding to whole numbers.
double whole(op::Rounding rounding, double x) {
  switch (rounding) {
    case op::Rounding::kRz:
      return std::trunc(x);
    case op::Rounding::kRm:
      return std::floor(x);
    case op::Rounding::kRp:
      return std::ceil(x);
    case op::Rounding::kRna:
      return std::round(x);
    default:
      return std::nearbyint(x);
  }
}

// How far the step of a number may be from that of the real.
double step(op::Rounding rounding, Near a) {
  return whole(rounding, a.value + a.radius) - whole(rounding, a.value - a.radius);
}

// How far the operation on the reals may be from that on the numbers near them; infinite where a
// pole or the end of the domain lies between.
double travelled(const op::Op& op, std::span<const Near> in) {
  const Near a = in[0], b = in.size() > 1 ? in[1] : Near{};
  const double size = std::fabs(a.value), least = a.value - a.radius;
  const auto product = [&] {
    return size * b.radius + std::fabs(b.value) * a.radius + a.radius * b.radius;
  };
  switch (op.kind) {
    case Kind::kFAdd:
    case Kind::kFSub:
      return a.radius + b.radius;
    case Kind::kFMul:
      return product();
    case Kind::kFFma:
      return product() + in[2].radius;
    case Kind::kFDiv: {
      const double divisor = std::fabs(b.value);
      if (b.radius >= divisor) return kInfinity;
      return (a.radius + size / divisor * b.radius) / (divisor - b.radius);
    }
    case Kind::kFRcp:
      return a.radius >= size ? kInfinity : a.radius / (size * (size - a.radius));
    case Kind::kFSqrt:
      return least <= 0 ? std::sqrt(a.value + a.radius) : a.radius / (2 * std::sqrt(least));
    case Kind::kFRsqrt:
      return least <= 0 ? kInfinity : a.radius / 2 * std::pow(least, -1.5);
    case Kind::kFEx2:
      return std::exp2(a.value) * std::expm1(a.radius * 0.6931471805599454);
    case Kind::kFLg2:
      return least <= 0 ? kInfinity : std::log2(a.value / least);
    case Kind::kFMin:
    case Kind::kFMax:
      return std::max(a.radius, b.radius);
    case Kind::kFCopysign:  // the sign of a, the magnitude of b
      return size <= a.radius ? b.radius + 2 * std::fabs(b.value) : b.radius;
    case Kind::kFRint:
    case Kind::kFToI:
      return step(op.rounding, a);
    default:  // slopes of at most one
      return a.radius;
  }
}

// How far the result of `op`, as evaluated, may be from the operation's real value.
double rounding_error(const op::Op& op, double result) {
  const op::TypeInfo& type = op::info(op.type);
  const int precision = static_cast<int>(type.precision);
  const int exponent =
      result == 0 ? type.min_exponent : std::max<int>(std::ilogb(result), type.min_exponent);
  double error = std::ldexp(1.0, exponent + 1 - precision);
  if (op.ftz) error += std::ldexp(1.0, type.min_exponent);
  // Of f64 the hardware's table is what is evaluated.
  const op::ApproxError* approximate = op::approx_error(op);
  if (approximate != nullptr) error += std::fabs(result) * approximate->relative;
  return error;
}

bool is_step(Kind kind) {
  return kind == Kind::kFRint || kind == Kind::kFToI;
}
bool has_pole(Kind kind) {
  return kind == Kind::kFDiv || kind == Kind::kFRcp || kind == Kind::kFRsqrt || kind == Kind::kFLg2;
}

// An infinity or a NaN: given, or made here.
Margin special(const op::Op& op, const op::Result& result, double value, std::span<const Near> in) {
  const auto infinite = [](Near n) { return std::isinf(n.value); };
  const bool given = std::any_of(in.begin(), in.end(), infinite);
  const bool sure = std::all_of(in.begin(), in.end(), [](Near n) { return n.radius == 0; });
  if (std::isinf(value) && given) return Margin::near(op.type, result.bits, 0);
  if (std::isnan(value)) return sure || given ? Margin::undefined() : Margin::unknown();
  // By a pole, else by an overflow, which the reals have not.
  const bool pole = has_pole(op.kind) && in.back().value == 0;
  return pole && sure ? Margin::undefined() : Margin::unknown();
}

Margin arithmetic(const op::Op& op, const op::Result& result, Operands operands) {
  Near storage[3];
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].state == Margin::State::kUndefined) return Margin::undefined();
    if (!read_near(operands[i], operand_type(op), storage[i])) return Margin::unknown();
  }
  const std::span<const Near> in(storage, operands.size());
  const bool to_integer = !op::is_float(op.type);
  const double value = number(op.type, result.bits);
  if (!std::isfinite(value)) return special(op, result, value, in);
  const bool exact_input = std::all_of(in.begin(), in.end(), [](Near n) { return n.radius == 0; });
  double radius = 0;
  if (!exact_input) {
    const auto infinite = [](Near n) { return std::isinf(n.value); };
    if (std::any_of(in.begin(), in.end(), infinite)) {
      // Of the operations with a finite result only these have a second operand.
      for (const Near& n : in) radius = std::max(radius, n.radius);
    } else {
      radius = travelled(op, in);
    }
  }
  if (to_integer) return radius == 0 ? Margin::exact(result.bits) : Margin::unknown();
  if (!result.exact && !is_step(op.kind)) radius += rounding_error(op, value);
  return Margin::near(op.type, result.bits, radius);
}

Margin float_comparison(const op::Op& op, uint64_t bits, Operands operands) {
  Near a, b;
  if (!read_near(operands[0], op.type, a) || !read_near(operands[1], op.type, b)) {
    return Margin::unknown();
  }
  const double reach = a.radius + b.radius;
  const bool sure = reach == 0 || op.kind == Kind::kFUnordered ||
                    std::fabs(a.value - b.value) > reach * (1 + 1e-9);
  return truth(bits, sure);
}

// Of bits that may be those of floats: neighbours in value are neighbours as integers.
Margin integer_comparison(const op::Op& op, uint64_t bits, Operands operands) {
  const double inexact = blur(operands[0]) + blur(operands[1]);
  if (inexact == 0) return truth(bits, true);
  const unsigned width = op::bits(op.type);
  const Type as_float = width == 64 ? Type::kF64 : width == 16 ? Type::kF16 : Type::kF32;
  const double reach = std::ldexp(inexact, static_cast<int>(op::info(as_float).precision));
  const Type type = op::type_named((op.kind == Kind::kLtS ? "s" : "u") + std::to_string(width));
  if (type == Type::kNone) return truth(bits, false);
  const double distance = number(type, operands[0].bits) - number(type, operands[1].bits);
  return truth(bits, std::fabs(distance) > reach);
}

Margin choose(Operands operands) {
  const Margin& condition = operands[0];
  if (!condition.is_number()) return Margin::unknown();
  const bool taken = condition.bits & 1;
  const Margin& chosen = operands[taken ? 1 : 2];
  if (condition.radius == 0) return chosen;
  // The reals may take the other arm.
  const Margin& other = operands[taken ? 2 : 1];
  if (!chosen.is_number() || !other.is_number()) return Margin::unknown();
  const Type type = chosen.type != Type::kNone ? chosen.type : other.type;
  if (type == Type::kNone) {
    if (chosen.bits != other.bits) return Margin::unknown();
    return bits_with(chosen.bits, std::max(chosen.radius, other.radius));
  }
  Near a, b;
  if (!read_near(chosen, type, a) || !read_near(other, type, b)) return Margin::unknown();
  if (a.value == b.value) return Margin::near(type, chosen.bits, std::max(a.radius, b.radius));
  return Margin::near(type, chosen.bits,
                      std::fabs(a.value - b.value) + std::max(a.radius, b.radius));
}

Margin logic(const op::Op& op, uint64_t bits, Operands operands) {
  bool sure = true;
  for (const Margin& operand : operands) {
    if (operand.is_exact() && op.kind == Kind::kAnd && operand.bits == 0) return truth(0, true);
    if (operand.is_exact() && op.kind == Kind::kOr && operand.bits == 1) return truth(1, true);
    if (!operand.is_number()) return Margin::unknown();
    sure = sure && operand.radius == 0;
  }
  return truth(bits, sure);
}

}  // namespace

bool read_near(const Margin& margin, Type type, Near& near) {
  if (!margin.is_number()) return false;
  near.value = number(type, margin.bits);
  if (std::isnan(near.value)) return false;
  if (margin.type == type || margin.radius == 0) {
    near.radius = margin.radius;
  } else if (type == Type::kTF32 && margin.type == Type::kF32) {
    near.radius = margin.radius;
  } else {
    const double relative = blur(margin);
    if (relative > kMostBlur) return false;
    near.radius = relative * std::fabs(near.value);
  }
  if (type == Type::kTF32) {
    // Truncation of the operand is no operation over the reals.
    near.radius += std::fabs(number(Type::kF32, margin.bits) - near.value);
  }
  return std::isfinite(near.radius);
}

Margin margin_of(const term::Node& node, Operands operands) {
  const op::Op op = node.op;
  if (op.kind == Kind::kSelect) return choose(operands);
  const auto at = [&](size_t i) { return i < operands.size() ? operands[i].bits : 0; };
  const bool is_extract = op.kind == Kind::kExtract;
  const op::Result result = op::evaluate(op, at(0), is_extract ? node.b : at(1), at(2));
  const bool exact =
      std::all_of(operands.begin(), operands.end(), [](const Margin& m) { return m.is_exact(); });
  if (op::info(op.kind).is_float) return arithmetic(op, result, operands);
  if (exact) return Margin::exact(result.bits);
  if (op::result_bits(op) == 1 && !op::info(op.kind).is_predicate) {
    return logic(op, result.bits, operands);
  }
  if (op.kind >= Kind::kFEq && op.kind <= Kind::kFUnordered) {
    return float_comparison(op, result.bits, operands);
  }
  double inexact = 0;
  for (const Margin& operand : operands) {
    if (!operand.is_number()) return Margin::unknown();
    inexact = std::max(inexact, blur(operand));
  }
  if (op::info(op.kind).is_predicate) return integer_comparison(op, result.bits, operands);
  return bits_with(result.bits, inexact);
}

}  // namespace ptxequiv::run
