// Integer arithmetic modulo 2^width.
#include <bit>
#include <utility>

#include "term/simplify.h"

namespace ptxequiv::term {

using op::Kind;
using op::Op;

namespace {

// x + value in one spelling: the constant's magnitude as a signed number is least.
TermId plus_constant(Arena& arena, TermId x, uint64_t value) {
  const unsigned width = arena.width(x);
  value &= op::mask(width);
  if (value == 0) return x;
  const uint64_t top = uint64_t{1} << (width - 1);
  if (value > top) {
    const TermId magnitude = arena.constant(width, uint64_t{0} - value);
    return arena.make(bits_op(Kind::kSub, width), x, magnitude);
  }
  return arena.make(bits_op(Kind::kAdd, width), x, arena.constant(width, value));
}

// x and the constant added to it, where `id` has that form.
struct Offset {
  TermId base;
  uint64_t value;
};
std::optional<Offset> offset_form(const Arena& arena, TermId id) {
  uint64_t constant = 0;
  if (const auto x = with_constant(arena, id, Kind::kAdd, &constant)) return Offset{*x, constant};
  if (const auto x = with_constant(arena, id, Kind::kSub, &constant)) {
    return Offset{*x, uint64_t{0} - constant};
  }
  return std::nullopt;
}

uint64_t address_offset(const Node& node) {
  return uint64_t{node.c} << 32 | node.b;
}
TermId moved_address(Arena& arena, const Node& node, uint64_t by) {
  const uint64_t offset = address_offset(node) + by;
  return arena.leaf(Kind::kAddress, node.op.type, node.a, static_cast<uint32_t>(offset),
                    static_cast<uint32_t>(offset >> 32));
}

}  // namespace

TermId simplify_add(Arena& arena, Op op, TermId a, TermId b, TermId) {
  const unsigned width = op::bits(op.type);
  if (arena.is_const(a)) std::swap(a, b);
  const Node left = arena[a];
  const Node right = arena[b];
  if (const auto constant = const_value(arena, b)) {
    if (*constant == 0) return a;
    if (left.op.kind == Kind::kAddress && width == 64) {
      return moved_address(arena, left, *constant);
    }
    if (const auto offset = offset_form(arena, a)) {
      return plus_constant(arena, offset->base, offset->value + *constant);
    }
    if (left.op.kind == Kind::kSub && arena.is_const(left.a)) {  // (k - x) + c
      const TermId sum = arena.constant(width, arena.const_bits(left.a) + *constant);
      return arena.make(bits_op(Kind::kSub, width), sum, left.b);
    }
    if (*constant > uint64_t{1} << (width - 1)) return plus_constant(arena, a, *constant);
    return kNoTerm;  // a sum with a constant reads better as a sum, disjoint or not
  }
  if (left.op.kind == Kind::kSub && left.b == b) return left.a;
  if (right.op.kind == Kind::kSub && right.b == a) return right.a;
  // 0 - x: negation
  const auto negated = [&](const Node& node) {
    return node.op.kind == Kind::kSub && arena.is_const(node.a) && arena.const_bits(node.a) == 0;
  };
  if (negated(left)) return arena.make(bits_op(Kind::kSub, width), b, left.b);
  if (negated(right)) return arena.make(bits_op(Kind::kSub, width), a, right.b);
  return join_disjoint(arena, a, b);
}

TermId simplify_sub(Arena& arena, Op op, TermId a, TermId b, TermId) {
  const unsigned width = op::bits(op.type);
  if (a == b) return arena.constant(width, 0);
  const Node left = arena[a];
  const Node right = arena[b];
  if (const auto constant = const_value(arena, b)) {
    if (*constant == 0) return a;
    if (left.op.kind == Kind::kAddress && width == 64) {
      return moved_address(arena, left, uint64_t{0} - *constant);
    }
    if (const auto offset = offset_form(arena, a)) {
      return plus_constant(arena, offset->base, offset->value - *constant);
    }
    if (left.op.kind == Kind::kSub && arena.is_const(left.a)) {  // (k - x) - c
      const TermId sum = arena.constant(width, arena.const_bits(left.a) - *constant);
      return arena.make(bits_op(Kind::kSub, width), sum, left.b);
    }
    if (*constant >= uint64_t{1} << (width - 1)) {
      return plus_constant(arena, a, uint64_t{0} - *constant);
    }
    return kNoTerm;
  }
  if (left.op.kind == Kind::kAddress && right.op.kind == Kind::kAddress && left.a == right.a) {
    return arena.constant(width, address_offset(left) - address_offset(right));
  }
  if (left.op.kind == Kind::kAdd && left.a == b) return left.b;
  if (left.op.kind == Kind::kAdd && left.b == b) return left.a;
  if (right.op.kind == Kind::kSub && right.a == a) return right.b;
  const auto constant = const_value(arena, a);
  if (constant) {
    if (const auto offset = offset_form(arena, b)) {  // k - (x + c)
      const TermId rest = arena.constant(width, *constant - offset->value);
      return arena.make(op, rest, offset->base);
    }
    if (right.op.kind == Kind::kSub && arena.is_const(right.a)) {  // k - (c - x)
      return plus_constant(arena, right.b, *constant - arena.const_bits(right.a));
    }
    if (*constant == 0 && right.op.kind == Kind::kSub) return arena.make(op, right.b, right.a);
  }
  return kNoTerm;
}

TermId simplify_mul(Arena& arena, Op op, TermId a, TermId b, TermId) {
  const unsigned width = op::bits(op.type);
  if (arena.is_const(a)) std::swap(a, b);
  const auto constant = const_value(arena, b);
  if (!constant) return kNoTerm;
  if (*constant == 0) return b;
  if (*constant == 1) return a;
  uint64_t inner = 0;
  if (const auto x = with_constant(arena, a, Kind::kMul, &inner)) {
    return arena.make(op, *x, arena.constant(width, inner * *constant));
  }
  if (const auto x = with_constant(arena, a, Kind::kShl, &inner); x && inner < width) {
    return arena.make(op, *x, arena.constant(width, *constant << inner));
  }
  if (std::has_single_bit(*constant)) {
    const auto shift = static_cast<uint64_t>(std::countr_zero(*constant));
    return arena.make(bits_op(Kind::kShl, width), a, arena.constant(32, shift));
  }
  if (*constant == op::mask(width)) {
    return arena.make(bits_op(Kind::kSub, width), arena.constant(width, 0), a);
  }
  return kNoTerm;
}

TermId simplify_mul_hi(Arena& arena, Op op, TermId a, TermId b, TermId) {
  if (arena.is_const(a)) std::swap(a, b);
  const auto constant = const_value(arena, b);
  if (!constant) return kNoTerm;
  if (*constant == 0) return b;
  const unsigned width = op::bits(op.type);
  if (op.kind == Kind::kMulHiS) {
    if (*constant != 1) return kNoTerm;
    return arena.make(bits_op(Kind::kShrS, width), a, arena.constant(32, width - 1));
  }
  if (!std::has_single_bit(*constant)) return kNoTerm;
  const auto shift = static_cast<uint64_t>(std::countr_zero(*constant));
  return arena.make(bits_op(Kind::kShrU, width), a, arena.constant(32, width - shift));
}

TermId simplify_div_u(Arena& arena, Op op, TermId a, TermId b, TermId) {
  const auto divisor = const_value(arena, b);
  if (!divisor || !std::has_single_bit(*divisor)) return kNoTerm;
  const auto shift = static_cast<uint64_t>(std::countr_zero(*divisor));
  return arena.make(bits_op(Kind::kShrU, op::bits(op.type)), a, arena.constant(32, shift));
}

TermId simplify_div_s(Arena& arena, Op, TermId a, TermId b, TermId) {
  const auto divisor = const_value(arena, b);
  return divisor && *divisor == 1 ? a : kNoTerm;
}

TermId simplify_rem_u(Arena& arena, Op op, TermId a, TermId b, TermId) {
  const auto divisor = const_value(arena, b);
  if (!divisor || !std::has_single_bit(*divisor)) return kNoTerm;
  const unsigned width = op::bits(op.type);
  return arena.make(bits_op(Kind::kAnd, width), a, arena.constant(width, *divisor - 1));
}

TermId simplify_min_max(Arena& arena, Op op, TermId a, TermId b, TermId) {
  if (a == b) return a;
  if (arena.is_const(a)) std::swap(a, b);
  const auto bound = const_value(arena, b);
  if (!bound) return kNoTerm;
  const unsigned width = op::bits(op.type);
  const bool is_signed = op.kind == Kind::kMinS || op.kind == Kind::kMaxS;
  const bool is_min = op.kind == Kind::kMinU || op.kind == Kind::kMinS;
  const uint64_t least = is_signed ? uint64_t{1} << (width - 1) : 0;
  const uint64_t greatest = ~least & op::mask(width);
  if (*bound == least) return is_min ? b : a;
  if (*bound == greatest) return is_min ? a : b;
  uint64_t inner = 0;
  if (const auto x = with_constant(arena, a, op.kind, &inner)) {
    const TermId both = arena.make(op, arena.constant(width, inner), b);
    return arena.make(op, *x, both);
  }
  return kNoTerm;
}

}  // namespace ptxequiv::term
