// The shapes that rules give. That they keep every bit is for fuzz_test.cpp and, at 8 bits, for all
// operands at the end of this file.
#include <catch2/catch.hpp>
#include <functional>

#include "op/evaluate.h"
#include "term/arena.h"
#include "term/evaluate.h"

using namespace ptxequiv;
using op::Kind;
using op::Op;
using op::Rounding;
using op::Type;
using term::Arena;
using term::TermId;

namespace {

struct Fixture {
  Arena arena;
  TermId x = arena.leaf(Kind::kInput, Type::kB32, 0, 0);
  TermId y = arena.leaf(Kind::kInput, Type::kB32, 0, 1);
  TermId z = arena.leaf(Kind::kInput, Type::kB32, 0, 2);
  TermId wide = arena.leaf(Kind::kInput, Type::kB64, 1, 0);
  TermId byte = arena.leaf(Kind::kInput, Type::kB8, 2, 0);
  TermId half = arena.leaf(Kind::kInput, Type::kB16, 3, 0);
  TermId half2 = arena.leaf(Kind::kInput, Type::kB16, 3, 1);
  TermId p = arena.leaf(Kind::kInput, Type::kPred, 4, 0);
  TermId q = arena.leaf(Kind::kInput, Type::kPred, 4, 1);

  TermId constant(uint64_t value, unsigned width = 32) { return arena.constant(width, value); }
  TermId make(Kind kind, TermId a, TermId b = term::kNoTerm) {
    return arena.make(Op{.kind = kind, .type = op::bits_type(arena.width(a))}, a, b);
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "selects") {
  CHECK(arena.select(p, x, x) == x);
  CHECK(arena.select(arena.truth(true), x, y) == x);
  CHECK(arena.select(arena.truth(false), x, y) == y);
  CHECK(arena.select(arena.logic_not(p), x, y) == arena.select(p, y, x));
  CHECK(arena.select(p, arena.select(p, x, y), z) == arena.select(p, x, z));
  CHECK(arena.select(p, x, arena.select(p, y, z)) == arena.select(p, x, z));
  CHECK(arena.select(p, arena.truth(true), arena.truth(false)) == p);
  CHECK(arena.select(p, arena.truth(false), arena.truth(true)) == arena.logic_not(p));
  CHECK(arena.select(p, q, arena.truth(false)) == arena.logic_and(p, q));
  CHECK(arena.select(arena.equal(x, y), x, y) == y);
  CHECK(arena.kind(arena.select(p, x, y)) == Kind::kSelect);
}

TEST_CASE_METHOD(Fixture, "a select keeps a poison arm apart from its condition") {
  const TermId poison = arena.poison(1);
  CHECK(arena.kind(arena.select(p, arena.truth(true), poison)) == Kind::kSelect);
  CHECK(arena.kind(arena.select(p, poison, arena.truth(true))) == Kind::kSelect);
}

TEST_CASE_METHOD(Fixture, "a predicate kept in a register is the predicate") {
  const TermId flag = arena.select(p, constant(1), constant(0));
  CHECK(arena.equal(flag, constant(0)) == arena.logic_not(p));
  CHECK(arena.equal(flag, constant(1)) == p);
  CHECK(arena.equal(flag, constant(2)) == arena.truth(false));
  CHECK(arena.zext(p, 32) == flag);
  CHECK(make(Kind::kAnd, flag, constant(1)) == flag);
  CHECK(make(Kind::kShl, flag, constant(4)) == arena.select(p, constant(16), constant(0)));
  CHECK(arena.extract(flag, 0, 8) == arena.select(p, constant(1, 8), constant(0, 8)));
}

TEST_CASE_METHOD(Fixture, "extracts reach through what only moves bits") {
  CHECK(arena.extract(x, 0, 32) == x);
  CHECK(arena.extract(arena.extract(x, 8, 16), 8, 8) == arena.extract(x, 16, 8));
  CHECK(arena.extract(arena.concat(x, y), 0, 32) == y);
  CHECK(arena.extract(arena.concat(x, y), 32, 32) == x);
  CHECK(arena.extract(arena.concat(x, y), 40, 8) == arena.extract(x, 8, 8));
  CHECK(arena.kind(arena.extract(arena.concat(x, y), 16, 32)) == Kind::kExtract);
  CHECK(arena.extract(arena.zext(half, 64), 0, 16) == half);
  CHECK(arena.extract(arena.zext(half, 64), 32, 16) == constant(0, 16));
  CHECK(arena.extract(arena.zext(half, 64), 0, 32) == arena.zext(half, 32));
  CHECK(arena.extract(arena.sext(half, 64), 0, 32) == arena.sext(half, 32));
  CHECK(arena.extract(constant(0x12345678), 8, 16) == constant(0x3456, 16));
  CHECK(arena.extract(make(Kind::kAnd, x, constant(0xff00ff)), 0, 8) == arena.extract(x, 0, 8));
  CHECK(arena.extract(make(Kind::kAnd, x, constant(0xff00ff)), 8, 8) == constant(0, 8));
  CHECK(arena.extract(make(Kind::kShl, x, constant(5)), 16, 8) == arena.extract(x, 11, 8));
  CHECK(arena.extract(make(Kind::kShrS, x, constant(5)), 3, 8) == arena.extract(x, 8, 8));
}

TEST_CASE_METHOD(Fixture, "concatenations of one term's parts are the term") {
  CHECK(arena.concat(arena.extract(x, 16, 16), arena.extract(x, 0, 16)) == x);
  const TermId low = arena.concat(arena.extract(wide, 16, 16), arena.extract(wide, 0, 16));
  const TermId high = arena.concat(arena.extract(wide, 48, 16), arena.extract(wide, 32, 16));
  CHECK(arena.concat(high, low) == wide);
  CHECK(arena.concat(low, high) != wide);
  CHECK(arena.concat(constant(0), x) == arena.zext(x, 64));
  CHECK(arena.kind(arena.concat(arena.extract(x, 0, 16), arena.extract(x, 16, 16))) ==
        Kind::kConcat);
  const TermId merged =
      arena.concat(arena.select(p, arena.extract(x, 16, 16), arena.extract(y, 16, 16)),
                   arena.select(p, arena.extract(x, 0, 16), arena.extract(y, 0, 16)));
  CHECK(merged == arena.select(p, x, y));
}

TEST_CASE_METHOD(Fixture, "bytes put together by shifts and or are concatenations") {
  const TermId b0 = arena.leaf(Kind::kInput, Type::kB8, 9, 0);
  const TermId b1 = arena.leaf(Kind::kInput, Type::kB8, 9, 1);
  const TermId b2 = arena.leaf(Kind::kInput, Type::kB8, 9, 2);
  const TermId b3 = arena.leaf(Kind::kInput, Type::kB8, 9, 3);
  const auto placed = [&](TermId b, unsigned shift) {
    return make(Kind::kShl, arena.zext(b, 32), constant(shift));
  };
  const TermId expected = arena.concat(arena.concat(b3, b2), arena.concat(b1, b0));
  const TermId low = make(Kind::kOr, placed(b0, 0), placed(b1, 8));
  const TermId high = make(Kind::kOr, placed(b3, 24), placed(b2, 16));
  CHECK(make(Kind::kOr, high, low) == expected);
  CHECK(make(Kind::kXor, make(Kind::kOr, low, placed(b2, 16)), placed(b3, 24)) == expected);
  CHECK(make(Kind::kAdd, make(Kind::kShl, arena.zext(half, 32), constant(16)),
             arena.zext(half2, 32)) == arena.concat(half, half2));
  // and taken apart and put together again
  TermId word = constant(0);
  for (unsigned i = 0; i < 4; ++i) {
    const TermId moved = make(Kind::kShrU, x, constant(8 * i));
    const TermId one = make(Kind::kAnd, moved, constant(0xff));
    word = make(Kind::kOr, word, make(Kind::kShl, one, constant(8 * i)));
  }
  CHECK(word == x);
}

TEST_CASE_METHOD(Fixture, "masks and shifts by whole bytes") {
  CHECK(make(Kind::kAnd, x, constant(0xff)) == arena.zext(arena.extract(x, 0, 8), 32));
  CHECK(make(Kind::kAnd, x, constant(0xffff)) == arena.zext(arena.extract(x, 0, 16), 32));
  CHECK(make(Kind::kAnd, x, constant(0xffff0000)) ==
        arena.concat(arena.extract(x, 16, 16), constant(0, 16)));
  CHECK(make(Kind::kShrU, x, constant(16)) == arena.zext(arena.extract(x, 16, 16), 32));
  CHECK(make(Kind::kShrS, x, constant(24)) == arena.sext(arena.extract(x, 24, 8), 32));
  CHECK(make(Kind::kShl, x, constant(16)) ==
        arena.concat(arena.extract(x, 0, 16), constant(0, 16)));
  const Op bfe{.kind = Kind::kBfeU, .type = Type::kB32};
  CHECK(arena.make(bfe, x, constant(8), constant(8)) == arena.zext(arena.extract(x, 8, 8), 32));
  const Op prmt{.kind = Kind::kPrmt, .type = Type::kB32};
  CHECK(arena.make(prmt, x, y, constant(0x3210)) == x);
  CHECK(arena.make(prmt, x, y, constant(0x7632)) ==
        arena.concat(arena.extract(y, 16, 16), arena.extract(x, 16, 16)));
  CHECK(arena.kind(arena.make(prmt, x, y, constant(0xba98))) == Kind::kPrmt);
}

TEST_CASE_METHOD(Fixture, "neutral and absorbing constants") {
  const TermId zero = constant(0);
  const TermId ones = constant(0xffffffff);
  for (Kind kind : {Kind::kAdd, Kind::kOr, Kind::kXor, Kind::kSub}) CHECK(make(kind, x, zero) == x);
  for (Kind kind : {Kind::kShl, Kind::kShrU, Kind::kShrS}) CHECK(make(kind, x, zero) == x);
  CHECK(make(Kind::kAnd, x, zero) == zero);
  CHECK(make(Kind::kAnd, x, ones) == x);
  CHECK(make(Kind::kOr, x, ones) == ones);
  CHECK(make(Kind::kMul, x, zero) == zero);
  CHECK(make(Kind::kMul, x, constant(1)) == x);
  CHECK(make(Kind::kShl, x, constant(32)) == zero);
  CHECK(make(Kind::kShrS, x, constant(99)) == make(Kind::kShrS, x, constant(31)));
  CHECK(make(Kind::kXor, x, x) == zero);
  CHECK(make(Kind::kSub, x, x) == zero);
  CHECK(make(Kind::kAnd, x, x) == x);
  CHECK(make(Kind::kMul, x, constant(8)) == make(Kind::kShl, x, constant(3)));
  CHECK(make(Kind::kDivU, x, constant(16)) == make(Kind::kShrU, x, constant(4)));
  CHECK(make(Kind::kRemU, x, constant(16)) == make(Kind::kAnd, x, constant(15)));
  CHECK(make(Kind::kMinU, x, ones) == x);
  CHECK(make(Kind::kMaxS, x, constant(0x80000000)) == x);
}

TEST_CASE_METHOD(Fixture, "sums of constants come together, modulo 2^32") {
  const auto plus = [&](TermId a, uint64_t c) { return make(Kind::kAdd, a, constant(c)); };
  CHECK(plus(plus(x, 3), 4) == plus(x, 7));
  CHECK(plus(plus(x, 3), 0xfffffffd) == x);
  CHECK(make(Kind::kSub, x, constant(5)) == plus(x, 0xfffffffb));
  CHECK(plus(make(Kind::kSub, constant(9), x), 1) == make(Kind::kSub, constant(10), x));
  CHECK(make(Kind::kSub, make(Kind::kAdd, x, y), y) == x);
  CHECK(make(Kind::kAdd, make(Kind::kSub, x, y), y) == x);
  CHECK(make(Kind::kAdd, x, make(Kind::kSub, constant(0), y)) == make(Kind::kSub, x, y));
  CHECK(make(Kind::kMul, make(Kind::kMul, x, constant(3)), constant(5)) ==
        make(Kind::kMul, x, constant(15)));
  CHECK(make(Kind::kShl, make(Kind::kShl, x, constant(3)), constant(2)) ==
        make(Kind::kShl, x, constant(5)));
  CHECK(make(Kind::kShl, make(Kind::kShl, x, constant(20)), constant(20)) == constant(0));
}

TEST_CASE_METHOD(Fixture, "swaps by xor, and negation") {
  const TermId mixed = make(Kind::kXor, x, y);
  CHECK(make(Kind::kXor, mixed, y) == x);
  CHECK(make(Kind::kXor, mixed, x) == y);
  CHECK(make(Kind::kNot, make(Kind::kNot, x)) == x);
  CHECK(make(Kind::kXor, x, constant(0xffffffff)) == make(Kind::kNot, x));
  CHECK(make(Kind::kAnd, x, make(Kind::kNot, x)) == constant(0));
  CHECK(make(Kind::kOr, p, arena.logic_not(p)) == arena.truth(true));
  CHECK(arena.logic_and(p, arena.logic_or(p, q)) == p);
}

TEST_CASE_METHOD(Fixture, "comparisons") {
  const TermId t = arena.truth(true);
  const TermId f = arena.truth(false);
  CHECK(arena.equal(x, x) == t);
  CHECK(make(Kind::kLtU, x, x) == f);
  CHECK(make(Kind::kLtU, x, constant(0)) == f);
  CHECK(make(Kind::kLtU, x, constant(1)) == arena.equal(x, constant(0)));
  CHECK(make(Kind::kLtU, arena.zext(byte, 32), constant(300)) == t);
  CHECK(make(Kind::kLtS, arena.zext(byte, 32), constant(0xffffffff)) == f);
  CHECK(make(Kind::kLtS, arena.zext(byte, 32), constant(9)) ==
        make(Kind::kLtU, byte, constant(9, 8)));
  CHECK(make(Kind::kLtS, arena.sext(half, 32), arena.sext(half2, 32)) ==
        make(Kind::kLtS, half, half2));
  CHECK(arena.equal(make(Kind::kAdd, x, constant(3)), constant(8)) == arena.equal(x, constant(5)));
  CHECK(arena.equal(make(Kind::kXor, x, y), constant(0)) == arena.equal(x, y));
  CHECK(arena.equal(make(Kind::kSub, x, y), constant(0)) == arena.equal(x, y));
  CHECK(arena.equal(arena.zext(byte, 32), constant(256)) == f);
  CHECK(arena.equal(arena.zext(byte, 32), constant(7)) == arena.equal(byte, constant(7, 8)));
}

TEST_CASE_METHOD(Fixture, "addresses keep their base and add their offsets") {
  const TermId base = arena.leaf(Kind::kAddress, Type::kB64, 3, 0, 0);
  const TermId later = make(Kind::kAdd, base, constant(4096, 64));
  CHECK(later == arena.leaf(Kind::kAddress, Type::kB64, 3, 4096, 0));
  CHECK(make(Kind::kAdd, later, constant(uint64_t{0} - 4096, 64)) == base);
  CHECK(make(Kind::kSub, base, constant(8, 64)) ==
        arena.leaf(Kind::kAddress, Type::kB64, 3, 0xfffffff8, 0xffffffff));
  CHECK(make(Kind::kSub, later, base) == constant(4096, 64));
  CHECK(arena.equal(later, base) == arena.truth(false));
  const TermId other = arena.leaf(Kind::kAddress, Type::kB64, 4, 0, 0);
  CHECK(arena.kind(make(Kind::kSub, other, base)) == Kind::kSub);
  CHECK(arena.kind(arena.equal(other, base)) == Kind::kEq);
}

TEST_CASE_METHOD(Fixture, "float signs, where NaN allows") {
  const Op neg{.kind = Kind::kFNeg, .type = Type::kF32};
  const Op abs{.kind = Kind::kFAbs, .type = Type::kF32};
  const Op add{.kind = Kind::kFAdd, .type = Type::kF32, .rounding = Rounding::kRn};
  const TermId sum = arena.make(add, x, y);
  CHECK(arena.make(neg, arena.make(neg, sum)) == sum);
  CHECK(arena.make(neg, arena.make(neg, x)) != x);  // a NaN with a payload would change
  CHECK(arena.make(abs, arena.make(neg, x)) == arena.make(abs, x));
  CHECK(arena.make(abs, arena.make(abs, x)) == arena.make(abs, x));
  Op flushing = neg;
  flushing.ftz = 1;
  CHECK(arena.make(flushing, arena.make(flushing, sum)) != sum);
  const Op widen{.kind = Kind::kFCvt, .type = Type::kF32, .src = Type::kF16};
  const Op narrow{
      .kind = Kind::kFCvt, .type = Type::kF16, .src = Type::kF32, .rounding = Rounding::kRn};
  const Op half_add{.kind = Kind::kFAdd, .type = Type::kF16, .rounding = Rounding::kRn};
  const TermId half_sum = arena.make(half_add, half, half2);
  CHECK(arena.make(narrow, arena.make(widen, half_sum)) == half_sum);
  CHECK(arena.make(narrow, arena.make(widen, half)) != half);
}

TEST_CASE_METHOD(Fixture, "float identities that fail for some bits are not used") {
  const auto rn = [](Kind kind) {
    return Op{.kind = kind, .type = Type::kF32, .rounding = Rounding::kRn};
  };
  const TermId zero = constant(0);
  const TermId one = constant(0x3f800000);
  CHECK(arena.make(rn(Kind::kFAdd), x, zero) != x);
  CHECK(arena.make(rn(Kind::kFMul), x, one) != x);
  CHECK_FALSE(arena.is_const(arena.make(rn(Kind::kFMul), x, zero)));
  CHECK_FALSE(arena.is_const(arena.make(rn(Kind::kFSub), x, x)));
  CHECK_FALSE(arena.is_const(arena.make(Op{.kind = Kind::kFEq, .type = Type::kF32}, x, x)));
  CHECK(arena.make(Op{.kind = Kind::kFMax, .type = Type::kF32}, x, x) != x);
}

// Builds f(x, y) from 8-bit leaves and compares with the operations done one by one on all
// operands.
TEST_CASE("8-bit rules on all operands") {
  struct Row {
    Kind outer, inner;
    bool constant_first;
  };
  std::vector<Row> rows;
  const std::vector<Kind> kinds = {Kind::kAdd,  Kind::kSub,  Kind::kMul,  Kind::kAnd, Kind::kOr,
                                   Kind::kXor,  Kind::kEq,   Kind::kLtU,  Kind::kLtS, Kind::kMinU,
                                   Kind::kMaxS, Kind::kDivU, Kind::kRemU, Kind::kDivS};
  for (Kind outer : kinds) {
    for (Kind inner : kinds) {
      if (inner == Kind::kEq || inner == Kind::kLtU || inner == Kind::kLtS) continue;
      rows.push_back({outer, inner, false});
      rows.push_back({outer, inner, true});
    }
  }
  size_t points = 0;
  for (const Row& row : rows) {
    const Op outer{.kind = row.outer, .type = Type::kB8};
    const Op inner{.kind = row.inner, .type = Type::kB8};
    for (uint64_t c1 : {0u, 1u, 2u, 3u, 0x7fu, 0x80u, 0x81u, 0xf0u, 0xffu}) {
      for (uint64_t c2 : {0u, 1u, 4u, 0x7fu, 0x80u, 0xfeu, 0xffu}) {
        Arena arena;
        const TermId x = arena.leaf(Kind::kInput, Type::kB8, 0, 0);
        const TermId k1 = arena.constant(8, c1);
        const TermId k2 = arena.constant(8, c2);
        const TermId inside =
            row.constant_first ? arena.make(inner, k1, x) : arena.make(inner, x, k1);
        const TermId roots[] = {arena.make(outer, inside, k2), arena.make(outer, k2, inside),
                                arena.make(outer, inside, x), arena.make(outer, x, inside)};
        for (uint64_t value = 0; value < 256; value += 1 + (value > 4 && value < 120) * 6) {
          const auto got =
              term::evaluate(arena, roots, [&](TermId, const term::Node&) { return value; });
          const uint64_t in = row.constant_first ? op::evaluate(inner, c1, value, 0).bits
                                                 : op::evaluate(inner, value, c1, 0).bits;
          const uint64_t expected[] = {
              op::evaluate(outer, in, c2, 0).bits, op::evaluate(outer, c2, in, 0).bits,
              op::evaluate(outer, in, value, 0).bits, op::evaluate(outer, value, in, 0).bits};
          for (int i = 0; i < 4; ++i) {
            ++points;
            if (got[i] == expected[i]) continue;
            INFO(op::to_string(outer) << " " << op::to_string(inner) << " form " << i << " c1 "
                                      << c1 << " c2 " << c2 << " x " << value);
            REQUIRE(got[i] == expected[i]);
          }
        }
      }
    }
  }
  CHECK(points > 1000000);
}

TEST_CASE("extended bytes against constants, all operands") {
  const Kind extend = GENERATE(Kind::kZext, Kind::kSext);
  const Op wider{.kind = extend, .type = Type::kB16, .src = Type::kB8};
  for (Kind kind : {Kind::kEq, Kind::kLtU, Kind::kLtS, Kind::kAnd, Kind::kAdd, Kind::kShrU}) {
    const Op op{.kind = kind, .type = Type::kB16};
    for (uint64_t c : {0x0000u, 0x0001u, 0x007fu, 0x0080u, 0x0081u, 0x00feu, 0x00ffu, 0x0100u,
                       0x0101u, 0x7fffu, 0x8000u, 0xff7fu, 0xff80u, 0xff81u, 0xff00u, 0xffffu}) {
      Arena arena;
      const TermId x = arena.leaf(Kind::kInput, Type::kB8, 0, 0);
      const bool shift = kind == Kind::kShrU;
      const TermId wide = arena.make(wider, x);
      const TermId k = arena.constant(shift ? 32 : 16, c);
      const TermId first = arena.make(op, wide, k);
      const TermId roots[] = {first, shift ? first : arena.make(op, k, wide)};
      for (uint64_t value = 0; value < 256; ++value) {
        const auto got =
            term::evaluate(arena, roots, [&](TermId, const term::Node&) { return value; });
        const uint64_t in = op::evaluate(wider, value, 0, 0).bits;
        const uint64_t expected[] = {op::evaluate(op, in, c, 0).bits,
                                     op::evaluate(op, c, in, 0).bits};
        INFO(op::to_string(op) << " c " << c << " x " << value);
        REQUIRE(got[0] == expected[0]);
        if (!shift) REQUIRE(got[1] == expected[1]);
      }
    }
  }
}
