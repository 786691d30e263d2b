#include "check/elements.h"

#include <catch2/catch.hpp>

using namespace ptxequiv;
using namespace ptxequiv::check;
using op::Kind;
using op::Type;

namespace {

struct Contents {
  Contents() { element.buffer = 1, element.index = 3, element.type = Type::kF32; }
  GuardedStore apart(TermId id, Kind kind = Kind::kInitial) {
    return take_apart(arena, id, element, kind);
  }
  term::Arena arena;
  Element element;
  TermId c = arena.leaf(Kind::kInput, Type::kPred, 0, 0);
  TermId value = arena.leaf(Kind::kInput, Type::kF32, 0, 1);
  TermId initial = arena.leaf(Kind::kInitial, Type::kF32, 1, 3);
};

TEST_CASE("a store under a condition is found whichever way the select stands") {
  Contents x;
  const GuardedStore straight = x.apart(x.arena.select(x.c, x.value, x.initial));
  CHECK(straight.value == x.value);
  CHECK(straight.condition == x.c);
  CHECK(straight.stored_when);
  const GuardedStore turned = x.apart(x.arena.select(x.arena.logic_not(x.c), x.value, x.initial));
  CHECK(turned.value == x.value);
  CHECK(turned.condition == x.c);
  CHECK_FALSE(turned.stored_when);
}

TEST_CASE("what another element held is a value like any other") {
  Contents x;
  for (const TermId other : {x.arena.leaf(Kind::kInitial, Type::kF32, 1, 4),
                             x.arena.leaf(Kind::kInitial, Type::kF32, 2, 3),
                             x.arena.leaf(Kind::kInput, Type::kF32, 1, 3)}) {
    const TermId whole = x.arena.select(x.c, x.value, other);
    CHECK(x.apart(whole).value == whole);
    CHECK(x.apart(whole).condition == term::kNoTerm);
  }
  CHECK(x.apart(x.value).condition == term::kNoTerm);
}

TEST_CASE("an inout element held its input") {
  Contents x;
  const TermId input = x.arena.leaf(Kind::kInput, Type::kF32, 1, 3);
  CHECK(x.apart(x.arena.select(x.c, x.value, input), Kind::kInput).condition == x.c);
  CHECK(is_initial(x.arena, input, x.element, Kind::kInput));
  CHECK_FALSE(is_initial(x.arena, input, x.element));
  machine::Buffer buffer;
  buffer.role = machine::Role::kInout;
  CHECK(initial_kind(buffer) == Kind::kInput);
  buffer.role = machine::Role::kOutput;
  CHECK(initial_kind(buffer) == Kind::kInitial);
}

}  // namespace
