#include "real/ordered_bits.h"

#include <catch2/catch.hpp>
#include <random>

#include "op/evaluate.h"
#include "term/evaluate.h"

using namespace ptxequiv;
using op::Kind;
using op::Op;
using op::Type;
using real::Order;
using term::Arena;
using term::TermId;

namespace {

struct Terms {
  Arena arena;
  TermId x = arena.leaf(Kind::kInput, Type::kF32, 0, 0);
  TermId y = arena.leaf(Kind::kInput, Type::kU32, 0, 1);

  TermId number(uint64_t value) { return arena.constant(32, value); }
  TermId make(Kind kind, TermId a, TermId b = term::kNoTerm) {
    return arena.make(Op{.kind = kind, .type = Type::kB32}, a, b);
  }
  TermId sign(TermId a) { return make(Kind::kShrS, a, number(31)); }
  TermId negative(TermId a) { return make(Kind::kLtS, a, number(0)); }
  uint64_t value(TermId id, uint64_t bits) {
    const std::vector<TermId> roots{id};
    return term::evaluate(arena, roots, [&](TermId, const term::Node&) { return bits; })[0];
  }
};

}  // namespace

TEST_CASE_METHOD(Terms, "keys of floats and back, in their usual forms") {
  const TermId by_select =
      arena.select(negative(x), make(Kind::kNot, x), make(Kind::kXor, x, number(0x80000000)));
  const TermId by_or =
      arena.select(negative(x), make(Kind::kNot, x), make(Kind::kOr, x, number(0x80000000)));
  const TermId by_mask = make(Kind::kXor, x, make(Kind::kOr, sign(x), number(0x80000000)));
  for (const TermId key : {by_select, by_or, by_mask}) {
    CHECK(real::key_source(arena, key, Order::kUnsigned) == x);
    CHECK_FALSE(real::key_source(arena, key, Order::kSigned));
  }
  const TermId as_signed = make(Kind::kXor, x, make(Kind::kAnd, sign(x), number(0x7fffffff)));
  CHECK(real::key_source(arena, as_signed, Order::kSigned) == x);
  CHECK_FALSE(real::key_source(arena, as_signed, Order::kUnsigned));
  const TermId back =
      arena.select(negative(y), make(Kind::kAnd, y, number(0x7fffffff)), make(Kind::kNot, y));
  CHECK(real::decoded_key(arena, back, Order::kUnsigned) == y);
  CHECK_FALSE(real::decoded_key(arena, back, Order::kSigned));
  // One bit of a mask, the other polarity, or another term in an arm: no key.
  CHECK_FALSE(real::key_source(
      arena, make(Kind::kXor, x, make(Kind::kOr, sign(x), number(0x40000000))), Order::kUnsigned));
  CHECK_FALSE(real::key_source(
      arena, make(Kind::kXor, x, make(Kind::kAnd, sign(x), number(0x3fffffff))), Order::kSigned));
  CHECK_FALSE(real::key_source(
      arena,
      arena.select(negative(x), make(Kind::kXor, x, number(0x80000000)), make(Kind::kNot, x)),
      Order::kUnsigned));
  CHECK_FALSE(real::flipped_by_sign(
      arena, arena.select(negative(x), make(Kind::kNot, y), make(Kind::kXor, x, number(1)))));
}

// Against the exact evaluator: whatever is found is what the term computes.
TEST_CASE_METHOD(Terms, "what is found agrees with evaluation") {
  std::mt19937_64 random(7);
  std::vector<TermId> terms{x, sign(x), number(0x80000000), number(0x7fffffff), number(0xffffffff)};
  std::vector<TermId> conditions{negative(x)};
  unsigned found = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    const auto any = [&] { return terms[random() % terms.size()]; };
    TermId next = term::kNoTerm;
    switch (random() % 5) {
      case 0:
        next = make(Kind::kAnd, any(), any());
        break;
      case 1:
        next = make(Kind::kOr, any(), any());
        break;
      case 2:
        next = make(Kind::kXor, any(), any());
        break;
      case 3:
        next = make(Kind::kNot, any());
        break;
      default:
        next = arena.select(conditions[random() % conditions.size()], any(), any());
    }
    if (terms.size() < 60) terms.push_back(next);
    const auto flipped = real::flipped_by_sign(arena, next);
    if (!flipped || flipped->source != x) continue;
    ++found;
    for (const uint64_t bits : {uint64_t{0}, uint64_t{0x80000000}, random() & 0xffffffff}) {
      const uint64_t mask = (bits & 0x80000000) != 0 ? flipped->if_set : flipped->if_clear;
      REQUIRE(value(next, bits) == (bits ^ mask));
    }
  }
  CHECK(found > 20);
}

// The order of keys is the order of floats: of f16 at every pair of neighbours, which is enough.
TEST_CASE("keys keep the order") {
  const auto number = [](uint64_t bits) {
    const Op widen{.kind = Kind::kFCvt, .type = Type::kF32, .src = Type::kF16};
    return op::evaluate(widen, bits, 0, 0).bits;
  };
  const Op less{.kind = Kind::kFLe, .type = Type::kF32};
  for (const Order order : {Order::kUnsigned, Order::kSigned}) {
    std::optional<uint64_t> before;
    for (uint64_t i = 0; i < 0x10000; ++i) {
      const uint64_t key = order == Order::kUnsigned ? i : i ^ 0x8000;  // ascending as integers
      const uint64_t bits = real::decoded(key, 16, order);
      if ((bits & 0x7c00) == 0x7c00 && (bits & 0x3ff) != 0) continue;  // NaN
      if (before) REQUIRE(op::evaluate(less, number(*before), number(bits), 0).bits == 1);
      before = bits;
    }
  }
}
