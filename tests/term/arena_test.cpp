#include "term/arena.h"

#include <catch2/catch.hpp>
#include <random>

#include "base/error.h"
#include "op/evaluate.h"

using namespace ptxequiv;
using base::InternalError;
using op::Kind;
using op::Op;
using op::Rounding;
using op::Type;
using term::Arena;
using term::kNoTerm;
using term::TermId;

namespace {

constexpr Op kAdd{.kind = Kind::kFAdd, .type = Type::kF32, .rounding = Rounding::kRn};
constexpr Op kMul{.kind = Kind::kFMul, .type = Type::kF32, .rounding = Rounding::kRn};

TermId input(Arena& arena, uint32_t element, Type type = Type::kF32) {
  return arena.leaf(Kind::kInput, type, 0, element);
}
TermId f32(Arena& arena, double value) {
  return arena.constant(32, op::from_double(Type::kF32, value));
}

}  // namespace

TEST_CASE("equal nodes have one id") {
  Arena arena;
  const TermId x = input(arena, 1);
  const TermId y = input(arena, 2);
  CHECK(x != y);
  CHECK(input(arena, 1) == x);
  CHECK(arena.make(kAdd, x, y) == arena.make(kAdd, y, x));
  const Op sub{.kind = Kind::kFSub, .type = Type::kF32, .rounding = Rounding::kRn};
  CHECK(arena.make(sub, x, y) != arena.make(sub, y, x));
}

TEST_CASE("the product's operands of an fma are ordered, the sum's is not") {
  Arena arena;
  const Op fma{.kind = Kind::kFFma, .type = Type::kF32, .rounding = Rounding::kRn};
  const TermId x = input(arena, 1);
  const TermId y = input(arena, 2);
  const TermId z = input(arena, 3);
  CHECK(arena.make(fma, x, y, z) == arena.make(fma, y, x, z));
  CHECK(arena.make(fma, x, y, z) != arena.make(fma, x, z, y));
}

TEST_CASE("operations that mean the same have one spelling, others do not") {
  Arena arena;
  const TermId x = input(arena, 1, Type::kB32);
  const TermId y = input(arena, 2, Type::kB32);
  CHECK(arena.make(Op{.kind = Kind::kAdd, .type = Type::kS32}, x, y) ==
        arena.make(Op{.kind = Kind::kAdd, .type = Type::kU32}, x, y));
  Op rounded = kAdd;
  rounded.rounding = Rounding::kAny;  // ptxas may contract it
  CHECK(arena.make(kAdd, x, y) != arena.make(rounded, x, y));
  Op flushed = kAdd;
  flushed.ftz = 1;
  CHECK(arena.make(kAdd, x, y) != arena.make(flushed, x, y));
}

TEST_CASE("only exact float operations on constants fold; others keep their bits beside them") {
  Arena arena;
  const TermId three = arena.make(kAdd, f32(arena, 1), f32(arena, 2));
  CHECK(three == f32(arena, 3));
  const TermId log2e = arena.constant(32, 0x3fb8aa3b);
  const TermId scaled = arena.make(kMul, log2e, f32(arena, 0.1));
  CHECK_FALSE(arena.is_const(scaled));
  const uint64_t bits = op::evaluate(kMul, 0x3fb8aa3b, op::from_double(Type::kF32, 0.1), 0).bits;
  CHECK(arena.known_bits(scaled) == bits);
  // Bits move through what stands above.
  CHECK(arena.known_bits(arena.extract(scaled, 16, 16)) == bits >> 16);
  const TermId more = arena.make(kMul, scaled, f32(arena, 2));
  CHECK_FALSE(arena.is_const(more));
  CHECK(arena.known_bits(more) == op::evaluate(kMul, bits, 0x40000000, 0).bits);
  CHECK(arena.known_bits(input(arena, 0)) == std::nullopt);
  CHECK(arena.known_bits(arena.make(kMul, scaled, input(arena, 0))) == std::nullopt);
  CHECK(arena.known_bits(log2e) == 0x3fb8aa3bu);
}

TEST_CASE("division by zero and NaN do not fold") {
  Arena arena;
  const Op div{.kind = Kind::kFDiv, .type = Type::kF32, .rounding = Rounding::kRn};
  const TermId quotient = arena.make(div, f32(arena, 1), f32(arena, 0));
  CHECK_FALSE(arena.is_const(quotient));
  CHECK(arena.known_bits(quotient) == 0x7f800000u);
  const TermId nan = arena.make(kAdd, arena.constant(32, 0x7fc00000), f32(arena, 1));
  CHECK_FALSE(arena.is_const(nan));
}

TEST_CASE("poison and fresh values are new each time") {
  Arena arena;
  CHECK(arena.poison(32) != arena.poison(32));
  CHECK(arena.fresh(1) != arena.fresh(1));
  CHECK(arena.width(arena.poison(8)) == 8);
}

TEST_CASE("operands that do not fit are refused") {
  Arena arena;
  const TermId narrow = arena.constant(16, 1);
  const TermId wide = input(arena, 0);
  CHECK_THROWS_AS(arena.make(kAdd, narrow, wide), InternalError);
  CHECK_THROWS_AS(arena.make(kAdd, wide), InternalError);
  CHECK_THROWS_AS(arena.make(kAdd, wide, 1000000), InternalError);
  CHECK_THROWS_AS(arena.make(Op{.kind = Kind::kConst, .type = Type::kB32}, wide), InternalError);
  CHECK_THROWS_AS(arena.extract(wide, 20, 16), InternalError);
  CHECK_THROWS_AS(arena.concat(wide, narrow), InternalError);
  CHECK_THROWS_AS(arena.select(wide, wide, wide), InternalError);
  CHECK_THROWS_AS(arena.zext(wide, 16), InternalError);
  CHECK_THROWS_AS(arena.leaf(Kind::kFAdd, Type::kF32, 0), InternalError);
}

