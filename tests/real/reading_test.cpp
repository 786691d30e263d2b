#include "real/reading.h"

#include <catch2/catch.hpp>

#include "real/constants.h"
#include "terms.h"

namespace ptxequiv::real {
namespace {

using op::Type;
using testing::TermId;
using testing::Terms;

struct Fixture : Terms {
  Reading reading{arena, nullptr, {}};
  Dag& dag = reading.dag();

  RealId read(TermId id, Type type = Type::kF32) { return reading.read(id, type); }
  RealId leaf(TermId id, Type type = Type::kF32) { return dag.leaf(id, type); }
  Kind kind(RealId id) { return dag[id].kind; }
  uint64_t uses(const std::string& assumption, TermId id, Type type = Type::kF32) {
    const std::pair<TermId, Type> root{id, type};
    const Assumptions used = reading.assumptions({&root, 1});
    const auto it = used.find(assumption);
    return it == used.end() ? 0 : it->second.count;
  }
};

TEST_CASE_METHOD(Fixture, "float arithmetic is real arithmetic") {
  const TermId x = input(0), y = input(1), z = input(2);
  const RealId a = leaf(x), b = leaf(y), c = leaf(z);
  CHECK(read(f(op::Kind::kFAdd, x, y)) == dag.make(Kind::kAdd, a, b));
  CHECK(read(f(op::Kind::kFFma, x, y, z)) == dag.make(Kind::kAdd, dag.make(Kind::kMul, a, b), c));
  CHECK(read(f(op::Kind::kFRcp, x)) == dag.make(Kind::kDiv, dag.integer(1), a));
  CHECK(read(f(op::Kind::kFRsqrt, x)) ==
        dag.make(Kind::kDiv, dag.integer(1), dag.make(Kind::kSqrt, a)));
  CHECK(read(f(op::Kind::kFEx2, x)) == dag.make(Kind::kExp2, a));
  CHECK(read(f(op::Kind::kFMax, x, y)) == dag.make(Kind::kMax, a, b));
  op::Op sat = op(op::Kind::kFAdd, Type::kF32);
  sat.sat = 1;
  sat.ftz = 1;
  const RealId sum = dag.make(Kind::kAdd, a, b);
  CHECK(read(arena.make(sat, x, y)) ==
        dag.make(Kind::kMin, dag.make(Kind::kMax, sum, dag.integer(0)), dag.integer(1)));
  CHECK(uses("reals", f(op::Kind::kFAdd, f(op::Kind::kFMul, x, y), z)) == 2);
  CHECK(uses("reals", f(op::Kind::kFNeg, x)) == 0);
}

TEST_CASE_METHOD(Fixture, "literals are their exact values") {
  CHECK(dag.rational_value(read(f32_bits(0x3FB8AA3B))) == mpq_class(12102203, 8388608));
  CHECK(kind(read(f32_bits(0x7F800000))) == Kind::kInfinity);
  CHECK(dag[read(f32_bits(0xFF800000))].a == 1);
  CHECK(kind(read(f32_bits(0x7FC00000))) == Kind::kUndefined);
  CHECK(read(f32_bits(0x80000000)) == dag.integer(0));
  CHECK(dag.rational_value(read(arena.constant(16, 0x3C00), Type::kF16)) == 1);
  CHECK(dag.rational_value(read(arena.constant(16, 0x3FC0), Type::kBF16)) == mpq_class(3, 2));
  CHECK(dag.rational_value(read(f32_bits(0x00000001))) == mpq_class(1, mpz_class(1) << 149));
}

TEST_CASE_METHOD(Fixture, "bit operations on floats") {
  const TermId x = input(0), y = input(1);
  const RealId a = leaf(x);
  const auto bits = [&](op::Kind k, TermId p, TermId q) { return make(k, Type::kB32, p, q); };
  const RealId absolute = dag.make(Kind::kAbs, a);
  CHECK(read(bits(op::Kind::kXor, x, u32(0x80000000))) == dag.make(Kind::kNeg, a));
  CHECK(read(bits(op::Kind::kAnd, x, u32(0x7fffffff))) == absolute);
  CHECK(read(bits(op::Kind::kOr, x, u32(0x80000000))) == dag.make(Kind::kNeg, absolute));
  CHECK(kind(read(bits(op::Kind::kXor, x, u32(1)))) == Kind::kOpaque);
  CHECK(kind(read(bits(op::Kind::kAdd, x, u32(1u << 23)))) == Kind::kOpaque);
  const TermId sum = f(op::Kind::kFAdd, x, y);
  CHECK(kind(read(bits(op::Kind::kShl, sum, u32(23)))) == Kind::kOpaque);
  const TermId sign = bits(op::Kind::kAnd, x, u32(0x80000000));
  const RealId less = dag.make(Kind::kLt, a, dag.integer(0));
  const RealId m = dag.make(Kind::kAbs, leaf(y));
  const RealId copied = dag.make(Kind::kIte, less, dag.make(Kind::kNeg, m), m);
  CHECK(read(bits(op::Kind::kOr, sign, bits(op::Kind::kAnd, y, u32(0x7fffffff)))) == copied);
  CHECK(read(make(op::Kind::kFCopysign, Type::kF32, x, y)) == copied);
}

TEST_CASE_METHOD(Fixture, "a negative zero keeps its sign where it is a constant") {
  const TermId y = input(0);
  const RealId m = dag.make(Kind::kAbs, leaf(y));
  CHECK(read(f(op::Kind::kFCopysign, f32_bits(0x80000000), y)) == dag.make(Kind::kNeg, m));
  CHECK(read(f(op::Kind::kFCopysign, f32_bits(0), y)) == m);
}

TEST_CASE_METHOD(Fixture, "a bf16 in the high half of an f32 is its value") {
  const TermId h = input(0, Type::kBF16), l = input(1, Type::kBF16);
  const TermId pair = arena.concat(h, l);
  CHECK(read(arena.concat(h, arena.constant(16, 0))) == leaf(h, Type::kBF16));
  CHECK(read(make(op::Kind::kAnd, Type::kB32, pair, u32(0xffff0000))) == leaf(h, Type::kBF16));
  CHECK(read(make(op::Kind::kShl, Type::kB32, pair, u32(16))) == leaf(l, Type::kBF16));
  CHECK(kind(read(pair)) == Kind::kOpaque);
  CHECK(kind(read(h, Type::kF16)) == Kind::kOpaque);
}

TEST_CASE_METHOD(Fixture, "conversions between formats") {
  const TermId x = input(0);
  const TermId half = convert(op::Kind::kFCvt, Type::kF16, Type::kF32, x);
  CHECK(read(half, Type::kF16) == leaf(x));
  CHECK(uses("no-overflow", half, Type::kF16) == 1);
  const TermId wide = convert(op::Kind::kFCvt, Type::kF32, Type::kF16, input(1, Type::kF16));
  CHECK(uses("no-overflow", wide) == 0);
  op::Op fp8 = op(op::Kind::kFCvt, Type::kE4M3);
  fp8.src = Type::kF32;
  fp8.satfinite = 1;
  const RealId clamped = read(arena.make(fp8, x), Type::kE4M3);
  CHECK(clamped ==
        dag.make(Kind::kMin, dag.make(Kind::kMax, leaf(x), dag.integer(-448)), dag.integer(448)));
}

TEST_CASE_METHOD(Fixture, "steps and comparisons of rounded values are noted") {
  const TermId x = input(0), y = input(1), sum = f(op::Kind::kFAdd, x, y);
  const TermId direct = convert(op::Kind::kFToI, Type::kS32, Type::kF32, x, op::Rounding::kRz);
  const RealId low = dag.rational(mpq_class("-2147483648")), high = dag.integer(2147483647);
  CHECK(read(direct, Type::kS32) ==
        dag.make(Kind::kMin, dag.make(Kind::kMax, dag.make(Kind::kTrunc, leaf(x)), low), high));
  CHECK(uses("discontinuity", direct, Type::kS32) == 0);
  const TermId rounded = convert(op::Kind::kFToI, Type::kS32, Type::kF32, sum, op::Rounding::kRm);
  CHECK(uses("discontinuity", rounded, Type::kS32) == 1);
  const TermId less = make(op::Kind::kFLt, Type::kF32, sum, y);
  CHECK(kind(read(less, Type::kPred)) == Kind::kLt);
  CHECK(uses("discontinuity", less, Type::kPred) == 1);
  const TermId of_leaves = make(op::Kind::kFLt, Type::kF32, f(op::Kind::kFMax, x, y), y);
  CHECK(uses("discontinuity", of_leaves, Type::kPred) == 0);
  const TermId rint = f(op::Kind::kFRint, x);
  CHECK(read(rint) == dag.make(Kind::kRint, leaf(x)));
}

TEST_CASE_METHOD(Fixture, "tests for NaN are false where the operand is defined") {
  const TermId x = input(0), y = input(1);
  CHECK(read(make(op::Kind::kFUnordered, Type::kF32, x, y), Type::kPred) == dag.truth(false));
  const TermId q = f(op::Kind::kFDiv, x, y);
  const TermId nan = make(op::Kind::kFUnordered, Type::kF32, q, q);
  const RealId quotient = read(q);
  // Its definedness must not be lost: isnan(x / y) ? 0 : x is not x at y = 0.
  CHECK(read(nan, Type::kPred) == dag.make(Kind::kNot, dag.make(Kind::kEq, quotient, quotient)));
  const TermId less = make(op::Kind::kFLt, Type::kF32, q, x);
  const TermId test = make(op::Kind::kFUnordered, Type::kF32, q, x);
  CHECK(read(arena.logic_or(less, test), Type::kPred) == read(less, Type::kPred));
}

TEST_CASE_METHOD(Fixture, "integers are numbers where they cannot wrap") {
  const TermId n = scalar(0, Type::kS32), i = input(0, Type::kU8);
  CHECK(read(n, Type::kS32) == leaf(n, Type::kS32));
  // n + 1 may wrap: less 2^32 where it is at least 2^31.
  const TermId next = make(op::Kind::kAdd, Type::kB32, n, u32(1));
  const RealId plain = dag.make(Kind::kAdd, leaf(n, Type::kS32), dag.integer(1));
  const RealId wrapped = read(next, Type::kS32);
  CHECK(kind(wrapped) == Kind::kSub);
  CHECK(dag[wrapped].a == plain);
  CHECK(kind(dag[dag[wrapped].b].a) == Kind::kFloor);
  const TermId wide = arena.zext(i, 32);
  const TermId sum = make(op::Kind::kAdd, Type::kB32, wide, u32(5));
  CHECK(read(sum, Type::kS32) == dag.make(Kind::kAdd, leaf(i, Type::kU8), dag.integer(5)));
  CHECK(read(sum, Type::kS32) == read(sum, Type::kU32));
  CHECK(kind(read(make(op::Kind::kLtS, Type::kS32, n, u32(7)), Type::kPred)) == Kind::kLt);
  const TermId hashed = make(op::Kind::kXor, Type::kB32, n, scalar(1, Type::kS32));
  CHECK(kind(read(make(op::Kind::kLtS, Type::kS32, hashed, u32(7)), Type::kPred)) ==
        Kind::kOpaqueBool);
  CHECK(read(u32(0xffffffff), Type::kS32) == dag.integer(-1));
  CHECK(read(u32(0xffffffff), Type::kU32) == dag.integer(4294967295));
  // The other signedness of a leaf is exact: n + 2^32 where n < 0.
  CHECK(kind(read(n, Type::kU32)) == Kind::kIte);
}

TEST_CASE_METHOD(Fixture, "a clamped float fits a narrow integer") {
  const TermId x = input(0);
  const TermId clamped = f(op::Kind::kFMin, f(op::Kind::kFMax, x, f32(-128)), f32(127));
  const TermId whole = convert(op::Kind::kFToI, Type::kS16, Type::kF32, clamped);
  CHECK(kind(read(arena.extract(whole, 0, 8), Type::kS8)) == Kind::kMin);
  CHECK(kind(read(arena.extract(whole, 0, 8), Type::kU8)) == Kind::kSub);
  const TermId loose = f(op::Kind::kFMin, f(op::Kind::kFMax, x, f32(-128)), f32(128));
  const TermId wide = convert(op::Kind::kFToI, Type::kS16, Type::kF32, loose);
  // 128 does not fit: as an unsigned byte, less 256 from 128 on.
  CHECK(kind(read(arena.extract(wide, 0, 8), Type::kS8)) == Kind::kIte);
}

TEST_CASE_METHOD(Fixture, "integer to float") {
  const TermId small = arena.zext(input(0, Type::kU16), 32);
  const TermId exact = convert(op::Kind::kIToF, Type::kF32, Type::kU32, small);
  CHECK(kind(read(exact)) == Kind::kLeaf);
  CHECK(uses("int-to-float", exact) == 0);
  const TermId n = scalar(0, Type::kS32);
  const TermId inexact = convert(op::Kind::kIToF, Type::kF32, Type::kS32, n);
  CHECK(read(inexact) == leaf(n, Type::kS32));
  CHECK(uses("int-to-float", inexact) == 1);
  // Where it flows into a comparison or back to an integer it is not the identity.
  CHECK(kind(read(make(op::Kind::kFLt, Type::kF32, inexact, f32(3)), Type::kPred)) ==
        Kind::kOpaqueBool);
  const TermId back = convert(op::Kind::kFToI, Type::kS32, Type::kF32, inexact, op::Rounding::kRz);
  CHECK(kind(read(back, Type::kS32)) == Kind::kOpaque);
  const TermId wide = convert(op::Kind::kIToF, Type::kF64, Type::kS32, n);
  CHECK(uses("int-to-float", wide, Type::kF64) == 0);
}

TEST_CASE_METHOD(Fixture, "float bits compared as integers are opaque") {
  const TermId x = input(0);
  CHECK(kind(read(make(op::Kind::kLtS, Type::kS32, x, u32(0)), Type::kPred)) == Kind::kOpaqueBool);
  const TermId sum = f(op::Kind::kFAdd, x, x);
  CHECK(kind(read(sum, Type::kS32)) == Kind::kOpaque);
}

TEST_CASE("log2 e is snapped where it flows into ex2, and then everywhere") {
  Terms terms;
  const TermId x = terms.input(0), y = terms.input(1);
  const TermId c = terms.f32_bits(0x3FB8AA3B), eighth = terms.f32_bits(0x3E38AA3B);
  const TermId other = terms.f32_bits(0x3F317218);  // ln 2
  const TermId elsewhere = terms.f(op::Kind::kFAdd, c, y);
  const TermId unrelated = terms.f(op::Kind::kFAdd, eighth, y);
  Reading reading(terms.arena, nullptr, {.snap_constants = true});
  Dag& dag = reading.dag();
  CHECK(dag[reading.read(c, Type::kF32)].kind == Kind::kRational);
  const TermId e = terms.f(op::Kind::kFEx2, terms.f(op::Kind::kFMul, x, c));
  const TermId log = terms.f(op::Kind::kFMul, terms.f(op::Kind::kFLg2, x), other);
  const RealId log2e = dag.make(Kind::kLog2E, kNoReal);
  CHECK(reading.read(e, Type::kF32) ==
        dag.make(Kind::kExp2, dag.make(Kind::kMul, dag.leaf(x, Type::kF32), log2e)));
  CHECK(reading.read(elsewhere, Type::kF32) ==
        dag.make(Kind::kAdd, log2e, dag.leaf(y, Type::kF32)));
  CHECK(reading.read(log, Type::kF32) == dag.make(Kind::kMul,
                                                  dag.make(Kind::kLog2, dag.leaf(x, Type::kF32)),
                                                  dag.make(Kind::kDiv, dag.integer(1), log2e)));
  const RealId sum = reading.read(unrelated, Type::kF32);
  CHECK(dag[dag[sum].a].kind != Kind::kMul);
  const std::pair<TermId, Type> roots[] = {{e, Type::kF32}, {elsewhere, Type::kF32}};
  CHECK(reading.assumptions(roots).at("constant").count == 2);
}

TEST_CASE("multiples of log2 e") {
  const auto k = [](uint32_t bits) { return log_multiple(Type::kF32, bits); };
  REQUIRE(k(0x3FB8AA3B));
  CHECK(k(0x3FB8AA3B)->factor == 1);
  CHECK(k(0x3FB8AA3C));  // one ulp off
  CHECK_FALSE(k(0x3FB8AA3D));
  CHECK(k(0x4038AA3B)->factor == 2);
  CHECK(k(0xBFB8AA3B)->factor == -1);
  CHECK(k(0x3E38AA3B)->factor == mpq_class(1, 8));
  CHECK(k(0x3F317218)->base == LogMultiple::Base::kLn2);
  CHECK_FALSE(k(0x3F800000));
  CHECK_FALSE(k(0x32A57060));  // the low part of log2 e
  CHECK_FALSE(k(0));
  CHECK(log_multiple(Type::kF64, 0x3FF71547652B82FE)->factor == 1);
  CHECK_FALSE(log_multiple(Type::kBF16, 0x3FB9));
}

TEST_CASE("deep chains need no recursion") {
  Terms terms;
  TermId sum = terms.input(0);
  for (uint32_t i = 1; i < 300000; ++i) sum = terms.f(op::Kind::kFAdd, sum, terms.input(i));
  Reading reading(terms.arena, nullptr, {});
  const RealId id = reading.read(sum, Type::kF32);
  CHECK(reading.dag()[id].kind == Kind::kAdd);
  CHECK(reading.dag().size() == 2 * 300000 - 1);
}

}  // namespace
}  // namespace ptxequiv::real
