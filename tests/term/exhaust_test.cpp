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

// Of integer leaves of at most `max_bits` bits together.
bool equal_for_all_inputs(const Arena& arena, TermId a, TermId b, unsigned max_bits = 16) {
  unsigned bits = 0;
  const term::LeafValues all = [&](TermId id) -> std::optional<std::vector<uint64_t>> {
    bits += arena.width(id);
    if (op::is_float(arena[id].op.type) || bits > max_bits) return {};
    std::vector<uint64_t> values(size_t{1} << arena.width(id));
    for (size_t i = 0; i < values.size(); ++i) values[i] = i;
    return values;
  };
  return term::equal_for_all_values(arena, a, b, all, uint64_t{1} << 28);
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
  CHECK(equal_for_all_inputs(arena, all, counted(16)));
  CHECK_FALSE(equal_for_all_inputs(arena, all, counted(15)));
  CHECK_FALSE(equal_for_all_inputs(arena, all, counted(16), 15));  // too many inputs
  // A difference at one input alone.
  const TermId last = arena.equal(x, arena.constant(16, 0xffff));
  const TermId wrong = arena.select(last, arena.constant(32, 15), all);
  CHECK_FALSE(equal_for_all_inputs(arena, all, wrong));
}

TEST_CASE("two inputs share the count of bits") {
  Arena arena;
  const TermId a = arena.leaf(Kind::kInput, Type::kU8, 0, 0);
  const TermId b = arena.leaf(Kind::kInput, Type::kS8, 0, 1);
  const TermId sum = arena.make(bits(Kind::kAdd, 8), a, b);
  const TermId carry = arena.make(bits(Kind::kAnd, 8), a, b);
  const TermId twice = arena.make(bits(Kind::kShl, 8), carry, arena.constant(32, 1));
  const TermId half = arena.make(bits(Kind::kXor, 8), a, b);
  CHECK(equal_for_all_inputs(arena, sum, arena.make(bits(Kind::kAdd, 8), half, twice)));
  CHECK_FALSE(equal_for_all_inputs(arena, sum, arena.make(bits(Kind::kOr, 8), half, carry)));
}

TEST_CASE("what is no exact function of integers is not decided") {
  Arena arena;
  const TermId h = arena.leaf(Kind::kInput, Type::kF16, 0, 0);
  const TermId k = arena.constant(16, 0x3c00);
  const Op add{.kind = Kind::kFAdd, .type = Type::kF16};
  const TermId sum = arena.make(add, h, k);
  CHECK_FALSE(equal_for_all_inputs(arena, sum, sum));
  const TermId unwritten = arena.poison(8);
  CHECK_FALSE(equal_for_all_inputs(arena, unwritten, unwritten));
}

TEST_CASE("floats by every value") {
  Arena arena;
  const TermId h = arena.leaf(Kind::kInput, Type::kF16, 0, 0);
  const auto all = [&](TermId id) -> std::optional<std::vector<uint64_t>> {
    if (id != h) return {};
    std::vector<uint64_t> values;
    for (uint64_t bits = 0; bits < 0x10000; ++bits) {
      if ((bits & 0x7c00) != 0x7c00) values.push_back(bits);
    }
    return values;
  };
  // A bf16 product that is exact against a change of the exponent; subnormal numbers tell them
  // apart.
  Op twice{.kind = Kind::kFMul, .type = Type::kF16};
  twice.rounding = op::Rounding::kRn;
  Op plus{.kind = Kind::kFAdd, .type = Type::kF16};
  plus.rounding = op::Rounding::kRn;
  const TermId product = arena.make(twice, h, arena.constant(16, 0x4000));
  const TermId sum = arena.make(plus, h, h);
  CHECK(term::equal_for_all_values(arena, product, sum, all, 1 << 26));
  const TermId moved = arena.make(bits(Kind::kAdd, 16), h, arena.constant(16, 0x0400));
  CHECK_FALSE(term::equal_for_all_values(arena, product, moved, all, 1 << 26));
  // Approximations have no bits, and products may run into sums.
  Op approximate{.kind = Kind::kFTanh, .type = Type::kF16};
  approximate.rounding = op::Rounding::kApprox;
  const TermId tanh = arena.make(approximate, h);
  CHECK_FALSE(term::equal_for_all_values(arena, tanh, tanh, all, 1 << 26));
  twice.rounding = plus.rounding = op::Rounding::kAny;
  const TermId fused = arena.make(plus, arena.make(twice, h, h), h);
  CHECK_FALSE(term::equal_for_all_values(arena, fused, fused, all, 1 << 26));
  CHECK(term::equal_for_all_values(arena, sum, arena.make(plus, h, h), all, 1 << 26));
}
