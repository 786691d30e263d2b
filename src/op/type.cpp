#include "op/type.h"

#include "base/error.h"

namespace ptxequiv::op {

// name, bits, is_float, is_signed, is_integer, precision, least and largest exponent
const TypeInfo type_table[] = {
    {Type::kNone, "none", 0, false, false, false, 0, 0, 0},
    {Type::kPred, "pred", 1, false, false, false, 0, 0, 0},
    {Type::kB8, "b8", 8, false, false, false, 0, 0, 0},
    {Type::kB16, "b16", 16, false, false, false, 0, 0, 0},
    {Type::kB32, "b32", 32, false, false, false, 0, 0, 0},
    {Type::kB64, "b64", 64, false, false, false, 0, 0, 0},
    {Type::kB128, "b128", 128, false, false, false, 0, 0, 0},
    {Type::kU8, "u8", 8, false, false, true, 0, 0, 0},
    {Type::kU16, "u16", 16, false, false, true, 0, 0, 0},
    {Type::kU32, "u32", 32, false, false, true, 0, 0, 0},
    {Type::kU64, "u64", 64, false, false, true, 0, 0, 0},
    {Type::kS8, "s8", 8, false, true, true, 0, 0, 0},
    {Type::kS16, "s16", 16, false, true, true, 0, 0, 0},
    {Type::kS32, "s32", 32, false, true, true, 0, 0, 0},
    {Type::kS64, "s64", 64, false, true, true, 0, 0, 0},
    {Type::kF16, "f16", 16, true, false, false, 11, -14, 15},
    {Type::kBF16, "bf16", 16, true, false, false, 8, -126, 127},
    {Type::kTF32, "tf32", 32, true, false, false, 11, -126, 127},
    {Type::kF32, "f32", 32, true, false, false, 24, -126, 127},
    {Type::kF64, "f64", 64, true, false, false, 53, -1022, 1023},
    {Type::kE4M3, "e4m3", 8, true, false, false, 4, -6, 8},
    {Type::kE5M2, "e5m2", 8, true, false, false, 3, -14, 15},
    {Type::kF16x2, "f16x2", 32, false, false, false, 0, 0, 0},
    {Type::kBF16x2, "bf16x2", 32, false, false, false, 0, 0, 0},
    {Type::kE4M3x2, "e4m3x2", 16, false, false, false, 0, 0, 0},
    {Type::kE5M2x2, "e5m2x2", 16, false, false, false, 0, 0, 0},
    {Type::kU16x2, "u16x2", 32, false, false, false, 0, 0, 0},
    {Type::kS16x2, "s16x2", 32, false, false, false, 0, 0, 0},
    {Type::kF32x2, "f32x2", 64, false, false, false, 0, 0, 0},
};

Type type_named(std::string_view name) {
  for (const TypeInfo& row : type_table) {
    if (row.type != Type::kNone && row.name == name) return row.type;
  }
  return Type::kNone;
}

Type bits_type(unsigned width) {
  switch (width) {
    case 1:
      return Type::kPred;
    case 8:
      return Type::kB8;
    case 16:
      return Type::kB16;
    case 32:
      return Type::kB32;
    case 64:
      return Type::kB64;
    case 128:
      return Type::kB128;
    default:
      break;
  }
  PTXEQUIV_CHECK(false, "no type has this width");
  return Type::kNone;
}

}  // namespace ptxequiv::op
