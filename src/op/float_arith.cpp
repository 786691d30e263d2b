// Arithmetic that IEEE 754 defines. Products and sums of f32 and f64 to nearest go to the host; all
// else is done in integers. The vectors' README says where hardware differs from the manual.
#include <bit>
#include <cmath>

#include "op/float_util.h"
#include "op/internal.h"

namespace ptxequiv::op::handlers {
namespace {

using soft::Class;
using soft::Format;
using soft::U128;
using soft::Unpacked;

int bit_length(U128 value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return high != 0 ? 128 - std::countl_zero(high)
                   : 64 - std::countl_zero(static_cast<uint64_t>(value));
}

// Flushes operands where the operation says so; true if one that was not zero became zero.
bool flush_operands(const Format& f, Op op, uint64_t* a, uint64_t* b, uint64_t* c) {
  if (!op.ftz) return false;
  bool flushed = false;
  for (uint64_t* operand : {a, b, c}) {
    if (operand == nullptr || !soft::is_subnormal(f, *operand)) continue;
    *operand &= f.sign();
    flushed = true;
  }
  return flushed;
}

// Sums and products under .ftz are flushed when they are tiny after rounding with unbounded
// exponent; quotients and roots when the rounded result is subnormal.
enum class Tininess : uint8_t { kUnbounded, kResult };

Result finish(const Format& f, Op op, const soft::Rounded& rounded, bool operands_exact,
              Tininess tininess) {
  uint64_t bits = rounded.bits;
  bool exact = rounded.exact && operands_exact;
  if (op.ftz) {
    const bool tiny = tininess == Tininess::kUnbounded && rounded.tiny;
    if (tiny || soft::is_subnormal(f, bits)) {
      bits &= f.sign();
      exact = false;
    }
  }
  return {clamp(f, op, bits), exact};
}

// A finite real: (-1)^negative * significand * 2^exponent.
struct Real {
  bool negative;
  U128 significand;  // at most 106 bits
  int exponent;
};

struct Sum {
  bool negative = false;
  U128 significand = 0;
  int exponent = 0;
  bool sticky = false;
};

Sum add_reals(Real x, Real y) {
  if (x.significand == 0) return {y.negative, y.significand, y.exponent, false};
  if (y.significand == 0) return {x.negative, x.significand, x.exponent, false};
  if (bit_length(x.significand) + x.exponent < bit_length(y.significand) + y.exponent) {
    std::swap(x, y);
  }
  // The larger operand fills 122 bits, so that what the smaller loses on the right lies far below
  // any rounding position: bits are lost only if it is at least 2^15 times smaller.
  const int lift = 122 - bit_length(x.significand);
  x.significand <<= lift;
  x.exponent -= lift;
  bool sticky = false;
  const int shift = x.exponent - y.exponent;
  if (shift <= 0) {
    y.significand <<= -shift;
  } else if (shift > 127) {
    y.significand = 0;
    sticky = true;
  } else {
    sticky = (y.significand & ((U128{1} << shift) - 1)) != 0;
    y.significand >>= shift;
  }
  if (x.negative == y.negative) {
    return {x.negative, x.significand + y.significand, x.exponent, sticky};
  }
  const U128 taken = y.significand + (sticky ? 1 : 0);
  if (x.significand >= taken) return {x.negative, x.significand - taken, x.exponent, sticky};
  return {y.negative, taken - x.significand, x.exponent, false};  // equal tops: nothing was lost
}

// a * b + c with one rounding. `order` lists NaN operands by precedence.
Result fused(Op op, uint64_t a, uint64_t b, uint64_t c, std::initializer_list<uint64_t> order) {
  const Format& f = soft::format_of(op.type);
  const Unpacked x = unpack(f, a);
  const Unpacked y = unpack(f, b);
  const Unpacked z = unpack(f, c);
  const bool product_negative = x.negative != y.negative;
  if (x.kind == Class::kNan || y.kind == Class::kNan || z.kind == Class::kNan) {
    return nan_result(f, op, order);
  }
  if (x.kind == Class::kInfinity || y.kind == Class::kInfinity) {
    const bool zero = x.kind == Class::kZero || y.kind == Class::kZero;
    if (zero || (z.kind == Class::kInfinity && z.negative != product_negative)) {
      return nan_result(f, op, {});
    }
    return infinity_result(f, op, product_negative, true);
  }
  if (z.kind == Class::kInfinity) return infinity_result(f, op, z.negative, true);
  const Real product{product_negative, U128{x.significand} * y.significand,
                     x.exponent + y.exponent};
  const Sum sum = add_reals(product, {z.negative, z.significand, z.exponent});
  if (sum.significand == 0) {
    const bool same = product_negative == z.negative && product.significand == 0;
    const bool negative = same ? z.negative : op.rounding == Rounding::kRm;
    return zero_result(f, op, negative);
  }
  return finish(f, op,
                pack(f, sum.negative, sum.significand, sum.exponent, sum.sticky, op.rounding), true,
                Tininess::kUnbounded);
}

Result product(Op op, uint64_t a, uint64_t b) {
  const Format& f = soft::format_of(op.type);
  const Unpacked x = unpack(f, a);
  const Unpacked y = unpack(f, b);
  const bool negative = x.negative != y.negative;
  if (x.kind == Class::kNan || y.kind == Class::kNan) return nan_result(f, op, {b, a});
  if (x.kind == Class::kInfinity || y.kind == Class::kInfinity) {
    if (x.kind == Class::kZero || y.kind == Class::kZero) return nan_result(f, op, {});
    return infinity_result(f, op, negative, true);
  }
  const U128 significand = U128{x.significand} * y.significand;
  if (significand == 0) return zero_result(f, op, negative);
  return finish(f, op, pack(f, negative, significand, x.exponent + y.exponent, false, op.rounding),
                true, Tininess::kUnbounded);
}

bool to_nearest(Rounding rounding) {
  return rounding == Rounding::kRn || rounding == Rounding::kNone || rounding == Rounding::kAny ||
         rounding == Rounding::kApprox;
}
// The host does it: f32 to nearest without clamping. `.ftz` is left to the caller.
bool fast32(Op op) {
  return op.type == Type::kF32 && to_nearest(op.rounding) && !op.sat && !op.relu;
}
float as_float(uint64_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

// The f32 nearest to sum + error, where |error| is below half an ulp of the double `sum`: rounding
// the double to odd first makes the second rounding right.
bool round_pair(double sum, double error, bool ftz, Result* result) {
  if (!(std::fabs(sum) < 0x1p127)) return false;                     // overflow, infinities and NaN
  if (ftz && std::fabs(sum) < 0x1.1p-126 && sum != 0) return false;  // may be flushed
  double odd = sum;
  if (error != 0) {
    auto bits = std::bit_cast<uint64_t>(sum);
    if ((bits & 1) == 0) bits += (error > 0) == (sum > 0) ? 1 : ~uint64_t{0};
    odd = std::bit_cast<double>(bits);
  }
  const auto rounded = static_cast<float>(odd);
  *result = {std::bit_cast<uint32_t>(rounded), error == 0 && static_cast<double>(rounded) == sum};
  return true;
}

// x + y for doubles that hold an exact f32 or product of two: no overflow, no underflow.
bool fast_sum(double x, double y, bool ftz, Result* result) {
  const double sum = x + y;
  const double y_part = sum - x;
  const double error = (x - (sum - y_part)) + (y - y_part);
  return round_pair(sum, error, ftz, result);
}

Result add_or_sub(Op op, uint64_t a, uint64_t b, bool subtract) {
  const Format& f = soft::format_of(op.type);
  const bool flushed = flush_operands(f, op, &a, &b, nullptr);
  const uint64_t right = subtract && !soft::is_nan(f, b) ? b ^ f.sign() : b;
  Result result;
  if (fast32(op) && fast_sum(as_float(a), as_float(right), op.ftz, &result)) {
    result.exact = result.exact && !flushed && op.rounding != Rounding::kApprox;
    return result;
  }
  result = fused(op, a, f.one(), right, {b, a});
  // An approximate addition is one whose place in an order of several is not known.
  result.exact = result.exact && !flushed && op.rounding != Rounding::kApprox;
  return result;
}

// Long division of normalised significands; the quotient has at least 60 bits.
Result quotient(Op op, uint64_t a, uint64_t b) {
  const Format& f = soft::format_of(op.type);
  const bool flushed = flush_operands(f, op, &a, &b, nullptr);
  const Unpacked x = unpack(f, a);
  const Unpacked y = unpack(f, b);
  const bool negative = x.negative != y.negative;
  if (x.kind == Class::kNan || y.kind == Class::kNan) return nan_result(f, op, {a, b});
  if (x.kind == y.kind && x.kind != Class::kFinite) return nan_result(f, op, {});
  // Division by zero and by infinity are partial over the reals: never exact.
  if (x.kind == Class::kInfinity || y.kind == Class::kZero) {
    return infinity_result(f, op, negative, false);
  }
  if (y.kind == Class::kInfinity) return zero_result(f, op, negative, false);
  if (x.kind == Class::kZero) return zero_result(f, op, negative, !flushed);
  const int lift = 124 - bit_length(x.significand);
  const U128 dividend = U128{x.significand} << lift;
  const U128 value = dividend / y.significand;
  const bool sticky = dividend % y.significand != 0;
  Result result =
      finish(f, op, pack(f, negative, value, x.exponent - y.exponent - lift, sticky, op.rounding),
             !flushed, Tininess::kResult);
  // An approximate division is known to be exact only by powers of two; beyond 2^126 div.approx
  // gives 0 (9.7.3.8).
  const bool by_power =
      std::has_single_bit(y.significand) && bit_length(y.significand) + y.exponent < 127;
  if (op.rounding == Rounding::kApprox && !by_power) result.exact = false;
  return result;
}

uint64_t integer_root(U128 value) {
  auto root = static_cast<uint64_t>(std::sqrt(static_cast<double>(value)));
  while (U128{root} * root > value) --root;
  while (U128{root + 1} * (root + 1) <= value) ++root;
  return root;
}

}  // namespace

Result fadd(Op op, uint64_t a, uint64_t b, uint64_t) {
  return add_or_sub(op, a, b, false);
}
Result fsub(Op op, uint64_t a, uint64_t b, uint64_t) {
  return add_or_sub(op, a, b, true);
}

Result fmul(Op op, uint64_t a, uint64_t b, uint64_t) {
  const Format& f = soft::format_of(op.type);
  const bool flushed = flush_operands(f, op, &a, &b, nullptr);
  Result result;
  if (!(fast32(op) && round_pair(double{as_float(a)} * as_float(b), 0, op.ftz, &result))) {
    result = product(op, a, b);
  }
  result.exact = result.exact && !flushed;
  return result;
}

Result ffma(Op op, uint64_t a, uint64_t b, uint64_t c) {
  const Format& f = soft::format_of(op.type);
  const bool flushed = flush_operands(f, op, &a, &b, &c);
  Result result;
  if (!(fast32(op) && fast_sum(double{as_float(a)} * as_float(b), as_float(c), op.ftz, &result))) {
    result = fused(op, a, b, c, {b, c, a});
  }
  result.exact = result.exact && !flushed;
  return result;
}

// div.approx.f32 is a * (1/b), and 1/b is flushed for |b| in (2^126, 2^128): the quotient is then a
// zero, of an infinity a NaN (9.7.3.8). div.full, marked by Op::nan, scales its operands first.
Result fdiv(Op op, uint64_t a, uint64_t b, uint64_t) {
  constexpr uint64_t kTwo126 = 0x7e800000, kInfinity = 0x7f800000, kMagnitude = 0x7fffffff;
  if (op.rounding == Rounding::kApprox && op.type == Type::kF32 && !op.nan) {
    const uint64_t divisor = b & kMagnitude, dividend = a & kMagnitude;
    if (divisor > kTwo126 && divisor < kInfinity && dividend <= kInfinity) {
      const Format& f = soft::format_of(op.type);
      if (dividend == kInfinity) return nan_result(f, op, {});
      return {(a ^ b) & f.sign(), false};
    }
  }
  return quotient(op, a, b);
}
Result frcp(Op op, uint64_t a, uint64_t, uint64_t) {
  if (op.rounding == Rounding::kApprox) a = without_low_nan(op, a);
  return quotient(op, soft::format_of(op.type).one(), a);
}

Result fsqrt(Op op, uint64_t a, uint64_t, uint64_t) {
  const Format& f = soft::format_of(op.type);
  const bool flushed = flush_operands(f, op, &a, nullptr, nullptr);
  const Unpacked x = unpack(f, a);
  if (x.kind == Class::kNan) return nan_result(f, op, {a});
  if (x.kind == Class::kZero) return zero_result(f, op, x.negative, !flushed);
  if (x.negative) return nan_result(f, op, {});
  if (x.kind == Class::kInfinity) return infinity_result(f, op, false, false);
  int lift = 124 - bit_length(x.significand);
  if (((x.exponent - lift) & 1) != 0) --lift;
  const U128 radicand = U128{x.significand} << lift;
  const uint64_t root = integer_root(radicand);
  const bool sticky = U128{root} * root != radicand;
  Result result = finish(f, op, pack(f, false, root, (x.exponent - lift) / 2, sticky, op.rounding),
                         !flushed, Tininess::kResult);
  if (op.rounding == Rounding::kApprox && !std::has_single_bit(root)) result.exact = false;
  return result;
}

}  // namespace ptxequiv::op::handlers
