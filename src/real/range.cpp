#include "real/range.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "real/dag_fold.h"

namespace ptxequiv::real {
namespace {

constexpr int kUnit = 64;

// One end: infinite (-1, +1) or finite.
struct End {
  int infinite = 0;
  mpq_class value;
  bool open = false;

  bool is_zero() const { return infinite == 0 && sgn(value) == 0; }
  int sign() const { return infinite != 0 ? infinite : sgn(value); }
};

End low_end(const Range& r) {
  return r.low ? End{0, *r.low, r.low_open} : End{-1, 0, true};
}
End high_end(const Range& r) {
  return r.high ? End{0, *r.high, r.high_open} : End{1, 0, true};
}

int compare(const End& a, const End& b) {
  if (a.infinite != b.infinite) return a.infinite < b.infinite ? -1 : 1;
  return a.infinite != 0 ? 0 : cmp(a.value, b.value);
}

End product(const End& a, const End& b) {
  if (a.is_zero() && b.is_zero()) return {0, 0, a.open && b.open};
  if (a.is_zero()) return {0, 0, a.open};  // 0 is reached if the zero is, whatever the other end
  if (b.is_zero()) return {0, 0, b.open};
  if (a.infinite != 0 || b.infinite != 0) return {a.sign() * b.sign(), 0, true};
  return {0, a.value * b.value, a.open || b.open};
}

Range between(const End& low, const End& high) {
  Range r;
  if (low.infinite == 0) {
    r.low = low.value;
    r.low_open = low.open;
  }
  if (high.infinite == 0) {
    r.high = high.value;
    r.high_open = high.open;
  }
  return r;
}

mpq_class integer_power(const mpq_class& base, unsigned n) {
  mpq_class result;
  mpz_pow_ui(result.get_num().get_mpz_t(), base.get_num().get_mpz_t(), n);
  mpz_pow_ui(result.get_den().get_mpz_t(), base.get_den().get_mpz_t(), n);
  return result;
}

mpq_class two_to(long n) {
  mpq_class result(1);
  if (n >= 0) mpq_mul_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(n));
  if (n < 0) mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(-n));
  return result;
}

// a >= 0 to a positive power.
Range monotone_power(const Range& a, int power) {
  Range r;
  const auto whole = static_cast<unsigned>((power + kUnit - 1) / kUnit);
  const bool exact = power % kUnit == 0;
  auto bound = [&](const mpq_class& end, bool lower) {
    mpq_class p = integer_power(end, whole);
    // b^r lies between 1 and b^ceil(r).
    if (!exact && (lower ? p > 1 : p < 1)) p = 1;
    return p;
  };
  r.low = a.low && sgn(*a.low) > 0 ? bound(*a.low, true) : mpq_class(0);
  r.low_open = a.low && sgn(*a.low) >= 0 && a.low_open && (exact || sgn(*a.low) == 0);
  if (a.high) {
    r.high = bound(*a.high, false);
    r.high_open = exact && a.high_open;
  }
  return r;
}

Range reciprocal(const Range& a) {
  // The end at zero is left out: where a is 0 the power is not defined.
  Range r;
  if (a.low && a.high && sgn(*a.low) == 0 && sgn(*a.high) == 0) return r;
  if (a.is_nonnegative()) {
    r.low = a.high ? mpq_class(1 / *a.high) : mpq_class(0);
    r.low_open = a.high ? a.high_open : true;
    if (sgn(*a.low) > 0) {
      r.high = 1 / *a.low;
      r.high_open = a.low_open;
    }
  } else if (a.is_nonpositive()) {
    r = -reciprocal(-a);
  }
  return r;
}

}  // namespace

Range operator+(const Range& a, const Range& b) {
  Range r;
  if (a.low && b.low) {
    r.low = *a.low + *b.low;
    r.low_open = a.low_open || b.low_open;
  }
  if (a.high && b.high) {
    r.high = *a.high + *b.high;
    r.high_open = a.high_open || b.high_open;
  }
  return r;
}

Range operator-(const Range& a) {
  Range r;
  if (a.high) r.low = -*a.high;
  if (a.low) r.high = -*a.low;
  r.low_open = a.high_open;
  r.high_open = a.low_open;
  return r;
}

