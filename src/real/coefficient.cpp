#include "real/coefficient.h"

#include <cmath>
#include <numeric>

#include "base/error.h"

namespace ptxequiv::real {
namespace {

__extension__ typedef __int128 Wide;

uint64_t magnitude(int64_t x) {
  return x < 0 ? 0 - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
}

bool fits(Wide x) {
  return x > INT64_MIN && x <= INT64_MAX;
}

}  // namespace

void Coefficient::assign(const mpq_class& value) {
  if (is_big()) drop_big();
  const mpz_class& num = value.get_num();
  const mpz_class& den = value.get_den();
  if (num.fits_slong_p() && den.fits_slong_p() && num.get_si() != INT64_MIN) {
    num_ = num.get_si();
    den_ = den.get_si();
    return;
  }
  num_ = reinterpret_cast<int64_t>(new mpq_class(value));
  den_ = 0;
}

void Coefficient::copy_big(const Coefficient& other) {
  num_ = reinterpret_cast<int64_t>(new mpq_class(other.big()));
}

void Coefficient::drop_big() {
  delete reinterpret_cast<mpq_class*>(num_);
  num_ = 0;
  den_ = 1;
}

bool Coefficient::is_integer() const {
  return is_big() ? big().get_den() == 1 : den_ == 1;
}

int Coefficient::sign() const {
  if (is_big()) return sgn(big());
  return num_ > 0 ? 1 : num_ < 0 ? -1 : 0;
}

mpq_class Coefficient::to_mpq() const {
  if (is_big()) return big();
  return mpq_class(mpz_class(num_), mpz_class(den_));
}

double Coefficient::to_double() const {
  if (is_big()) return big().get_d();
  return static_cast<double>(num_) / static_cast<double>(den_);
}

uint64_t Coefficient::hash() const {
  constexpr uint64_t kMix = 0x9e3779b97f4a7c15u;
  if (!is_big()) {
    return (static_cast<uint64_t>(num_) * kMix) ^ (static_cast<uint64_t>(den_) << 17);
  }
  uint64_t h = static_cast<uint64_t>(sgn(big()) + 2);
  for (const mpz_class* part : {&big().get_num(), &big().get_den()}) {
    for (size_t i = 0; i < mpz_size(part->get_mpz_t()); ++i) {
      h = (h ^ mpz_getlimbn(part->get_mpz_t(), static_cast<mp_size_t>(i))) * kMix;
      h ^= h >> 29;
    }
  }
  return h;
}

Coefficient Coefficient::inverse() const {
  PTXEQUIV_CHECK(!is_zero(), "inverse of zero");
  if (is_big()) return Coefficient(mpq_class(1) / big());
  return num_ < 0 ? small(-den_, -num_) : small(den_, num_);
}

Coefficient Coefficient::shifted(int64_t power_of_two) const {
  if (power_of_two == 0 || is_zero()) return *this;
  mpq_class value = to_mpq();
  if (power_of_two > 0) {
    mpq_mul_2exp(value.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(power_of_two));
  } else {
    mpq_div_2exp(value.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(-power_of_two));
  }
  return Coefficient(value);
}

Coefficient Coefficient::gcd(const Coefficient& a, const Coefficient& b) {
  if (!a.is_big() && !b.is_big() && a.den_ == 1 && b.den_ == 1) {
    return small(static_cast<int64_t>(std::gcd(magnitude(a.num_), magnitude(b.num_))), 1);
  }
  mpq_class result;
  const mpq_class p = a.to_mpq(), q = b.to_mpq();
  mpz_gcd(result.get_num().get_mpz_t(), p.get_num().get_mpz_t(), q.get_num().get_mpz_t());
  mpz_lcm(result.get_den().get_mpz_t(), p.get_den().get_mpz_t(), q.get_den().get_mpz_t());
  result.canonicalize();
  return Coefficient(result);
}

Coefficient Coefficient::operator-() const {
  if (is_big()) return Coefficient(mpq_class(-big()));
  return small(-num_, den_);
}

Coefficient operator+(const Coefficient& a, const Coefficient& b) {
  if (a.is_big() || b.is_big()) return Coefficient(mpq_class(a.to_mpq() + b.to_mpq()));
  if (a.den_ == b.den_) {
    const Wide sum = Wide{a.num_} + b.num_;
    if (sum == 0) return {};
    if (fits(sum)) {
      const auto num = static_cast<int64_t>(sum);
      if (a.den_ == 1) return Coefficient::small(num, 1);
      const auto g = static_cast<int64_t>(std::gcd(magnitude(num), magnitude(a.den_)));
      return Coefficient::small(num / g, a.den_ / g);
    }
  } else {
    // With g = gcd of the denominators only factors of g can cancel (Knuth, 4.5.1).
    const auto g = static_cast<int64_t>(std::gcd(magnitude(a.den_), magnitude(b.den_)));
    const Wide t = Wide{a.num_} * (b.den_ / g) + Wide{b.num_} * (a.den_ / g);
    if (t == 0) return {};
    const auto r = static_cast<uint64_t>((t < 0 ? -t : t) % g);
    const auto g2 = static_cast<int64_t>(std::gcd(r, magnitude(g)));
    const Wide num = t / g2, den = Wide{a.den_ / g} * (b.den_ / g2);
    if (fits(num) && fits(den)) {
      return Coefficient::small(static_cast<int64_t>(num), static_cast<int64_t>(den));
    }
  }
  return Coefficient(mpq_class(a.to_mpq() + b.to_mpq()));
}

Coefficient operator*(const Coefficient& a, const Coefficient& b) {
  if (a.is_zero() || b.is_zero()) return {};
  if (!a.is_big() && !b.is_big()) {
    const auto g1 = a.num_ == 1 || b.den_ == 1
                        ? 1
                        : static_cast<int64_t>(std::gcd(magnitude(a.num_), magnitude(b.den_)));
    const auto g2 = b.num_ == 1 || a.den_ == 1
                        ? 1
                        : static_cast<int64_t>(std::gcd(magnitude(b.num_), magnitude(a.den_)));
    int64_t num = 0, den = 0;
    if (!__builtin_mul_overflow(a.num_ / g1, b.num_ / g2, &num) && num != INT64_MIN &&
        !__builtin_mul_overflow(a.den_ / g2, b.den_ / g1, &den)) {
      return Coefficient::small(num, den);
    }
  }
  return Coefficient(mpq_class(a.to_mpq() * b.to_mpq()));
}

}  // namespace ptxequiv::real