TEST_CASE("constants are truncated to their width") {
  Arena arena;
  CHECK(arena.constant(8, 0x1ff) == arena.constant(8, 0xff));
  CHECK(arena.const_bits(arena.constant(64, ~uint64_t{0})) == ~uint64_t{0});
  CHECK(arena.truth(true) != arena.truth(false));
  CHECK(arena.constant(8, 1) != arena.constant(16, 1));
}

TEST_CASE("the first maker's origin stays") {
  Arena arena;
  arena.set_origin(7);
  const TermId x = input(arena, 0);
  arena.set_origin(8);
  CHECK(input(arena, 0) == x);
  CHECK(arena.origin(x) == 7);
  CHECK(arena.origin(input(arena, 1)) == 8);
  // Nodes that were dropped leave theirs to nobody.
  arena.set_origin(9);
  const size_t mark = arena.size();
  input(arena, 2);
  input(arena, 3);
  arena.truncate(mark);
  arena.set_origin(8);
  CHECK(arena.origin(input(arena, 4)) == 8);
  arena.set_origin(9);
  CHECK(arena.origin(input(arena, 5)) == 9);
  CHECK(arena.origin(x) == 7);
}

TEST_CASE("truncating forgets what came after, and nothing else") {
  Arena arena;
  const TermId x = input(arena, 0);
  const TermId kept = arena.make(kMul, x, x);
  const size_t mark = arena.size();
  const TermId tenth = f32(arena, 0.1);
  const TermId inexact = arena.make(kMul, tenth, tenth);
  CHECK(arena.known_bits(inexact).has_value());
  arena.truncate(mark);
  CHECK(arena.size() == mark);
  CHECK(arena.make(kMul, x, x) == kept);
  CHECK(arena.size() == mark);
  // The same ids are given out again, without the old bits.
  const TermId y = input(arena, 1);
  const TermId z = input(arena, 2);
  const TermId sum = arena.make(kAdd, y, z);
  CHECK(sum == mark + 2);
  CHECK_FALSE(arena.known_bits(y).has_value());
  arena.truncate(arena.size() + 5);
  CHECK(arena.size() == mark + 3);
}

TEST_CASE("many nodes at a time are the nodes made one by one") {
  constexpr Op kFma{.kind = Kind::kFFma, .type = Type::kF32, .rounding = Rounding::kRn};
  constexpr Op kNeg{.kind = Kind::kFNeg, .type = Type::kF32};
  constexpr unsigned kCount = 100;
  Arena many, one;
  std::mt19937 random(7);
  std::vector<TermId> a, b, c;
  for (unsigned i = 0; i < kCount; ++i) {
    // Inputs, constants, and constants that were kept since they round.
    for (std::vector<TermId>* list : {&a, &b, &c}) {
      const uint32_t x = random() % 40, kind = random() % 4;
      TermId ids[2];
      for (Arena* arena : {&many, &one}) {
        TermId& id = ids[arena == &one];
        id = kind == 0 ? f32(*arena, x) : input(*arena, x);
        if (kind == 1) id = arena->make(kAdd, f32(*arena, 1e-9), f32(*arena, x + 1));
        if (kind == 2) id = arena->make(kNeg, id);
      }
      REQUIRE(ids[0] == ids[1]);
      list->push_back(ids[0]);
    }
  }
  for (const Op op : {kFma, kMul, kNeg}) {
    std::vector<TermId> out(kCount);
    many.make_many(op, kCount, a.data(), b.data(), c.data(), out.data());
    for (unsigned i = 0; i < kCount; ++i) CHECK(out[i] == one.make(op, a[i], b[i], c[i]));
  }
  CHECK(many.size() == one.size());
  // The results may take an operand's place.
  std::vector<TermId> chain = c;
  many.make_many(kFma, kCount, a.data(), b.data(), chain.data(), chain.data());
  for (unsigned i = 0; i < kCount; ++i) CHECK(chain[i] == many.make(kFma, a[i], b[i], c[i]));
}

TEST_CASE("hash-consing survives growth and truncation at random") {
  Arena arena;
  std::mt19937 random(4);
  std::vector<TermId> marks;
  for (int round = 0; round < 60; ++round) {
    const size_t before = arena.size();
    const uint32_t first = random() % 50000;
    for (uint32_t i = first; i < first + 3000; ++i) input(arena, i);
    for (uint32_t i = first; i < first + 3000; ++i) {
      const TermId id = input(arena, i);
      REQUIRE(arena[id].b == i);
    }
    const size_t after = arena.size();
    if (random() % 3 == 0) {
      arena.truncate(before + random() % (after - before + 1));
    } else if (random() % 8 == 0) {
      arena.truncate(before / 5);
    }
    for (TermId id = 0; id < arena.size(); id += 97) {  // still found, under their ids
      const size_t size = arena.size();
      REQUIRE(input(arena, arena[id].b) == id);
      REQUIRE(arena.size() == size);
    }
  }
}

TEST_CASE("a node costs at most 28 bytes, all in") {
  Arena arena;
  const TermId x = input(arena, 0);
  const Op fma{.kind = Kind::kFFma, .type = Type::kF32, .rounding = Rounding::kRn};
  TermId sum = x;
  for (uint32_t i = 1; arena.size() < 600000; ++i) sum = arena.make(fma, input(arena, i), x, sum);
  CHECK(arena.memory_bytes() <= 28 * arena.size());
  CHECK(arena.memory_bytes() >= 20 * arena.size());
}
