#include "term/arena.h"

#include <catch2/catch.hpp>

#include "base/error.h"

using namespace ptxequiv;
using op::Kind;
using op::Op;
using op::Type;
using term::Arena;
using term::TermId;

TEST_CASE("equal nodes have one id") {
  Arena arena;
  const TermId x = arena.leaf(Kind::kInput, Type::kF32, 0, 1);
  const TermId y = arena.leaf(Kind::kInput, Type::kF32, 0, 2);
  CHECK(x != y);
  CHECK(arena.leaf(Kind::kInput, Type::kF32, 0, 1) == x);
  const Op add{.kind = Kind::kFAdd, .type = Type::kF32, .rounding = op::Rounding::kRn};
  CHECK(arena.make(add, x, y) == arena.make(add, y, x));
  const Op sub{.kind = Kind::kFSub, .type = Type::kF32, .rounding = op::Rounding::kRn};
  CHECK(arena.make(sub, x, y) != arena.make(sub, y, x));
}