Range operator*(const Range& a, const Range& b) {
  const std::array<End, 4> ends = {
      product(low_end(a), low_end(b)), product(low_end(a), high_end(b)),
      product(high_end(a), low_end(b)), product(high_end(a), high_end(b))};
  End low = ends[0], high = ends[0];
  for (const End& e : ends) {
    const int below = compare(e, low), above = compare(e, high);
    if (below < 0) low = e;
    if (below == 0) low.open = low.open && e.open;
    if (above > 0) high = e;
    if (above == 0) high.open = high.open && e.open;
  }
  // A zero strictly inside either factor is reached though it is no end.
  auto has_zero = [](const Range& r) { return !r.is_positive() && !r.is_negative(); };
  if (has_zero(a) || has_zero(b)) {
    if (low.is_zero()) low.open = false;
    if (high.is_zero()) high.open = false;
  }
  return between(low, high);
}

Range intersect(const Range& a, const Range& b) {
  Range r = a;
  if (b.low && (!r.low || *b.low > *r.low || (*b.low == *r.low && b.low_open))) {
    r.low = b.low;
    r.low_open = b.low_open;
  }
  if (b.high && (!r.high || *b.high < *r.high || (*b.high == *r.high && b.high_open))) {
    r.high = b.high;
    r.high_open = b.high_open;
  }
  return r;
}

Range maximum(const Range& a, const Range& b) {
  Range r = a;
  if (b.low && (!r.low || *b.low > *r.low || (*b.low == *r.low && b.low_open))) {
    r.low = b.low;
    r.low_open = b.low_open;
  }
  if (!b.high || !r.high) {
    r.high.reset();
  } else if (*b.high > *r.high) {
    r.high = b.high;
    r.high_open = b.high_open;
  } else if (*b.high == *r.high) {
    r.high_open = r.high_open && b.high_open;
  }
  return r;
}

Range power(const Range& a, int power) {
  const int size = std::abs(power);
  if (size > 64 * kUnit)
    return power % (2 * kUnit) == 0 ? Range{mpq_class(0), {}, power < 0} : Range{};
  Range r;
  if (size % kUnit != 0) {
    r = monotone_power(intersect(a, {mpq_class(0), std::nullopt}), size);
  } else if (a.is_nonnegative()) {
    r = monotone_power(a, size);
  } else if (size % (2 * kUnit) == 0) {
    r = a.is_nonpositive() ? monotone_power(-a, size)
                           : maximum(monotone_power(intersect(a, {mpq_class(0), {}}), size),
                                     monotone_power(intersect(-a, {mpq_class(0), {}}), size));
    if (!a.is_nonpositive()) {
      r.low = 0;
      r.low_open = false;
    }
  } else if (a.is_nonpositive()) {
    r = -monotone_power(-a, size);
  } else {
    r.low =
        a.low ? std::optional<mpq_class>(integer_power(*a.low, static_cast<unsigned>(size / kUnit)))
              : std::nullopt;
    r.high =
        a.high
            ? std::optional<mpq_class>(integer_power(*a.high, static_cast<unsigned>(size / kUnit)))
            : std::nullopt;
  }
  return power < 0 ? reciprocal(r) : r;
}

Range exp2(const Range& a) {
  constexpr long kLimit = 512;
  Range r = Range::above_zero();
  if (a.low && *a.low >= -kLimit) {
    const mpz_class n = floor(*a.low);
    r.low = two_to(n < kLimit ? n.get_si() : kLimit);
    r.low_open = false;
  }
  if (a.high && *a.high <= kLimit) {
    const mpz_class n = ceil(*a.high);
    r.high = two_to(n > -kLimit ? n.get_si() : -kLimit);
  }
  return r;
}

Range log2(const Range& a) {
  // floor(log2) to within one by the sizes of numerator and denominator.
  auto estimate = [](const mpq_class& q) {
    return static_cast<long>(mpz_sizeinbase(q.get_num().get_mpz_t(), 2)) -
           static_cast<long>(mpz_sizeinbase(q.get_den().get_mpz_t(), 2));
  };
  Range r;
  if (a.low && sgn(*a.low) > 0)
    r.low = *a.low >= 1 ? std::max(0L, estimate(*a.low) - 1) : estimate(*a.low) - 1;
  if (a.high && sgn(*a.high) > 0) {
    r.high = *a.high <= 1 ? std::min(0L, estimate(*a.high) + 1) : estimate(*a.high) + 1;
  }
  if (r.low && *a.low > 1 && *r.low == 0) r.low_open = true;
  return r;
}

}  // namespace ptxequiv::real
