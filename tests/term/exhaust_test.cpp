#include "term/exhaust.h"

#include <catch2/catch.hpp>

using namespace ptxequiv;
using op::Kind;
using op::Op;
using op::Type;
using term::Arena;
using term::TermId;

namespace {

Op bits(Kind kind, unsigned width) {
  return Op{.kind = kind, .type = op::bits_type(width)};
}

}  // namespace

TEST_CASE("equality by every input") {
  Arena arena;
  const TermId x = arena.leaf(Kind::kInput, Type::kU16, 0, 0);
  const Op popc{.kind = Kind::kPopc, .type = Type::kB32, .src = Type::kB16};
  // Bit by bit, up to `count` bits.
  const auto counted = [&](unsigned count) {
    TermId sum = arena.constant(32, 0);
    for (unsigned i = 0; i < count; ++i) {
      const TermId moved = arena.make(bits(Kind::kShrU, 16), x, arena.constant(32, i));
      const TermId bit = arena.make(bits(Kind::kAnd, 16), moved, arena.constant(16, 1));
      sum = arena.make(bits(Kind::kAdd, 32), sum, arena.zext(bit, 32));
    }
    return sum;
  };
  const TermId all = arena.make(popc, x);
  CHECK(term::equal_for_all_inputs(arena, all, counted(16)));
  CHECK_FALSE(term::equal_for_all_inputs(arena, all, counted(15)));
  CHECK_FALSE(term::equal_for_all_inputs(arena, all, counted(16), 15));  // too many inputs
  // A difference at one input alone.
  const TermId last = arena.equal(x, arena.constant(16, 0xffff));
  const TermId wrong = arena.select(last, arena.constant(32, 15), all);
  CHECK_FALSE(term::equal_for_all_inputs(arena, all, wrong));
}

TEST_CASE("two inputs share the count of bits") {
  Arena arena;
  const TermId a = arena.leaf(Kind::kInput, Type::kU8, 0, 0);
  const TermId b = arena.leaf(Kind::kInput, Type::kS8, 0, 1);
  const TermId sum = arena.make(bits(Kind::kAdd, 8), a, b);
  const TermId carry = arena.make(bits(Kind::kAnd, 8), a, b);
  const TermId twice = arena.make(bits(Kind::kShl, 8), carry, arena.constant(32, 1));
  const TermId half = arena.make(bits(Kind::kXor, 8), a, b);
  CHECK(term::equal_for_all_inputs(arena, sum, arena.make(bits(Kind::kAdd, 8), half, twice)));
  CHECK_FALSE(term::equal_for_all_inputs(arena, sum, arena.make(bits(Kind::kOr, 8), half, carry)));
}

TEST_CASE("what is no exact function of integers is not decided") {
  Arena arena;
  const TermId h = arena.leaf(Kind::kInput, Type::kF16, 0, 0);
  const TermId k = arena.constant(16, 0x3c00);
  const Op add{.kind = Kind::kFAdd, .type = Type::kF16};
  const TermId sum = arena.make(add, h, k);
  CHECK_FALSE(term::equal_for_all_inputs(arena, sum, sum));
  const TermId unwritten = arena.poison(8);
  CHECK_FALSE(term::equal_for_all_inputs(arena, unwritten, unwritten));
}
