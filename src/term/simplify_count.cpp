// Population counts, and low or high parts of arithmetic.
#include <array>

#include "op/evaluate.h"
#include "term/simplify.h"

namespace ptxequiv::term {

using op::Kind;
using op::Op;

namespace {

// Bits that can be set in the terms that ballots and masks are made of; all ones for others.
uint64_t possible_bits(const Arena& arena, TermId id) {
  const Node& node = arena[id];
  const uint64_t all = op::mask(arena.width(id));
  uint64_t constant = 0;
  if (const auto bits = const_value(arena, id)) return *bits;
  if (selects_constants(arena, id)) return arena.const_bits(node.b) | arena.const_bits(node.c);
  if (node.op.kind == Kind::kZext) return op::mask(op::bits(node.op.src));
  if (with_constant(arena, id, Kind::kAnd, &constant)) return constant;
  return all;
}

// A ballot has 32 parts; larger unions are no ballots.
constexpr size_t kMaxParts = 64;

}  // namespace

// popc(a | b) = popc(a) + popc(b) where no bit can be in both; so that the count of a ballot is a
// sum of zeros and ones.
TermId simplify_popc(Arena& arena, Op op, TermId a, TermId, TermId) {
  const Kind kind = arena.kind(a);
  if (kind == Kind::kBrev) return arena.make(op, arena[a].a);
  if (kind == Kind::kZext) {
    op.src = op::bits_type(op::bits(arena[a].op.src));
    if (op::bits(op.src) < 8) return kNoTerm;
    return arena.make(op, arena[a].a);
  }
  uint64_t mask = op::mask(arena.width(a));
  uint64_t constant = 0;
  TermId all = a;
  if (const auto x = with_constant(arena, a, Kind::kAnd, &constant)) {
    mask = constant;
    all = *x;
  }
  const auto is_union = [&](TermId id) {
    return is_kind(arena, id, Kind::kOr) || is_kind(arena, id, Kind::kXor);
  };
  if (!is_union(all)) return kNoTerm;
  std::array<TermId, kMaxParts> open, parts;
  size_t waiting = 0, count = 0;
  uint64_t seen = 0;
  open[waiting++] = all;
  while (waiting > 0) {
    const TermId part = open[--waiting];
    if (is_union(part)) {
      if (waiting + 2 > kMaxParts) return kNoTerm;
      open[waiting++] = arena[part].b;
      open[waiting++] = arena[part].a;
      continue;
    }
    const uint64_t bits = possible_bits(arena, part);
    if ((seen & bits) != 0 || count == kMaxParts) return kNoTerm;
    seen |= bits;
    parts[count++] = part;
  }
  TermId sum = arena.constant(32, 0);
  const TermId kept = arena.constant(arena.width(a), mask);
  for (size_t i = 0; i < count; ++i) {
    const TermId part = arena.make(bits_op(Kind::kAnd, arena.width(a)), parts[i], kept);
    sum = arena.make(bits_op(Kind::kAdd, 32), sum, arena.make(op, part));
  }
  return sum;
}

namespace {

// The value that zero-extends to `id`, of half its width.
std::optional<TermId> zero_extended(Arena& arena, TermId id) {
  const unsigned half = arena.width(id) / 2;
  const Node node = arena[id];
  if (const auto bits = const_value(arena, id)) {
    if (*bits > op::mask(half)) return std::nullopt;
    return arena.constant(half, *bits);
  }
  if (node.op.kind != Kind::kZext || op::bits(node.op.src) > half) return std::nullopt;
  return arena.zext(node.a, half);
}

std::optional<TermId> sign_extended(Arena& arena, TermId id) {
  const unsigned half = arena.width(id) / 2;
  const Node node = arena[id];
  if (const auto bits = const_value(arena, id)) {
    const auto value = static_cast<int64_t>(*bits << (64 - 2 * half)) >> (64 - 2 * half);
    const int64_t limit = int64_t{1} << (half - 1);
    if (value < -limit || value >= limit) return std::nullopt;
    return arena.constant(half, *bits);
  }
  if (node.op.kind != Kind::kSext || op::bits(node.op.src) > half) return std::nullopt;
  return arena.sext(node.a, half);
}

}  // namespace

// The low half of a product is the product of low halves; the high half of a product of extended
// numbers is mulhi.
TermId extract_product(Arena& arena, TermId product, unsigned position, unsigned width) {
  const Node node = arena[product];
  const unsigned whole = arena.width(product);
  if (node.op.kind != Kind::kMul || 2 * width != whole || !is_cell(width)) return kNoTerm;
  if (position == 0) {
    const TermId a = arena.extract(node.a, 0, width), b = arena.extract(node.b, 0, width);
    return arena.make(bits_op(Kind::kMul, width), a, b);
  }
  if (position != width || width < 16) return kNoTerm;
  for (const bool is_signed : {false, true}) {
    const auto a = is_signed ? sign_extended(arena, node.a) : zero_extended(arena, node.a);
    const auto b = is_signed ? sign_extended(arena, node.b) : zero_extended(arena, node.b);
    if (!a || !b) continue;
    return arena.make(bits_op(is_signed ? Kind::kMulHiS : Kind::kMulHiU, width), *a, *b);
  }
  return kNoTerm;
}

}  // namespace ptxequiv::term
