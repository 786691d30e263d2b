// Intervals with dyadic ends that may be infinite, rounded outwards: sets that contain a finite
// real. Unlike a ball they keep one end exact however far away the other is.
#pragma once
#include <arf.h>
#include <gmpxx.h>

#include <optional>

#include "real/dag.h"

namespace ptxequiv::real {

class Dyadic {
 public:
  Dyadic() { arf_init(value_); }
  ~Dyadic() { arf_clear(value_); }
  Dyadic(const Dyadic& other) : Dyadic() { arf_set(value_, other.value_); }
  Dyadic(Dyadic&& other) noexcept : Dyadic() { arf_swap(value_, other.value_); }
  Dyadic& operator=(Dyadic other) noexcept {
    arf_swap(value_, other.value_);
    return *this;
  }
  explicit Dyadic(long value) : Dyadic() { arf_set_si(value_, value); }
  static Dyadic infinity(bool negative);
  // Rounded down, or up.
  Dyadic(const mpq_class& value, bool up, long precision);

  arf_ptr get() { return value_; }
  arf_srcptr get() const { return value_; }
  int sign() const { return arf_sgn(value_); }
  bool finite() const { return arf_is_finite(value_) != 0; }
  bool zero() const { return arf_is_zero(value_) != 0; }
  mpq_class rational() const;  // of a finite one
  // log2 of the magnitude, roughly, between -10^6 and 10^6.
  long exponent() const;
  friend bool operator==(const Dyadic& a, const Dyadic& b) { return arf_equal(a.value_, b.value_); }
  friend bool operator<(const Dyadic& a, const Dyadic& b) {
    return arf_cmp(a.value_, b.value_) < 0;
  }
  friend bool operator<=(const Dyadic& a, const Dyadic& b) {
    return arf_cmp(a.value_, b.value_) <= 0;
  }

 private:
  arf_t value_;
};

struct Span {
  Dyadic low, high;

  static Span all() { return {Dyadic::infinity(true), Dyadic::infinity(false)}; }
  static Span point(const Dyadic& x) { return {x, x}; }
  static Span integer(long x) { return point(Dyadic(x)); }
  bool finite() const { return low.finite() && high.finite(); }
  bool is_point() const { return low == high && low.finite(); }
  bool is_zero() const { return low.zero() && high.zero(); }
  bool contains_zero() const { return low.sign() <= 0 && high.sign() >= 0; }
  bool empty() const { return high < low; }
};

// Arithmetic at one precision.
class SpanArithmetic {
 public:
  explicit SpanArithmetic(long precision) : precision_(precision) {}

  Span rational(const mpq_class& value) const;
  Span log2e() const;
  Span add(const Span& a, const Span& b) const;
  Span sub(const Span& a, const Span& b) const { return add(a, negate(b)); }
  Span mul(const Span& a, const Span& b) const;  // an end 0 times an infinite one is 0
  Span square(const Span& a) const;
  // 1/x for the x in `a` that are not zero.
  Span inverse(const Span& a) const;
  Span negate(const Span& a) const;
  Span half(const Span& a) const;
  // A point inside (of a finite end, if one is infinite).
  Dyadic middle(const Span& a) const;
  Dyadic width(const Span& a) const;       // rounded up
  Dyadic magnitude(const Span& a) const;   // the largest absolute value

  // kSqrt ... kErf of those values that are in the domain.
  Span function(Kind kind, const Span& a) const;
  Span slope(Kind kind, const Span& a) const;  // of its derivative there
  // log(1 + e^x), without overflow, and its derivative.
  Span softplus(const Span& a) const;
  Span logistic(const Span& a) const;

  long precision() const { return precision_; }

 private:
  Dyadic end(Kind kind, const Dyadic& x, bool upper) const;
  Dyadic softplus_end(const Dyadic& x, bool upper) const;
  Dyadic product(const Dyadic& a, const Dyadic& b, bool upper) const;
  long precision_;
};

Span intersect(const Span& a, const Span& b);
Span hull(const Span& a, const Span& b);
Span lesser(const Span& a, const Span& b);
Span greater(const Span& a, const Span& b);

}  // namespace ptxequiv::real
