// Comparison and selection (PTX manual, 9.7.6 and 9.7.7).
#include "isa/float.h"

namespace ptxequiv::isa {
namespace {

// How a comparison is made of an operation: operands swapped, result negated.
struct Comparison {
  std::string_view name;
  Kind kind;
  bool swap;
  bool negate;
};

// lo, ls, hi, hs are the unsigned names of lt, le, gt, ge; kLtU becomes kLtS for signed types.
constexpr Comparison kIntegerComparisons[] = {
    {"eq", Kind::kEq, false, false},  {"ne", Kind::kEq, false, true},
    {"lt", Kind::kLtU, false, false}, {"lo", Kind::kLtU, false, false},
    {"le", Kind::kLtU, true, true},   {"ls", Kind::kLtU, true, true},
    {"gt", Kind::kLtU, true, false},  {"hi", Kind::kLtU, true, false},
    {"ge", Kind::kLtU, false, true},  {"hs", Kind::kLtU, false, true},
};

// The unordered ones (equ, ...) are true on NaN: the negation of the opposite ordered one. `ne` is
// false on NaN and has no such form; see compare_float.
constexpr Comparison kFloatComparisons[] = {
    {"eq", Kind::kFEq, false, false},         {"neu", Kind::kFEq, false, true},
    {"lt", Kind::kFLt, false, false},         {"ltu", Kind::kFLe, true, true},
    {"le", Kind::kFLe, false, false},         {"leu", Kind::kFLt, true, true},
    {"gt", Kind::kFLt, true, false},          {"gtu", Kind::kFLe, false, true},
    {"ge", Kind::kFLe, true, false},          {"geu", Kind::kFLt, false, true},
    {"nan", Kind::kFUnordered, false, false}, {"num", Kind::kFUnordered, false, true},
};

ValueId apply(Context& c, const Comparison& comparison, Op operation, ValueId a, ValueId b) {
  if (comparison.swap) std::swap(a, b);
  const ValueId result = c.op(operation, {a, b});
  return comparison.negate ? c.logic_not(result) : result;
}

ValueId compare_float(Context& c, Type type, ValueId a, ValueId b) {
  const auto ordered = [&](Kind kind) { return c.op(plain_float_op(c, kind, type), {a, b}); };
  if (c.has("ne")) {
    return c.logic_not(c.op(Kind::kOr, 1, {ordered(Kind::kFEq), ordered(Kind::kFUnordered)}));
  }
  if (c.has("equ")) {
    return c.op(Kind::kOr, 1, {ordered(Kind::kFEq), ordered(Kind::kFUnordered)});
  }
  for (const Comparison& comparison : kFloatComparisons) {
    if (c.has(comparison.name)) {
      return apply(c, comparison, plain_float_op(c, comparison.kind, type), a, b);
    }
  }
  c.fail("no comparison");
}

ValueId compare(Context& c, Type type, ValueId a, ValueId b) {
  if (op::is_float(type)) return compare_float(c, type, a, b);
  for (const Comparison& comparison : kIntegerComparisons) {
    if (!c.has(comparison.name)) continue;
    Kind kind = comparison.kind;
    if (kind == Kind::kLtU && op::is_signed(type)) kind = Kind::kLtS;
    return apply(c, comparison, Op{.kind = kind, .type = op::bits_type(op::bits(type))}, a, b);
  }
  c.fail("no comparison");
}

// .and, .or, .xor with the predicate c, if the instruction has one.
ValueId combine(Context& c, ValueId result) {
  if (!c.given("c")) return result;
  const Kind kind = c.has("and") ? Kind::kAnd : c.has("or") ? Kind::kOr : Kind::kXor;
  return c.op(kind, 1, {result, c.use_predicate("c")});
}

void lower_setp(Context& c) {
  const ValueId a = c.use("a"), b = c.use("b");
  const ValueId result = compare(c, c.type(), a, b);
  const ptx::Operand* second = c.second_of("p");
  const ValueId first_value = combine(c, result);
  const ValueId second_value = second != nullptr ? combine(c, c.logic_not(result)) : ir::kNone;
  c.define_operand(*c.first_of("p"), first_value, Type::kPred);
  if (second != nullptr) c.define_operand(*second, second_value, Type::kPred);
}

// The pair's halves are the two lanes.
void lower_setp_packed(Context& c) {
  const Type lane = lane_type(c.type());
  const ValueId a = c.use("a"), b = c.use("b");
  const ptx::Operand* second = c.second_of("p");
  const auto at = [&](unsigned position) {
    return combine(c, compare(c, lane, c.extract(a, position, 16), c.extract(b, position, 16)));
  };
  const ValueId low = at(0), high = at(16);
  c.define_operand(*c.first_of("p"), low, Type::kPred);
  c.define_operand(*second, high, Type::kPred);
}

// True is all ones as an integer and 1.0 as a float. Of packed operands, u32 and s32 take each
// lane's truth in 16 bits.
void lower_set(Context& c) {
  const Type type = c.type(0), source = c.type(1);
  const bool is_mask = lane_count(source) == 2 && lane_count(type) == 1;
  const ValueId a = c.use("a"), b = c.use("b");
  c.define("d", c.lanewise(source, {a, b}, [&](Type lane, const auto& s) {
    const Type result = is_mask ? Type::kU16 : lane_type(type);
    const unsigned w = op::bits(result);
    const uint64_t yes = op::is_float(result) ? one_bits(result) : op::mask(w);
    const ValueId is_true = combine(c, compare(c, lane, s[0], s[1]));
    return c.select(is_true, c.constant(w, yes), c.constant(w, 0));
  }));
}

void lower_selp(Context& c) {
  const ValueId a = c.use("a"), b = c.use("b"), predicate = c.use("c");
  c.define("d", c.op(Kind::kSelect, op::bits(c.type()), {predicate, a, b}));
}

// a where c >= 0; a NaN chooses b.
void lower_slct(Context& c) {
  const ValueId a = c.use("a"), b = c.use("b"), chooser = c.use("c");
  const ValueId zero = c.constant(32, 0);
  const ValueId is_first = c.type(1) == Type::kF32
                               ? c.op(plain_float_op(c, Kind::kFLe, Type::kF32), {zero, chooser})
                               : c.logic_not(c.op(Kind::kLtS, 32, {chooser, zero}));
  c.define("d", c.select(is_first, a, b));
}

#define INTEGER_CMP ".(eq|ne|lt|le|gt|ge|lo|ls|hi|hs)"
#define SIGNED_CMP ".(eq|ne|lt|le|gt|ge)"
#define FLOAT_CMP ".(eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan)"
#define BOOL_OP ".(and|or|xor)"

constexpr Row kRows[] = {
    {"setp", ".(eq|ne).(b16|b32|b64) p{|q}:pred, a, b", 10, 10, lower_setp, "9.7.6.2"},
    {"setp", ".(eq|ne)" BOOL_OP ".(b16|b32|b64) p{|q}:pred, a, b, !c:pred", 10, 10, lower_setp,
     "9.7.6.2"},
    {"setp", INTEGER_CMP ".(u16|u32|u64) p{|q}:pred, a, b", 10, 10, lower_setp, "9.7.6.2"},
    {"setp", INTEGER_CMP BOOL_OP ".(u16|u32|u64) p{|q}:pred, a, b, !c:pred", 10, 10, lower_setp,
     "9.7.6.2"},
    {"setp", SIGNED_CMP ".(s16|s32|s64) p{|q}:pred, a, b", 10, 10, lower_setp, "9.7.6.2"},
    {"setp", SIGNED_CMP BOOL_OP ".(s16|s32|s64) p{|q}:pred, a, b, !c:pred", 10, 10, lower_setp,
     "9.7.6.2"},
    {"setp", FLOAT_CMP "{.ftz}.f32 p{|q}:pred, a, b", 10, 10, lower_setp, "9.7.6.2"},
    {"setp", FLOAT_CMP BOOL_OP "{.ftz}.f32 p{|q}:pred, a, b, !c:pred", 10, 10, lower_setp,
     "9.7.6.2"},
    {"setp", FLOAT_CMP ".(f64|bf16<78,90>) p{|q}:pred, a, b", 10, 13, lower_setp, "9.7.6.2"},
    {"setp", FLOAT_CMP BOOL_OP ".(f64|bf16<78,90>) p{|q}:pred, a, b, !c:pred", 10, 13, lower_setp,
     "9.7.6.2"},
    {"setp", FLOAT_CMP "{.ftz}.f16 p{|q}:pred, a, b", 42, 53, lower_setp, "9.7.7.2"},
    {"setp", FLOAT_CMP BOOL_OP "{.ftz}.f16 p{|q}:pred, a, b, !c:pred", 42, 53, lower_setp,
     "9.7.7.2"},
    {"setp", FLOAT_CMP "{.ftz}.f16x2 p|q:pred, a, b", 42, 53, lower_setp_packed, "9.7.7.2"},
    {"setp", FLOAT_CMP ".bf16x2 p|q:pred, a, b", 78, 90, lower_setp_packed, "9.7.7.2"},
    {"setp", FLOAT_CMP BOOL_OP "{.ftz}.f16x2 p|q:pred, a, b, !c:pred", 42, 53, lower_setp_packed,
     "9.7.7.2"},
    {"setp", FLOAT_CMP BOOL_OP ".bf16x2 p|q:pred, a, b, !c:pred", 78, 90, lower_setp_packed,
     "9.7.7.2"},
    {"set", ".(eq|ne).(u32|s32|f32|f16<42,53>|bf16<78,90>).(b16|b32|b64) d, a:t2, b:t2", 10, 10,
     lower_set, "9.7.6.1"},
    {"set",
     ".(eq|ne)" BOOL_OP
     ".(u32|s32|f32|f16<42,53>|bf16<78,90>).(b16|b32|b64) d, a:t2, b:t2, !c:pred",
     10, 10, lower_set, "9.7.6.1"},
    {"set", INTEGER_CMP ".(u32|s32|f32|f16<42,53>|bf16<78,90>).(u16|u32|u64) d, a:t2, b:t2", 10, 10,
     lower_set, "9.7.6.1"},
    {"set",
     INTEGER_CMP BOOL_OP
     ".(u32|s32|f32|f16<42,53>|bf16<78,90>).(u16|u32|u64) d, a:t2, b:t2, !c:pred",
     10, 10, lower_set, "9.7.6.1"},
    {"set", SIGNED_CMP ".(u32|s32|f32|f16<42,53>|bf16<78,90>).(s16|s32|s64) d, a:t2, b:t2", 10, 10,
     lower_set, "9.7.6.1"},
    {"set",
     SIGNED_CMP BOOL_OP
     ".(u32|s32|f32|f16<42,53>|bf16<78,90>).(s16|s32|s64) d, a:t2, b:t2, !c:pred",
     10, 10, lower_set, "9.7.6.1"},
    {"set", FLOAT_CMP "{.ftz}.(u32|s32|f32|f16<42,53>).f32 d, a:t2, b:t2", 10, 10, lower_set,
     "9.7.6.1"},
    {"set", FLOAT_CMP BOOL_OP "{.ftz}.(u32|s32|f32|f16<42,53>).f32 d, a:t2, b:t2, !c:pred", 10, 10,
     lower_set, "9.7.6.1"},
    {"set", FLOAT_CMP ".(u32|s32|f32|f16<42,53>|bf16<78,90>).f64 d, a:t2, b:t2", 10, 13, lower_set,
     "9.7.6.1"},
    {"set", FLOAT_CMP BOOL_OP ".(u32|s32|f32|f16<42,53>|bf16<78,90>).f64 d, a:t2, b:t2, !c:pred",
     10, 13, lower_set, "9.7.6.1"},
    {"set", FLOAT_CMP ".bf16.f32 d, a:t2, b:t2", 78, 90, lower_set, "9.7.6.1"},
    {"set", FLOAT_CMP BOOL_OP ".bf16.f32 d, a:t2, b:t2, !c:pred", 78, 90, lower_set, "9.7.6.1"},
    {"set", FLOAT_CMP "{.ftz}.(f16|u16<65,53>|s16<65,53>|u32<65,53>|s32<65,53>).f16 d, a:t2, b:t2",
     42, 53, lower_set, "9.7.7.1"},
    {"set",
     FLOAT_CMP BOOL_OP
     "{.ftz}.(f16|u16<65,53>|s16<65,53>|u32<65,53>|s32<65,53>).f16 d, a:t2, b:t2, !c:pred",
     42, 53, lower_set, "9.7.7.1"},
    {"set", FLOAT_CMP ".bf16.f16 d, a:t2, b:t2", 78, 90, lower_set, "9.7.7.1"},
    {"set", FLOAT_CMP BOOL_OP ".bf16.f16 d, a:t2, b:t2, !c:pred", 78, 90, lower_set, "9.7.7.1"},
    {"set", FLOAT_CMP ".(bf16|u16|s16|u32|s32).bf16 d, a:t2, b:t2", 78, 90, lower_set, "9.7.7.1"},
    {"set", FLOAT_CMP BOOL_OP ".(bf16|u16|s16|u32|s32).bf16 d, a:t2, b:t2, !c:pred", 78, 90,
     lower_set, "9.7.7.1"},
    {"set", FLOAT_CMP "{.ftz}.(f16x2|u32<65,53>|s32<65,53>).f16x2 d, a:t2, b:t2", 42, 53, lower_set,
     "9.7.7.1"},
    {"set", FLOAT_CMP BOOL_OP "{.ftz}.(f16x2|u32<65,53>|s32<65,53>).f16x2 d, a:t2, b:t2, !c:pred",
     42, 53, lower_set, "9.7.7.1"},
    {"set", FLOAT_CMP ".(bf16x2|u32|s32).bf16x2 d, a:t2, b:t2", 78, 90, lower_set, "9.7.7.1"},
    {"set", FLOAT_CMP BOOL_OP ".(bf16x2|u32|s32).bf16x2 d, a:t2, b:t2, !c:pred", 78, 90, lower_set,
     "9.7.7.1"},
    {"selp", ".(b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64) d, a, b, !c:pred", 10, 10, lower_selp,
     "9.7.6.3"},
    {"slct", ".(b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64).s32 d, a, b, c:t2", 10, 10, lower_slct,
     "9.7.6.4"},
    {"slct", "{.ftz}.(b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64).f32 d, a, b, c:t2", 10, 10,
     lower_slct, "9.7.6.4"},
};

#undef INTEGER_CMP
#undef SIGNED_CMP
#undef FLOAT_CMP
#undef BOOL_OP

}  // namespace

std::span<const Row> comparison_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
