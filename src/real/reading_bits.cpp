// Bit operations that give the bits of a float a known value. What is not exactly such a form is
// opaque: bits of a value that was rounded have no meaning over the reals.
#include "real/reader.h"

namespace ptxequiv::real {
namespace {

uint64_t sign_bit(op::Type type) {
  return uint64_t{1} << (op::bits(type) - 1);
}

// x & sign bit: the term x.
std::optional<term::TermId> sign_source(const Reader& reader, term::TermId id, op::Type type) {
  const term::Node& node = reader.arena[id];
  if (node.op.kind != op::Kind::kAnd) return {};
  const auto mask = reader.with_const(node);
  if (!mask || mask->bits != sign_bit(type)) return {};
  return mask->other;
}

// A term whose sign bit is certainly clear, with the term whose magnitude it is.
std::optional<term::TermId> magnitude_source(const Reader& reader, term::TermId id, op::Type type) {
  const term::Node& node = reader.arena[id];
  if (node.op.kind == op::Kind::kFAbs && same_format(node.op.type, type)) return id;
  if (node.op.kind == op::Kind::kConst) {
    if (reader.arena.const_bits(id) & sign_bit(type)) return {};
    return id;
  }
  if (node.op.kind != op::Kind::kAnd) return {};
  const auto mask = reader.with_const(node);
  if (!mask || mask->bits != (sign_bit(type) - 1)) return {};
  return mask->other;
}

// The 16 low or high bits of a 32-bit term, where they are a term already.
std::optional<term::TermId> half(const term::Arena& arena, term::TermId id, bool high) {
  const term::Node& node = arena[id];
  if (op::result_bits(node.op) != 32) return {};
  if (node.op.kind == op::Kind::kConcat) return high ? node.a : node.b;
  if (node.op.kind == op::Kind::kZext && !high && arena.width(node.a) == 16) return node.a;
  return {};
}

}  // namespace

RealId float_select(Reader& reader, const term::Node& node, Ref ref) {
  if (const auto ordered = float_ordered(reader, ref)) return *ordered;
  const RealId condition = reader.get(node.a, op::Type::kPred);
  const RealId b = reader.get(node.b, ref.view), c = reader.get(node.c, ref.view);
  if (reader.pending()) return kNoReal;
  return reader.dag.make(Kind::kIte, condition, b, c);
}

// {0, h}: a bf16 is the high half of the f32 of the same value.
RealId float_concat(Reader& reader, const term::Node& node, Ref ref) {
  const bool widened = same_format(ref.view.type(), op::Type::kF32) &&
                       reader.arena.is_const(node.b) && reader.arena.const_bits(node.b) == 0;
  return widened ? reader.get(node.a, op::Type::kBF16) : float_encoding(reader, node, ref);
}

RealId float_shift(Reader& reader, const term::Node& node, Ref ref) {
  const bool by16 = same_format(ref.view.type(), op::Type::kF32) && reader.arena.is_const(node.b) &&
                    reader.arena.const_bits(node.b) == 16;
  const auto low = by16 ? half(reader.arena, node.a, false) : std::nullopt;
  return low ? reader.get(*low, op::Type::kBF16) : float_encoding(reader, node, ref);
}

RealId float_and(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = ref.view.type();
  const auto mask = reader.with_const(node);
  if (!mask) return float_encoding(reader, node, ref);
  if (mask->bits == sign_bit(type) - 1) {
    const RealId x = reader.get(mask->other, type);
    return reader.pending() ? kNoReal : reader.dag.make(Kind::kAbs, x);
  }
  if (same_format(type, op::Type::kF32) && mask->bits == 0xffff0000) {
    if (const auto high = half(reader.arena, mask->other, true)) {
      return reader.get(*high, op::Type::kBF16);
    }
  }
  if (const auto ordered = float_ordered(reader, ref)) return *ordered;
  return float_encoding(reader, node, ref);
}

RealId float_or(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = ref.view.type();
  Dag& dag = reader.dag;
  if (const auto mask = reader.with_const(node); mask && mask->bits == sign_bit(type)) {
    const RealId x = reader.get(mask->other, type);
    return reader.pending() ? kNoReal : dag.make(Kind::kNeg, dag.make(Kind::kAbs, x));
  }
  // Copysign in bits.
  for (const auto& [first, second] : {std::pair{node.a, node.b}, std::pair{node.b, node.a}}) {
    const auto sign = sign_source(reader, first, type);
    const auto magnitude = magnitude_source(reader, second, type);
    if (!sign || !magnitude) continue;
    const RealId negative = reader.sign(*sign, type), x = reader.get(*magnitude, type);
    if (reader.pending()) return kNoReal;
    const RealId absolute = dag.make(Kind::kAbs, x);
    return dag.make(Kind::kIte, negative, dag.make(Kind::kNeg, absolute), absolute);
  }
  if (const auto ordered = float_ordered(reader, ref)) return *ordered;
  return float_encoding(reader, node, ref);
}

RealId float_xor(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = ref.view.type();
  Dag& dag = reader.dag;
  if (const auto mask = reader.with_const(node); mask && mask->bits == sign_bit(type)) {
    const RealId x = reader.get(mask->other, type);
    return reader.pending() ? kNoReal : dag.make(Kind::kNeg, x);
  }
  for (const auto& [first, second] : {std::pair{node.a, node.b}, std::pair{node.b, node.a}}) {
    const auto sign = sign_source(reader, first, type);
    if (!sign) continue;
    const RealId negative = reader.sign(*sign, type), x = reader.get(second, type);
    if (reader.pending()) return kNoReal;
    return dag.make(Kind::kIte, negative, dag.make(Kind::kNeg, x), x);
  }
  if (const auto ordered = float_ordered(reader, ref)) return *ordered;
  return float_encoding(reader, node, ref);
}

// Is the value's sign bit set? The zeros of leaves and of rounded values count as positive: a real
// has one zero. Constants and what is made of them keep the sign bit they have.
RealId read_sign(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = ref.view.type();
  Dag& dag = reader.dag;
  const auto negated = [&](term::TermId operand) {
    const RealId inner = reader.sign(operand, type);
    return reader.pending() ? kNoReal : dag.make(Kind::kNot, inner);
  };
  const bool own_format = op::is_float(node.op.type) && same_format(node.op.type, type);
  switch (node.op.kind) {
    case op::Kind::kConst:
      return dag.truth((reader.arena.const_bits(ref.term) & sign_bit(type)) != 0);
    case op::Kind::kSelect: {
      const RealId condition = reader.get(node.a, op::Type::kPred);
      const RealId b = reader.sign(node.b, type), c = reader.sign(node.c, type);
      return reader.pending() ? kNoReal : dag.make(Kind::kIteBool, condition, b, c);
    }
    case op::Kind::kFNeg:
      if (own_format) return negated(node.a);
      break;
    case op::Kind::kXor:
      if (const auto mask = reader.with_const(node); mask && mask->bits == sign_bit(type)) {
        return negated(mask->other);
      }
      break;
    case op::Kind::kFAbs:
      if (own_format) return dag.truth(false);
      break;
    case op::Kind::kFCopysign:
      if (own_format) return reader.sign(node.a, type);
      break;
    default:
      break;
  }
  const RealId value = reader.get(ref.term, type);
  if (reader.pending()) return kNoReal;
  if (reader.is_opaque(value)) return reader.opaque(ref);
  if (reader.operand_flags() & kRounded) reader.note(kDiscontinuity);
  return dag.make(Kind::kLt, value, dag.integer(0));
}

}  // namespace ptxequiv::real
