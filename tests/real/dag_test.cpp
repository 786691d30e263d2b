#include "real/dag.h"

#include <catch2/catch.hpp>

#include "real/dag_fold.h"

namespace ptxequiv::real {
namespace {

TEST_CASE("equal nodes have equal ids") {
  Dag dag;
  const RealId x = dag.leaf(3, op::Type::kF32), y = dag.leaf(4, op::Type::kF32);
  CHECK(x == dag.leaf(3, op::Type::kF32));
  CHECK(x != dag.leaf(3, op::Type::kF16));
  CHECK(dag.make(Kind::kAdd, x, y) == dag.make(Kind::kAdd, y, x));
  CHECK(dag.make(Kind::kSub, x, y) != dag.make(Kind::kSub, y, x));
  CHECK(dag.rational(mpq_class(1, 3)) == dag.rational(mpq_class(1, 3)));
  CHECK(dag.rational(mpq_class(1, 3)) != dag.rational(mpq_class(-1, 3)));
  CHECK(dag.make(Kind::kLog2E, kNoReal) == dag.make(Kind::kLog2E, kNoReal));
}

TEST_CASE("rationals fold exactly") {
  Dag dag;
  const RealId third = dag.rational(mpq_class(1, 3)), two = dag.integer(2);
  CHECK(dag.make(Kind::kAdd, third, two) == dag.rational(mpq_class(7, 3)));
  CHECK(dag.make(Kind::kDiv, third, two) == dag.rational(mpq_class(1, 6)));
  CHECK(dag.make(Kind::kDiv, third, dag.integer(0)) == dag.undefined());
  CHECK(dag.make(Kind::kSqrt, dag.rational(mpq_class(4, 9))) == dag.rational(mpq_class(2, 3)));
  CHECK(dag[dag.make(Kind::kSqrt, two)].kind == Kind::kSqrt);
  CHECK(dag.make(Kind::kSqrt, dag.integer(-1)) == dag.undefined());
  CHECK(dag.make(Kind::kExp2, dag.integer(-3)) == dag.rational(mpq_class(1, 8)));
  CHECK(dag[dag.make(Kind::kExp2, dag.integer(100000))].kind == Kind::kExp2);
  CHECK(dag.make(Kind::kLog2, dag.rational(mpq_class(1, 16))) == dag.integer(-4));
  CHECK(dag[dag.make(Kind::kLog2, third)].kind == Kind::kLog2);
  CHECK(dag.make(Kind::kLt, third, two) == dag.truth(true));
  CHECK(dag.make(Kind::kMax, third, two) == two);
}

TEST_CASE("steps round as they are named") {
  CHECK(rint(mpq_class(5, 2)) == 2);
  CHECK(rint(mpq_class(7, 2)) == 4);
  CHECK(rint(mpq_class(-5, 2)) == -2);
  CHECK(rint(mpq_class(-8, 3)) == -3);
  CHECK(floor(mpq_class(-1, 2)) == -1);
  CHECK(ceil(mpq_class(-1, 2)) == 0);
  CHECK(trunc(mpq_class(-3, 2)) == -1);
}

TEST_CASE("identities that keep definedness fold, others do not") {
  Dag dag;
  const RealId x = dag.leaf(0, op::Type::kF32), y = dag.leaf(1, op::Type::kF32);
  const RealId zero = dag.integer(0), one = dag.integer(1);
  CHECK(dag.make(Kind::kAdd, zero, x) == x);
  CHECK(dag.make(Kind::kMul, x, one) == x);
  CHECK(dag.make(Kind::kNeg, dag.make(Kind::kNeg, x)) == x);
  CHECK(dag[dag.make(Kind::kMul, zero, x)].kind == Kind::kMul);
  CHECK(dag[dag.make(Kind::kSub, x, x)].kind == Kind::kSub);
  CHECK(dag[dag.make(Kind::kDiv, x, x)].kind == Kind::kDiv);
  const RealId less = dag.make(Kind::kLt, x, y);
  CHECK(dag.make(Kind::kIte, less, x, x) == x);
  CHECK(dag.make(Kind::kIte, dag.make(Kind::kNot, less), x, y) == dag.make(Kind::kIte, less, y, x));
  CHECK(dag.make(Kind::kIte, dag.truth(false), x, y) == y);
  CHECK(dag.make(Kind::kAnd, dag.truth(true), less) == less);
  CHECK(dag[dag.make(Kind::kAnd, dag.truth(false), less)].kind == Kind::kAnd);
  CHECK(dag.make(Kind::kOr, dag.truth(false), dag.truth(true)) == dag.truth(true));
  CHECK(dag.make(Kind::kAdd, x, dag.undefined()) == dag.undefined());
  CHECK(dag[dag.make(Kind::kAdd, x, dag.infinity(false))].kind == Kind::kAdd);
}

TEST_CASE("a cone is ascending and complete") {
  Dag dag;
  const RealId x = dag.leaf(0, op::Type::kF32);
  dag.leaf(1, op::Type::kF32);
  const RealId e = dag.make(Kind::kExp, x);
  const RealId root = dag.make(Kind::kAdd, e, x);
  CHECK(cone(dag, std::vector<RealId>{root}) == std::vector<RealId>{x, e, root});
  CHECK(to_string(dag, std::vector<RealId>{root}) ==
        "r0 = leaf.f32 %0\nr2 = exp r0\nr3 = add r0 r2\n");
}

TEST_CASE("many nodes stay interned as the table grows") {
  Dag dag;
  std::vector<RealId> ids;
  for (long i = 0; i < 20000; ++i) ids.push_back(dag.rational(mpq_class(i, 7)));
  for (long i = 0; i < 20000; ++i) REQUIRE(ids[i] == dag.rational(mpq_class(i, 7)));
}

}  // namespace
}  // namespace ptxequiv::real
