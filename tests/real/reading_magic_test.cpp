// Sums with 1.5 * 2^23: what the reading says is what IEEE's addition gives, to the bit.
#include <catch2/catch.hpp>
#include <random>

#include "op/evaluate.h"
#include "real/constants.h"
#include "real/enclose.h"
#include "real/reading.h"
#include "term/evaluate.h"

using namespace ptxequiv;
using op::Kind;
using op::Op;
using op::Type;
using term::TermId;

namespace {

struct Sums {
  term::Arena arena;
  TermId x = arena.leaf(Kind::kInput, Type::kF32, 0, 0);
  TermId number(uint32_t bits) { return arena.constant(32, bits); }
  TermId make(Kind kind, TermId a, TermId b) {
    Op op{.kind = kind, .type = Type::kF32};
    const bool rounds = kind == Kind::kFAdd || kind == Kind::kFSub;
    if (rounds) op.rounding = op::Rounding::kRn;
    return arena.make(op, a, b);
  }
  TermId clamped(uint32_t low, uint32_t high) {
    return make(Kind::kFMin, make(Kind::kFMax, x, number(low)), number(high));
  }
  bool opaque(TermId id, Type type) {
    real::Reading reading(arena, nullptr, {});
    return reading.dag()[reading.read(id, type)].kind == real::Kind::kOpaque;
  }
  // The reading of `id` at x, against its bits.
  void compare(TermId id, Type type, uint32_t bits) {
    real::Reading reading(arena, nullptr, {});
    const real::RealId roots[] = {reading.read(id, type)};
    const mpq_class at = real::decode(Type::kF32, bits).value;
    const auto values = real::enclose(
        reading.dag(), roots,
        [&](real::RealId, const real::Node&) -> std::optional<mpq_class> { return at; }, 128);
    const std::vector<TermId> terms{id};
    const uint64_t exact =
        term::evaluate(arena, terms, [&](TermId, const term::Node&) { return uint64_t{bits}; })[0];
    const mpq_class expected = op::is_float(type) ? real::decode(Type::kF32, exact).value
                                                  : mpq_class(static_cast<unsigned long>(exact));
    INFO(bits);
    REQUIRE(values[0].low == expected);
    REQUIRE(values[0].high == expected);
  }
};

constexpr uint32_t kMagic = 0x4b400000, kMinusMagic = 0xcb400000, kTwo23 = 0x4b000000;
constexpr uint32_t kTwo22 = 0x4a800000, kMinusTwo22 = 0xca800000;

}  // namespace

TEST_CASE_METHOD(Sums, "sums with a magic number are whole numbers") {
  const TermId small = clamped(kMinusTwo22, kTwo22);
  const TermId up = make(Kind::kFAdd, small, number(kMagic));
  const TermId down = make(Kind::kFSub, small, number(kMagic));
  const TermId from = make(Kind::kFSub, number(kMagic), small);
  const TermId back = make(Kind::kFAdd, up, number(kMinusMagic));
  std::mt19937 random(3);
  std::vector<uint32_t> points{0,      0x80000000,  0x3f000000, 0xbf000000, 0x3fc00000, 0xc0200000,
                               kTwo22, kMinusTwo22, 0x4a7fffff, 0xca7ffffe, 0x00000001};
  for (unsigned i = 0; i < 400; ++i) {  // halves, and anything up to 2^23
    const uint32_t exponent = 120 + random() % 30;
    points.push_back((random() & 0x80000000) | exponent << 23 | (random() & 0x7fffff));
    points.push_back((random() & 0x80000000) | exponent << 23 | (random() & 0x7c0000));
  }
  for (const uint32_t bits : points) {
    for (const TermId sum : {up, down, from}) {
      compare(sum, Type::kF32, bits);
      compare(sum, Type::kU32, bits);
    }
    compare(back, Type::kF32, bits);
  }
}

TEST_CASE_METHOD(Sums, "other sums with such numbers stay opaque") {
  CHECK(opaque(make(Kind::kFAdd, x, number(kMagic)), Type::kF32));  // nothing is known of x
  const TermId wide = clamped(0xca800001, kTwo22);
  CHECK(opaque(make(Kind::kFAdd, wide, number(kMagic)), Type::kU32));
  const TermId small = clamped(0xc3000000, 0x42fe0000);
  CHECK(opaque(make(Kind::kFAdd, small, number(kTwo23)), Type::kU32));      // below 2^23: halves
  CHECK(opaque(make(Kind::kFAdd, small, number(kMagic + 1)), Type::kU32));  // odd: other ties
  Op down{.kind = Kind::kFAdd, .type = Type::kF32};
  down.rounding = op::Rounding::kRm;
  CHECK(opaque(arena.make(down, small, number(kMagic)), Type::kU32));
  CHECK_FALSE(opaque(make(Kind::kFAdd, clamped(0, 0x42fe0000), number(kTwo23)), Type::kU32));
}

TEST_CASE_METHOD(Sums, "a whole number put together in bits, less 2^23") {
  const TermId n = arena.leaf(Kind::kInput, Type::kU32, 0, 1);
  const auto bits = [&](Kind kind, TermId a, TermId b) {
    return arena.make(Op{.kind = kind, .type = Type::kB32}, a, b);
  };
  const auto less = [&](uint32_t mask, uint32_t above) {
    const TermId code = bits(Kind::kOr, bits(Kind::kAnd, n, number(mask)), number(above));
    return make(Kind::kFAdd, code, number(0xcb000000));
  };
  const TermId exact = less(15, 0x4b000000);
  for (const uint32_t value : {0u, 1u, 7u, 15u, 16u, 0xffffffffu}) {
    real::Reading reading(arena, nullptr, {});
    const real::RealId roots[] = {reading.read(exact, Type::kF32)};
    const auto found = real::enclose(
        reading.dag(), roots,
        [&](real::RealId, const real::Node&) -> std::optional<mpq_class> { return value; }, 128);
    CHECK(found[0].low == (value & 15));
    CHECK(found[0].high == (value & 15));
  }
  CHECK(opaque(less(15, 0x4a800000), Type::kF32));  // 2^22: halves
}
