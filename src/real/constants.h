// What bit patterns of floats stand for: exact values, the bounds of formats, and literals that
// approximate multiples of log2 e and ln 2.
#pragma once
#include <gmpxx.h>

#include <cstdint>
#include <optional>

#include "op/type.h"

namespace ptxequiv::real {

struct FloatValue {
  enum class Class : uint8_t { kFinite, kInfinity, kNan } kind = Class::kFinite;
  bool negative = false;  // the sign bit, also of zeros
  mpq_class value;        // of kFinite
};
FloatValue decode(op::Type type, uint64_t bits);

// The largest finite value of a float format.
mpq_class max_finite(op::Type type);

// k * log2 e, or k * ln 2 (= k / log2 e).
struct LogMultiple {
  enum class Base : uint8_t { kLog2E, kLn2 } base;
  mpq_class factor;
};
// The multiple within one ulp of the literal with a factor n / 2^j, |n| <= 64, 0 <= j <= 10. Only
// f32 and f64: there at most 64 of the 2^23 significands have such a multiple for each base, so a
// literal that is meant otherwise is not caught by chance; an ulp of a narrower format is too wide.
std::optional<LogMultiple> log_multiple(op::Type type, uint64_t bits);

}  // namespace ptxequiv::real
