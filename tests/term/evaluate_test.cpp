#include "term/evaluate.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "op/evaluate.h"

using namespace ptxequiv;
using op::Kind;
using op::Op;
using op::Rounding;
using op::Type;
using term::Arena;
using term::TermId;

TEST_CASE("terms are evaluated on the leaves given") {
  Arena arena;
  const Op fma{.kind = Kind::kFFma, .type = Type::kF32, .rounding = Rounding::kRn};
  std::vector<TermId> roots;
  TermId sum = arena.constant(32, 0);
  for (uint32_t i = 0; i < 1000; ++i) {
    const TermId a = arena.leaf(Kind::kInput, Type::kF32, 0, i);
    const TermId b = arena.leaf(Kind::kInput, Type::kF32, 1, i);
    sum = arena.make(fma, a, b, sum);
    roots.push_back(sum);
  }
  const auto value = [](uint32_t buffer, uint32_t element) {
    return static_cast<float>((element * 37u + buffer * 11u) % 101u) / 7.0f - 5.0f;
  };
  const auto bits = term::evaluate(arena, roots, [&](TermId, const term::Node& node) {
    return op::from_double(Type::kF32, value(node.a, node.b));
  });
  float expected = 0;
  for (uint32_t i = 0; i < 1000; ++i) {
    expected = std::fmaf(value(0, i), value(1, i), expected);
    REQUIRE(op::to_double(Type::kF32, bits[i]) == expected);
  }
}

TEST_CASE("each leaf is asked once, masked to its width, and only if it is needed") {
  Arena arena;
  const TermId x = arena.leaf(Kind::kScalar, Type::kB8, 0);
  const TermId y = arena.leaf(Kind::kScalar, Type::kB8, 1);
  const Op add{.kind = Kind::kAdd, .type = Type::kB8};
  const Op mul{.kind = Kind::kMul, .type = Type::kB8};
  const TermId roots[] = {arena.make(mul, arena.make(add, x, x), x), x};
  size_t calls = 0;
  const auto bits = term::evaluate(arena, roots, [&](TermId id, const term::Node& node) {
    ++calls;
    CHECK(id == x);
    CHECK(node.op.kind == Kind::kScalar);
    return uint64_t{0x103};
  });
  CHECK(calls == 1);
  CHECK(bits == std::vector<uint64_t>{18, 3});
  CHECK(y != x);
}

TEST_CASE("no roots, no values") {
  const Arena arena;
  CHECK(term::evaluate(arena, {}, [](TermId, const term::Node&) { return 0; }).empty());
}
