#include "spec/number.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "support.h"

using namespace ptxequiv;
using op::Type;
using spec::Number;

TEST_CASE("numbers round to nearest in their type") {
  struct Case {
    const char* text;
    Type type;
    uint64_t bits;
  };
  const Case c = GENERATE(
      Case{"1", Type::kF32, 0x3f800000}, Case{"-0.0", Type::kF32, 0x80000000},
      Case{"-0", Type::kF32, 0x80000000}, Case{"0.1", Type::kF32, 0x3dcccccd},
      Case{"0.1", Type::kF64, 0x3fb999999999999a}, Case{"1e-5", Type::kF32, 0x3727c5ac},
      // Halfway between 1 and 1 + 2^-23: to even; a digit far behind decides.
      Case{"1.000000059604644775390625", Type::kF32, 0x3f800000},
      Case{"1.00000005960464477539062500000000000000000001", Type::kF32, 0x3f800001},
      Case{"1.4e-45", Type::kF32, 1}, Case{"7e-46", Type::kF32, 0},
      Case{"1.1754943e-38", Type::kF32, 0x00800000}, Case{"3.4028235e38", Type::kF32, 0x7f7fffff},
      Case{"1e-400", Type::kF64, 0}, Case{"65504", Type::kF16, 0x7bff},
      Case{"65519.99", Type::kF16, 0x7bff}, Case{"6e-8", Type::kF16, 0x0001},
      Case{"1.00390625", Type::kBF16, 0x3f80}, Case{"1.01171875", Type::kBF16, 0x3f82},
      Case{"448", Type::kE4M3, 0x7e}, Case{"463", Type::kE4M3, 0x7e},
      Case{"0.001953125", Type::kE4M3, 0x01}, Case{"57344", Type::kE5M2, 0x7b},
      Case{"1.00048828125", Type::kTF32, 0x3f800000}, Case{"1.0009765625", Type::kTF32, 0x3f802000},
      Case{"inf", Type::kF32, 0x7f800000}, Case{"-inf", Type::kF16, 0xfc00},
      Case{"nan", Type::kF32, 0x7fffffff}, Case{"nan", Type::kE4M3, 0x7f},
      Case{"0f7F800000", Type::kF32, 0x7f800000},
      Case{"0f3F800000", Type::kF64, 0x3ff0000000000000},
      Case{"0d3FF0000000000000", Type::kF32, 0x3f800000},
      Case{"0f7fa00001", Type::kF32, 0x7fa00001}, Case{"0f3F800000", Type::kB32, 0x3f800000},
      Case{"-1", Type::kS32, 0xffffffff}, Case{"0x10", Type::kS32, 16},
      Case{"-0x10", Type::kS8, 0xf0}, Case{"1e3", Type::kU16, 1000}, Case{"64.0", Type::kS32, 64},
      Case{"18446744073709551615", Type::kU64, UINT64_MAX},
      Case{"-9223372036854775808", Type::kS64, uint64_t{1} << 63},
      Case{"-1", Type::kB32, 0xffffffff}, Case{"4294967295", Type::kB32, 0xffffffff});
  INFO(c.text << " as " << op::name(c.type));
  CHECK(Number{c.text}.bits(c.type) == c.bits);
}

TEST_CASE("numbers that do not fit are refused") {
  struct Case {
    const char* text;
    Type type;
    const char* hint;
  };
  const Case c =
      GENERATE(Case{"3000000000", Type::kS32, "-2147483648 to 2147483647"},
               Case{"-1", Type::kU8, "0 to 255"}, Case{"256", Type::kB8, "-128 to 255"},
               Case{"0.5", Type::kS32, "integer"}, Case{"inf", Type::kS32, "integer"},
               Case{"0f3F800000", Type::kS32, "integer"}, Case{"0f3F800000", Type::kB64, "integer"},
               Case{"1e39", Type::kF32, "inf"}, Case{"1e99999999", Type::kF64, "inf"},
               Case{"1e-402", Type::kF64, "0"}, Case{"65520", Type::kF16, "inf"},
               Case{"inf", Type::kE4M3, "448"}, Case{"480", Type::kE4M3, "448"},
               Case{"0x10", Type::kF32, "decimal"});
  INFO(c.text << " as " << op::name(c.type));
  const auto error = input_error([&] { Number{c.text}.bits(c.type); });
  CHECK_THAT(error.hint(), Catch::Contains(c.hint));
}

TEST_CASE("what is no number is refused") {
  const char* text = GENERATE("", "-", "1.2.3", "e5", "1e", "1e+", "0x", "0xg", "0f12", "1 2",
                              "five", "--1", ".", "infinite");
  INFO(text);
  CHECK_THAT(input_error([&] { spec::exact(Number{text}); }).message(),
             Catch::Contains("is not a number"));
}

TEST_CASE("as_double is the nearest double") {
  CHECK(Number{"0.1"}.as_double() == 0.1);
  CHECK(Number{"123456789012345678901"}.as_double() == 123456789012345678901.0);
  CHECK(Number{"5e-324"}.as_double() == std::numeric_limits<double>::denorm_min());
  CHECK(std::signbit(Number{"-0"}.as_double()));
  CHECK(std::isinf(Number{"1e399"}.as_double()));
  CHECK(std::isnan(Number{"nan"}.as_double()));
  CHECK(Number{"0f3F800000"}.as_double() == 1.0);
}

TEST_CASE("comparison is exact and knows infinities") {
  CHECK(spec::compare({"1"}, {"1.0"}) == 0);
  CHECK(spec::compare({"0.1"}, {"0.10000000000000000000001"}) < 0);
  CHECK(spec::compare({"-inf"}, {"-1e300"}) < 0);
  CHECK(spec::compare({"inf"}, {"inf"}) == 0);
}
