// Exact rationals, small ones without allocation: almost every coefficient of a normal form is a
// small integer or a dyadic fraction.
#pragma once
#include <gmpxx.h>

#include <cstdint>
#include <string>
#include <utility>

namespace ptxequiv::real {

class Coefficient {
 public:
  Coefficient() = default;
  Coefficient(int64_t value) : num_(value) {  // NOLINT: integers are coefficients
    if (value == INT64_MIN) assign(mpq_class(value));
  }
  explicit Coefficient(const mpq_class& value) { assign(value); }
  Coefficient(const Coefficient& other) : num_(other.num_), den_(other.den_) {
    if (other.is_big()) copy_big(other);
  }
  Coefficient(Coefficient&& other) noexcept
      : num_(std::exchange(other.num_, 0)), den_(std::exchange(other.den_, 1)) {}
  Coefficient& operator=(const Coefficient& other) {
    if (this != &other) *this = Coefficient(other);
    return *this;
  }
  Coefficient& operator=(Coefficient&& other) noexcept {
    std::swap(num_, other.num_);
    std::swap(den_, other.den_);
    return *this;
  }
  ~Coefficient() {
    if (is_big()) drop_big();
  }

  bool is_zero() const { return num_ == 0; }
  bool is_one() const { return num_ == 1 && den_ == 1; }
  bool is_integer() const;
  int sign() const;
  mpq_class to_mpq() const;
  mpz_class numerator() const { return to_mpq().get_num(); }
  mpz_class denominator() const { return to_mpq().get_den(); }
  std::string to_string() const { return to_mpq().get_str(); }
  double to_double() const;
  uint64_t hash() const;
  Coefficient inverse() const;
  Coefficient shifted(int64_t power_of_two) const;  // times 2^power_of_two
  // Rational content of two: the largest positive g with both integer multiples of it.
  static Coefficient gcd(const Coefficient& a, const Coefficient& b);

  Coefficient operator-() const;
  friend Coefficient operator+(const Coefficient& a, const Coefficient& b);
  friend Coefficient operator*(const Coefficient& a, const Coefficient& b);
  friend Coefficient operator-(const Coefficient& a, const Coefficient& b) { return a + -b; }
  friend Coefficient operator/(const Coefficient& a, const Coefficient& b) {
    return a * b.inverse();
  }
  friend bool operator==(const Coefficient& a, const Coefficient& b) {
    if (a.is_big() || b.is_big()) return a.is_big() && b.is_big() && a.big() == b.big();
    return a.num_ == b.num_ && a.den_ == b.den_;
  }
  friend bool operator<(const Coefficient& a, const Coefficient& b) { return (a - b).sign() < 0; }

 private:
  // Small: num_/den_ in lowest terms, den_ > 0, num_ not INT64_MIN. Big: den_ == 0 and num_ is a
  // pointer to a canonical mpq_class that does not fit (so the two forms never mean one value).
  bool is_big() const { return den_ == 0; }
  const mpq_class& big() const { return *reinterpret_cast<const mpq_class*>(num_); }
  void assign(const mpq_class& value);
  void copy_big(const Coefficient& other);
  void drop_big();
  static Coefficient small(int64_t num, int64_t den) {
    Coefficient c;
    c.num_ = num;
    c.den_ = den;
    return c;
  }

  int64_t num_ = 0;
  int64_t den_ = 1;
};

}  // namespace ptxequiv::real
