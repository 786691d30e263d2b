#include "check/values.h"

#include <catch2/catch.hpp>

using namespace ptxequiv;
using namespace ptxequiv::check;
using op::Type;

TEST_CASE("bits of numbers are exact rationals") {
  CHECK(*value_of(Type::kF32, 0x3f800000) == 1);
  CHECK(*value_of(Type::kF32, 0xbf000000) == mpq_class(-1, 2));
  CHECK(*value_of(Type::kF32, 0x3dcccccd) != mpq_class(1, 10));
  CHECK(!value_of(Type::kF32, 0x7f800000));
  CHECK(!value_of(Type::kF32, 0x7fc00000));
  CHECK(*value_of(Type::kS8, 0x80) == -128);
  CHECK(*value_of(Type::kU8, 0x80) == 128);
  CHECK(*value_of(Type::kS64, 0x8000000000000000u) == mpq_class("-9223372036854775808"));
  CHECK(*value_of(Type::kU64, ~uint64_t{0}) == mpq_class("18446744073709551615"));
}

TEST_CASE("limits of types") {
  CHECK(greatest(Type::kF32) == *value_of(Type::kF32, 0x7f7fffff));
  CHECK(least(Type::kF32) == *value_of(Type::kF32, 0xff7fffff));
  CHECK(greatest(Type::kF16) == 65504);
  CHECK(greatest(Type::kBF16) == *value_of(Type::kBF16, 0x7f7f));
  CHECK(greatest(Type::kE4M3) == 448);
  CHECK(greatest(Type::kE5M2) == 57344);
  CHECK(least(Type::kS32) == mpq_class(-2147483648L));
  CHECK(least(Type::kU32) == 0);
}

TEST_CASE("the nearest representable value") {
  CHECK(nearest_bits(Type::kF32, 1) == 0x3f800000);
  CHECK(nearest_bits(Type::kF32, mpq_class(1, 3)) == 0x3eaaaaab);
  CHECK(nearest_bits(Type::kF32, mpq_class("1000000000000000000000000000000000000000000")) == 0x7f7fffff);
  CHECK(nearest_bits(Type::kS8, 300) == 127);
  CHECK(nearest_bits(Type::kS8, -300) == 0x80);
  CHECK(nearest_bits(Type::kS8, mpq_class(-3, 2)) == 0xff);  // -1: halves go up
  CHECK(nearest_bits(Type::kU32, -1) == 0);
  CHECK(nearest_bits(Type::kU64, mpq_class("18446744073709551615")) == ~uint64_t{0});
}

TEST_CASE("numbers as text") {
  CHECK(to_decimal(Type::kF32, 0x3dcccccd) == "0.1");
  CHECK(to_decimal(Type::kF32, 0xff800000) == "-inf");
  CHECK(to_decimal(Type::kS8, 0xff) == "-1");
  CHECK(to_hex(Type::kF32, 0x3f800000) == "0x3f800000");
  CHECK(to_hex(Type::kF16, 0x3c00) == "0x3c00");
}
