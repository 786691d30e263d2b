#include <catch2/catch.hpp>

#include "normal_support.h"

namespace ptxequiv::real::test {
namespace {

TEST_CASE("maxima are flattened, translated and scaled") {
  World w;
  const Ex x = w.x(), y = w.x(), z = w.x(), t = w.x();
  CHECK(w.same(max(max(x, y), z), max(x, max(z, y))));
  CHECK(w.same(max(x, x), x));
  CHECK(w.same(max(x + t, y + t), max(x, y) + t));
  CHECK(w.same(max(x * 2, y * 2), max(x, y) * 2));
  CHECK(w.same(min(x, y), -max(-x, -y)));
  CHECK(w.same(min(x, y) + max(x, y), x + y));
  CHECK(w.same(abs(x - y), abs(y - x)));
  CHECK(w.same(abs(x) * abs(x), x * x));
  CHECK(w.same(max(max(x, y) + t, z), max(max(x + t, y + t), z)));
  CHECK(w.same(max(max(x, y) * 3 + t, z + t), max(max(x, y) * 3, z) + t));
  CHECK_FALSE(w.equal(max(x, y), x));
  CHECK_FALSE(w.equal(max(x, y), max(x, z)));
  CHECK_FALSE(w.equal(max(x, w.c(0)), x));
}

TEST_CASE("ranges drop dominated operands") {
  World w;
  const Ex x = w.x();
  const mpq_class max_f32("340282346638528859811704183484516925440");
  CHECK(w.same(max(x, w.wrap(w.dag.rational(-max_f32))), x));
  CHECK(w.same(max(x, w.minus_infinity()), x));
  const Ex y = w.x();
  w.facts.ranges[y.id] = {mpq_class(0), mpq_class(1)};
  CHECK(w.same(max(y, w.c(0)), y));
  CHECK(w.same(min(y, w.c(1)), y));
  CHECK(w.same(abs(y), y));
  CHECK_FALSE(w.equal(min(y, w.c(1, 2)), y));
}

TEST_CASE("selections by a comparison are maxima") {
  World w;
  const Ex x = w.x(), y = w.x(), zero = w.c(0);
  CHECK(w.same(ite(x > zero, x, zero), max(x, zero)));
  CHECK(w.same(ite(x >= zero, x, zero), max(x, zero)));
  CHECK(w.same(ite(x < zero, zero, x), max(x, zero)));
  CHECK(w.same(ite(x > y, x, y), max(x, y)));
  CHECK(w.same(ite(x <= y, x, y), min(x, y)));
  CHECK(w.same(ite(x < zero, -x, x), abs(x)));
  CHECK_FALSE(w.equal(ite(x > y, y, x), max(x, y)));
  // A running maximum by selects against a tree.
  const std::vector<Ex> v = w.xs(32);
  Ex chain = v[0], tree = v[0];
  for (size_t i = 1; i < v.size(); ++i) chain = ite(v[i] > chain, v[i], chain);
  for (size_t i = v.size(); i-- > 1;) tree = max(v[i], tree);
  CHECK(w.same(chain, tree));
}

TEST_CASE("leaky relu") {
  World w;
  const Ex v = w.x(), slope = w.x(), zero = w.c(0);
  const Ex cut = ite(v > zero, v, v * slope);
  CHECK(w.equal(ite(v > zero, v, v * w.c(1, 100)), max(v, v * w.c(1, 100))));
  CHECK(w.equal(max(v, zero) + min(v, zero) * w.c(1, 100), max(v, v * w.c(1, 100))));
  CHECK_FALSE(w.equal(ite(v > zero, v, v * w.c(1, 50)), max(v, v * w.c(1, 100))));
  CHECK_FALSE(w.equal(cut, max(v, v * slope)));  // not for slope > 1
  const Ex small = w.x();
  w.facts.ranges[small.id] = {mpq_class(0), mpq_class(1)};
  CHECK(w.equal(ite(v > zero, v, v * small), max(v, v * small)));
}

TEST_CASE("leaky relu under an assumption") {
  World w;
  const Ex v = w.x(), slope = w.x();
  w.facts.assumed = {(slope <= w.c(1)).id};
  CHECK(w.equal(ite(v > w.c(0), v, v * slope), max(v, v * slope)));
}

TEST_CASE("hard swish by branches and by a clamp") {
  World w;
  const Ex v = w.x();
  const Ex branches = ite(v <= w.c(-3), w.c(0), ite(v >= w.c(3), v, (v * v + v * 3) / 6));
  const Ex clamp = v * min(max(v + 3, w.c(0)), w.c(6)) / 6;
  CHECK(w.equal(branches, clamp));
  const Ex wrong = v * min(max(v + 3, w.c(0)), w.c(5)) / 6;
  CHECK_FALSE(w.equal(branches, wrong));
  const Ex shifted = ite(v <= w.c(-2), w.c(0), ite(v >= w.c(3), v, (v * v + v * 3) / 6));
  CHECK_FALSE(w.equal(shifted, clamp));
}

TEST_CASE("clamps by min and max, and by selects, given lo <= hi") {
  World w;
  const Ex x = w.x(), lo = w.x(), hi = w.x();
  const Ex selects = ite(x < lo, lo, ite(x > hi, hi, x));
  CHECK_FALSE(w.equal(min(max(x, lo), hi), selects));
  World v;
  const Ex x2 = v.x(), lo2 = v.x(), hi2 = v.x();
  v.facts.assumed = {(lo2 <= hi2).id};
  CHECK(v.equal(min(max(x2, lo2), hi2), ite(x2 < lo2, lo2, ite(x2 > hi2, hi2, x2))));
  CHECK(v.equal(min(max(x2, lo2), hi2), max(min(x2, hi2), lo2)));
}

TEST_CASE("functions of selections are split") {
  World w;
  const Ex x = w.x(), y = w.x(), c = w.condition();
  CHECK(w.equal(exp(ite(c, x, y)), ite(c, exp(x), exp(y))));
  CHECK(w.equal(w.c(1) / ite(c, exp(x), exp(y)), ite(c, exp(-x), exp(-y))));
  CHECK(w.equal(max(ite(c, x, y), ite(c, y, x)), max(x, y)));
  CHECK_FALSE(w.equal(exp(ite(c, x, y)), ite(c, exp(y), exp(x))));
  // A masked softmax: -inf where the condition fails.
  const Ex masked = ite(c, y, w.minus_infinity());
  const Ex m = max(x, masked), e = exp(masked - m), f = exp(x - m);
  const Ex direct = ite(c, exp(x) / (exp(x) + exp(y)), w.c(1));
  CHECK(w.equal(f / (e + f), direct));
  CHECK_FALSE(w.equal(f / (e + f), exp(x) / (exp(x) + exp(y))));
}

TEST_CASE("a guard does not cancel against what it guards") {
  World w;
  const Ex c = w.condition(), x = w.x();
  const Ex d = ite(c, w.c(1), w.c(0));
  CHECK_FALSE(w.equal(ite(c, w.c(1) / d, w.c(0)), w.c(1)));
  CHECK(w.equal(ite(c, w.c(1) / d, w.c(0)), d));
  CHECK_FALSE(w.equal(ite(c, d / d, w.c(7)), w.c(1)));
  // A denominator that vanishes in a case where its quotient is not selected proves nothing there.
  const Ex e = w.condition(), f = w.condition(), u = w.x(), y = w.x(), z = w.x();
  const Ex den = ite(c, x, ite(e, w.c(0), y));
  const Ex guarded = ite(c, ite(f, u / den, w.c(0)), w.c(0));
  const Ex other = ite(c, ite(f, u / x, w.c(0)), w.c(0)) + ite(c, w.c(0), ite(e, z, w.c(0)));
  CHECK_FALSE(w.equal(guarded, other));
}

TEST_CASE("equalities substitute, integers tighten") {
  World w;
  const Ex n = w.integer(), x = w.x(), y = w.x();
  CHECK(w.equal(ite(eq(x, y), x, y), y));
  CHECK(w.equal(ite(n < w.c(5), x, y), ite(n <= w.c(4), x, y)));
  CHECK(w.equal(ite(n >= w.c(5), x, y), ite(n < w.c(5), y, x)));
  CHECK_FALSE(w.equal(ite(x < w.c(5), x, y), ite(x <= w.c(4), x, y)));
  CHECK(w.equal(ite(n * 2 > w.c(3), x, y), ite(n > w.c(1), x, y)));
  CHECK(w.equal(ite(eq(n * 2, w.c(3)), x, y), y));
}

TEST_CASE("conditions on one quantity combine") {
  World w;
  const Ex n = w.integer(), x = w.x(), zero = w.c(0), one = w.c(1);
  auto is = [&](Ex c) { return ite(c, one, zero); };
  CHECK(w.same(is(n > w.c(1)) * is(n > w.c(2)), is(n > w.c(2))));
  CHECK(w.same(is(x > w.c(1)) * is(x * 2 > w.c(5)), is(x * 2 > w.c(5))));
  CHECK(w.same(is(eq(x, one)) * is(eq(x * 2, one)), zero));
  CHECK(w.same(is(eq(x, w.c(3))) * is(x > one), is(eq(x, w.c(3)))));
  CHECK(w.same(is(eq(x, one)) * is(x > one), zero));
  CHECK_FALSE(w.equal(is(x > one) * is(eq(x, w.c(3))), is(x > one)));
  CHECK_FALSE(w.equal(is(x > one) * is(x < w.c(5)), is(x > one)));
  // A gather: selects over all columns, from either end.
  const std::vector<Ex> v = w.xs(300);
  w.facts.ranges[n.id] = {mpq_class(0), mpq_class(299)};
  Ex up = v[299], down = v[0];
  for (long i = 0; i < 299; ++i) {
    up = ite(eq(n, w.c(298 - i)), v[static_cast<size_t>(298 - i)], up);
    down = ite(eq(n, w.c(i + 1)), v[static_cast<size_t>(i + 1)], down);
  }
  CHECK_FALSE(w.equal(up, down + 1));
  Ex wrong = v[0];
  for (long i = 1; i < 298; ++i) wrong = ite(eq(n, w.c(i)), v[static_cast<size_t>(i)], wrong);
  CHECK_FALSE(w.equal(up, wrong));
  CHECK(w.same(up - v[299], up + v[5] - v[299] - v[5]));
}

TEST_CASE("conditions that hold") {
  World w;
  const Ex x = w.x(), y = w.x(), n = w.integer();
  auto holds = [&](Ex c, std::vector<RealId> under = {}) {
    return w.normalizer.holds(c.id, under) == Proof::kProved;
  };
  CHECK(holds(exp(x) > w.c(0)));
  CHECK(holds(x * x + 1 > w.c(0)));
  CHECK(holds(max(x, y) >= x));
  CHECK(holds(abs(x) + 1 > w.c(0)));
  CHECK(holds(sqrt(x * x + 1) > w.c(0)));
  CHECK_FALSE(holds(x > w.c(0)));
  CHECK(holds(x + y > w.c(0), {(x > w.c(0)).id, (y >= w.c(0)).id}));
  CHECK_FALSE(holds(x - y > w.c(0), {(x > w.c(0)).id, (y >= w.c(0)).id}));
  CHECK(holds(n >= w.c(4), {(n > w.c(3)).id}));
  CHECK_FALSE(holds(x >= w.c(4), {(x > w.c(3)).id}));
  CHECK(holds(tanh(x) < w.c(1)));
  CHECK(holds(x > w.c(1), {(x > w.c(2)).id, (y > x).id}));
}

}  // namespace
}  // namespace ptxequiv::real::test
