// cvt (PTX manual, 9.7.9.21) and cvt.pack (9.7.9.22).
#include "isa/float.h"

namespace ptxequiv::isa {
namespace {

// `value` of type `from`, clamped to the range of a type of `width` bits, still at 64 bits.
ValueId clamp(Context& c, ValueId value, Type from, unsigned width, bool to_signed) {
  const bool from_signed = op::is_signed(from);
  const uint64_t high = op::mask(to_signed ? width - 1 : width);
  if (!from_signed) return c.op(Kind::kMinU, 64, {value, c.constant(64, high)});
  const uint64_t low = to_signed ? ~uint64_t{0} << (width - 1) : 0;
  value = c.op(Kind::kMaxS, 64, {value, c.constant(64, low)});
  // What is not negative is below 2^63.
  if (high > op::mask(63)) return value;
  return c.op(Kind::kMinS, 64, {value, c.constant(64, high)});
}

ValueId saturated(Context& c, ValueId value, Type from, Type to) {
  const ValueId wide = c.resize(value, 64, op::is_signed(from));
  const ValueId clamped = clamp(c, wide, from, op::bits(to), op::is_signed(to));
  return c.resize(clamped, op::bits(to), false);
}

void lower_integer(Context& c) {
  const Type to = c.type(0), from = c.type(1);
  const ValueId a = c.use_low("a", from);
  const ValueId result =
      c.has("sat") ? saturated(c, a, from, to) : c.resize(a, op::bits(to), op::is_signed(from));
  c.define_extended("d", result, to);
}

void lower_to_float(Context& c) {
  Op convert = float_op(c, Kind::kIToF, c.type(0), c.rounding(op::Rounding::kRn));
  convert.src = c.type(1);
  c.define_extended("d", c.op(convert, {c.use_low("a", c.type(1))}), c.type(0));
}

void lower_to_integer(Context& c) {
  Op convert = plain_float_op(c, Kind::kFToI, c.type(0), c.rounding(op::Rounding::kRz));
  convert.src = c.type(1);
  c.define_extended("d", c.op(convert, {c.use_low("a", c.type(1))}), c.type(0));
}

Op float_conversion(Context& c, Type to, Type from) {
  Op convert = float_op(c, Kind::kFCvt, to, c.rounding(op::Rounding::kNone));
  convert.src = from;
  if (op::bits(to) > op::bits(from)) {
    convert.rounding = op::Rounding::kNone;  // exact, whatever the modifier says
  } else if (to != from && convert.rounding == op::Rounding::kNone) {
    convert.rounding = op::Rounding::kRn;  // cvt.f16.bf16, cvt.bf16.f16
  }
  convert.satfinite = c.has("satfinite");
  convert.relu = c.has("relu");
  return convert;
}

void lower_float(Context& c) {
  const Type to = c.type(0), from = c.type(1);
  const ValueId a = c.use_low("a", from);
  c.define_extended("d", c.op(float_conversion(c, to, from), {a}), to);
}

// cvt.f32.f32 and the like: rounding to an integral value, flushing, clamping, or nothing.
void lower_same(Context& c) {
  const Type type = c.type(0);
  ValueId value = c.use_low("a", type);
  const op::Rounding rounding = c.rounding(op::Rounding::kNone);
  if (rounding != op::Rounding::kNone) {
    value = c.op(float_op(c, Kind::kFRint, type, rounding), {value});
  } else if (c.has("ftz") || c.has("sat") || op::bits(type) == 16) {
    // Even without modifiers the 16-bit formats lose the payload of a NaN (shared/vectors).
    value = c.op(float_conversion(c, type, type), {value});
  }
  c.define_extended("d", value, type);
}

void lower_tf32(Context& c) {
  c.define("d", c.op(float_conversion(c, Type::kTF32, Type::kF32), {c.use("a", Type::kF32)}));
}

// Two f32 to one packed value: a becomes the upper half.
void lower_pack_floats(Context& c) {
  const Op convert = float_conversion(c, lane_type(c.type(0)), Type::kF32);
  const ValueId a = c.use("a"), b = c.use("b");
  const ValueId high = c.op(convert, {a}), low = c.op(convert, {b});
  c.define("d", c.concat(high, low));
}

void lower_packed(Context& c) {
  const Op convert = float_conversion(c, lane_type(c.type(0)), lane_type(c.type(1)));
  const ValueId a = c.use("a");
  const unsigned width = c.bits(a) / 2;
  const ValueId high = c.op(convert, {c.extract(a, width, width)});
  c.define("d", c.concat(high, c.op(convert, {c.extract(a, 0, width)})));
}

// {a, b} saturated, b lowest; with c, they are shifted into it from below (8-bit results).
void lower_pack_integers(Context& c) {
  const Type to = c.type(0), from = c.type(1);
  const ValueId high = saturated(c, c.use("a", from), from, to);
  const ValueId low = saturated(c, c.use("b", from), from, to);
  ValueId result = c.concat(high, low);
  if (op::bits(to) == 8) {
    const ValueId rest = c.given("c") ? c.use("c", Type::kB32) : c.constant(32, 0);
    result = c.concat(c.extract(rest, 0, 16), result);
  }
  c.define("d", result, Type::kB32);
}

// Results of two or four bits, put below what is left of c.
void lower_pack_small(Context& c) {
  const bool is_signed = c.has("s2") || c.has("s4");
  const unsigned width = c.has("u2") || c.has("s2") ? 2 : 4;
  const Type from = Type::kS32;
  const auto part = [&](std::string_view name) {
    const ValueId wide = c.resize(c.use(name, from), 64, true);
    const ValueId clamped = c.resize(clamp(c, wide, from, width, is_signed), 32, false);
    return c.op(Kind::kAnd, 32, {clamped, c.constant(32, op::mask(width))});
  };
  const auto shifted = [&](ValueId value, unsigned by) {
    return c.op(Kind::kShl, 32, {value, c.constant(32, by)});
  };
  const ValueId rest = shifted(c.use("c", Type::kB32), 2 * width);
  const ValueId high = shifted(part("a"), width);
  c.define("d", c.op(Kind::kOr, 32, {rest, c.op(Kind::kOr, 32, {high, part("b")})}), Type::kB32);
}

#define INTEGERS ".(u8|u16|u32|u64|s8|s16|s32|s64)"
#define ROUND ".(rn|rz|rm|rp)"
#define INTEGRAL ".(rni|rzi|rmi|rpi)"
#define PLAIN " d:t1+, a:t2+"
#define EXACT " d, a:t2"             // bf16 and newer formats take no wider registers
#define SMALL "100f|101f|110f|120f"  // formats of four and six bits

constexpr Row kRows[] = {
    {"cvt", INTEGERS INTEGERS PLAIN, 10, 10, lower_integer, "9.7.9.21"},
    // Where the result's type does not hold all values of the operand's.
    {"cvt", ".sat.s8.u8" PLAIN, 10, 10, lower_integer, "9.7.9.21"},
    {"cvt", ".sat.(u8|s8|s16).u16" PLAIN, 10, 10, lower_integer, "9.7.9.21"},
    {"cvt", ".sat.(u8|u16|s8|s16|s32).u32" PLAIN, 10, 10, lower_integer, "9.7.9.21"},
    {"cvt", ".sat.(u8|u16|u32|s8|s16|s32|s64).u64" PLAIN, 10, 10, lower_integer, "9.7.9.21"},
    {"cvt", ".sat.(u8|u16|u32|u64).s8" PLAIN, 10, 10, lower_integer, "9.7.9.21"},
    {"cvt", ".sat.(u8|u16|u32|u64|s8).s16" PLAIN, 10, 10, lower_integer, "9.7.9.21"},
    {"cvt", ".sat.(u8|u16|u32|u64|s8|s16).s32" PLAIN, 10, 10, lower_integer, "9.7.9.21"},
    {"cvt", ".sat.(u8|u16|u32|u64|s8|s16|s32).s64" PLAIN, 10, 10, lower_integer, "9.7.9.21"},
    {"cvt", ROUND "{.ftz}{.sat}.f32" INTEGERS PLAIN, 10, 10, lower_to_float, "9.7.9.21"},
    {"cvt", ROUND "{.sat}.(f16|f64)" INTEGERS PLAIN, 10, 10, lower_to_float, "9.7.9.21"},
    {"cvt", ROUND ".bf16" INTEGERS EXACT, 78, 90, lower_to_float, "9.7.9.21"},
    {"cvt", INTEGRAL "{.ftz}{.sat}" INTEGERS ".f32" PLAIN, 10, 10, lower_to_integer, "9.7.9.21"},
    {"cvt", INTEGRAL "{.sat}" INTEGERS ".(f16|f64)" PLAIN, 10, 10, lower_to_integer, "9.7.9.21"},
    {"cvt", INTEGRAL INTEGERS ".bf16" EXACT, 78, 90, lower_to_integer, "9.7.9.21"},
    // One format to itself: rounding to an integral value, flushing, clamping.
    {"cvt", "{.rni|.rzi|.rmi|.rpi}{.ftz}{.sat}.f32.f32" PLAIN, 10, 10, lower_same, "9.7.9.21"},
    {"cvt", "{.rni|.rzi|.rmi|.rpi}{.sat}.f64.f64" PLAIN, 10, 13, lower_same, "9.7.9.21"},
    {"cvt", "{.rni|.rzi|.rmi|.rpi}{.sat}.f16.f16" PLAIN, 10, 10, lower_same, "9.7.9.21"},
    {"cvt", "{.rni|.rzi|.rmi|.rpi}.bf16.bf16" EXACT, 78, 90, lower_same, "9.7.9.21"},
    // Widening
    {"cvt", "{.ftz}{.sat}.f32.f16" PLAIN, 10, 10, lower_float, "9.7.9.21"},
    {"cvt", "{.ftz}{.sat}.f64.f32" PLAIN, 10, 13, lower_float, "9.7.9.21"},
    {"cvt", "{.sat}.f64.f16" PLAIN, 10, 13, lower_float, "9.7.9.21"},
    {"cvt", "{.rn|.rz|.rm|.rp}{.ftz}<78,90>.f32.bf16" EXACT, 71, 80, lower_float, "9.7.9.21"},
    {"cvt", "{.rn|.rz|.rm|.rp}.f64.bf16" EXACT, 78, 90, lower_float, "9.7.9.21"},
    // Narrowing
    {"cvt", ROUND "{.ftz}{.sat}.f32.f64" PLAIN, 10, 13, lower_float, "9.7.9.21"},
    {"cvt", ROUND "{.ftz}{.sat}.f16.f32" PLAIN, 10, 10, lower_float, "9.7.9.21"},
    {"cvt", ROUND "{.sat}.f16.f64" PLAIN, 10, 13, lower_float, "9.7.9.21"},
    {"cvt", ROUND "{.ftz}.bf16.f32" EXACT, 70, 80, lower_float, "9.7.9.21"},
    {"cvt", ROUND ".bf16.f64" EXACT, 78, 90, lower_float, "9.7.9.21"},
    {"cvt", ".(rn|rz){.relu}<70,80>{.satfinite}<81,70>.f16.f32" PLAIN, 70, 70, lower_float,
     "9.7.9.21"},
    {"cvt", ".(rn|rz){.relu}{.satfinite}<81,80>.bf16.f32" EXACT, 70, 80, lower_float, "9.7.9.21"},
    {"cvt", "{.rn|.rz|.rm|.rp}.f16.bf16" EXACT, 78, 90, lower_float, "9.7.9.21"},
    {"cvt", "{.rn|.rz|.rm|.rp}.bf16.f16" EXACT, 78, 90, lower_float, "9.7.9.21"},
    {"cvt", ".rna{.satfinite}<81,80>.tf32.f32" EXACT, 70, 80, lower_tf32, "9.7.9.21"},
    {"cvt", ".(rn|rz){.relu}{.satfinite}<81,100>.tf32.f32" EXACT, 78, 90, lower_tf32, "9.7.9.21"},
    {"cvt", ".(rn|rz){.relu}{.satfinite}<81,80>.(f16x2|bf16x2).f32 d:t1+, a:t2, b:t2", 70, 80,
     lower_pack_floats, "9.7.9.21"},
    {"cvt", ".rn.satfinite{.relu}.(e4m3x2|e5m2x2).f32 d, a:t2, b:t2", 78, 89, lower_pack_floats,
     "9.7.9.21"},
    {"cvt", ".rn.satfinite{.relu}.(e4m3x2|e5m2x2).f16x2 d, a:t2", 78, 89, lower_packed, "9.7.9.21"},
    {"cvt", ".rn{.relu}.f16x2.(e4m3x2|e5m2x2) d, a:t2", 78, 89, lower_packed, "9.7.9.21"},
    {"cvt", ".rn.satfinite{.relu}.(e2m1x2|e2m3x2|e3m2x2).f32 d, a:t2, b:t2", 86, SMALL,
     lower_unsupported, "9.7.9.21"},
    {"cvt", ".rn{.relu}.f16x2.(e2m1x2|e2m3x2|e3m2x2) d, a:t2", 86, SMALL, lower_unsupported,
     "9.7.9.21"},
    {"cvt", ".(rz|rp){.satfinite}.ue8m0x2.f32 d, a:t2, b:t2", 86, SMALL, lower_unsupported,
     "9.7.9.21"},
    {"cvt", ".(rz|rp){.satfinite}.ue8m0x2.bf16x2 d, a:t2", 86, SMALL, lower_unsupported,
     "9.7.9.21"},
    {"cvt", ".rn.bf16x2.ue8m0x2 d, a:t2", 86, SMALL, lower_unsupported, "9.7.9.21"},
    // Stochastic rounding: the bits that decide come with the operands.
    {"cvt", ".rs{.relu}{.satfinite}.(f16x2|bf16x2).f32 d, a:t2, b:t2, bits:b32", 87, "100a|103a",
     lower_unsupported, "9.7.9.21"},
    {"cvt", ".rs{.relu}.satfinite.(e4m3x4|e5m2x4|e2m1x4|e2m3x4|e3m2x4).f32 d, a:v4:f32, bits:b32",
     87, "100a|103a", lower_unsupported, "9.7.9.21"},
    {"cvt", ".pack.sat.(u16|s16).s32 d:b32, a:t2, b:t2", 65, 72, lower_pack_integers, "9.7.9.22"},
    {"cvt", ".pack.sat.(u8|s8).s32.b32 d:b32, a:t2, b:t2, c:b32", 65, 72, lower_pack_integers,
     "9.7.9.22"},
    {"cvt", ".pack.sat.(u2|s2|u4|s4).s32.b32 d:b32, a:t2, b:t2, c:b32", 65, 75, lower_pack_small,
     "9.7.9.22"},
};

#undef INTEGERS
#undef ROUND
#undef INTEGRAL
#undef PLAIN
#undef EXACT
#undef SMALL

}  // namespace

std::span<const Row> convert_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
