// Video instructions (PTX manual, 9.7.18). Scalar ones take a byte, a half or all of an operand,
// compute without overflow, may clamp to the result's type, and then either combine with c or put
// the result's low bits in a part of c. SIMD ones do the same in each byte or half.
//
// What an H200 does where it does not follow the manual (shared/vectors, int_video): .sat to u32
// clamps from below only. Forms for which no simple rule is known there are left without a meaning.
#include "isa/context.h"
#include "isa/walker.h"

namespace ptxequiv::isa {
namespace {

using ptx::RegisterElement;

// Wide enough for every intermediate result.
constexpr unsigned kWide = 64;

// The part of a register that a selector names.
struct Part {
  unsigned position = 0, width = 32;
};

Part part_of(const ptx::Operand& operand) {
  const auto* element = std::get_if<RegisterElement>(&operand.value);
  if (element == nullptr) return {};
  if (element->index >= RegisterElement::kHalfSelector) {
    return {16u * (element->index - RegisterElement::kHalfSelector), 16};
  }
  return {8u * (element->index - RegisterElement::kByteSelector), 8};
}

// The selected part of a source, extended by its type.
ValueId wide_source(Context& c, std::string_view name, Type type) {
  const ptx::Operand& operand = c.operand(name);
  const Part part = part_of(operand);
  ValueId whole = ir::kNone;
  if (const auto* element = std::get_if<RegisterElement>(&operand.value)) {
    whole = c.builder().read(c.walker().variable(element->symbol));
  } else {
    whole = c.use(name, type);
  }
  return c.resize(c.extract(whole, part.position, part.width), kWide, op::is_signed(type));
}

ValueId wide_constant(Context& c, int64_t value) {
  return c.constant(kWide, static_cast<uint64_t>(value));
}

// The range of a part of `width` bits.
ValueId clamp(Context& c, ValueId value, unsigned width, bool is_signed) {
  const int64_t low = is_signed ? -(int64_t{1} << (width - 1)) : 0;
  const int64_t high = static_cast<int64_t>(op::mask(is_signed ? width - 1 : width));
  value = c.op(Kind::kMaxS, kWide, {value, wide_constant(c, low)});
  if (!is_signed && width == 32) return value;  // as the hardware does
  return c.op(Kind::kMinS, kWide, {value, wide_constant(c, high)});
}

ValueId less(Context& c, ValueId a, ValueId b) {
  return c.op(Kind::kLtS, kWide, {a, b});
}

// 1 or 0. The operands are exact, so signedness no longer matters.
ValueId compare(Context& c, ValueId a, ValueId b) {
  ValueId result = ir::kNone;
  if (c.has("eq") || c.has("ne")) {
    result = c.op(Kind::kEq, kWide, {a, b});
    if (c.has("ne")) result = c.logic_not(result);
  } else if (c.has("lt") || c.has("lo")) {
    result = less(c, a, b);
  } else if (c.has("ge") || c.has("hs")) {
    result = c.logic_not(less(c, a, b));
  } else if (c.has("gt") || c.has("hi")) {
    result = less(c, b, a);
  } else {
    result = c.logic_not(less(c, b, a));
  }
  return c.resize(result, kWide, false);
}

ValueId compute(Context& c, ValueId a, ValueId b) {
  std::string_view name = c.instruction().opcode;
  if (name.back() == '2' || name.back() == '4') name.remove_suffix(1);
  if (name == "vadd") return c.op(Kind::kAdd, kWide, {a, b});
  if (name == "vsub") return c.op(Kind::kSub, kWide, {a, b});
  if (name == "vabsdiff") {
    return c.op(Kind::kAbsS, kWide, {c.op(Kind::kSub, kWide, {a, b})});
  }
  if (name == "vmin") return c.op(Kind::kMinS, kWide, {a, b});
  if (name == "vmax") return c.op(Kind::kMaxS, kWide, {a, b});
  if (name == "vavrg") {  // rounds halves up, away from negative infinity only if not negative
    const ValueId sum = c.op(Kind::kAdd, kWide, {a, b});
    const ValueId rounds = c.logic_not(less(c, sum, wide_constant(c, 0)));
    return c.op(
        Kind::kShrS, kWide,
        {c.op(Kind::kAdd, kWide, {sum, c.resize(rounds, kWide, false)}), c.constant(32, 1)});
  }
  if (name == "vset") return compare(c, a, b);
  // vshl, vshr: the amount is a u32.
  ValueId amount = c.extract(b, 0, 32);
  if (c.has("wrap")) {
    amount = c.op(Kind::kAnd, 32, {amount, c.constant(32, 31)});
  } else {
    amount = c.op(Kind::kMinU, 32, {amount, c.constant(32, 32)});
  }
  return c.op(name == "vshl" ? Kind::kShl : Kind::kShrS, kWide, {a, amount});
}

// Combines with c, or puts the result into a part of it.
void finish_scalar(Context& c, ValueId value, Type result_type) {
  const Part part = part_of(c.operand("d"));
  ValueId result = c.extract(value, 0, 32);
  if (part.width == 32) {
    if (c.given("c")) {
      const ValueId other = c.use("c", result_type);
      const bool is_signed = op::is_signed(result_type);
      const Kind kind = c.has("add")   ? Kind::kAdd
                        : c.has("min") ? (is_signed ? Kind::kMinS : Kind::kMinU)
                                       : (is_signed ? Kind::kMaxS : Kind::kMaxU);
      result = c.op(kind, 32, {result, other});
    }
    return c.define("d", result, Type::kB32);
  }
  const uint64_t mask = op::mask(part.width) << part.position;
  const ValueId kept = c.op(Kind::kAnd, 32, {c.use("c", Type::kB32), c.constant(32, ~mask)});
  const ValueId placed = c.op(Kind::kShl, 32, {result, c.constant(32, part.position)});
  const ValueId merged =
      c.op(Kind::kOr, 32, {kept, c.op(Kind::kAnd, 32, {placed, c.constant(32, mask)})});
  const auto& element = std::get<RegisterElement>(c.operand("d").value);
  c.define_operand({ptx::RegisterRef{element.symbol}, c.operand("d").loc}, merged, Type::kB32);
}

void lower_scalar(Context& c) {
  const bool is_set = c.instruction().opcode == "vset";
  const Type result_type = is_set ? Type::kU32 : c.type(0);
  const size_t first = is_set ? 0 : 1;
  const Part part = part_of(c.operand("d"));
  // The hardware merges zero, whatever the result (shared/vectors).
  if (c.has("sat") && part.width != 32) return c.unsupported();
  ValueId value =
      compute(c, wide_source(c, "a", c.type(first)), wide_source(c, "b", c.type(first + 1)));
  if (c.has("sat")) value = clamp(c, value, 32, op::is_signed(result_type));
  finish_scalar(c, value, result_type);
}

// a * b + c (+ 1), shifted, clamped. Over u32 with .sat or a shift the hardware takes the low 32
// bits of the sum for a signed number.
void lower_mad(Context& c) {
  const bool is_signed = op::is_signed(c.type(0));
  const bool shifts = c.has("shr7") || c.has("shr15");
  if (!is_signed && (shifts || c.has("sat"))) return c.unsupported();
  const ValueId product =
      c.op(Kind::kMul, kWide, {wide_source(c, "a", c.type(1)), wide_source(c, "b", c.type(2))});
  const ValueId addend = c.resize(c.use("c", c.type(0)), kWide, is_signed);
  ValueId value = c.op(Kind::kAdd, kWide, {product, addend});
  if (c.has("po")) value = c.op(Kind::kAdd, kWide, {value, wide_constant(c, 1)});
  if (shifts) value = c.op(Kind::kShrS, kWide, {value, c.constant(32, c.has("shr7") ? 7 : 15)});
  if (c.has("sat")) value = clamp(c, value, 32, is_signed);
  c.define("d", c.extract(value, 0, 32), Type::kB32);
}

void lower_simd(Context& c) {
  const std::string& opcode = c.instruction().opcode;
  const bool is_set = opcode.substr(0, 4) == "vset";
  const unsigned lanes = static_cast<unsigned>(opcode.back() - '0'), width = 32 / lanes;
  const size_t first = is_set ? 0 : 1;
  const bool is_signed = !is_set && op::is_signed(c.type(0));
  const ValueId a = c.use("a", c.type(first)), b = c.use("b", c.type(first + 1));
  ValueId result = c.has("add") ? c.use("c", Type::kB32) : c.constant(32, 0);
  for (unsigned i = 0; i < lanes; ++i) {
    const auto lane = [&](ValueId whole, Type type) {
      return c.resize(c.extract(whole, i * width, width), kWide, op::is_signed(type));
    };
    ValueId value = compute(c, lane(a, c.type(first)), lane(b, c.type(first + 1)));
    if (c.has("sat")) value = clamp(c, value, width, is_signed);
    if (c.has("add")) {
      result = c.op(Kind::kAdd, 32, {result, c.extract(value, 0, 32)});
      continue;
    }
    const ValueId placed =
        c.op(Kind::kShl, 32,
             {c.op(Kind::kAnd, 32, {c.extract(value, 0, 32), c.constant(32, op::mask(width))}),
              c.constant(32, i * width)});
    result = c.op(Kind::kOr, 32, {result, placed});
  }
  c.define("d", result, Type::kB32);
}

#define TWO ".(u32|s32).(u32|s32)"
#define SCALAR(opcode, modifiers, types, section)                                            \
  {opcode, types "{.sat}" modifiers " d:b32, a:t2*, b:t3*", 20, 20, lower_scalar, section},  \
      {opcode, types "{.sat}" modifiers " d:b32*, a:t2*, b:t3*, c:t1", 20, 20, lower_scalar, \
       section},                                                                             \
  {                                                                                          \
    opcode, types "{.sat}" modifiers ".(add|min|max) d:b32, a:t2*, b:t3*, c:t1", 20, 20,     \
        lower_scalar, section                                                                \
  }
#define SIMD(opcode, section)                                                                   \
  {opcode "2", ".(u32|s32)" TWO "{.sat|.add} d:b32, a:t2!, b:t3!, c:b32!",                      \
   30,         30,                                                                              \
   lower_simd, "9.7.18.2." section},                                                            \
  {                                                                                             \
    opcode "4", ".(u32|s32)" TWO "{.sat|.add} d:b32, a:t2!, b:t3!, c:b32!", 30, 30, lower_simd, \
        "9.7.18.2." section                                                                     \
  }

constexpr Row kRows[] = {
    SCALAR("vadd", "", ".(u32|s32)" TWO, "9.7.18.1.1"),
    SCALAR("vsub", "", ".(u32|s32)" TWO, "9.7.18.1.1"),
    SCALAR("vabsdiff", "", ".(u32|s32)" TWO, "9.7.18.1.1"),
    SCALAR("vmin", "", ".(u32|s32)" TWO, "9.7.18.1.1"),
    SCALAR("vmax", "", ".(u32|s32)" TWO, "9.7.18.1.1"),
    SCALAR("vshl", ".(clamp|wrap)", ".(u32|s32).(u32|s32).u32", "9.7.18.1.2"),
    SCALAR("vshr", ".(clamp|wrap)", ".(u32|s32).(u32|s32).u32", "9.7.18.1.2"),
    {"vmad", ".(u32|s32)" TWO "{.po}{.sat}{.shr7|.shr15} d:b32, a:t2*, b:t3*, c:t1", 20, 20,
     lower_mad, "9.7.18.1.3"},
    {"vset", TWO ".(eq|ne|lt|le|gt|ge) d:b32, a:t1*, b:t2*", 20, 20, lower_scalar, "9.7.18.1.4"},
    {"vset", TWO ".(eq|ne|lt|le|gt|ge) d:b32*, a:t1*, b:t2*, c:u32", 20, 20, lower_scalar,
     "9.7.18.1.4"},
    {"vset", TWO ".(eq|ne|lt|le|gt|ge).(add|min|max) d:b32, a:t1*, b:t2*, c:u32", 20, 20,
     lower_scalar, "9.7.18.1.4"},
    SIMD("vadd", "1"),
    SIMD("vsub", "1"),
    SIMD("vavrg", "1"),
    SIMD("vabsdiff", "1"),
    SIMD("vmin", "1"),
    SIMD("vmax", "1"),
    {"vset2", TWO ".(eq|ne|lt|le|gt|ge){.add} d:b32, a:t1!, b:t2!, c:b32!", 30, 30, lower_simd,
     "9.7.18.2.2"},
    {"vset4", TWO ".(eq|ne|lt|le|gt|ge){.add} d:b32, a:t1!, b:t2!, c:b32!", 30, 30, lower_simd,
     "9.7.18.2.2"},
};

#undef TWO
#undef SCALAR
#undef SIMD

}  // namespace

std::span<const Row> video_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
