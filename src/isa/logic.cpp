// Logic and shift instructions (PTX manual, 9.7.8).
#include "isa/context.h"

namespace ptxequiv::isa {
namespace {

unsigned width(const Context& c) {
  return op::bits(c.type());
}

void lower_binary(Context& c) {
  const std::string& opcode = c.instruction().opcode;
  const Kind kind = opcode == "and" ? Kind::kAnd : opcode == "or" ? Kind::kOr : Kind::kXor;
  const ValueId a = c.use("a"), b = c.use("b");
  c.define("d", c.op(kind, width(c), {a, b}));
}

void lower_not(Context& c) {
  c.define("d", c.op(Kind::kNot, width(c), {c.use("a")}));
}

void lower_cnot(Context& c) {
  const unsigned w = width(c);
  const ValueId zero = c.constant(w, 0);
  c.define("d", c.select(c.op(Kind::kEq, w, {c.use("a"), zero}), c.constant(w, 1), zero));
}

// A truth table over some of lop3's inputs as an expression. The upper half of the table is for
// the first input true, the lower for false; half a table that is constant or the complement of
// the other half needs no general form.
class TruthTable {
 public:
  TruthTable(Context& c, const std::vector<ValueId>& inputs) : c_(c), inputs_(inputs) {}

  // `table` has 2^(inputs from `first` on) entries. Recursion ends after three levels.
  ValueId build(unsigned table, size_t first) const {
    const unsigned entries = 1u << (inputs_.size() - first);
    const unsigned all = (1u << entries) - 1;
    if (table == 0) return c_.constant(32, 0);
    if (table == all) return c_.constant(32, 0xffffffff);
    const unsigned half = entries / 2, half_mask = (1u << half) - 1;
    const unsigned if_true = table >> half, if_false = table & half_mask;
    const ValueId input = inputs_[first];
    if (if_true == if_false) return build(if_true, first + 1);
    if (if_true == half_mask && if_false == 0) return input;
    if (if_true == 0 && if_false == half_mask) return negate(input);
    if (if_false == (if_true ^ half_mask)) {
      return c_.op(Kind::kXor, 32, {input, build(if_false, first + 1)});
    }
    if (if_false == 0) return c_.op(Kind::kAnd, 32, {input, build(if_true, first + 1)});
    if (if_true == half_mask) return c_.op(Kind::kOr, 32, {input, build(if_false, first + 1)});
    const ValueId on_false = c_.op(Kind::kAnd, 32, {negate(input), build(if_false, first + 1)});
    if (if_true == 0) return on_false;
    if (if_false == half_mask) {
      return c_.op(Kind::kOr, 32, {negate(input), build(if_true, first + 1)});
    }
    const ValueId on_true = c_.op(Kind::kAnd, 32, {input, build(if_true, first + 1)});
    return c_.op(Kind::kOr, 32, {on_true, on_false});
  }

 private:
  ValueId negate(ValueId value) const { return c_.op(Kind::kNot, 32, {value}); }
  Context& c_;
  const std::vector<ValueId>& inputs_;
};

// The look-up table is indexed by a, b, c with a the highest bit (9.7.8.6).
ValueId lop3(Context& c) {
  const std::vector<ValueId> inputs{c.use("a"), c.use("b"), c.use("c")};
  const auto* table = std::get_if<ptx::Immediate>(&c.operand("lut").value);
  if (table == nullptr || table->bits > 0xff) {
    c.fail(c.operand("lut"), "the look-up table must be a literal from 0 to 255");
  }
  return TruthTable(c, inputs).build(static_cast<unsigned>(table->bits), 0);
}

void lower_lop3(Context& c) {
  c.define("d", lop3(c));
}

void lower_lop3_predicate(Context& c) {
  const ValueId value = lop3(c);
  const ValueId other = c.use("q");
  const ValueId nonzero = c.logic_not(c.op(Kind::kEq, 32, {value, c.constant(32, 0)}));
  const ptx::Operand* second = c.second_of("d");
  c.define_operand(*c.first_of("d"), value, Type::kB32);
  c.define_operand(*second, c.op(c.has("and") ? Kind::kAnd : Kind::kOr, 1, {nonzero, other}),
                   Type::kPred);
}

// The upper (l) or lower (r) 32 bits of {b, a} shifted.
void lower_shf(Context& c) {
  const ValueId a = c.use("a"), b = c.use("b");
  ValueId amount = c.use("c");
  if (c.has("wrap"))
    amount = c.op(Kind::kAnd, 32, {amount, c.constant(32, 31)});
  else
    amount = c.op(Kind::kMinU, 32, {amount, c.constant(32, 32)});
  const ValueId rest = c.op(Kind::kSub, 32, {c.constant(32, 32), amount});
  const bool left = c.has("l");
  const ValueId high = c.op(Kind::kShl, 32, {b, left ? amount : rest});
  const ValueId low = c.op(Kind::kShrU, 32, {a, left ? rest : amount});
  c.define("d", c.op(Kind::kOr, 32, {high, low}));
}

void lower_shift(Context& c) {
  const ValueId a = c.use("a"), amount = c.use("b");
  Kind kind = Kind::kShl;
  if (c.instruction().opcode == "shr") {
    kind = op::is_signed(c.type()) ? Kind::kShrS : Kind::kShrU;
  }
  c.define("d", c.op(kind, width(c), {a, amount}));
}

constexpr Row kRows[] = {
    {"and", ".(pred|b16|b32|b64) d, a, b", 10, 10, lower_binary, "9.7.8.1"},
    {"or", ".(pred|b16|b32|b64) d, a, b", 10, 10, lower_binary, "9.7.8.2"},
    {"xor", ".(pred|b16|b32|b64) d, a, b", 10, 10, lower_binary, "9.7.8.3"},
    {"not", ".(pred|b16|b32|b64) d, a", 10, 10, lower_not, "9.7.8.4"},
    {"cnot", ".(b16|b32|b64) d, a", 10, 10, lower_cnot, "9.7.8.5"},
    {"lop3", ".b32 d, a, b, c, lut:imm(0..255)", 43, 50, lower_lop3, "9.7.8.6"},
    {"lop3", ".(and|or).b32 d|p, a, b, c, lut:imm(0..255), !q:pred", 82, 70, lower_lop3_predicate,
     "9.7.8.6"},
    {"shf", ".(l|r).(clamp|wrap).b32 d, a, b, c:u32", 31, 32, lower_shf, "9.7.8.7"},
    {"shl", ".(b16|b32|b64) d, a, b:u32", 10, 10, lower_shift, "9.7.8.8"},
    {"shr", ".(b16|b32|b64|u16|u32|u64|s16|s32|s64) d, a, b:u32", 10, 10, lower_shift, "9.7.8.9"},
};

}  // namespace

std::span<const Row> logic_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
