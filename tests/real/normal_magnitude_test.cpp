// |r| = 0 is r = 0: powers through logarithms of magnitudes, guarded at zero; and flags, which are
// told apart by being zero alone.
#include <catch2/catch.hpp>

#include "normal_support.h"

using namespace ptxequiv::real;
using namespace ptxequiv::real::test;

namespace {

struct Magnitudes : World {
  RealId make(Kind kind, RealId a, RealId b = kNoReal, RealId other = kNoReal) {
    return dag.make(kind, a, b, other);
  }
  bool equal(RealId a, RealId b) { return normalizer.equal(a, b) == Proof::kProved; }
};

}  // namespace

TEST_CASE_METHOD(Magnitudes, "a square by the logarithm of the magnitude, guarded at zero") {
  const RealId v = x().id, zero = dag.integer(0), two = dag.integer(2);
  const RealId size = make(Kind::kAbs, v);
  const auto power = [&](RealId exponent) {
    return make(Kind::kExp2, make(Kind::kMul, exponent, make(Kind::kLog2, size)));
  };
  const RealId at_zero = make(Kind::kEq, size, zero);
  const RealId square = make(Kind::kMul, v, v);
  CHECK(equal(make(Kind::kIte, at_zero, zero, power(two)), square));
  CHECK_FALSE(equal(make(Kind::kIte, at_zero, dag.integer(1), power(two)), square));
  CHECK_FALSE(equal(make(Kind::kIte, at_zero, zero, power(dag.integer(3))), square));
  CHECK_FALSE(equal(make(Kind::kIte, make(Kind::kEq, size, two), zero, power(two)), square));
}

TEST_CASE_METHOD(Magnitudes, "sums over kept elements, by many flags") {
  constexpr int kFlags = 7;
  const RealId zero = dag.integer(0);
  RealId forward = zero, backward = zero, without_last = zero;
  std::vector<std::pair<RealId, RealId>> kept;
  for (int i = 0; i < kFlags; ++i) {
    kept.emplace_back(make(Kind::kEq, integer().id, zero), x().id);
  }
  for (int i = 0; i < kFlags; ++i) {
    const auto [dropped, v] = kept[static_cast<size_t>(i)];
    if (i == kFlags - 1) without_last = forward;
    forward = make(Kind::kIte, dropped, forward, make(Kind::kAdd, forward, v));
  }
  for (int i = kFlags; i-- > 0;) {
    const auto [dropped, v] = kept[static_cast<size_t>(i)];
    backward = make(Kind::kAdd, backward, make(Kind::kIte, dropped, zero, v));
  }
  CHECK(equal(forward, backward));
  CHECK_FALSE(equal(without_last, backward));
}
