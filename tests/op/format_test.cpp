// Conversions between formats and doubles, exhaustively where the format is small.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "op/evaluate.h"
#include "operands.h"

using namespace ptxequiv::op;

TEST_CASE("every code of a small format is its double and back") {
  const Type type = GENERATE(Type::kF16, Type::kBF16, Type::kE4M3, Type::kE5M2);
  for (uint64_t code = 0; code < uint64_t{1} << bits(type); ++code) {
    const double value = to_double(type, code);
    if (std::isnan(value)) continue;
    INFO(name(type) << std::hex << " " << code);
    REQUIRE(from_double(type, value) == code);
    const Op widen{.kind = Kind::kFCvt, .type = Type::kF32, .src = type};
    REQUIRE(to_double(Type::kF32, evaluate(widen, code, 0, 0).bits) == value);
    REQUIRE(evaluate(widen, code, 0, 0).exact);
  }
}

TEST_CASE("known codes") {
  CHECK(to_double(Type::kF16, 0x7bff) == 65504);
  CHECK(to_double(Type::kF16, 0x0001) == std::ldexp(1, -24));
  CHECK(to_double(Type::kBF16, 0x7f7f) == std::ldexp(255, 120));
  CHECK(to_double(Type::kE4M3, 0x7e) == 448);
  CHECK(to_double(Type::kE4M3, 0x01) == std::ldexp(1, -9));
  CHECK(std::isnan(to_double(Type::kE4M3, 0xff)));
  CHECK(to_double(Type::kE5M2, 0x7b) == 57344);
  CHECK(to_double(Type::kE5M2, 0xfc) == -std::numeric_limits<double>::infinity());
  CHECK(to_double(Type::kTF32, 0x3f801fff) == 1);  // low bits play no part
  CHECK(from_double(Type::kTF32, 1 + std::ldexp(1, -10)) == 0x3f802000);
  CHECK(from_double(Type::kF32, 1e300) == 0x7f800000);
  CHECK(from_double(Type::kF16, -1e300) == 0xfc00);
  CHECK(from_double(Type::kF32, -0.0) == 0x80000000);
  CHECK(std::signbit(to_double(Type::kF16, 0x8000)));
}

TEST_CASE("narrowing rounds to nearest even, and satfinite stops at the largest") {
  const Op fp8{.kind = Kind::kFCvt,
               .type = Type::kE4M3,
               .src = Type::kF32,
               .rounding = Rounding::kRn,
               .satfinite = 1};
  CHECK(evaluate(fp8, from_double(Type::kF32, 1e6), 0, 0).bits == 0x7e);
  CHECK(evaluate(fp8, from_double(Type::kF32, -1e6), 0, 0).bits == 0xfe);
  CHECK_FALSE(evaluate(fp8, from_double(Type::kF32, 1e6), 0, 0).exact);
  CHECK(evaluate(fp8, from_double(Type::kF32, 1.0625), 0, 0).bits == 0x38);  // tie to even
  CHECK(evaluate(fp8, from_double(Type::kF32, 1.1875), 0, 0).bits == 0x3a);
  const Op relu{.kind = Kind::kFCvt,
                .type = Type::kF16,
                .src = Type::kF32,
                .rounding = Rounding::kRn,
                .relu = 1};
  CHECK(evaluate(relu, from_double(Type::kF32, -2), 0, 0).bits == 0);
  CHECK(evaluate(relu, from_double(Type::kF32, 2), 0, 0).bits == 0x4000);
}

TEST_CASE("f32 from random doubles rounds as the host does") {
  Operands operands(3);
  const Op narrow{
      .kind = Kind::kFCvt, .type = Type::kF32, .src = Type::kF64, .rounding = Rounding::kRn};
  for (int i = 0; i < 20000; ++i) {
    const double value = to_double(Type::kF64, operands.any_float(Type::kF64, true));
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    const double scaled = i % 2 == 0 ? value : std::ldexp(fraction, i % 300 - 150);
    const auto host = static_cast<float>(scaled);
    const Result got = evaluate(narrow, from_double(Type::kF64, scaled), 0, 0);
    REQUIRE(to_double(Type::kF32, got.bits) == host);
    REQUIRE(got.exact == (host == scaled));
  }
}

TEST_CASE("float to integer and back") {
  Operands operands(11);
  const Type type = GENERATE(Type::kS8, Type::kU16, Type::kS32, Type::kU32, Type::kS64, Type::kU64);
  const Op to_float{
      .kind = Kind::kIToF, .type = Type::kF64, .src = type, .rounding = Rounding::kRn};
  const Op to_int{.kind = Kind::kFToI, .type = type, .src = Type::kF64, .rounding = Rounding::kRz};
  for (int i = 0; i < 4000; ++i) {
    const uint64_t value = operands.any_integer(bits(type));
    const Result real = evaluate(to_float, value, 0, 0);
    const Result back = evaluate(to_int, real.bits, 0, 0);
    CHECK(back.exact);
    if (real.exact) CHECK(back.bits == value);
  }
  const uint64_t least = is_signed(type) ? uint64_t{1} << (bits(type) - 1) : 0;
  CHECK(evaluate(to_int, from_double(Type::kF64, 1e30), 0, 0).bits == (~least & mask(bits(type))));
  CHECK(evaluate(to_int, from_double(Type::kF64, -1e30), 0, 0).bits == least);
}

TEST_CASE("rounding to integral values") {
  const auto rint = [](Rounding rounding, double x) {
    const Op op{.kind = Kind::kFRint, .type = Type::kF32, .rounding = rounding};
    const Result result = evaluate(op, from_double(Type::kF32, x), 0, 0);
    CHECK(result.exact);  // a step function of the reals, exactly
    return to_double(Type::kF32, result.bits);
  };
  CHECK(rint(Rounding::kRn, 2.5) == 2);
  CHECK(rint(Rounding::kRn, 3.5) == 4);
  CHECK(rint(Rounding::kRz, -2.7) == -2);
  CHECK(rint(Rounding::kRm, -2.2) == -3);
  CHECK(rint(Rounding::kRp, 0.001) == 1);
  CHECK(rint(Rounding::kRp, -0.5) == 0);
  CHECK(std::signbit(rint(Rounding::kRp, -0.5)));
  CHECK(rint(Rounding::kRn, 1e20) == static_cast<double>(1e20f));
}

TEST_CASE("types that are no scalar float are refused") {
  CHECK_THROWS_AS(to_double(Type::kF16x2, 0), ptxequiv::base::InternalError);
  const Op packed{.kind = Kind::kFAdd, .type = Type::kF16x2, .rounding = Rounding::kRn};
  CHECK_THROWS_AS(evaluate(packed, 0, 0, 0), ptxequiv::base::InternalError);
  CHECK_THROWS_AS(evaluate(Op{.kind = Kind::kInput, .type = Type::kF32}, 0, 0, 0),
                  ptxequiv::base::InternalError);
}
