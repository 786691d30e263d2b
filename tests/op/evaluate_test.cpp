// Integer operations against definitions written another way, all operands at 8 bits; and when the
// exact flag must be off.
#include "op/evaluate.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

using namespace ptxequiv::op;

namespace {

constexpr uint64_t kInf = 0x7f800000;
constexpr uint64_t kNan = 0x7fffffff;

uint64_t f32(double value) {
  return from_double(Type::kF32, value);
}
Op f32_op(Kind kind, Rounding rounding = Rounding::kRn) {
  return Op{.kind = kind, .type = Type::kF32, .rounding = rounding};
}
bool exact(Op op, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
  return evaluate(op, a, b, c).exact;
}
int s8(int value) {
  return value < 128 ? value : value - 256;
}

}  // namespace

TEST_CASE("8-bit integer operations on all operands") {
  struct Row {
    Kind kind;
    std::function<int(int, int)> meaning;
  };
  const Row rows[] = {
      {Kind::kAdd, [](int a, int b) { return a + b; }},
      {Kind::kSub, [](int a, int b) { return a - b; }},
      {Kind::kMul, [](int a, int b) { return a * b; }},
      {Kind::kMulHiU, [](int a, int b) { return a * b / 256; }},
      {Kind::kMulHiS,
       [](int a, int b) { return static_cast<int>(std::floor(s8(a) * s8(b) / 256.0)); }},
      {Kind::kDivU, [](int a, int b) { return b == 0 ? 255 : a / b; }},
      {Kind::kRemU, [](int a, int b) { return b == 0 ? 255 : a % b; }},
      {Kind::kDivS, [](int a, int b) { return b == 0 ? 255 : s8(a) / s8(b); }},
      {Kind::kRemS, [](int a, int b) { return b == 0 ? 255 : s8(a) % s8(b); }},
      {Kind::kMinU, [](int a, int b) { return std::min(a, b); }},
      {Kind::kMaxU, [](int a, int b) { return std::max(a, b); }},
      {Kind::kMinS, [](int a, int b) { return std::min(s8(a), s8(b)); }},
      {Kind::kMaxS, [](int a, int b) { return std::max(s8(a), s8(b)); }},
      {Kind::kAbsS, [](int a, int) { return std::abs(s8(a)); }},
      {Kind::kAnd, [](int a, int b) { return a & b; }},
      {Kind::kOr, [](int a, int b) { return a | b; }},
      {Kind::kXor, [](int a, int b) { return a ^ b; }},
      {Kind::kNot, [](int a, int) { return 255 - a; }},
      {Kind::kShl, [](int a, int b) { return b > 7 ? 0 : a << b; }},
      {Kind::kShrU, [](int a, int b) { return b > 7 ? 0 : a >> b; }},
      {Kind::kShrS, [](int a, int b) { return s8(a) >> std::min(b, 7); }},
      {Kind::kEq, [](int a, int b) { return a == b; }},
      {Kind::kLtU, [](int a, int b) { return a < b; }},
      {Kind::kLtS, [](int a, int b) { return s8(a) < s8(b); }},
  };
  for (const Row& row : rows) {
    const Op op{.kind = row.kind, .type = Type::kB8};
    for (int a = 0; a < 256; ++a) {
      for (int b = 0; b < 256; ++b) {
        const auto got = evaluate(op, static_cast<uint64_t>(a), static_cast<uint64_t>(b), 0).bits;
        if (got != (static_cast<uint64_t>(row.meaning(a, b)) & mask(result_bits(op)))) {
          INFO(to_string(op) << " " << a << " " << b << " gives " << got);
          REQUIRE(false);
        }
      }
    }
  }
}

TEST_CASE("64-bit integers do not lose their top bits") {
  const uint64_t top = uint64_t{1} << 63;
  CHECK(evaluate(Op{.kind = Kind::kMulHiU, .type = Type::kB64}, top, 4, 0).bits == 2);
  CHECK(evaluate(Op{.kind = Kind::kMulHiS, .type = Type::kB64}, top, 4, 0).bits == ~uint64_t{1});
  CHECK(evaluate(Op{.kind = Kind::kDivS, .type = Type::kB64}, top, ~uint64_t{0}, 0).bits == top);
  CHECK(evaluate(Op{.kind = Kind::kShrS, .type = Type::kB64}, top, 200, 0).bits == ~uint64_t{0});
  CHECK(evaluate(Op{.kind = Kind::kSext, .type = Type::kB64, .src = Type::kB8}, 0x80, 0, 0).bits ==
        ~uint64_t{127});
}

TEST_CASE("operands are masked to their widths") {
  const Op add{.kind = Kind::kAdd, .type = Type::kB16};
  CHECK(evaluate(add, 0x1ffff, 0x50001, 0).bits == 0);
  const Op shl{.kind = Kind::kShl, .type = Type::kB64};
  CHECK(evaluate(shl, 1, 0x100000004, 0).bits == 16);
  const Op select{.kind = Kind::kSelect, .type = Type::kB8};
  CHECK(evaluate(select, 2, 7, 9).bits == 9);
}

