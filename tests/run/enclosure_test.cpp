#include "run/enclosure.h"

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>

#include "op/evaluate.h"

namespace ptxequiv::run {
namespace {

using op::Kind;
using op::Op;
using op::Rounding;
using op::Type;
using term::TermId;

uint64_t f32(float value) {
  return std::bit_cast<uint32_t>(value);
}

struct Terms {
  TermId number(float value) { return arena.constant(32, f32(value)); }
  TermId make(Kind kind, TermId a, TermId b = term::kNoTerm, Rounding rounding = Rounding::kRn) {
    return arena.make(Op{.kind = kind, .type = Type::kF32, .rounding = rounding}, a, b);
  }
  TermId ex2(float x) { return make(Kind::kFEx2, number(x), term::kNoTerm, Rounding::kApprox); }
  Enclosure enclose(TermId id) {
    const TermId roots[] = {id};
    return run::enclose(arena, roots)[0];
  }
  term::Arena arena;
};

TEST_CASE("what does not pass an approximation is known to the bit") {
  Terms t;
  const Enclosure sum = t.enclose(t.make(Kind::kFAdd, t.number(0.1F), t.number(0.7F)));
  REQUIRE(sum.is_bits());
  CHECK(sum.bits == f32(0.1F + 0.7F));
}

TEST_CASE("an approximation may be off by its known error and no more") {
  Terms t;
  const Enclosure e = t.enclose(t.ex2(0.3F));
  REQUIRE(e.state == Enclosure::State::kInterval);
  const uint64_t best = f32(std::exp2(0.3F));
  CHECK(e.contains(best, 32));
  CHECK(e.contains(best + 1, 32));
  CHECK(e.contains(best - 1, 32));
  CHECK_FALSE(e.contains(best + 8, 32));
  CHECK_FALSE(e.contains(best - 8, 32));
  // Special values are exact.
  CHECK(t.enclose(t.ex2(-INFINITY)).is_bits());
}

TEST_CASE("errors travel through arithmetic, and end where a step hides them") {
  Terms t;
  const TermId x = t.ex2(0.3F);
  const TermId quotient = t.make(Kind::kFDiv, t.number(1), t.make(Kind::kFAdd, x, t.number(1)));
  const Enclosure e = t.enclose(quotient);
  REQUIRE(e.state == Enclosure::State::kInterval);
  CHECK(e.low < e.high);
  CHECK(e.high - e.low < 1e-6);
  CHECK(e.low <= 1 / (1 + std::exp2(0.3)));
  CHECK(e.high >= 1 / (1 + std::exp2(0.3)));
  // Rounded to an integral value there is one possibility left.
  const Enclosure step = t.enclose(t.make(Kind::kFRint, x));
  REQUIRE(step.is_bits());
  CHECK(step.bits == f32(1));
}

TEST_CASE("a quotient by what may be zero has no bound") {
  Terms t;
  const TermId small = t.make(Kind::kFSub, t.ex2(0.3F), t.number(std::exp2(0.3F)));
  CHECK(t.enclose(t.make(Kind::kFDiv, t.number(1), small)).is_any());
}

TEST_CASE("a comparison is decided where the intervals are apart") {
  Terms t;
  const auto less = [&](float bound) {
    return t.enclose(
        t.arena.make(Op{.kind = Kind::kFLt, .type = Type::kF32}, t.ex2(0.3F), t.number(bound)));
  };
  CHECK(less(2).bits == 1);
  CHECK(less(1).is_bits());
  CHECK(less(1).bits == 0);
  CHECK(less(std::exp2(0.3F)).is_any());
}

TEST_CASE("bits of a positive float are in the order of its value") {
  Terms t;
  const TermId exponent = t.arena.make(Op{.kind = Kind::kAnd, .type = Type::kB32}, t.ex2(0.3F),
                                       t.arena.constant(32, 0xff800000));
  const Enclosure e = t.enclose(exponent);
  REQUIRE(e.is_bits());
  CHECK(e.bits == f32(1));
  // At a power of two either exponent is possible.
  const TermId near = t.arena.make(Op{.kind = Kind::kAnd, .type = Type::kB32},
                                   t.make(Kind::kFMul, t.ex2(0.3F), t.number(std::exp2(0.7F))),
                                   t.arena.constant(32, 0xff800000));
  const Enclosure two = t.enclose(near);
  CHECK(two.state == Enclosure::State::kInterval);
  CHECK(two.contains(f32(1), 32));
  CHECK(two.contains(f32(2), 32));
}

TEST_CASE("additions in an unknown order are bounded by their magnitudes") {
  Terms t;
  TermId sum = t.number(0.1F);
  float forward = 0.1F;
  for (int i = 1; i < 20; ++i) {
    sum = t.make(Kind::kFAdd, sum, t.number(0.1F * static_cast<float>(i)), Rounding::kApprox);
    forward += 0.1F * static_cast<float>(i);
  }
  const Enclosure e = t.enclose(sum);
  REQUIRE(e.state == Enclosure::State::kInterval);
  CHECK(e.contains(f32(forward), 32));
  CHECK(e.high - e.low < 2e-4);
}

TEST_CASE("a leaf that is not given is not bounded") {
  Terms t;
  const TermId x = t.arena.leaf(Kind::kInput, Type::kF32, 0, 0);
  CHECK(t.enclose(t.make(Kind::kFAdd, x, t.number(1))).is_any());
  // Nothing is known of it, so nothing is ruled out.
  CHECK(t.enclose(x).contains(7, 32));
}

}  // namespace
}  // namespace ptxequiv::run
