// Operand bits that find mistakes: special codes, and random ones near each other in exponent.
#pragma once
#include <cstdint>
#include <random>

#include "op/op.h"

namespace ptxequiv::op {

class Operands {
 public:
  explicit Operands(uint64_t seed) : random_(seed) {}

  uint64_t bits(unsigned width) { return random_() & mask(width); }
  // Any code of a float type; `finite` leaves out infinities and NaN.
  uint64_t any_float(Type type, bool finite = false) {
    while (true) {
      const uint64_t value = pick_float(type);
      const uint64_t exponents = exponent_mask(type);
      if (!finite || (value & exponents) != exponents) return value;
    }
  }
  // Integers: small, near a power of two, all ones and the like, or random.
  uint64_t any_integer(unsigned width) {
    const unsigned shift = static_cast<unsigned>(random_() % width);
    switch (random_() % 6) {
      case 0:
        return random_() % 5 & mask(width);
      case 1:
        return (uint64_t{0} - random_() % 5) & mask(width);
      case 2:
        return ((uint64_t{1} << shift) + random_() % 3 - 1) & mask(width);
      case 3:
        return ~(uint64_t{1} << shift) & mask(width);
      case 4:
        return bits(width) & mask(shift + 1);
      default:
        return bits(width);
    }
  }

 private:
  static uint64_t exponent_mask(Type type) {
    const TypeInfo& t = info(type);
    return mask(t.bits - 1) & ~mask(t.precision - 1u);
  }
  uint64_t pick_float(Type type) {
    const TypeInfo& t = info(type);
    const uint64_t sign = (random_() & 1) << (t.bits - 1);
    const unsigned fraction = t.precision - 1u;
    const auto bias = static_cast<uint64_t>(t.max_exponent);
    uint64_t significand = random_() & mask(fraction);
    if (random_() % 4 == 0) significand &= random_() & random_() & random_();
    if (random_() % 8 == 0) significand = mask(fraction) - random_() % 2;
    if (random_() % 8 == 0) significand = random_() % 3;
    significand &= mask(fraction);
    switch (random_() % 5) {
      case 0:
        return sign | significand;  // subnormal or zero
      case 1:
        return sign | (random_() % 3 + 1) << fraction | significand;  // just above
      case 2:
        return sign | (2 * bias - random_() % 3) << fraction | significand;
      case 3:
        return sign | (bias + random_() % 9 - 4) << fraction | significand;
      default:
        return sign | (random_() & mask(t.bits - 1));
    }
  }

  std::mt19937_64 random_;
};

}  // namespace ptxequiv::op