TEST_CASE("nothing that rounds, overflows, flushes or is invalid is exact") {
  CHECK(exact(f32_op(Kind::kFAdd), f32(1), f32(2)));
  CHECK_FALSE(exact(f32_op(Kind::kFAdd), f32(1), f32(1e-10)));
  CHECK_FALSE(exact(f32_op(Kind::kFMul), f32(1e30), f32(1e30)));
  CHECK_FALSE(exact(f32_op(Kind::kFMul), f32(1e-30), f32(1e-30)));
  CHECK(exact(f32_op(Kind::kFMul), f32(0x1p-100), f32(0x1p-49)));
  CHECK_FALSE(exact(f32_op(Kind::kFDiv), f32(1), f32(0)));
  CHECK_FALSE(exact(f32_op(Kind::kFDiv), f32(1), f32(3)));
  CHECK(exact(f32_op(Kind::kFDiv), f32(6), f32(3)));
  CHECK_FALSE(exact(f32_op(Kind::kFDiv, Rounding::kApprox), f32(6), f32(3)));
  CHECK(exact(f32_op(Kind::kFDiv, Rounding::kApprox), f32(6), f32(4)));
  CHECK_FALSE(exact(f32_op(Kind::kFDiv), f32(1), kInf));
  CHECK_FALSE(exact(f32_op(Kind::kFSqrt), f32(-1)));
  CHECK_FALSE(exact(f32_op(Kind::kFRsqrt), f32(0)));
  CHECK_FALSE(exact(f32_op(Kind::kFLg2), f32(0)));
  CHECK(exact(f32_op(Kind::kFSqrt), f32(9)));
  Op ftz = f32_op(Kind::kFAdd);
  ftz.ftz = 1;
  CHECK_FALSE(exact(ftz, 1, 0));
  CHECK(exact(f32_op(Kind::kFAdd), 1, 0));
}

TEST_CASE("NaN results and operands are never exact") {
  CHECK_FALSE(exact(f32_op(Kind::kFAdd), kInf, kInf | 0x80000000));
  CHECK_FALSE(exact(f32_op(Kind::kFMul), kInf, 0));
  CHECK_FALSE(exact(f32_op(Kind::kFAdd), kNan, 0));
  CHECK_FALSE(exact(f32_op(Kind::kFMax), kNan, f32(1)));
  CHECK_FALSE(exact(f32_op(Kind::kFNeg), kNan));
  CHECK_FALSE(exact(Op{.kind = Kind::kFToI, .type = Type::kS32, .src = Type::kF32}, kNan));
  CHECK_FALSE(exact(Op{.kind = Kind::kFCvt, .type = Type::kF64, .src = Type::kF32}, kNan));
}

TEST_CASE("infinities that the design folds are exact") {
  const uint64_t minus_inf = kInf | 0x80000000;
  CHECK(exact(f32_op(Kind::kFAdd), f32(1), minus_inf));
  CHECK(evaluate(f32_op(Kind::kFAdd), f32(1), minus_inf, 0).bits == minus_inf);
  CHECK(exact(f32_op(Kind::kFEx2), minus_inf));
  CHECK(evaluate(f32_op(Kind::kFEx2), minus_inf, 0, 0).bits == 0);
  CHECK(exact(f32_op(Kind::kFMax), minus_inf, f32(1)));
}

TEST_CASE("minimum and maximum order the zeros and prefer numbers") {
  const uint64_t minus_zero = 0x80000000;
  CHECK(evaluate(f32_op(Kind::kFMin), 0, minus_zero, 0).bits == minus_zero);
  CHECK(evaluate(f32_op(Kind::kFMin), minus_zero, 0, 0).bits == minus_zero);
  CHECK(evaluate(f32_op(Kind::kFMax), minus_zero, 0, 0).bits == 0);
  CHECK(evaluate(f32_op(Kind::kFMax), kNan, f32(-3), 0).bits == f32(-3));
  Op nan = f32_op(Kind::kFMax);
  nan.nan = 1;
  CHECK(evaluate(nan, 0x7fc00001, f32(-3), 0).bits == kNan);
}

TEST_CASE("comparisons with NaN, and .ftz in comparisons") {
  CHECK(evaluate(f32_op(Kind::kFEq), kNan, kNan, 0).bits == 0);
  CHECK(evaluate(f32_op(Kind::kFLt), kNan, f32(1), 0).bits == 0);
  CHECK(evaluate(f32_op(Kind::kFLe), f32(1), kNan, 0).bits == 0);
  CHECK(evaluate(f32_op(Kind::kFUnordered), f32(1), kNan, 0).bits == 1);
  CHECK(evaluate(f32_op(Kind::kFEq), 0, 0x80000000, 0).bits == 1);
  Op ftz = f32_op(Kind::kFEq);
  ftz.ftz = 1;
  CHECK(evaluate(ftz, 1, 0, 0).bits == 1);
  CHECK_FALSE(exact(ftz, 1, 0));  // over the reals they differ
}

TEST_CASE("f64 NaN results hand an operand on, quieted") {
  const Op add{.kind = Kind::kFAdd, .type = Type::kF64, .rounding = Rounding::kRn};
  const uint64_t a = 0x7ff0000000000001;
  const uint64_t b = 0xfff0000000000002;
  CHECK(evaluate(add, a, b, 0).bits == 0xfff8000000000002);
  CHECK(evaluate(add, a, from_double(Type::kF64, 1), 0).bits == 0x7ff8000000000001);
  const uint64_t infinity = 0x7ff0000000000000;
  CHECK(evaluate(add, infinity, infinity | uint64_t{1} << 63, 0).bits == 0xfff8000000000000);
}
