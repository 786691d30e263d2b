// Shifts, bit fields and byte permutations, by constant amounts.
#include "term/simplify.h"

namespace ptxequiv::term {

using op::Kind;
using op::Op;

TermId simplify_shl(Arena& arena, Op op, TermId a, TermId b, TermId) {
  if (const auto bits = const_value(arena, a); bits && *bits == 0) return a;
  const auto amount = const_value(arena, b);
  if (!amount) return kNoTerm;
  const unsigned width = op::bits(op.type);
  if (*amount == 0) return a;
  if (*amount >= width) return arena.constant(width, 0);
  const auto shift = static_cast<unsigned>(*amount);
  uint64_t inner = 0;
  if (const auto x = with_constant(arena, a, Kind::kShl, &inner)) {
    if (inner + shift >= width) return arena.constant(width, 0);
    return arena.make(op, *x, arena.constant(32, inner + shift));
  }
  if (const auto x = with_constant(arena, a, Kind::kMul, &inner)) {
    return arena.make(bits_op(Kind::kMul, width), *x, arena.constant(width, inner << shift));
  }
  if (shift == width / 2 && width >= 16) {
    const TermId high = arena.extract(a, 0, shift);
    return arena.concat(high, arena.constant(shift, 0));
  }
  // A narrow value moved by whole bytes: concatenations show where it is.
  const Node node = arena[a];
  if (node.op.kind != Kind::kZext) return kNoTerm;
  const unsigned narrow = op::bits(node.op.src);
  const unsigned half = width / 2;
  if (shift == narrow && 2 * narrow < width) {  // x, zeros, in the low part
    const TermId moved = arena.concat(node.a, arena.constant(shift, 0));
    return arena.zext(moved, width);
  }
  if (shift > half && is_cell(half)) {  // within the high half
    const Op half_shift = bits_op(Kind::kShl, half);
    const TermId value = narrow < half ? arena.zext(node.a, half) : arena.extract(a, 0, half);
    const TermId high = arena.make(half_shift, value, arena.constant(32, shift - half));
    return arena.concat(high, arena.constant(half, 0));
  }
  if (narrow + shift <= half && is_cell(half)) {  // within the low half
    const Op half_shift = bits_op(Kind::kShl, half);
    const TermId low = arena.make(half_shift, arena.zext(node.a, half), b);
    return arena.zext(low, width);
  }
  return kNoTerm;
}

TermId simplify_shr_u(Arena& arena, Op op, TermId a, TermId b, TermId) {
  if (const auto bits = const_value(arena, a); bits && *bits == 0) return a;
  const auto amount = const_value(arena, b);
  if (!amount) return kNoTerm;
  const unsigned width = op::bits(op.type);
  if (*amount == 0) return a;
  if (*amount >= width) return arena.constant(width, 0);
  const auto shift = static_cast<unsigned>(*amount);
  uint64_t inner = 0;
  if (const auto x = with_constant(arena, a, Kind::kShrU, &inner)) {
    if (inner + shift >= width) return arena.constant(width, 0);
    return arena.make(op, *x, arena.constant(32, inner + shift));
  }
  if (is_cell(width - shift)) return arena.zext(arena.extract(a, shift, width - shift), width);
  const Node node = arena[a];
  if (node.op.kind == Kind::kZext) {
    const unsigned narrow = op::bits(node.op.src);
    if (shift >= narrow) return arena.constant(width, 0);
    if (narrow > 1) return arena.zext(arena.make(bits_op(Kind::kShrU, narrow), node.a, b), width);
  }
  return kNoTerm;
}

TermId simplify_shr_s(Arena& arena, Op op, TermId a, TermId b, TermId) {
  if (const auto bits = const_value(arena, a); bits && *bits == 0) return a;
  const auto amount = const_value(arena, b);
  if (!amount) return kNoTerm;
  const unsigned width = op::bits(op.type);
  if (*amount == 0) return a;
  if (*amount >= width) return arena.make(op, a, arena.constant(32, width - 1));
  const auto shift = static_cast<unsigned>(*amount);
  uint64_t inner = 0;
  if (const auto x = with_constant(arena, a, Kind::kShrS, &inner)) {
    const uint64_t total = inner + shift >= width ? width - 1 : inner + shift;
    return arena.make(op, *x, arena.constant(32, total));
  }
  if (is_kind(arena, a, Kind::kZext)) return arena.make(bits_op(Kind::kShrU, width), a, b);
  if (is_cell(width - shift)) return arena.sext(arena.extract(a, shift, width - shift), width);
  return kNoTerm;
}

TermId simplify_bfe_u(Arena& arena, Op op, TermId a, TermId b, TermId c) {
  const auto position = const_value(arena, b);
  const auto length = const_value(arena, c);
  if (!position || !length) return kNoTerm;
  const unsigned width = op::bits(op.type);
  const uint64_t start = width == 32 ? *position & 255 : *position;
  const uint64_t count = width == 32 ? *length & 255 : *length;
  if (start >= width || count == 0) return arena.constant(width, 0);
  const TermId moved = arena.make(bits_op(Kind::kShrU, width), a, arena.constant(32, start));
  if (start + count >= width) return moved;
  const TermId kept = arena.constant(width, op::mask(static_cast<unsigned>(count)));
  return arena.make(bits_op(Kind::kAnd, width), moved, kept);
}

TermId simplify_bfe_s(Arena& arena, Op op, TermId a, TermId b, TermId c) {
  const auto position = const_value(arena, b);
  const auto length = const_value(arena, c);
  if (!position || !length) return kNoTerm;
  const unsigned width = op::bits(op.type);
  const uint64_t start = width == 32 ? *position & 255 : *position;
  const uint64_t count = width == 32 ? *length & 255 : *length;
  if (count == 0) return arena.constant(width, 0);
  if (start + count >= width) {  // the sign is the top bit
    return arena.make(bits_op(Kind::kShrS, width), a, arena.constant(32, start));
  }
  // Up to the top and down again.
  const TermId up = arena.constant(32, width - start - count);
  const TermId moved = arena.make(bits_op(Kind::kShl, width), a, up);
  const TermId down = arena.constant(32, width - count);
  return arena.make(bits_op(Kind::kShrS, width), moved, down);
}

TermId simplify_prmt(Arena& arena, Op, TermId a, TermId b, TermId c) {
  const auto selector = const_value(arena, c);
  if (!selector || (*selector & 0x8888) != 0) return kNoTerm;
  TermId bytes[4];
  for (unsigned i = 0; i < 4; ++i) {
    const auto from = static_cast<unsigned>(*selector >> 4 * i & 7);
    bytes[i] = arena.extract(from < 4 ? a : b, 8 * (from & 3), 8);
  }
  const TermId high = arena.concat(bytes[3], bytes[2]);
  return arena.concat(high, arena.concat(bytes[1], bytes[0]));
}

}  // namespace ptxequiv::term
