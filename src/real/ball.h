// Ball arithmetic (Arb 2.23) with owned values. The only header that includes Arb.
#pragma once
#include <arb.h>
#include <gmpxx.h>

#include <optional>
#include <utility>

namespace ptxequiv::real {

class Ball {
 public:
  Ball() { arb_init(value_); }
  ~Ball() { arb_clear(value_); }
  Ball(const Ball& other) : Ball() { arb_set(value_, other.value_); }
  Ball(Ball&& other) noexcept : Ball() { arb_swap(value_, other.value_); }
  Ball& operator=(Ball other) noexcept {
    arb_swap(value_, other.value_);
    return *this;
  }
  Ball(const mpq_class& value, long precision);

  arb_ptr get() { return value_; }
  arb_srcptr get() const { return value_; }
  // Rational bounds: the ends, or numbers beside them where those would take too much to write out.
  // Nothing where they are no numbers, or too large.
  std::optional<std::pair<mpq_class, mpq_class>> ends() const;
  double midpoint() const;

 private:
  arb_t value_;
};

// The smallest ball around both, at a precision.
Ball hull(const Ball& a, const Ball& b, long precision);

}  // namespace ptxequiv::real
