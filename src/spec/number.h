// The exact value of a number as it was written.
#pragma once
#include <gmpxx.h>

#include "spec/spec.h"

namespace ptxequiv::spec {

// "5", "-0.25e-3", "0x10", "0f3F800000", "0d3FF0000000000000", "inf", "nan".
struct ExactNumber {
  enum class Kind : uint8_t { kFinite, kInfinity, kNan };
  Kind kind = Kind::kFinite;
  bool negative = false;  // also of a zero and an infinity
  mpq_class value;        // when finite, with its sign
  // Written as the bits of a format: 32 or 64, else 0.
  unsigned bit_width = 0;
  uint64_t bits = 0;
};

// Throws base::InputError (without a place) if the text is no number, or beyond 10^400 or below
// 10^-400 in magnitude.
ExactNumber exact(const Number& number);

// -1, 0, 1. Both must not be NaN.
int compare(const Number& a, const Number& b);

}  // namespace ptxequiv::spec
