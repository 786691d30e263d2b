#include "op/op.h"

#include <catch2/catch.hpp>
#include <set>

#include "base/error.h"

using namespace ptxequiv::op;

TEST_CASE("tables are in the order of their enumerations") {
  for (unsigned i = 0; i < static_cast<unsigned>(Kind::kCount); ++i) {
    CHECK(info(static_cast<Kind>(i)).kind == static_cast<Kind>(i));
  }
  for (unsigned i = 0; i < static_cast<unsigned>(Type::kCount); ++i) {
    CHECK(info(static_cast<Type>(i)).type == static_cast<Type>(i));
  }
}

TEST_CASE("kinds have different names") {
  std::set<std::string_view> names;
  for (unsigned i = 0; i < static_cast<unsigned>(Kind::kCount); ++i) {
    CHECK(names.insert(info(static_cast<Kind>(i)).name).second);
  }
}

TEST_CASE("types are found by name") {
  CHECK(type_named("f32") == Type::kF32);
  CHECK(type_named("s8") == Type::kS8);
  CHECK(type_named("e5m2") == Type::kE5M2);
  CHECK(type_named("none") == Type::kNone);
  CHECK(type_named("f33") == Type::kNone);
  CHECK(type_named("") == Type::kNone);
}

TEST_CASE("types of a width") {
  CHECK(bits_type(1) == Type::kPred);
  CHECK(bits_type(64) == Type::kB64);
  CHECK_THROWS_AS(bits_type(24), ptxequiv::base::InternalError);
  CHECK(mask(64) == ~uint64_t{0});
  CHECK(mask(1) == 1);
  CHECK(mask(0) == 0);
}

TEST_CASE("widths of results and operands") {
  CHECK(result_bits(Op{.kind = Kind::kFLt, .type = Type::kF32}) == 1);
  CHECK(result_bits(Op{.kind = Kind::kPopc, .type = Type::kB32, .src = Type::kB64}) == 32);
  const Op select{.kind = Kind::kSelect, .type = Type::kB16};
  CHECK(operand_bits(select, 0) == 1);
  CHECK(operand_bits(select, 2) == 16);
  CHECK(operand_bits(Op{.kind = Kind::kShl, .type = Type::kB64}, 1) == 32);
  CHECK(operand_bits(Op{.kind = Kind::kConcat, .type = Type::kB64}, 0) == 32);
  CHECK(operand_bits(Op{.kind = Kind::kFCvt, .type = Type::kF16, .src = Type::kF64}, 0) == 64);
}

TEST_CASE("operations print with their modifiers") {
  CHECK(
      to_string(Op{.kind = Kind::kFAdd, .type = Type::kF32, .rounding = Rounding::kRn, .ftz = 1}) ==
      "fadd.rn.ftz.f32");
  CHECK(
      to_string(Op{
          .kind = Kind::kFToI, .type = Type::kS32, .src = Type::kF32, .rounding = Rounding::kRz}) ==
      "ftoi.rzi.s32.f32");
  CHECK(to_string(Op{.kind = Kind::kFMax, .type = Type::kBF16, .nan = 1}) == "fmax.NaN.bf16");
  CHECK(to_string(Op{.kind = Kind::kAdd, .type = Type::kB64}) == "add.b64");
}

TEST_CASE("packing tells all operations apart") {
  std::set<uint32_t> seen;
  for (unsigned modifiers = 0; modifiers < 256; ++modifiers) {
    Op op{.kind = Kind::kFCvt, .type = Type::kF16, .src = Type::kF32};
    op.rounding = static_cast<Rounding>(modifiers & 7);
    op.ftz = modifiers >> 3 & 1;
    op.sat = modifiers >> 4 & 1;
    op.nan = modifiers >> 5 & 1;
    op.satfinite = modifiers >> 6 & 1;
    op.relu = modifiers >> 7 & 1;
    CHECK(seen.insert(op.packed()).second);
  }
  const Op a{.kind = Kind::kAdd, .type = Type::kB32};
  const Op b{.kind = Kind::kSub, .type = Type::kB32};
  CHECK(a.packed() != b.packed());
}
