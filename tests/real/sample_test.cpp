#include <catch2/catch.hpp>

#include <cmath>

#include "real/enclose.h"

namespace ptxequiv::real {
namespace {

TEST_CASE("samples are the doubles near the values") {
  Dag dag;
  const RealId x = dag.leaf(0, op::Type::kF32), y = dag.leaf(1, op::Type::kF32);
  const RealId e = dag.make(Kind::kExp, x);
  const std::vector<RealId> roots = {
      dag.make(Kind::kDiv, e, dag.make(Kind::kAdd, e, dag.make(Kind::kExp, y))),
      dag.make(Kind::kDiv, x, dag.make(Kind::kSub, y, y)),
      dag.make(Kind::kIte, dag.make(Kind::kLt, x, y), y, dag.make(Kind::kLog, dag.integer(-1))),
      dag.make(Kind::kRint, x),
      dag.make(Kind::kMax, dag.infinity(true), y),
  };
  const auto values =
      sample(dag, roots, [&](RealId id, const Node&) { return id == x ? 0.5 : 2.0; });
  CHECK(values[0] == Approx(std::exp(0.5) / (std::exp(0.5) + std::exp(2.0))));
  CHECK(std::isnan(values[1]));
  CHECK(values[2] == 2.0);
  CHECK(values[3] == 0.0);
  CHECK(values[4] == 2.0);
}

}  // namespace
}  // namespace ptxequiv::real
