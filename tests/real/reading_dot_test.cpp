#include <catch2/catch.hpp>

#include "real/reading.h"
#include "terms.h"

namespace ptxequiv::real {
namespace {

using op::Type;
using testing::TermId;
using testing::Terms;

struct Fixture : Terms {
  Reading reading{arena, nullptr, {}};
  Dag& dag = reading.dag();

  TermId pass(Type src, Type accumulator, Type result, TermId c,
              const std::vector<std::pair<TermId, TermId>>& factors) {
    TermId chain = arena.make(op::Op{.kind = op::Kind::kDotOpen, .type = accumulator}, c);
    const op::Op link{.kind = op::Kind::kDotTerm, .type = accumulator, .src = src};
    for (const auto& [a, b] : factors) chain = arena.make(link, chain, a, b);
    return arena.make(op::Op{.kind = op::Kind::kDotClose, .type = result, .src = accumulator},
                      chain);
  }
  uint64_t uses(const std::string& assumption, TermId id, Type type) {
    const std::pair<TermId, Type> root{id, type};
    const Assumptions used = reading.assumptions({&root, 1});
    const auto it = used.find(assumption);
    return it == used.end() ? 0 : it->second.count;
  }
  RealId sum_of(RealId c, const std::vector<std::pair<RealId, RealId>>& products) {
    for (const auto& [a, b] : products) {
      c = dag.make(Kind::kAdd, c, dag.make(Kind::kMul, a, b));
    }
    return c;
  }
};

TEST_CASE_METHOD(Fixture, "a tensor core's pass is the sum of its products") {
  const TermId a = input(0, Type::kF16), b = input(1, Type::kF16), c = input(2, Type::kF32);
  const TermId out = pass(Type::kF16, Type::kF32, Type::kF32, c, {{a, b}, {b, b}});
  const RealId ra = dag.leaf(a, Type::kF16), rb = dag.leaf(b, Type::kF16);
  CHECK(reading.read(out, Type::kF32) == sum_of(dag.leaf(c, Type::kF32), {{ra, rb}, {rb, rb}}));
  CHECK(uses("reals", out, Type::kF32) == 1);  // one rounding, at the end
  CHECK(uses("no-overflow", out, Type::kF32) == 0);
  // Read as bits of another format it is opaque.
  CHECK(dag[reading.read(out, Type::kS32)].kind == Kind::kOpaque);
}

TEST_CASE_METHOD(Fixture, "an f16 result may overflow, and the accumulator has its own format") {
  const TermId a = input(0, Type::kF16), c = input(1, Type::kF32);
  const TermId out = pass(Type::kF16, Type::kF32, Type::kF16, c, {{a, a}});
  const RealId ra = dag.leaf(a, Type::kF16);
  CHECK(reading.read(out, Type::kF16) == sum_of(dag.leaf(c, Type::kF32), {{ra, ra}}));
  CHECK(uses("no-overflow", out, Type::kF16) == 1);
}

TEST_CASE_METHOD(Fixture, "tf32 factors are the f32 numbers that they are stored as") {
  const TermId a = input(0), b = input(1);
  const TermId out = pass(Type::kTF32, Type::kF32, Type::kF32, u32(0), {{a, b}});
  CHECK(reading.read(out, Type::kF32) ==
        dag.make(Kind::kMul, dag.leaf(a, Type::kF32), dag.leaf(b, Type::kF32)));
}

}  // namespace
}  // namespace ptxequiv::real
