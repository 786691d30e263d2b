#include "check/exact.h"

#include <catch2/catch.hpp>

#include "check/world.h"

using namespace ptxequiv;
using namespace ptxequiv::check;
using op::Kind;
using op::Op;
using op::Rounding;
using op::Type;

TEST_CASE("evaluation knows whether anything rounded") {
  Prepared prepared;
  spec::Buffer b;
  b.name = "x";
  b.type = Type::kF32;
  b.shape = {4};
  prepared.spec.buffers = {b};
  prepared.buffers = {{"x", Type::kF32, 4, machine::Role::kInput, 256, -1}};
  term::Arena arena;
  real::Reading reading(arena, nullptr, {});
  const SpecFacts facts(prepared, arena, reading);
  const term::TermId x = arena.leaf(Kind::kInput, Type::kF32, 0, 0), y = arena.leaf(Kind::kInput, Type::kF32, 0, 1);
  const term::TermId sum = arena.make(Op{Kind::kFAdd, Type::kF32, Type::kNone, Rounding::kRn}, x, y);
  const term::TermId less = arena.make(Op{Kind::kFLt, Type::kF32}, x, y);
  const term::TermId chosen = arena.select(less, x, sum);
  Point point(arena, facts, Draw::kZero, 1);
  point.set(x, 0x3f800000);  // 1
  const auto at = [&](uint64_t y_bits, term::TermId root) {
    point.set(y, y_bits);
    const term::TermId roots[] = {root};
    return evaluate_exactly(arena, roots, point)[0];
  };
  CHECK(at(0x40000000, sum).exact);
  CHECK(at(0x40000000, sum).bits == 0x40400000);
  CHECK(!at(0x33000000, sum).exact);   // 1 + 2^-25 rounds
  CHECK(at(0x40000000, chosen).bits == 0x3f800000);
  // The arm that is not selected does not matter.
  CHECK(at(0x4b800001, chosen).exact);
  CHECK(!at(0x33000000, chosen).exact);
}

TEST_CASE("a tensor core's pass is exact or not as a whole") {
  Prepared prepared;
  spec::Buffer b;
  b.name = "x";
  b.type = Type::kF16;
  b.shape = {4};
  prepared.spec.buffers = {b};
  prepared.buffers = {{"x", Type::kF16, 4, machine::Role::kInput, 256, -1}};
  term::Arena arena;
  real::Reading reading(arena, nullptr, {});
  const SpecFacts facts(prepared, arena, reading);
  const term::TermId x = arena.leaf(Kind::kInput, Type::kF16, 0, 0);
  term::TermId chain =
      arena.make(Op{.kind = Kind::kDotOpen, .type = Type::kF32}, arena.constant(32, 0x3f800000));
  chain = arena.make(Op{.kind = Kind::kDotTerm, .type = Type::kF32, .src = Type::kF16}, chain, x, x);
  chain = arena.make(Op{.kind = Kind::kDotClose, .type = Type::kF32, .src = Type::kF32}, chain);
  Point point(arena, facts, Draw::kZero, 1);
  const auto at = [&](uint64_t bits) {
    point.set(x, bits);
    const term::TermId roots[] = {chain};
    return evaluate_exactly(arena, roots, point)[0];
  };
  CHECK(at(0x4000).bits == 0x40a00000);  // 1 + 2 * 2
  CHECK(at(0x4000).exact);
  CHECK_FALSE(at(0x0400).exact);  // 1 + 2^-28
}

TEST_CASE("what nobody gave a value is not exact") {
  Prepared prepared;
  term::Arena arena;
  real::Reading reading(arena, nullptr, {});
  const SpecFacts facts(prepared, arena, reading);
  const term::TermId roots[] = {arena.poison(32)};
  CHECK(!evaluate_exactly(arena, roots, Point(arena, facts, Draw::kSmall, 1))[0].exact);
}
