// One-bit terms as booleans.
#include "real/reader.h"

namespace ptxequiv::real {
namespace {

// An ordered comparison, possibly negated, that has both x and y as operands: where it is defined,
// so are they, and a test for NaN beside it says nothing.
bool covers(const term::Arena& arena, term::TermId comparison, term::TermId x, term::TermId y) {
  while (arena.kind(comparison) == op::Kind::kNot) comparison = arena[comparison].a;
  const term::Node& node = arena[comparison];
  switch (node.op.kind) {
    case op::Kind::kFEq:
    case op::Kind::kFLt:
    case op::Kind::kFLe:
      return (node.a == x || node.b == x) && (node.a == y || node.b == y);
    default:
      return false;
  }
}

// or(p, unordered) and and(p, not unordered) where p covers the test: the term p.
std::optional<term::TermId> without_nan_test(const term::Arena& arena, const term::Node& node) {
  for (const auto& [p, test] : {std::pair{node.a, node.b}, std::pair{node.b, node.a}}) {
    term::TermId inner = test;
    if (node.op.kind == op::Kind::kAnd) {
      if (arena.kind(test) != op::Kind::kNot) continue;
      inner = arena[test].a;
    }
    const term::Node& candidate = arena[inner];
    if (candidate.op.kind != op::Kind::kFUnordered) continue;
    if (covers(arena, p, candidate.a, candidate.b)) return p;
  }
  return {};
}

}  // namespace

RealId predicate_constant(Reader& reader, const term::Node& node, Ref ref) {
  static_cast<void>(node);
  return reader.dag.truth(reader.arena.const_bits(ref.term) & 1);
}

RealId predicate_logic(Reader& reader, const term::Node& node, Ref ref) {
  static_cast<void>(ref);
  Dag& dag = reader.dag;
  const op::Type pred = op::Type::kPred;
  if (node.op.kind == op::Kind::kAnd || node.op.kind == op::Kind::kOr) {
    if (const auto p = without_nan_test(reader.arena, node)) return reader.get(*p, pred);
  }
  const RealId a = reader.get(node.a, pred);
  if (node.op.kind == op::Kind::kNot) return reader.pending() ? kNoReal : dag.make(Kind::kNot, a);
  const RealId b = reader.get(node.b, pred);
  if (reader.pending()) return kNoReal;
  switch (node.op.kind) {
    case op::Kind::kAnd:
      return dag.make(Kind::kAnd, a, b);
    case op::Kind::kOr:
      return dag.make(Kind::kOr, a, b);
    default:
      return dag.make(Kind::kIteBool, a, dag.make(Kind::kNot, b), b);  // kXor
  }
}

RealId predicate_select(Reader& reader, const term::Node& node, Ref ref) {
  static_cast<void>(ref);
  const op::Type pred = op::Type::kPred;
  const RealId a = reader.get(node.a, pred);
  const RealId b = reader.get(node.b, pred), c = reader.get(node.c, pred);
  return reader.pending() ? kNoReal : reader.dag.make(Kind::kIteBool, a, b, c);
}

// Equal bits. Of integers: equal numbers, in whichever signedness both sides read.
RealId predicate_equal(Reader& reader, const term::Node& node, Ref ref) {
  Dag& dag = reader.dag;
  const unsigned width = op::bits(node.op.type);
  if (width == 1) {
    const RealId a = reader.get(node.a, op::Type::kPred), b = reader.get(node.b, op::Type::kPred);
    if (reader.pending()) return kNoReal;
    return dag.make(Kind::kIteBool, a, b, dag.make(Kind::kNot, b));
  }
  if (width < 8 || width > 64) return reader.opaque(ref);
  for (const op::Type type : {signed_type(width), unsigned_type(width)}) {
    const RealId a = reader.get(node.a, type), b = reader.get(node.b, type);
    if (reader.pending()) return kNoReal;
    if (!reader.is_opaque(a) && !reader.is_opaque(b)) return dag.make(Kind::kEq, a, b);
  }
  return reader.opaque(ref);
}

RealId predicate_less(Reader& reader, const term::Node& node, Ref ref) {
  const unsigned width = op::bits(node.op.type);
  if (width < 8 || width > 64) return reader.opaque(ref);
  if (const auto keys = predicate_of_keys(reader, node)) {
    if (*keys == kNoReal) return kNoReal;
    const Node less = reader.dag[*keys];
    if (less.kind != Kind::kLt) return *keys;
    // Keys tell -0 from 0, which are one number: then the bits decide.
    const RealId zero = reader.dag.integer(0);
    const RealId zeros = reader.dag.make(Kind::kAnd, reader.dag.make(Kind::kEq, less.a, zero),
                                         reader.dag.make(Kind::kEq, less.b, zero));
    return reader.dag.make(Kind::kOr, *keys,
                           reader.dag.make(Kind::kAnd, zeros, reader.opaque(ref)));
  }
  const op::Type type = node.op.kind == op::Kind::kLtS ? signed_type(width) : unsigned_type(width);
  const RealId a = reader.get(node.a, type), b = reader.get(node.b, type);
  if (reader.pending()) return kNoReal;
  if (reader.is_opaque(a) || reader.is_opaque(b)) return reader.opaque(ref);
  return reader.dag.make(Kind::kLt, a, b);
}

RealId predicate_float(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = node.op.type;
  if (!op::is_float(type)) return reader.opaque(ref);
  const RealId a = reader.get(node.a, type), b = reader.get(node.b, type);
  if (reader.pending()) return kNoReal;
  if (reader.operand_flags() & kInexactInt) return reader.opaque(ref);
  if (reader.operand_flags() & kRounded) reader.note(kDiscontinuity);
  const Kind kind = node.op.kind == op::Kind::kFEq   ? Kind::kEq
                    : node.op.kind == op::Kind::kFLt ? Kind::kLt
                                                     : Kind::kLe;
  return reader.dag.make(kind, a, b);
}

// Is either a NaN? Never, where both are defined; that they are is part of the answer, so an
// operand with a partial operation stays in it, as not(a = a).
RealId predicate_unordered(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = node.op.type;
  if (!op::is_float(type)) return reader.opaque(ref);
  Dag& dag = reader.dag;
  const RealId a = reader.get(node.a, type), b = reader.get(node.b, type);
  if (reader.pending()) return kNoReal;
  if (reader.is_opaque(a) || reader.is_opaque(b)) return reader.opaque(ref);
  RealId result = dag.truth(false);
  for (const RealId operand : {a, b}) {
    if (dag[operand].kind == Kind::kInfinity || reader.is_total(operand)) continue;
    const RealId same = dag.make(Kind::kEq, operand, operand);
    result = dag.make(Kind::kOr, result, dag.make(Kind::kNot, same));
    if (a == b) break;
  }
  return result;
}

}  // namespace ptxequiv::real
