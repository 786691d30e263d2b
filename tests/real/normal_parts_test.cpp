// The pieces that the normal form is made of, each by itself.
#include <catch2/catch.hpp>

#include <random>

#include "normal_support.h"
#include "real/coefficient.h"
#include "real/content.h"
#include "real/linear.h"
#include "real/range.h"

namespace ptxequiv::real::test {
namespace {

TEST_CASE("coefficients agree with gmp, small and large") {
  std::mt19937_64 random(7);
  auto pick = [&] {
    mpq_class q(
        mpz_class(static_cast<long>(random())) >> static_cast<unsigned>(random() % 63),
        (mpz_class(static_cast<unsigned long>(random())) >> static_cast<unsigned>(random() % 63)) +
            1);
    if (random() % 4 == 0) q *= q * q;
    q.canonicalize();
    return q;
  };
  for (int i = 0; i < 5000; ++i) {
    const mpq_class p = pick(), q = pick();
    const Coefficient a(p), b(q);
    CHECK((a + b).to_mpq() == p + q);
    CHECK((a - b).to_mpq() == p - q);
    CHECK((a * b).to_mpq() == p * q);
    if (sgn(q) != 0) CHECK((a / b).to_mpq() == p / q);
    CHECK((a == b) == (p == q));
    CHECK((a < b) == (p < q));
    CHECK(a.shifted(-5).to_mpq() == p / 32);
    // One value, one representation.
    CHECK(((a + b) - b) == a);
    CHECK(((a + b) - b).hash() == a.hash());
  }
  CHECK(Coefficient::gcd(6, 4) == Coefficient(2));
  CHECK(Coefficient::gcd(Coefficient(mpq_class(1, 6)), Coefficient(mpq_class(1, 4))) ==
        Coefficient(mpq_class(1, 12)));
}

TEST_CASE("content and primitive part") {
  const base::Deadline deadline = base::Deadline::never();
  Algebra g(1000, deadline);
  const Monomial x = g.of(g.leaf(AtomKind::kLeaf, 0, false)),
                 y = g.of(g.leaf(AtomKind::kLeaf, 1, false));
  const Monomial xy = g.multiply(x, y).monomial, xx = g.multiply(x, x).monomial;
  Poly p = {{xx, -4}, {xy, 6}};
  Algebra::sort_and_merge(p);
  const Split parts = split(g, p);
  CHECK(parts.content == x);
  REQUIRE(parts.primitive.size() == 2);
  CHECK(parts.primitive[0].coefficient.sign() > 0);
  CHECK(g.scale(parts.primitive, parts.scale, parts.content) == p);
  // Exponents: e^x + e^(x+y) has content e^x; translation does not change the primitive part.
  const Poly ex = {{x, 1}}, exy = g.add({{x, 1}}, {{y, 1}});
  Poly q = {{g.exponential(ex).monomial, 1}, {g.exponential(exy).monomial, 1}};
  Algebra::sort_and_merge(q);
  const Poly shifted = g.scale(q, 3, g.exponential({{y, -2}}).monomial);
  CHECK(split(g, q).primitive == split(g, shifted).primitive);
  CHECK(split(g, q).content == g.exponential(ex).monomial);
}

TEST_CASE("monomials: packed and interned ones are one") {
  const base::Deadline deadline = base::Deadline::never();
  Algebra g(1000, deadline);
  std::vector<Monomial> m;
  for (RealId i = 0; i < 5; ++i) m.push_back(g.of(g.leaf(AtomKind::kLeaf, i, false)));
  auto times = [&](Monomial a, Monomial b) { return g.multiply(a, b).monomial; };
  CHECK(times(m[0], m[1]) == times(m[1], m[0]));
  CHECK(times(times(m[2], m[0]), m[1]) == times(m[0], times(m[1], m[2])));
  const Monomial five = times(times(times(m[0], m[1]), times(m[2], m[3])), m[4]);
  CHECK(five == times(m[4], times(times(m[3], m[2]), times(m[1], m[0]))));
  CHECK(times(five, g.inverse(times(m[3], m[4])).monomial) == times(m[0], times(m[1], m[2])));
  CHECK(times(m[0], g.inverse(m[0]).monomial) == kUnit);
  CHECK(times(times(m[0], m[0]), m[0]) == g.of(g.leaf(AtomKind::kLeaf, 0, false), 3 * kOnePower));
}

TEST_CASE("linear reasoning") {
  const base::Deadline deadline = base::Deadline::never();
  auto form = [](long c, std::vector<std::pair<int, mpq_class>> t) {
    return LinearForm{c, std::move(t)};
  };
  // x > 0, y - x >= 0: then x + y > 0, not y - 1 > 0.
  const std::vector<LinearFact> facts = {{form(0, {{0, 1}}), true},
                                         {form(0, {{1, 1}, {0, -1}}), false}};
  CHECK(follows(form(0, {{0, 1}, {1, 1}}), true, facts, 2, deadline));
  CHECK(follows(form(0, {{1, 1}}), true, facts, 2, deadline));
  CHECK(follows(form(1, {{1, 1}}), true, facts, 2, deadline));
  CHECK_FALSE(follows(form(-1, {{1, 1}}), false, facts, 2, deadline));
  CHECK_FALSE(follows(form(0, {{0, 1}, {1, -1}}), false, facts, 2, deadline));
  // A contradiction: x > 0 and -x >= 0.
  CHECK(follows(form(0, {}), true, {{form(0, {{0, 1}}), true}, {form(0, {{0, -1}}), false}}, 1,
                deadline));
  CHECK_FALSE(follows(form(0, {}), true, facts, 2, deadline));
  // Not strict at the point where all bounds meet.
  const std::vector<LinearFact> closed = {{form(0, {{0, 1}}), false}};
  CHECK(follows(form(0, {{0, 1}}), false, closed, 1, deadline));
  CHECK_FALSE(follows(form(0, {{0, 1}}), true, closed, 1, deadline));
}

TEST_CASE("ranges contain what they bound") {
  std::mt19937 random(3);
  auto number = [&] { return mpq_class(static_cast<long>(random() % 13) - 6, 2); };
  for (int i = 0; i < 20000; ++i) {
    auto range_of = [&](mpq_class inside) {
      Range r;
      if (random() % 3) {
        r.low = inside - static_cast<long>(random() % 3);
        r.low_open = *r.low != inside && random() % 2;
      }
      if (random() % 3) {
        r.high = inside + static_cast<long>(random() % 3);
        r.high_open = *r.high != inside && random() % 2;
      }
      return r;
    };
    mpq_class x = number(), y = number();
    x.canonicalize();
    y.canonicalize();
    const Range a = range_of(x), b = range_of(y);
    auto contains = [](const Range& r, const mpq_class& v) {
      if (r.low && (v < *r.low || (v == *r.low && r.low_open))) return false;
      return !(r.high && (v > *r.high || (v == *r.high && r.high_open)));
    };
    CHECK(contains(a + b, x + y));
    CHECK(contains(a * b, x * y));
    CHECK(contains(-a, -x));
    CHECK(contains(maximum(a, b), x < y ? y : x));
    CHECK(contains(power(a, 2 * 64), x * x));
    CHECK(contains(power(a, 3 * 64), x * x * x));
    if (sgn(x) != 0) {
      CHECK(contains(power(a, -64), 1 / x));
      CHECK(contains(power(a, -128), 1 / (x * x)));
    }
    if (sgn(x) >= 0) CHECK(contains(power(power(a, 2 * 64), 32), x));
    if (x.get_den() == 1) {
      mpq_class two(1);
      if (sgn(x) > 0) two = mpq_class(mpz_class(1) << static_cast<unsigned>(x.get_num().get_si()));
      if (sgn(x) < 0)
        two = mpq_class(mpz_class(1), mpz_class(1) << static_cast<unsigned>(-x.get_num().get_si()));
      CHECK(contains(exp2(a), two));
      if (sgn(two) > 0) CHECK(contains(log2(exp2(a)), x));
    }
  }
}

TEST_CASE("forms print") {
  World w;
  const Ex x = w.x(), y = w.x();
  CHECK(w.text(x) == "x0");  // the order of terms is that in which leaves are met
  CHECK(w.text(y) == "x1");
  CHECK(w.text(x * 2 - y) == "2*x0 - x1");
  CHECK(w.text(exp2(x) * y) == "x1*2^(x0)");
  CHECK(w.text(max(x, y)) == "max(x0, x1)");
  CHECK(w.text(w.c(1) / (x + y)) == "(x0 + x1)^-1");
  CHECK(w.text(w.minus_infinity()) == "-inf");
}

}  // namespace
}  // namespace ptxequiv::real::test
