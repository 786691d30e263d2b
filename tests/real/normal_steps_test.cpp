// Steps: what a condition chooses at its boundary is part of the function.
#include <catch2/catch.hpp>

#include "real/normal.h"

using namespace ptxequiv;
using namespace ptxequiv::real;

namespace {

struct WholeType : Facts {
  Interval range(RealId, const Node&) const override {
    const mpq_class max("340282346638528859811704183484516925440");
    return {mpq_class(-max), max};
  }
  std::span<const RealId> assumptions() const override { return {}; }
};

struct Steps {
  Dag dag;
  WholeType facts;
  base::Deadline deadline = base::Deadline::never();
  Normalizer normalizer{dag, facts, {}, deadline};
  RealId zero = dag.integer(0), one = dag.integer(1);
  RealId x = dag.leaf(1, op::Type::kF32), y = dag.leaf(2, op::Type::kF32), z = dag.leaf(3, op::Type::kF32);

  // The two selections that differ where `q` is 0.
  RealId above(RealId q, RealId a, RealId b) {
    return dag.make(Kind::kIte, dag.make(Kind::kLt, zero, q), a, b);
  }
  RealId not_below(RealId q, RealId a, RealId b) {
    return dag.make(Kind::kIte, dag.make(Kind::kLe, zero, q), a, b);
  }
  bool equal(RealId a, RealId b) { return normalizer.equal(a, b) == Proof::kProved; }
};

}  // namespace

TEST_CASE("x > 0 and x >= 0 are different steps") {
  Steps s;
  const RealId product = s.dag.make(Kind::kMul, s.x, s.y), difference = s.dag.make(Kind::kSub, s.x, s.y);
  for (const RealId q : {s.x, product, difference}) {
    CHECK_FALSE(s.equal(s.above(q, s.one, s.zero), s.not_below(q, s.one, s.zero)));
    CHECK_FALSE(s.equal(s.above(q, s.y, s.z), s.not_below(q, s.y, s.z)));
  }
  CHECK_FALSE(s.equal(s.above(product, s.y, s.zero), s.not_below(product, s.y, s.zero)));
  // Where both arms meet at the boundary they are one function.
  CHECK(s.equal(s.above(s.x, s.x, s.zero), s.not_below(s.x, s.x, s.zero)));
  CHECK(s.equal(s.above(difference, s.x, s.y), s.not_below(difference, s.x, s.y)));
}

TEST_CASE("a maximum by comparison with the least finite value") {
  Steps s;
  const RealId least = s.dag.rational(mpq_class("-340282346638528859811704183484516925440"));
  const auto greater = [&](RealId a, RealId b) {
    return s.dag.make(Kind::kIte, s.dag.make(Kind::kLt, a, b), b, a);
  };
  CHECK(s.equal(greater(least, s.x), s.x));
  CHECK(s.equal(greater(greater(least, s.x), greater(least, s.y)), s.dag.make(Kind::kMax, s.x, s.y)));
  // The least value itself is not passed over where the arms do not meet.
  CHECK_FALSE(s.equal(s.dag.make(Kind::kIte, s.dag.make(Kind::kLt, least, s.x), s.one, s.zero), s.one));
}
