#include "term/simplify.h"

#include <array>

#include "op/evaluate.h"

namespace ptxequiv::term {

using op::Kind;

namespace {

struct Row {
  Kind kind;
  Rule rule;
};

constexpr Row kRules[] = {
    {Kind::kConcat, simplify_concat}, {Kind::kZext, simplify_zext},
    {Kind::kSext, simplify_sext},     {Kind::kSelect, simplify_select},
    {Kind::kAdd, simplify_add},       {Kind::kSub, simplify_sub},
    {Kind::kMul, simplify_mul},       {Kind::kMulHiU, simplify_mul_hi},
    {Kind::kMulHiS, simplify_mul_hi}, {Kind::kDivU, simplify_div_u},
    {Kind::kDivS, simplify_div_s},    {Kind::kRemU, simplify_rem_u},
    {Kind::kMinU, simplify_min_max},  {Kind::kMinS, simplify_min_max},
    {Kind::kMaxU, simplify_min_max},  {Kind::kMaxS, simplify_min_max},
    {Kind::kAnd, simplify_and},       {Kind::kOr, simplify_or},
    {Kind::kXor, simplify_xor},       {Kind::kNot, simplify_not},
    {Kind::kShl, simplify_shl},       {Kind::kShrU, simplify_shr_u},
    {Kind::kShrS, simplify_shr_s},    {Kind::kBfeU, simplify_bfe_u},
    {Kind::kBfeS, simplify_bfe_s},    {Kind::kPrmt, simplify_prmt},
    {Kind::kEq, simplify_eq},         {Kind::kLtU, simplify_lt_u},
    {Kind::kLtS, simplify_lt_s},      {Kind::kFAbs, simplify_fabs},
    {Kind::kFNeg, simplify_fneg},     {Kind::kFCopysign, simplify_fcopysign},
    {Kind::kFCvt, simplify_fcvt},     {Kind::kPopc, simplify_popc},
};

using RuleTable = std::array<Rule, static_cast<unsigned>(Kind::kCount)>;

constexpr RuleTable make_table() {
  RuleTable table{};
  for (const Row& row : kRules) table[static_cast<unsigned>(row.kind)] = row.rule;
  return table;
}

constexpr RuleTable kTable = make_table();

}  // namespace

Rule rule_of(Kind kind) {
  return kTable[static_cast<unsigned>(kind)];
}

std::optional<TermId> with_constant(const Arena& arena, TermId id, Kind kind, uint64_t* constant) {
  const Node& node = arena[id];
  if (node.op.kind != kind) return std::nullopt;
  if (arena.is_const(node.b)) {
    *constant = arena.const_bits(node.b);
    return node.a;
  }
  if (!op::info(kind).commutative || !arena.is_const(node.a)) return std::nullopt;
  *constant = arena.const_bits(node.a);
  return node.b;
}

bool selects_constants(const Arena& arena, TermId id) {
  const Node& node = arena[id];
  return node.op.kind == Kind::kSelect && arena.is_const(node.b) && arena.is_const(node.c);
}

TermId lift_selected_constants(Arena& arena, op::Op op, TermId a, TermId b, unsigned arity) {
  if (op.kind == Kind::kSelect || arity > 2) return kNoTerm;
  const bool first = selects_constants(arena, a);
  const TermId chosen = first ? a : b;
  const TermId other = first ? b : a;
  if (arity == 1 ? !first : !arena.is_const(other) || !selects_constants(arena, chosen)) {
    return kNoTerm;
  }
  const Node select = arena[chosen];
  const uint64_t fixed = arity == 1 ? 0 : arena.const_bits(other);
  op::Result results[2];
  const TermId arms[2] = {select.b, select.c};
  for (unsigned i = 0; i < 2; ++i) {
    const uint64_t value = arena.const_bits(arms[i]);
    results[i] = op::evaluate(op, first ? value : fixed, first ? fixed : value, 0);
    if (!results[i].exact) return kNoTerm;
  }
  const unsigned width = op::result_bits(op);
  const TermId then_term = arena.constant(width, results[0].bits);
  const TermId else_term = arena.constant(width, results[1].bits);
  return arena.select(select.a, then_term, else_term);
}

}  // namespace ptxequiv::term
