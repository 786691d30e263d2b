// Found on an H200, bit for bit (shared/vectors/instructions/README.md, "Tensor cores"). A pass
// cuts every term toward zero to a multiple of 2^(e - 25), e the largest exponent of a product (the
// sum of its factors' exponents) or of the accumulator. The sum of the cut terms is exact; an f32
// result is that sum cut to 24 bits, an f16 result is rounded to nearest even.
#include "op/dot.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/error.h"
#include "op/softfloat.h"

namespace ptxequiv::op {
namespace {

constexpr int kKeptBits = 25;        // below the largest exponent
constexpr int kFactorFraction = 10;  // of the widest factors: f16 and tf32
constexpr int kSumFraction = 23;     // of the accumulator's normalised significand

struct Sum {
  int64_t value = 0;  // in units of 2^(top - kKeptBits)
  bool exact = true;
};

// Adds (-1)^negative * magnitude, of which the low `distance` bits are cut.
void add(Sum& sum, bool negative, uint64_t magnitude, int distance) {
  const int shift = std::min(distance, 63);
  const auto cut = static_cast<int64_t>(magnitude >> shift);
  sum.exact = sum.exact && static_cast<uint64_t>(cut) << shift == magnitude;
  sum.value += negative ? -cut : cut;
}

Result rounded(Type result, const Sum& sum, int top) {
  const soft::Format& format = soft::format_of(result);
  if (sum.value == 0) return {0, sum.exact};
  const bool negative = sum.value < 0;
  const auto magnitude = static_cast<uint64_t>(negative ? -sum.value : sum.value);
  const bool nearest = result == Type::kF16;
  soft::Rounded value = soft::pack(format, negative, magnitude, top - kKeptBits, false,
                                   nearest ? Rounding::kRn : Rounding::kRz);
  const int exponent = static_cast<int>(std::bit_width(magnitude)) - 1 + top - kKeptBits;
  const int largest = (1 << (format.exponent_bits - 1)) - 1;
  if (!nearest && exponent > largest) {
    value.bits = format.infinity() | (negative ? format.sign() : 0);
    value.exact = false;
  }
  if (value.bits == format.sign()) value.bits = 0;  // a zero result is +0
  return {value.bits, sum.exact && value.exact};
}

}  // namespace

DotFactor dot_factor(Type type, uint64_t bits) {
  const soft::Format& format = soft::format_of(type);
  DotFactor factor;
  bits >>= format.shift;
  const bool negative = (bits >> (format.width - format.shift - 1) & 1) != 0;
  const auto fraction = static_cast<int32_t>(bits & mask(format.fraction));
  const auto exponent = static_cast<int>(bits >> format.fraction & mask(format.exponent_bits));
  if (exponent == static_cast<int>(mask(format.exponent_bits))) {
    factor.nan = fraction != 0;
    factor.infinite = fraction == 0;
    factor.significand = negative ? -1 : 1;  // of an infinity: the sign
    return factor;
  }
  const int32_t hidden = exponent != 0 ? 1 << format.fraction : 0;
  const int32_t magnitude = (fraction | hidden) << (kFactorFraction - format.fraction);
  if (magnitude == 0) return factor;
  factor.significand = negative ? -magnitude : magnitude;
  factor.exponent = static_cast<int16_t>(std::max(exponent, 1) - format.bias);
  return factor;
}

Result dot_pass(Type type, uint64_t accumulator, Type result, const DotFactor* a,
                const DotFactor* b, unsigned count) {
  const soft::Format& format = soft::format_of(type);
  const soft::Format& to = soft::format_of(result);
  const soft::Unpacked start = soft::unpack(format, accumulator);
  bool special = start.kind == soft::Class::kInfinity || start.kind == soft::Class::kNan;
  int top = -(1 << 20);
  for (unsigned i = 0; i < count; ++i) {
    top = std::max(top, a[i].exponent + b[i].exponent);
    special = special || a[i].infinite || a[i].nan || b[i].infinite || b[i].nan;
  }
  if (special) {
    bool nan = start.kind == soft::Class::kNan;
    bool infinite[2] = {false, false};  // +, -
    if (start.kind == soft::Class::kInfinity) infinite[start.negative] = true;
    for (unsigned i = 0; i < count; ++i) {
      if (a[i].nan || b[i].nan) nan = true;
      if (!a[i].infinite && !b[i].infinite) continue;
      if (a[i].significand == 0 || b[i].significand == 0) nan = true;
      infinite[(a[i].significand < 0) != (b[i].significand < 0)] = true;
    }
    if (nan || (infinite[0] && infinite[1])) return {to.canonical_nan(), false};
    return {to.infinity() | (infinite[1] ? to.sign() : 0), true};
  }
  uint64_t significand = 0;
  int exponent = 0;
  if (start.kind == soft::Class::kFinite) {
    const int spare = std::countl_zero(start.significand) - (63 - kSumFraction);
    significand = start.significand << spare;
    exponent = start.exponent - spare + kSumFraction;
    top = std::max(top, exponent);
  }
  if (top <= DotFactor::kZeroExponent / 2) return {0, true};  // nothing but zeros
  Sum sum;
  constexpr int kProductShift = kKeptBits - 2 * kFactorFraction;
  constexpr int kStartShift = kKeptBits - kSumFraction;
  if (significand != 0) add(sum, start.negative, significand << kStartShift, top - exponent);
  for (unsigned i = 0; i < count; ++i) {
    const int32_t product = a[i].significand * b[i].significand;
    const auto magnitude = static_cast<uint64_t>(product < 0 ? -product : product);
    add(sum, product < 0, magnitude << kProductShift, top - (a[i].exponent + b[i].exponent));
  }
  return rounded(result, sum, top);
}

Result evaluate_dot(Op term, Op close, uint64_t accumulator, std::span<const Factors> factors) {
  PTXEQUIV_CHECK(factors.size() <= kMaxFactors, "a tensor core's pass has fewer factors");
  std::array<DotFactor, kMaxFactors> a, b;
  for (size_t i = 0; i < factors.size(); ++i) {
    a[i] = dot_factor(term.src, factors[i].a);
    b[i] = dot_factor(term.src, factors[i].b);
  }
  return dot_pass(close.src, accumulator, close.type, a.data(), b.data(),
                  static_cast<unsigned>(factors.size()));
}

}  // namespace ptxequiv::op
