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

namespace {

// The pass acc + sum of a[i] * b[i] on f16 inputs of buffers 0 and 1.
TermId pass(Arena& arena, TermId accumulator, uint32_t first, uint32_t count) {
  const Op open{.kind = Kind::kDotOpen, .type = Type::kF32};
  const Op link{.kind = Kind::kDotTerm, .type = Type::kF32, .src = Type::kF16};
  const Op close{.kind = Kind::kDotClose, .type = Type::kF32, .src = Type::kF32};
  TermId chain = arena.make(open, accumulator);
  for (uint32_t i = first; i < first + count; ++i) {
    chain = arena.make(link, chain, arena.leaf(Kind::kInput, Type::kF16, 0, i),
                       arena.leaf(Kind::kInput, Type::kF16, 1, i));
  }
  return arena.make(close, chain);
}

}  // namespace

TEST_CASE("a tensor core's pass is evaluated as a whole") {
  Arena arena;
  const TermId first = pass(arena, arena.constant(32, 0x3f800000), 0, 2);
  const TermId second = pass(arena, first, 2, 2);
  const uint64_t halves[] = {0x7800, 0x3c00, 0xf800, 0x3c00};  // 2^15, 1, -2^15, 1
  const TermId roots[] = {first, second};
  const auto bits = term::evaluate(arena, roots, [&](TermId, const term::Node& node) {
    return node.a == 0 ? halves[node.b] : node.b % 2 == 0 ? uint64_t{0x7000} : uint64_t{0x3c00};
  });
  // 2^28 + 1 + 1 loses both ones; less 2^28 and with another, that one is lost too.
  CHECK(bits[0] == 0x4d800000);
  CHECK(bits[1] == 0);
}

TEST_CASE("links of a tensor core's pass are never folded on their own") {
  Arena arena;
  const TermId one = arena.constant(32, 0x3f800000), half = arena.constant(16, 0x3800);
  const Op open{.kind = Kind::kDotOpen, .type = Type::kF32};
  const Op link{.kind = Kind::kDotTerm, .type = Type::kF32, .src = Type::kF16};
  const Op close{.kind = Kind::kDotClose, .type = Type::kF32, .src = Type::kF32};
  const TermId chosen = arena.select(arena.leaf(Kind::kFresh, Type::kPred, 0), one,
                                     arena.constant(32, 0));
  for (const TermId accumulator : {one, chosen}) {
    const TermId opened = arena.make(open, accumulator);
    const TermId linked = arena.make(link, opened, half, half);
    const TermId closed = arena.make(close, linked);
    CHECK(arena.kind(opened) == Kind::kDotOpen);
    CHECK(arena.kind(linked) == Kind::kDotTerm);
    CHECK(arena.kind(closed) == Kind::kDotClose);
    CHECK_FALSE(arena.known_bits(linked));
    const TermId roots[] = {closed};
    const auto bits =
        term::evaluate(arena, roots, [](TermId, const term::Node&) { return uint64_t{1}; });
    CHECK(bits[0] == 0x3fa00000);  // 1 + 1/4
  }
}
