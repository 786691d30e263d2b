// Interval arithmetic with rational ends that may be open or infinite: bounds of forms.
#pragma once
#include <gmpxx.h>

#include <optional>

namespace ptxequiv::real {

struct Range {
  std::optional<mpq_class> low, high;  // absent: unbounded
  bool low_open = false, high_open = false;

  static Range all() { return {}; }
  static Range point(const mpq_class& value) { return {value, value, false, false}; }
  static Range above_zero() { return {mpq_class(0), std::nullopt, true, false}; }

  bool is_positive() const { return low && (sgn(*low) > 0 || (sgn(*low) == 0 && low_open)); }
  bool is_negative() const { return high && (sgn(*high) < 0 || (sgn(*high) == 0 && high_open)); }
  bool is_nonnegative() const { return low && sgn(*low) >= 0; }
  bool is_nonpositive() const { return high && sgn(*high) <= 0; }
  bool is_unbounded() const { return !low && !high; }
};

Range operator+(const Range& a, const Range& b);
Range operator*(const Range& a, const Range& b);
Range operator-(const Range& a);
Range intersect(const Range& a, const Range& b);
// The larger of a value in each.
Range maximum(const Range& a, const Range& b);
// a^(power/64) wherever that is defined.
Range power(const Range& a, int power);
Range exp2(const Range& a);
Range log2(const Range& a);

}  // namespace ptxequiv::real
