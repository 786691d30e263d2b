// Integer instructions on bits (PTX manual, 9.7.1.14 to 9.7.1.22) and prmt (9.7.9.7).
#include "isa/context.h"

namespace ptxequiv::isa {
namespace {

unsigned width(const Context& c) {
  return op::bits(c.type());
}

// popc, clz, bfind: the result has 32 bits whatever the operand has.
ValueId count(Context& c, Kind kind, ValueId value) {
  return c.op(Op{.kind = kind, .type = Type::kB32, .src = op::bits_type(c.bits(value))}, {value});
}

void lower_popc(Context& c) {
  c.define("d", count(c, Kind::kPopc, c.use("a")));
}
void lower_clz(Context& c) {
  c.define("d", count(c, Kind::kClz, c.use("a")));
}

// With .shiftamt: by how much to shift left so that the found bit becomes the highest.
void lower_bfind(Context& c) {
  const Kind kind = op::is_signed(c.type()) ? Kind::kBfindS : Kind::kBfindU;
  ValueId found = count(c, kind, c.use("a"));
  if (c.has("shiftamt")) {
    const ValueId none = c.constant(32, 0xffffffff);
    const ValueId shift = c.op(Kind::kSub, 32, {c.constant(32, width(c) - 1), found});
    found = c.select(c.op(Kind::kEq, 32, {found, none}), none, shift);
  }
  c.define("d", found);
}

void lower_brev(Context& c) {
  c.define("d", c.op(Kind::kBrev, width(c), {c.use("a")}));
}

void lower_bfe(Context& c) {
  const ValueId a = c.use("a"), position = c.use("b"), length = c.use("c");
  const Kind kind = op::is_signed(c.type()) ? Kind::kBfeS : Kind::kBfeU;
  c.define("d", c.op(kind, width(c), {a, position, length}));
}

// The low byte of a position or length counts in the 32-bit forms; an H200 takes all of it in the
// 64-bit ones (shared/vectors).
ValueId field_number(Context& c, ValueId value) {
  return width(c) == 64 ? value : c.op(Kind::kAnd, 32, {value, c.constant(32, 0xff)});
}

void lower_bfi(Context& c) {
  const unsigned w = width(c);
  const ValueId field = c.use("a"), base = c.use("b");
  const ValueId position = field_number(c, c.use("c")), length = field_number(c, c.use("e"));
  // Shifts past the width give 0, so a length of `w` or more makes all ones.
  const ValueId one = c.constant(w, 1);
  const ValueId ones = c.op(Kind::kSub, w, {c.op(Kind::kShl, w, {one, length}), one});
  const ValueId mask = c.op(Kind::kShl, w, {ones, position});
  const ValueId inserted = c.op(Kind::kAnd, w, {c.op(Kind::kShl, w, {field, position}), mask});
  const ValueId kept = c.op(Kind::kAnd, w, {base, c.op(Kind::kNot, w, {mask})});
  c.define("d", c.op(Kind::kOr, w, {inserted, kept}));
}

// The selectors that each mode makes of the low two bits of c, the first row of the manual's
// table first.
struct PrmtMode {
  std::string_view name;
  uint16_t selectors[4];
};
constexpr PrmtMode kPrmtModes[] = {
    {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
    {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
    {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}},
};

void lower_prmt(Context& c) {
  const ValueId a = c.use("a"), b = c.use("b");
  ValueId selector = c.use("c");
  for (const PrmtMode& mode : kPrmtModes) {
    if (!c.has(mode.name)) continue;
    const ValueId number = c.op(Kind::kAnd, 32, {selector, c.constant(32, 3)});
    selector = c.constant(32, mode.selectors[3]);
    for (unsigned i = 3; i-- > 0;) {
      selector = c.select(c.op(Kind::kEq, 32, {number, c.constant(32, i)}),
                          c.constant(32, mode.selectors[i]), selector);
    }
    break;
  }
  c.define("d", c.op(Kind::kPrmt, 32, {a, b, selector}));
}

// Extends the low b bits of a by their sign or by zero; .wrap takes b modulo 32, .clamp a b of 32
// or more keeps all bits. No bits at all are zero.
void lower_szext(Context& c) {
  const ValueId a = c.use("a");
  ValueId length = c.use("b");
  if (c.has("wrap"))
    length = c.op(Kind::kAnd, 32, {length, c.constant(32, 31)});
  else
    length = c.op(Kind::kMinU, 32, {length, c.constant(32, 32)});
  c.define("d", c.op(op::is_signed(c.type()) ? Kind::kBfeS : Kind::kBfeU, 32,
                     {a, c.constant(32, 0), length}));
}

// b ones from bit a on.
void lower_bmsk(Context& c) {
  ValueId position = c.use("a"), length = c.use("b");
  if (c.has("wrap")) {
    position = c.op(Kind::kAnd, 32, {position, c.constant(32, 31)});
    length = c.op(Kind::kAnd, 32, {length, c.constant(32, 31)});
  }
  const ValueId one = c.constant(32, 1);
  const ValueId ones = c.op(Kind::kSub, 32, {c.op(Kind::kShl, 32, {one, length}), one});
  c.define("d", c.op(Kind::kShl, 32, {ones, position}));
}

// The position of the |offset|-th set bit of `mask`, from bit `base` up (offset > 0) or down; all
// ones if there is none. Downwards is upwards in the reversed word. An offset of -2^31 gives zero
// on an H200 (shared/vectors).
void lower_fns(Context& c) {
  const ValueId mask = c.use("a"), base = c.use("b", Type::kU32), offset = c.use("c", Type::kS32);
  const ValueId zero = c.constant(32, 0), none = c.constant(32, 0xffffffff);
  const ValueId down = c.op(Kind::kLtS, 32, {offset, zero});
  const ValueId last = c.constant(32, 31);
  const ValueId start = c.select(down, c.op(Kind::kSub, 32, {last, base}), base);
  ValueId bits = c.select(down, c.op(Kind::kBrev, 32, {mask}), mask);
  bits = c.op(Kind::kAnd, 32, {bits, c.op(Kind::kShl, 32, {none, start})});
  ValueId left = c.op(Kind::kAbsS, 32, {offset}), found = none;
  for (unsigned i = 0; i < 32; ++i) {
    const ValueId shifted = c.op(Kind::kShrU, 32, {bits, c.constant(32, i)});
    const ValueId bit = c.op(Kind::kAnd, 32, {shifted, c.constant(32, 1)});
    left = c.op(Kind::kSub, 32, {left, bit});
    const ValueId is_set = c.logic_not(c.op(Kind::kEq, 32, {bit, zero}));
    const ValueId here = c.op(Kind::kAnd, 1, {is_set, c.op(Kind::kEq, 32, {left, zero})});
    found = c.select(here, c.constant(32, i), found);
  }
  const ValueId missing = c.op(Kind::kEq, 32, {found, none});
  const ValueId turned = c.select(missing, none, c.op(Kind::kSub, 32, {last, found}));
  ValueId result = c.select(down, turned, found);
  const ValueId at_base =
      c.op(Kind::kAnd, 32, {c.op(Kind::kShrU, 32, {mask, base}), c.constant(32, 1)});
  const ValueId alone = c.select(c.op(Kind::kEq, 32, {at_base, zero}), none, base);
  result = c.select(c.op(Kind::kEq, 32, {offset, zero}), alone, result);
  const ValueId least = c.op(Kind::kEq, 32, {offset, c.constant(32, 0x80000000)});
  c.define("d", c.select(least, zero, result));
}

constexpr Row kRows[] = {
    {"fns", ".b32 d, a, b:b32, c:b32", 60, 30, lower_fns, "9.7.1.17"},
    {"popc", ".(b32|b64) d:u32, a", 20, 20, lower_popc, "9.7.1.14"},
    {"clz", ".(b32|b64) d:u32, a", 20, 20, lower_clz, "9.7.1.15"},
    {"bfind", "{.shiftamt}.(u32|u64|s32|s64) d:u32, a", 20, 20, lower_bfind, "9.7.1.16"},
    {"brev", ".(b32|b64) d, a", 20, 20, lower_brev, "9.7.1.18"},
    {"bfe", ".(u32|u64|s32|s64) d, a, b:u32, c:u32", 20, 20, lower_bfe, "9.7.1.19"},
    {"bfi", ".(b32|b64) d, a, b, c:u32, e:u32", 20, 20, lower_bfi, "9.7.1.20"},
    {"szext", ".(clamp|wrap).(u32|s32) d, a, b:u32", 76, 70, lower_szext, "9.7.1.21"},
    {"bmsk", ".(clamp|wrap).b32 d, a:u32, b:u32", 76, 70, lower_bmsk, "9.7.1.22"},
    {"prmt", "{.f4e|.b4e|.rc8|.ecl|.ecr|.rc16}.b32 d, a, b, c", 20, 20, lower_prmt, "9.7.9.7"},
};

}  // namespace

std::span<const Row> bit_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
