#include <catch2/catch.hpp>

#include "normal_support.h"

namespace ptxequiv::real::test {
namespace {

TEST_CASE("sums and products are polynomials") {
  World w;
  const Ex x = w.x(), y = w.x(), z = w.x();
  CHECK(w.same(x + y, y + x));
  CHECK(w.same((x + y) + z, x + (z + y)));
  CHECK(w.same((x + y) * (x - y), x * x - y * y));
  CHECK(w.same(x * 2 - x, x));
  CHECK_FALSE(w.equal(x + y, x - y));
  CHECK_FALSE(w.equal(x * y, x * z));
  CHECK_FALSE(w.equal(x, x * 2));
  // Kahan: (s + y) - s - y vanishes over the reals.
  Ex s = w.c(0), comp = w.c(0);
  const std::vector<Ex> v = w.xs(50);
  for (const Ex e : v) {
    const Ex yy = e - comp, t = s + yy;
    comp = (t - s) - yy;
    s = t;
  }
  CHECK(w.same(s, sum(v)));
}

TEST_CASE("sharing does not cost paths") {
  World w;
  Ex t = w.x();
  const Ex x = t;
  for (int i = 0; i < 200; ++i) t = t + t;
  CHECK(w.equal(t - t, w.c(0)));
  Ex u = x;
  for (int i = 0; i < 200; ++i) u = u * w.c(2);
  CHECK(w.same(t, u));
}

TEST_CASE("common content cancels in quotients") {
  World w;
  const Ex x = w.x(), y = w.x(), z = w.x();
  CHECK(w.same((x * y) / (x * z), y / z));
  CHECK(w.same((x * y + x * z) / x, y + z));
  CHECK(w.same(x / (x * y + x * z), w.c(1) / (y + z)));
  CHECK(w.same(x / (y * 2 + z * 4), (x / 2) / (y + z * 2)));
  CHECK(w.same(w.c(1) / (w.c(1) / x), x));
  CHECK(w.same(w.c(1) / (w.c(1) / (x + y) + 1), (x + y) / (x + y + 1)));
  CHECK(w.equal((x * x - y * y) / (x - y), x + y));
  CHECK_FALSE(w.equal((x * x + y * y) / (x - y), x + y));
}

TEST_CASE("fractions are compared over a common denominator") {
  World w;
  Ex chain = w.c(0), num = w.c(0), den = w.c(1);
  for (int i = 0; i < 16; ++i) {
    const Ex x = w.x(), y = w.x();
    chain = chain + x / y;
    num = num * y + x * den;
    den = den * y;
  }
  CHECK(w.equal(chain, num / den));
  const Ex x = w.x(), y = w.x();
  CHECK(w.equal(w.c(1) / (x + 1) + w.c(1) / (y + 1), (x + y + 2) / ((x + 1) * (y + 1))));
  CHECK_FALSE(w.equal(w.c(1) / (x + 1) + w.c(1) / (y + 1), (x + y + 1) / ((x + 1) * (y + 1))));
}

TEST_CASE("exponentials: products add, quotients subtract") {
  World w;
  const Ex x = w.x(), y = w.x();
  CHECK(w.same(exp(x) * exp(y), exp(x + y)));
  CHECK(w.same(exp(x) / exp(y), exp(x - y)));
  CHECK(w.same(exp2(x + 3), exp2(x) * 8));
  CHECK(w.same(exp2(x * w.wrap(w.dag.make(Kind::kLog2E, kNoReal))), exp(x)));
  CHECK_FALSE(w.equal(exp2(x), exp(x)));
  CHECK_FALSE(w.equal(exp(x) + exp(y), exp(x + y)));
  CHECK(w.same(exp2(w.c(1, 2)) * exp2(w.c(1, 2)), w.c(2)));
}

TEST_CASE("logarithms split where the factors are positive") {
  World w;
  const Ex x = w.x(), y = w.x();
  w.facts.ranges[x.id] = {mpq_class(1, 10), mpq_class(5)};
  CHECK(w.same(log(exp(x) * x), x + log(x)));
  CHECK(w.same(log2(x * 8), log2(x) + 3));
  CHECK(w.same(exp(log(x)), x));
  CHECK(w.same(exp2(log2(x) * 2), x * x));
  CHECK(w.same(log(w.c(6)), log(w.c(2)) + log(w.c(3))));
  CHECK(w.same(log(x * y), log(x) + log(y)));  // y > 0 wherever this is defined
  const Ex z = w.x();
  CHECK_FALSE(w.equal(log(y * z), log(y) + log(z)));  // both may be negative
  CHECK(w.equal(log(exp(x) + exp(y)), x + log(exp(y - x) + 1)));
}

TEST_CASE("roots") {
  World w;
  const Ex x = w.x(), y = w.x();
  const Ex s = x * x + y * y + w.c(1, 1000000);
  const Ex inverse = w.c(1) / sqrt(s);
  CHECK(w.same(x * inverse, x / sqrt(s)));
  CHECK(w.equal(s * inverse, sqrt(s)));
  CHECK(w.equal(sqrt(s) * sqrt(s), s));
  CHECK(w.equal(sqrt(x * x), abs(x)));
  CHECK_FALSE(w.equal(sqrt(x * x), x));
  CHECK(w.same(sqrt(s * 4), sqrt(s) * 2));
  CHECK(w.same(sqrt(w.c(12)), sqrt(w.c(3)) * 2));
  CHECK(w.equal(sqrt(w.c(2)) * sqrt(w.c(3)), sqrt(w.c(6))));
  CHECK_FALSE(w.equal(x / (sqrt(s) + w.c(1, 10)), x / sqrt(s + w.c(1, 10))));
  CHECK_FALSE(w.equal(sqrt(x * x * y), x * sqrt(y)));
}

TEST_CASE("odd and even functions, tanh through exp") {
  World w;
  const Ex x = w.x(), y = w.x();
  CHECK(w.same(sin(x - y), -sin(y - x)));
  CHECK(w.same(cos(x - y), cos(y - x)));
  CHECK(w.same(erf(-x), -erf(x)));
  CHECK(w.equal(tanh(-x), -tanh(x)));
  CHECK(w.equal(sin(x) * sin(x) + cos(x) * cos(x), w.c(1)));
  CHECK_FALSE(w.equal(sin(x), sin(y)));
  const Ex sigmoid = w.c(1) / (exp(-x * 2) + 1);
  CHECK(w.equal(tanh(x), sigmoid * 2 - 1));
  CHECK_FALSE(w.equal(tanh(x), sigmoid * 2));
}

TEST_CASE("gelu and silu forms") {
  World w;
  const Ex v = w.x();
  const Ex k = w.c(13386109, 1L << 24), a = w.c(12002385, 1L << 28);  // as f32 literals
  const Ex u = k * (v + a * v * v * v);
  const Ex with_tanh = w.c(1, 2) * v * (tanh(u) + 1);
  const Ex u2 = k * v * (a * (v * v) + 1);
  CHECK(w.equal(with_tanh, v - v / (exp(u2 + u2) + 1)));
  CHECK(w.equal(with_tanh, v / (exp(-(u * 2)) + 1)));
  CHECK_FALSE(w.equal(with_tanh, v / (exp(-u) + 1)));
  CHECK(w.equal(v / (exp(-v) + 1), v - v * (w.c(1) / (exp(v) + 1))));
}

}  // namespace
}  // namespace ptxequiv::real::test
