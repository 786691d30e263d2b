#include "real/span.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <iterator>

namespace ptxequiv::real {
namespace {

const SpanArithmetic kArithmetic(100);

Span of(double low, double high) {
  return {Dyadic(mpq_class(low), false, 60), Dyadic(mpq_class(high), true, 60)};
}
bool holds(const Span& s, double x, double slack = 0) {
  return s.low <= Dyadic(mpq_class(x + slack), true, 80) &&
         Dyadic(mpq_class(x - slack), false, 80) <= s.high;
}

}  // namespace

TEST_CASE("ends are rounded outwards") {
  const Span third = kArithmetic.rational(mpq_class(1, 3));
  CHECK(third.low < third.high);
  CHECK(third.low.rational() < mpq_class(1, 3));
  CHECK(third.high.rational() > mpq_class(1, 3));
  CHECK(kArithmetic.rational(mpq_class(1, 4)).is_point());
}

TEST_CASE("infinite ends keep finite ones exact") {
  const Span tail{Dyadic(20), Dyadic::infinity(false)};
  CHECK(kArithmetic.add(tail, of(1, 1)).low == Dyadic(21));
  CHECK_FALSE(kArithmetic.add(tail, of(1, 1)).high.finite());
  CHECK(kArithmetic.mul(tail, Span::integer(0)).is_zero());
  CHECK(kArithmetic.mul(of(0, 1), tail).low.zero());
  CHECK(kArithmetic.inverse(tail).low.zero());
  CHECK_FALSE(kArithmetic.sub(tail, tail).low.finite());
  CHECK_FALSE(kArithmetic.sub(tail, tail).high.finite());
}

TEST_CASE("an inverse across zero is anything, beside it half of that") {
  CHECK_FALSE(kArithmetic.inverse(of(-1, 1)).low.finite());
  const Span beside = kArithmetic.inverse(of(0, 2));
  CHECK(beside.low == Dyadic(mpq_class(1, 2), false, 10));
  CHECK_FALSE(beside.high.finite());
  CHECK(kArithmetic.inverse(of(-2, 0)).high == Dyadic(mpq_class(-1, 2), false, 10));
}

TEST_CASE("functions and their slopes at points") {
  struct Row {
    Kind kind;
    double (*value)(double);
    double x;
  };
  const Row rows[] = {
      {Kind::kSqrt, std::sqrt, 2},   {Kind::kExp, std::exp, 1.5}, {Kind::kExp2, std::exp2, -3.25},
      {Kind::kLog, std::log, 0.3},   {Kind::kLog2, std::log2, 7}, {Kind::kSin, std::sin, 2.5},
      {Kind::kCos, std::cos, -1},    {Kind::kTanh, std::tanh, 0.7}, {Kind::kErf, std::erf, -0.4},
  };
  for (const Row& row : rows) {
    const Span x = of(row.x, row.x);
    CHECK(holds(kArithmetic.function(row.kind, x), row.value(row.x), 1e-14));
    const double h = 1e-5;
    const double slope = (row.value(row.x + h) - row.value(row.x - h)) / (2 * h);
    CHECK(holds(kArithmetic.slope(row.kind, x), slope, 1e-8));
    // On an interval: all of both ends.
    const Span wide = kArithmetic.function(row.kind, of(row.x, row.x + 0.25));
    CHECK(holds(wide, row.value(row.x + 0.25), 1e-14));
  }
}

TEST_CASE("softplus neither overflows nor cancels") {
  const Span far = kArithmetic.softplus(of(1e30, 1e30));
  CHECK(far.low == Dyadic(mpq_class(1e30), false, 100));
  CHECK(holds(kArithmetic.softplus(of(0, 0)), std::log(2), 1e-15));
  CHECK(kArithmetic.softplus(of(-1e30, -1e30)).low.zero());
  CHECK(holds(kArithmetic.logistic(of(2, 2)), 1 / (1 + std::exp(-2.0)), 1e-15));
}

TEST_CASE("exp of very large arguments stays an enclosure") {
  const Span huge = kArithmetic.function(Kind::kExp, of(1e20, 1e30));
  CHECK(huge.low.finite());
  CHECK_FALSE(huge.high.finite());
  const Span tiny = kArithmetic.function(Kind::kExp, of(-1e30, -1e20));
  CHECK(tiny.low.zero());
  CHECK(Dyadic(0) < tiny.high);
}

}  // namespace ptxequiv::real
