// Extended-precision arithmetic through the carry flag CC.CF (PTX manual, 9.7.2).
//
// A subtraction is an addition of the complement plus one, and the flag is always that addition's
// carry: after sub.cc it is set where nothing was borrowed. The manual calls the flag a borrow
// there, which differs only where addc follows sub.cc or subc follows add.cc; hardware does it as
// here (shared/vectors, int_carry).
#include "isa/context.h"
#include "isa/walker.h"

namespace ptxequiv::isa {
namespace {

struct Sum {
  ValueId value;
  ValueId carry;
};

Sum add(Context& c, ValueId a, ValueId b, bool carry_in) {
  const unsigned w = c.bits(a);
  const ValueId first = c.op(Kind::kAdd, w, {a, b});
  const ValueId first_carry = c.op(Kind::kLtU, w, {first, a});
  if (!carry_in) return {first, first_carry};
  const ValueId flag = c.resize(c.builder().read(c.walker().carry()), w, false);
  const ValueId second = c.op(Kind::kAdd, w, {first, flag});
  const ValueId second_carry = c.op(Kind::kLtU, w, {second, first});
  return {second, c.op(Kind::kOr, 1, {first_carry, second_carry})};
}

Sum subtract(Context& c, ValueId a, ValueId b, bool carry_in) {
  const unsigned w = c.bits(a);
  const ValueId first = c.op(Kind::kSub, w, {a, b});
  const ValueId first_borrow = c.op(Kind::kLtU, w, {a, b});
  if (!carry_in) return {first, c.logic_not(first_borrow)};
  const ValueId borrow = c.resize(c.logic_not(c.builder().read(c.walker().carry())), w, false);
  const ValueId second = c.op(Kind::kSub, w, {first, borrow});
  const ValueId second_borrow = c.op(Kind::kLtU, w, {first, borrow});
  return {second, c.logic_not(c.op(Kind::kOr, 1, {first_borrow, second_borrow}))};
}

void finish(Context& c, const Sum& sum) {
  c.define("d", sum.value);
  if (!c.has("cc")) return;
  const Var flag = c.walker().carry();
  ValueId carry = sum.carry;
  if (c.guard() != ir::kNone) {
    const ValueId old = c.builder().read(flag);
    carry = c.guard_negated() ? c.select(c.guard(), old, carry) : c.select(c.guard(), carry, old);
  }
  c.builder().write(flag, carry);
}

void lower_add(Context& c) {
  const ValueId a = c.use("a"), b = c.use("b");
  finish(c, add(c, a, b, c.instruction().opcode == "addc"));
}

void lower_sub(Context& c) {
  const ValueId a = c.use("a"), b = c.use("b");
  finish(c, subtract(c, a, b, c.instruction().opcode == "subc"));
}

void lower_mad(Context& c) {
  const unsigned w = op::bits(c.type());
  const ValueId a = c.use("a"), b = c.use("b"), addend = c.use("c");
  const Kind high = op::is_signed(c.type()) ? Kind::kMulHiS : Kind::kMulHiU;
  const ValueId product = c.op(c.has("hi") ? high : Kind::kMul, w, {a, b});
  finish(c, add(c, product, addend, c.instruction().opcode == "madc"));
}

constexpr Row kRows[] = {
    {"add", ".cc.(u32|s32|u64<43,20>|s64<43,20>) d, a, b", 12, 10, lower_add, "9.7.2.1"},
    {"addc", ".cc.(u32|s32|u64<43,20>|s64<43,20>) d, a, b", 12, 10, lower_add, "9.7.2.2"},
    {"addc", ".(u32|s32|u64|s64) d, a, b", 12, 10, lower_add, "9.7.2.2"},
    {"sub", ".cc.(u32|s32|u64<43,20>|s64<43,20>) d, a, b", 12, 10, lower_sub, "9.7.2.3"},
    {"subc", ".cc.(u32|s32|u64<43,20>|s64<43,20>) d, a, b", 12, 10, lower_sub, "9.7.2.4"},
    {"subc", ".(u32|s32|u64|s64) d, a, b", 12, 10, lower_sub, "9.7.2.4"},
    {"mad", ".(lo|hi).cc.(u32|s32|u64<43,20>|s64<43,20>) d, a, b, c", 30, 20, lower_mad, "9.7.2.5"},
    {"madc", ".(lo|hi).cc.(u32|s32|u64<43,20>|s64<43,20>) d, a, b, c", 30, 20, lower_mad,
     "9.7.2.6"},
    {"madc", ".(lo|hi).(u32|s32|u64|s64) d, a, b, c", 30, 20, lower_mad, "9.7.2.6"},
};

}  // namespace

std::span<const Row> carry_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
