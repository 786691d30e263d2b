// Values and exactness flags of IEEE arithmetic against MPFR.
#include <catch2/catch.hpp>

#include "operands.h"
#include "oracle.h"

using namespace ptxequiv::op;

namespace {

bool is_zero(Type type, uint64_t bits) {
  return (bits & mask(ptxequiv::op::bits(type) - 1)) == 0;
}

}  // namespace

TEST_CASE("arithmetic is correctly rounded and knows when it is exact") {
  const Type type = GENERATE(Type::kF16, Type::kBF16, Type::kF32, Type::kF64);
  const Kind kind =
      GENERATE(Kind::kFAdd, Kind::kFSub, Kind::kFMul, Kind::kFFma, Kind::kFDiv, Kind::kFSqrt);
  Operands operands(17);
  size_t exact = 0;
  const size_t count = 8000;
  for (size_t i = 0; i < count; ++i) {
    const Rounding rounding = static_cast<Rounding>(1 + i / 2 % 4);
    const Op op{.kind = kind, .type = type, .rounding = i % 2 == 0 ? Rounding::kRn : rounding};
    uint64_t a = operands.any_float(type, true);
    uint64_t b = operands.any_float(type, true);
    const uint64_t c = operands.any_float(type, true);
    if (i % 16 == 0) b = a ^ uint64_t { 1 } << (bits(type) - 1) ^ (i / 16 % 4);  // cancellation
    if (kind == Kind::kFDiv && is_zero(type, b)) continue;
    if (kind == Kind::kFSqrt) a &= mask(bits(type) - 1);
    if ((b & mask(bits(type) - 1)) >> (info(type).precision - 1) ==
        mask(bits(type) - info(type).precision)) {
      continue;  // the cancellation above made an infinity
    }
    const Result expected = oracle(op, a, b, c);
    const Result got = evaluate(op, a, b, c);
    INFO(to_string(op) << std::hex << " a=" << a << " b=" << b << " c=" << c);
    REQUIRE(got.bits == expected.bits);
    REQUIRE(got.exact == expected.exact);
    if (got.exact) ++exact;
  }
  CHECK(exact > count / 200);
  CHECK(exact < count);
}

TEST_CASE("f16 and bf16 sums and products, exhaustively in one operand") {
  const Type type = GENERATE(Type::kF16, Type::kBF16);
  const Kind kind = GENERATE(Kind::kFAdd, Kind::kFMul);
  const uint64_t fixed = GENERATE(0x3555, 0x0001, 0x8003, 0x7bff, 0x0400);
  const Op op{.kind = kind, .type = type, .rounding = Rounding::kRn};
  const uint64_t exponents = type == Type::kF16 ? 0x7c00 : 0x7f80;
  for (uint64_t a = 0; a < 65536; ++a) {
    if ((a & exponents) == exponents) continue;
    const Result expected = oracle(op, a, fixed, 0);
    const Result got = evaluate(op, a, fixed, 0);
    if (got.bits != expected.bits || got.exact != expected.exact) {
      INFO(to_string(op) << std::hex << " a=" << a << " b=" << fixed);
      REQUIRE(got.bits == expected.bits);
      REQUIRE(got.exact == expected.exact);
    }
  }
}

TEST_CASE("flushing and clamping are the rounded result, flushed and clamped") {
  Operands operands(5);
  for (size_t i = 0; i < 20000; ++i) {
    const Kind kind = i % 2 == 0 ? Kind::kFFma : Kind::kFAdd;
    const Op plain{.kind = kind, .type = Type::kF32, .rounding = Rounding::kRn};
    Op modified = plain;
    modified.ftz = 1;
    modified.sat = i / 2 % 2;
    const auto flush = [](uint64_t x) { return (x & 0x7f800000) == 0 ? x & 0x80000000 : x; };
    const uint64_t a = operands.any_float(Type::kF32, true);
    const uint64_t b = operands.any_float(Type::kF32, true);
    const uint64_t c = operands.any_float(Type::kF32, true);
    const Result base = evaluate(plain, flush(a), flush(b), flush(c));
    uint64_t expected = flush(base.bits);
    if ((base.bits & 0x7fffffff) == 0x00800000) continue;  // may have been tiny before rounding
    if (modified.sat) {
      if ((expected & 0x80000000) != 0) expected = 0;
      if (expected > 0x3f800000) expected = 0x3f800000;
    }
    const Result got = evaluate(modified, a, b, c);
    INFO(to_string(modified) << std::hex << " a=" << a << " b=" << b << " c=" << c);
    REQUIRE(got.bits == expected);
    const bool lost = flush(a) != a || flush(b) != b || (kind == Kind::kFFma && flush(c) != c) ||
                      flush(base.bits) != base.bits;
    REQUIRE(got.exact == (base.exact && !lost));
  }
}

TEST_CASE("a tiny product is flushed even when rounding would lift it to a normal number") {
  const Op mul{.kind = Kind::kFMul, .type = Type::kF32, .rounding = Rounding::kRn, .ftz = 1};
  CHECK(evaluate(mul, 0x00ffffff, 0x3f000000, 0).bits == 0);  // README of the vectors
  CHECK(evaluate(mul, 0x3f7ffffe, 0x00800001, 0).bits == 0x00800000);
}
