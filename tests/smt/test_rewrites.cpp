// Rewrites of `term` and `real`, proved at full width: the side that a rewrite would change is
// written so that it does not apply.
#include <catch2/catch.hpp>

#include "support.h"

using namespace ptxequiv;
using namespace ptxequiv::smt;
using namespace ptxequiv::smt::testing;
using op::Op;
using op::Type;
using term::TermId;

TEST_CASE_METHOD(Fixture, "steps commute with clamps by constants") {
  const Kind step = GENERATE(Kind::kRint, Kind::kFloor, Kind::kCeil, Kind::kTrunc);
  const RealId x = leaf(0);
  for (const RealId bound : {num(127), num(-127), num(7, 2), num(5, 2)}) {
    for (const bool least : {true, false}) {
      const auto clamp = [&](RealId a, RealId b) {
        const RealId less = make(Kind::kLt, a, b);
        return least ? make(Kind::kIte, less, a, b) : make(Kind::kIte, less, b, a);
      };
      const RealId outside = make(step, clamp(x, bound));
      const RealId inside = clamp(make(step, x), make(step, bound));
      CHECK(proves_equal(outside, inside));
      // The fold says the same.
      const Kind lattice = least ? Kind::kMin : Kind::kMax;
      CHECK(make(step, make(lattice, x, bound)) == make(lattice, make(step, x), make(step, bound)));
    }
  }
}

TEST_CASE("comparisons of shifted and united bits, at 32 bits") {
  term::Arena arena;
  const TermId x = arena.leaf(op::Kind::kInput, Type::kU32, 0, 0);
  const TermId by = arena.leaf(op::Kind::kInput, Type::kU32, 0, 1);
  const TermId with = arena.leaf(op::Kind::kInput, Type::kU32, 0, 2);
  const auto make = [&](op::Kind kind, TermId a, TermId b) {
    return arena.make(Op{.kind = kind, .type = Type::kB32}, a, b);
  };
  const auto k = [&](uint64_t value) { return arena.constant(32, value); };
  base::Log log;
  Solver solver({}, log);
  const auto shape = [&](TermId shift, TermId set, uint64_t mask, uint64_t value) {
    const TermId moved = make(op::Kind::kShl, x, shift);
    const TermId united = make(op::Kind::kOr, make(op::Kind::kAnd, moved, k(mask)), set);
    return arena.equal(united, k(value));
  };
  for (const uint64_t shift : {1u, 5u, 31u}) {
    for (const uint64_t value : {0u, 0x140u, 0x80000000u, 0x141u}) {
      const uint64_t mask = 0x80000ff0, set = 0x100;
      const TermId plain = shape(by, with, mask, value);  // variables: no rule applies
      const TermId rewritten = shape(k(shift), k(set), mask, value);
      const TermId query[] = {arena.equal(by, k(shift)), arena.equal(with, k(set)),
                              arena.logic_not(arena.equal(plain, rewritten))};
      const Answer answer = solver.check_bits(arena, query, base::Deadline::never());
      CHECK(std::holds_alternative<Unsat>(answer));
    }
  }
}

TEST_CASE("halves of products and counts of unions, at 32 bits") {
  term::Arena arena;
  const TermId x = arena.leaf(op::Kind::kInput, Type::kU32, 0, 0);
  const TermId y = arena.leaf(op::Kind::kInput, Type::kU32, 0, 1);
  const TermId wide = arena.leaf(op::Kind::kInput, Type::kU64, 0, 2);
  base::Log log;
  Solver solver({}, log);
  const Op mul{.kind = op::Kind::kMul, .type = Type::kB64};
  // wide is zext(y), but the arena does not know.
  const TermId product = arena.make(mul, arena.zext(x, 64), wide);
  const TermId high = arena.make(Op{.kind = op::Kind::kMulHiU, .type = Type::kB32}, x, y);
  const TermId known = arena.equal(wide, arena.zext(y, 64));
  const TermId query[] = {known,
                          arena.logic_not(arena.equal(arena.extract(product, 32, 32), high))};
  CHECK(std::holds_alternative<Unsat>(solver.check_bits(arena, query, base::Deadline::never())));
  const TermId loose[] = {arena.logic_not(arena.equal(arena.extract(product, 32, 32), high))};
  CHECK(std::holds_alternative<Model>(solver.check_bits(arena, loose, base::Deadline::never())));
  // popc(a | b) = popc(a) + popc(b) where they do not meet.
  const Op popc{.kind = op::Kind::kPopc, .type = Type::kB32, .src = Type::kB32};
  const auto make = [&](op::Kind kind, TermId a, TermId b) {
    return arena.make(Op{.kind = kind, .type = Type::kB32}, a, b);
  };
  const TermId mask = arena.constant(32, 0x00ff00ff);
  const TermId rest = arena.constant(32, 0xff00ff00);
  const TermId a = make(op::Kind::kAnd, x, mask), b = make(op::Kind::kAnd, y, rest);
  const TermId unknown = arena.leaf(op::Kind::kInput, Type::kU32, 0, 3);
  const TermId sum = make(op::Kind::kAdd, arena.make(popc, a), arena.make(popc, b));
  CHECK(arena.make(popc, make(op::Kind::kOr, a, b)) == sum);
  const TermId union_query[] = {arena.equal(unknown, make(op::Kind::kOr, a, b)),
                                arena.logic_not(arena.equal(arena.make(popc, unknown), sum))};
  const Answer answer = solver.check_bits(arena, union_query, base::Deadline::never());
  CHECK(std::holds_alternative<Unsat>(answer));
}

TEST_CASE_METHOD(Fixture, "a magnitude is zero where what it is of is") {
  // |r| written as 2 max(r, 0) - r, as the normal form has it.
  const RealId r = leaf(0);
  const RealId part = make(Kind::kIte, make(Kind::kLt, r, num(0)), num(0), r);
  const RealId magnitude = make(Kind::kSub, make(Kind::kMul, num(2), part), r);
  const RealId one_way = make(Kind::kEq, magnitude, num(0)), other = make(Kind::kEq, r, num(0));
  CHECK(proves_equal(make(Kind::kIte, one_way, num(1), num(0)),
                     make(Kind::kIte, other, num(1), num(0))));
}
