#include "run/margin.h"

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <random>

#include "op/evaluate.h"
#include "run/inputs.h"
#include "run/meet.h"
#include "support.h"

namespace ptxequiv::run {
namespace {

using op::Kind;
using op::Op;
using op::Rounding;
using op::Type;
using term::TermId;

uint64_t f32(double value) {
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

struct Terms {
  TermId number(double value) { return arena.constant(32, f32(value)); }
  TermId make(Kind kind, TermId a, TermId b = term::kNoTerm, TermId c = term::kNoTerm) {
    return arena.make(Op{.kind = kind, .type = Type::kF32, .rounding = Rounding::kRn}, a, b, c);
  }
  TermId add(TermId a, TermId b) { return make(Kind::kFAdd, a, b); }
  TermId multiply(TermId a, TermId b) { return make(Kind::kFMul, a, b); }
  TermId approximate(Kind kind, TermId a) {
    return arena.make(Op{.kind = kind, .type = Type::kF32, .rounding = Rounding::kApprox}, a);
  }
  Margin margin(TermId id) {
    const TermId roots[] = {id};
    return margins(arena, roots)[0];
  }
  double apart(TermId a, TermId b, Type type = Type::kF32) {
    return run::apart(margin(a), margin(b), type);
  }
  term::Arena arena;
};

double value(const Margin& margin) {
  return op::to_double(Type::kF32, margin.bits);
}

TEST_CASE("a margin contains the real and little more") {
  Terms t;
  const Margin sum = t.margin(t.add(t.number(0.1F), t.number(0.7F)));
  const double exact = double{0.1F} + double{0.7F};
  CHECK(std::fabs(value(sum) - exact) <= sum.radius);
  CHECK(sum.radius <= std::ldexp(1.0, -23));
  CHECK(t.margin(t.add(t.number(0.25), t.number(0.5))).is_exact());
}

TEST_CASE("sums and products meet in whatever order they are computed") {
  Terms t;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-3, 3);
  for (int round = 0; round < 100; ++round) {
    const TermId a = t.number(uniform(random)), b = t.number(uniform(random)),
                 c = t.number(uniform(random)), d = t.number(uniform(random));
    CHECK(t.apart(t.add(t.add(a, b), t.add(c, d)), t.add(a, t.add(b, t.add(c, d)))) <= 1);
    CHECK(t.apart(t.multiply(t.add(a, b), c), t.make(Kind::kFFma, a, c, t.multiply(b, c))) <= 1);
    CHECK(t.apart(t.make(Kind::kFDiv, a, b), t.multiply(a, t.approximate(Kind::kFRcp, b))) <= 1);
    const TermId back = t.approximate(Kind::kFLg2, t.approximate(Kind::kFEx2, a));
    CHECK(t.apart(back, a) <= 1);
    CHECK(t.apart(t.add(t.multiply(a, b), c), t.add(t.multiply(a, b), d)) > 1);
  }
}

TEST_CASE("a change that rounding does not explain is seen") {
  Terms t;
  const TermId x = t.number(0.7F);
  CHECK(t.apart(t.multiply(x, t.number(1.5)), t.multiply(x, t.number(1.5F + 1e-6F))) > 1);
  CHECK(t.apart(t.number(1), t.arena.constant(32, f32(1) + 1)) > 1);
  CHECK(t.apart(t.arena.constant(32, 4), t.arena.constant(32, 5), Type::kS32) > 1);
}

TEST_CASE("where a comparison is too close the choice may be either") {
  Terms t;
  const TermId a = t.add(t.number(0.1F), t.number(0.7F)), b = t.add(t.number(0.7F), t.number(0.1F));
  const TermId c = t.add(t.number(0.3F), t.number(0.5F));
  const TermId less = t.arena.make(Op{.kind = Kind::kFLt, .type = Type::kF32}, a, c);
  CHECK(std::isinf(t.margin(less).radius));
  CHECK(t.margin(t.arena.select(less, a, c)).radius < 1e-6);  // they are close
  CHECK(t.margin(t.arena.select(less, a, t.number(5))).radius > 4);
  CHECK_FALSE(
      t.margin(t.arena.select(less, t.arena.constant(32, 1), t.arena.constant(32, 2))).is_number());
  CHECK(t.apart(a, b) == 0);
}

TEST_CASE("poles and the ends of domains are undefined or unknown") {
  Terms t;
  const TermId zero = t.number(0), one = t.number(1);
  CHECK(t.margin(t.make(Kind::kFDiv, zero, zero)).state == Margin::State::kUndefined);
  CHECK(t.margin(t.make(Kind::kFDiv, one, zero)).state == Margin::State::kUndefined);
  const TermId nearly = t.add(t.add(t.number(0.1F), t.number(0.7F)), t.number(-0.8F));
  CHECK(t.margin(t.make(Kind::kFDiv, one, nearly)).state == Margin::State::kUnknown);
  CHECK(std::isinf(t.apart(one, t.make(Kind::kFDiv, zero, zero))));
  CHECK(t.apart(t.make(Kind::kFDiv, zero, zero), one) == 0);
  // The reals have no overflow.
  CHECK(t.margin(t.multiply(t.number(3e38), t.number(3e38))).state == Margin::State::kUnknown);
  // An infinity that was given is one.
  const TermId least = t.number(-INFINITY);
  CHECK(t.apart(t.make(Kind::kFMax, least, one), one) == 0);
  CHECK(t.margin(t.make(Kind::kFMax, least, one)).is_number());
  CHECK(value(t.margin(t.approximate(Kind::kFEx2, least))) == 0);
}

TEST_CASE("errors stay with the bits of a number") {
  Terms t;
  const TermId sum = t.add(t.number(0.1F), t.number(-0.7F));
  const TermId magnitude = t.arena.make(Op{.kind = Kind::kAnd, .type = Type::kB32}, sum,
                                        t.arena.constant(32, 0x7fffffff));
  CHECK_FALSE(t.margin(magnitude).is_exact());
  CHECK(t.apart(t.make(Kind::kFAbs, sum), magnitude) <= 1);
  // Copies of a float are compared as integers only where that is safe.
  const TermId other = t.add(t.number(-0.3F), t.number(-0.3F));
  const TermId less = t.arena.make(Op{.kind = Kind::kLtU, .type = Type::kB32}, sum, other);
  CHECK(std::isinf(t.margin(less).radius));
}

TEST_CASE("the products of a tensor core have no order") {
  Terms t;
  const auto chain = [&](std::initializer_list<double> factors) {
    TermId link = t.arena.make(Op{.kind = Kind::kDotOpen, .type = Type::kF32}, t.number(0.1F));
    for (const double factor : factors) {
      const TermId half = t.arena.constant(16, op::from_double(Type::kF16, factor));
      link = t.arena.make(Op{.kind = Kind::kDotTerm, .type = Type::kF32, .src = Type::kF16}, link,
                          half, half);
    }
    return t.arena.make(Op{.kind = Kind::kDotClose, .type = Type::kF32, .src = Type::kF32}, link);
  };
  CHECK(t.apart(chain({1.1, 0.3, -7.7}), chain({-7.7, 1.1, 0.3})) <= 1);
  CHECK(t.apart(chain({1.1, 0.3, -7.7}), chain({1.1, 0.3, -7.6})) > 1);
}

// o = x * factor + 0.1, with the sum computed from either end.
Meeting meeting(const std::string& reference, const std::string& candidate) {
  testing::Kernel a(reference), b(candidate);
  check::Prepared prepared = a.prepared;
  prepared.candidate = b.prepared.candidate;
  const base::Deadline never = base::Deadline::never();
  apply(random_inputs(prepared, 1, never, check::Draw::kDense), "", kUnwrittenByte,
        prepared.buffers, prepared.scalars);
  base::Log log(base::LogLevel::kWarn);
  return meet(prepared, machine::Limits{}, never, log);
}

TEST_CASE("both sides are run and held together over the reals") {
  const std::string fused = "fma.rn.f32 %f2, %f1, 0f3F8CCCCD, 0f3DCCCCCD;";
  const std::string apart = "mul.f32 %f3, %f1, 0f3F8CCCCD; add.f32 %f2, %f3, 0f3DCCCCCD;";
  const Meeting same = meeting(fused, apart);
  CHECK_FALSE(same.disjoint());
  CHECK(same.elements == 32);
  CHECK(same.unknown == 0);
  REQUIRE(same.farthest);
  CHECK(same.farthest->factor > 0);  // the bits are not the same
  const Meeting other = meeting(fused, "fma.rn.f32 %f2, %f1, 0f3F8CCCCD, 0f3DCCCCD0;");
  CHECK(other.disjoint());
  CHECK(other.farthest->buffer == "o");
  // Eight times 0.1 * 0.1: that a tensor core cuts operands to tf32 is no operation over the reals.
  const Meeting cut = meeting(
      "mul.f32 %f2, 0f3DCCCCCD, 0f3F4CCCCD;",
      "{ .reg .b32 %a; .reg .f32 %c<4>; mov.b32 %a, 0x3dcccccd;"
      " mov.f32 %c0, 0f00000000; mov.f32 %c1, %c0; mov.f32 %c2, %c0; mov.f32 %c3, %c0;"
      " mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%c0,%c1,%c2,%c3}, {%a,%a,%a,%a},"
      " {%a,%a}, {%c0,%c1,%c2,%c3}; mov.f32 %f2, %c0; }");
  CHECK_FALSE(cut.disjoint());
  CHECK(cut.unknown == 0);
  const Meeting faulty = meeting(fused, "st.global.f32 [%rd1+4000], %f1; mov.f32 %f2, %f1;");
  REQUIRE(faulty.candidate_fault);
  CHECK(faulty.candidate_fault->category == machine::Category::kOutOfBounds);
  CHECK_FALSE(faulty.reference_fault);
}

}  // namespace
}  // namespace ptxequiv::run
