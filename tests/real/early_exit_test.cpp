#include "real/early_exit.h"

#include <catch2/catch.hpp>

namespace ptxequiv::real {
namespace {

struct Loop {
  Dag dag;
  term::Arena arena;
  RealId a = dag.leaf(arena.leaf(op::Kind::kInput, op::Type::kF32, 0, 0), op::Type::kF32);

  RealId step(RealId y) {  // (y + a / y) / 2
    const RealId sum = dag.make(Kind::kAdd, y, dag.make(Kind::kDiv, a, y));
    return dag.make(Kind::kMul, sum, dag.rational(mpq_class(1, 2)));
  }
  RealId fixed(unsigned steps) {
    RealId y = a;
    for (unsigned i = 0; i < steps; ++i) y = step(y);
    return y;
  }
  // Stops after the step that changes nothing, with `kept` steps' results left out of account.
  RealId early(unsigned steps, bool right) {
    std::vector<RealId> at{a};
    for (unsigned i = 0; i < steps; ++i) at.push_back(step(at.back()));
    RealId result = at.back();
    for (unsigned i = steps; i-- > 0;) {
      const RealId same = dag.make(Kind::kEq, at[i], at[i + 1]);
      const RealId stopped = right || i == 0 ? at[i] : at[i - 1];
      result = dag.make(Kind::kIte, same, stopped, result);
    }
    return result;
  }
};

TEST_CASE("a loop that stops at its fixed point is the loop that goes on") {
  for (const unsigned steps : {1u, 2u, 5u, 8u}) {
    Loop loop;
    CHECK(without_early_exits(loop.dag, loop.early(steps, true)) == loop.fixed(steps));
  }
}

TEST_CASE("other exits stay") {
  Loop loop;
  // The result of the step before, and a test against another value.
  CHECK(without_early_exits(loop.dag, loop.early(4, false)) != loop.fixed(4));
  const RealId y = loop.step(loop.a);
  const RealId other = loop.dag.make(Kind::kEq, y, loop.dag.integer(1));
  const RealId choice = loop.dag.make(Kind::kIte, other, y, loop.step(y));
  CHECK(without_early_exits(loop.dag, choice) == choice);
  // x = 2 ? x : x * x is no fixed point; x = 1 ? x : x * x is, though it is not found by names.
  const RealId two = loop.dag.make(Kind::kEq, loop.a, loop.dag.integer(2));
  const RealId square = loop.dag.make(Kind::kMul, loop.a, loop.a);
  const RealId wrong = loop.dag.make(Kind::kIte, two, loop.a, square);
  CHECK(without_early_exits(loop.dag, wrong) == wrong);
}

}  // namespace
}  // namespace ptxequiv::real
