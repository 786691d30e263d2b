// Integer arithmetic (PTX manual, 9.7.1).
#include "isa/context.h"

namespace ptxequiv::isa {
namespace {

unsigned width(const Context& c) {
  return op::bits(c.type());
}

// `value` of `wide` bits clamped to the signed range of `narrow` bits, and cut to them.
ValueId saturate_signed(Context& c, ValueId value, unsigned wide, unsigned narrow) {
  const ValueId low = c.constant(wide, ~uint64_t{0} << (narrow - 1));
  const ValueId high = c.constant(wide, op::mask(narrow - 1));
  value = c.op(Kind::kMaxS, wide, {value, low});
  return c.extract(c.op(Kind::kMinS, wide, {value, high}), 0, narrow);
}

ValueId add_saturating(Context& c, Kind kind, ValueId a, ValueId b) {
  const ValueId sum = c.op(kind, 64, {c.resize(a, 64, true), c.resize(b, 64, true)});
  return saturate_signed(c, sum, 64, 32);
}

void lower_add_sub(Context& c) {
  const Kind kind = c.instruction().opcode == "add" ? Kind::kAdd : Kind::kSub;
  if (c.has("sat")) {
    const ValueId a = c.use("a"), b = c.use("b");
    return c.define("d", add_saturating(c, kind, a, b));
  }
  c.define("d", c.lanewise(c.type(), c.sources(), [&](Type lane, const auto& s) {
    return c.op(kind, op::bits(lane), {s[0], s[1]});
  }));
}

// The full product of `a` and `b` in twice their width.
ValueId product_wide(Context& c, ValueId a, ValueId b) {
  const bool is_signed = op::is_signed(c.type());
  const unsigned wide = 2 * width(c);
  return c.op(Kind::kMul, wide, {c.resize(a, wide, is_signed), c.resize(b, wide, is_signed)});
}

ValueId product_high(Context& c, ValueId a, ValueId b) {
  return c.op(op::is_signed(c.type()) ? Kind::kMulHiS : Kind::kMulHiU, width(c), {a, b});
}

ValueId product_part(Context& c, ValueId a, ValueId b) {
  if (c.has("wide")) return product_wide(c, a, b);
  if (c.has("hi")) return product_high(c, a, b);
  return c.op(Kind::kMul, width(c), {a, b});
}

void lower_mul(Context& c) {
  const ValueId a = c.use("a"), b = c.use("b");
  c.define("d", product_part(c, a, b));
}

void lower_mad(Context& c) {
  const ValueId product = product_part(c, c.use("a"), c.use("b"));
  const ValueId addend = c.use("c");
  c.define("d", c.has("sat") ? add_saturating(c, Kind::kAdd, product, addend)
                             : c.op(Kind::kAdd, c.bits(product), {product, addend}));
}

// The low or high 32 of the 48 bits that two 24-bit numbers multiply to (9.7.1.5).
ValueId product_24(Context& c) {
  const bool is_signed = op::is_signed(c.type());
  const auto narrow = [&](ValueId value) {
    return c.resize(c.op(is_signed ? Kind::kBfeS : Kind::kBfeU, 32,
                         {value, c.constant(32, 0), c.constant(32, 24)}),
                    64, is_signed);
  };
  const ValueId a = narrow(c.use("a")), b = narrow(c.use("b"));
  return c.extract(c.op(Kind::kMul, 64, {a, b}), c.has("hi") ? 16 : 0, 32);
}

void lower_mul24(Context& c) {
  c.define("d", product_24(c));
}

void lower_mad24(Context& c) {
  const ValueId product = product_24(c), addend = c.use("c");
  c.define("d", c.has("sat") ? add_saturating(c, Kind::kAdd, product, addend)
                             : c.op(Kind::kAdd, 32, {product, addend}));
}

void lower_sad(Context& c) {
  const unsigned w = width(c);
  const ValueId a = c.use("a"), b = c.use("b"), addend = c.use("c");
  const Kind less = op::is_signed(c.type()) ? Kind::kLtS : Kind::kLtU;
  const ValueId difference =
      c.select(c.op(less, w, {a, b}), c.op(Kind::kSub, w, {b, a}), c.op(Kind::kSub, w, {a, b}));
  c.define("d", c.op(Kind::kAdd, w, {addend, difference}));
}

void lower_div(Context& c) {
  const ValueId a = c.use("a"), b = c.use("b");
  c.define("d", c.op(op::is_signed(c.type()) ? Kind::kDivS : Kind::kDivU, width(c), {a, b}));
}

void lower_rem(Context& c) {
  const ValueId a = c.use("a"), b = c.use("b");
  c.define("d", c.op(op::is_signed(c.type()) ? Kind::kRemS : Kind::kRemU, width(c), {a, b}));
}

void lower_abs(Context& c) {
  c.define("d", c.op(Kind::kAbsS, width(c), {c.use("a")}));
}

void lower_neg(Context& c) {
  c.define("d", c.op(Kind::kSub, width(c), {c.constant(width(c), 0), c.use("a")}));
}

void lower_min_max(Context& c) {
  const bool is_min = c.instruction().opcode == "min";
  c.define("d", c.lanewise(c.type(), c.sources(), [&](Type lane, const auto& s) {
    const bool is_signed = op::is_signed(lane);
    const Kind kind =
        is_min ? (is_signed ? Kind::kMinS : Kind::kMinU) : (is_signed ? Kind::kMaxS : Kind::kMaxU);
    const unsigned w = op::bits(lane);
    const ValueId best = c.op(kind, w, {s[0], s[1]});
    return c.has("relu") ? c.op(Kind::kMaxS, w, {best, c.constant(w, 0)}) : best;
  }));
}

// Sums of products of bytes with bytes, or of halves with bytes (9.7.1.23, 9.7.1.24).
void lower_dot(Context& c) {
  const bool is_four = c.instruction().opcode == "dp4a";
  const bool a_signed = op::is_signed(c.type(0)), b_signed = op::is_signed(c.type(1));
  const ValueId a = c.use("a"), b = c.use("b", c.type(1));
  const bool any_signed = a_signed || b_signed;
  ValueId sum = c.use("c", any_signed ? Type::kS32 : Type::kU32);
  const unsigned a_width = is_four ? 8 : 16, first = c.has("hi") ? 2 : 0;
  for (unsigned i = 0; i < (is_four ? 4u : 2u); ++i) {
    const ValueId x = c.resize(c.extract(a, i * a_width, a_width), 32, a_signed);
    const ValueId y = c.resize(c.extract(b, (first + i) * 8, 8), 32, b_signed);
    sum = c.op(Kind::kAdd, 32, {sum, c.op(Kind::kMul, 32, {x, y})});
  }
  c.define("d", sum, any_signed ? Type::kS32 : Type::kU32);
}

constexpr Row kRows[] = {
    {"add", ".(u16|u32|u64|s16|s64) d, a, b", 10, 10, lower_add_sub, "9.7.1.1"},
    {"add", "{.sat}.s32 d, a, b", 10, 10, lower_add_sub, "9.7.1.1"},
    {"add", ".(u16x2|s16x2) d, a, b", 80, 90, lower_add_sub, "9.7.1.1"},
    {"sub", ".(u16|u32|u64|s16|s64) d, a, b", 10, 10, lower_add_sub, "9.7.1.2"},
    {"sub", "{.sat}.s32 d, a, b", 10, 10, lower_add_sub, "9.7.1.2"},
    {"mul", ".(lo|hi).(u16|u32|u64|s16|s32|s64) d, a, b", 10, 10, lower_mul, "9.7.1.3"},
    {"mul", ".wide.(u16|u32|s16|s32) d:wide, a, b", 10, 10, lower_mul, "9.7.1.3"},
    {"mad", ".(lo|hi).(u16|u32|u64|s16|s32|s64) d, a, b, c", 10, 10, lower_mad, "9.7.1.4"},
    {"mad", ".wide.(u16|u32|s16|s32) d:wide, a, b, c:wide", 10, 10, lower_mad, "9.7.1.4"},
    {"mad", ".hi.sat.s32 d, a, b, c", 10, 10, lower_mad, "9.7.1.4"},
    {"mul24", ".(lo|hi).(u32|s32) d, a, b", 10, 10, lower_mul24, "9.7.1.5"},
    {"mad24", ".(lo|hi).(u32|s32) d, a, b, c", 10, 10, lower_mad24, "9.7.1.6"},
    {"mad24", ".hi.sat.s32 d, a, b, c", 10, 10, lower_mad24, "9.7.1.6"},
    {"sad", ".(u16|u32|u64|s16|s32|s64) d, a, b, c", 10, 10, lower_sad, "9.7.1.7"},
    {"div", ".(u16|u32|u64|s16|s32|s64) d, a, b", 10, 10, lower_div, "9.7.1.8"},
    {"rem", ".(u16|u32|u64|s16|s32|s64) d, a, b", 10, 10, lower_rem, "9.7.1.9"},
    {"abs", ".(s16|s32|s64) d, a", 10, 10, lower_abs, "9.7.1.10"},
    {"neg", ".(s16|s32|s64) d, a", 10, 10, lower_neg, "9.7.1.11"},
    {"min", ".(u16|u32|u64|u16x2<80,90>|s16|s64) d, a, b", 10, 10, lower_min_max, "9.7.1.12"},
    {"min", "{.relu}<80,90>.(s16x2<80,90>|s32) d, a, b", 10, 10, lower_min_max, "9.7.1.12"},
    {"max", ".(u16|u32|u64|u16x2<80,90>|s16|s64) d, a, b", 10, 10, lower_min_max, "9.7.1.13"},
    {"max", "{.relu}<80,90>.(s16x2<80,90>|s32) d, a, b", 10, 10, lower_min_max, "9.7.1.13"},
    {"dp4a", ".(u32|s32).(u32|s32) d:u32, a, b:t2, c:u32", 50, 61, lower_dot, "9.7.1.23"},
    {"dp2a", ".(lo|hi).(u32|s32).(u32|s32) d:u32, a, b:t2, c:u32", 50, 61, lower_dot, "9.7.1.24"},
};

}  // namespace

std::span<const Row> integer_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
