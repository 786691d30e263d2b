#include <catch2/catch.hpp>

#include <algorithm>

#include "normal_support.h"

namespace ptxequiv::real::test {
namespace {

using Kind_ = Obligation::Kind;

size_t open(World& w, Ex e) {
  return w.normalizer.obligations(e.id).size();
}

// Whether all that `candidate` needs follows from what `reference` needs.
bool covered(World& w, Ex reference, Ex candidate) {
  const auto given = w.normalizer.obligations(reference.id);
  const auto wanted = w.normalizer.obligations(candidate.id);
  return std::all_of(wanted.begin(), wanted.end(), [&](const Obligation& o) {
    return w.normalizer.implied(o, given) == Proof::kProved;
  });
}

TEST_CASE("sign reasoning leaves out what always holds") {
  World w;
  const Ex x = w.x(), y = w.x();
  CHECK(open(w, x + y * 2) == 0);
  CHECK(open(w, x / (exp(x) + exp(y))) == 0);
  CHECK(open(w, sqrt(x * x + y * y)) == 0);
  CHECK(open(w, log(exp(x) + 1)) == 0);
  CHECK(open(w, w.c(1) / sqrt((x - y) * (x - y) + w.c(1, 100))) == 0);
  CHECK(open(w, x / (abs(y) + 1)) == 0);
  CHECK(open(w, w.c(1) / max(x, w.c(1, 8))) == 0);
  CHECK(open(w, x / y) == 1);
  CHECK(open(w, sqrt(x)) == 1);
  CHECK(open(w, log(x)) == 1);
  CHECK(open(w, x / (exp(x) - 1)) == 1);
  const auto o = w.normalizer.obligations((x / y).id);
  CHECK((o[0].kind == Kind_::kNonZero && o[0].argument == y.id && o[0].guard == kNoReal));
}

TEST_CASE("guards discharge what they protect") {
  World w;
  const Ex x = w.x(), y = w.x(), zero = w.c(0);
  CHECK(open(w, ite(y > zero, x / y, zero)) == 0);
  CHECK(open(w, ite(eq(y, zero), zero, x / y)) == 0);
  CHECK(open(w, ite(y >= zero, x / y, zero)) == 1);
  CHECK(open(w, ite(x > zero, log(x), ite(x < zero, log(-x), zero))) == 0);
  const auto o = w.normalizer.obligations(ite(y >= zero, x / y, zero).id);
  CHECK(o[0].guard == (y >= zero).id);
  // Reached from both arms: needed always.
  const Ex q = x / y;
  const auto both = w.normalizer.obligations(ite(x > zero, q, q + 1).id);
  REQUIRE(both.size() == 1);
  CHECK(both[0].guard == kNoReal);
}

TEST_CASE("what the reference needs covers the candidate") {
  World w;
  const Ex x = w.x(), y = w.x(), z = w.x(), eps = w.x(), zero = w.c(0);
  CHECK(covered(w, x / y, x * (w.c(1) / y)));
  CHECK(covered(w, z / (x * y), z / x / y));
  CHECK(covered(w, z / x / y, z / (x * y)));
  CHECK(covered(w, x / y, x / (y * 2)));
  CHECK(covered(w, log(x), x / x));
  CHECK(covered(w, x / sqrt(y + eps), x * (w.c(1) / sqrt(eps + y))));
  CHECK(covered(w, sqrt(x) + sqrt(y), sqrt(x + y)));
  CHECK(covered(w, x / x, w.c(1)));
  CHECK_FALSE(covered(w, w.c(1), x / x));
  CHECK_FALSE(covered(w, x / y, y / x));
  CHECK_FALSE(covered(w, sqrt(x), w.c(1) / x));
  CHECK_FALSE(covered(w, ite(y > zero, x / z, zero), x / z));
  CHECK(covered(w, x / z, ite(y > zero, x / z, zero)));
  CHECK(covered(w, ite(y > zero, x / z, zero), ite(y > w.c(1), x / z, zero)));
  CHECK_FALSE(covered(w, ite(y > w.c(1), x / z, zero), ite(y > zero, x / z, zero)));
}

TEST_CASE("an argument whose sign only the reference shows") {
  World w;
  const std::vector<Ex> x = w.xs(8);
  const Ex mean = sum(x) / 8, eps = w.c(1, 1000);
  std::vector<Ex> centred, squares;
  for (const Ex v : x) {
    centred.push_back((v - mean) * (v - mean));
    squares.push_back(v * v);
  }
  const Ex two = w.c(1) / sqrt(sum(centred) / 8 + eps);
  const Ex one = w.c(1) / sqrt(sum(squares) / 8 - mean * mean + eps);
  CHECK(open(w, two) == 0);
  CHECK(covered(w, two, one));
  const Ex wrong = w.c(1) / sqrt(sum(squares) / 8 - mean * mean * 2 + eps);
  CHECK_FALSE(covered(w, two, wrong));
}

TEST_CASE("infinities that may meet") {
  World w;
  const Ex x = w.x(), c = w.condition(), d = w.condition();
  const Ex a = ite(c, x, w.minus_infinity()), b = ite(d, x, w.minus_infinity());
  CHECK(open(w, a + x) == 0);
  CHECK(open(w, exp(a - x)) == 0);
  CHECK(open(w, exp(a - max(a, x))) == 0);
  CHECK(open(w, a - b) == 1);
  CHECK(open(w, exp(a - max(a, b))) == 1);
  CHECK(covered(w, a - b, b - a) == false);  // not the same operation: stays to be shown
  CHECK(open(w, ite(c, x, w.wrap(w.dag.undefined()))) == 1);
  CHECK(covered(w, ite(c, x, w.wrap(w.dag.undefined())), ite(c, x, w.wrap(w.dag.undefined()) + x)));
  CHECK_FALSE(
      covered(w, ite(c, x, w.wrap(w.dag.undefined())), ite(d, x, w.wrap(w.dag.undefined()))));
}

}  // namespace
}  // namespace ptxequiv::real::test
