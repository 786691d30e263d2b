// Selects, bitwise operations, predicates and integer comparisons.
#include <utility>

#include "term/simplify.h"

namespace ptxequiv::term {

using op::Kind;
using op::Op;

namespace {

bool is_value(const Arena& arena, TermId id, uint64_t value) {
  return arena.is_const(id) && arena.const_bits(id) == value;
}
bool is_ones(const Arena& arena, TermId id) {
  return is_value(arena, id, op::mask(arena.width(id)));
}
// a is not(b) or b is not(a)
bool opposite(const Arena& arena, TermId a, TermId b) {
  return (is_kind(arena, a, Kind::kNot) && arena[a].a == b) ||
         (is_kind(arena, b, Kind::kNot) && arena[b].a == a);
}
// The other operand where `id` is kind(x, ...) or kind(..., x).
std::optional<TermId> partner(const Arena& arena, TermId id, Kind kind, TermId x) {
  const Node& node = arena[id];
  if (node.op.kind != kind) return std::nullopt;
  if (node.a == x) return node.b;
  if (node.b == x) return node.a;
  return std::nullopt;
}

int64_t as_signed(uint64_t value, unsigned width) {
  return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

TermId select_of_predicates(Arena& arena, TermId c, TermId x, TermId y) {
  if (arena.is_const(x) && arena.is_const(y)) {
    return arena.const_bits(x) != 0 ? c : arena.logic_not(c);  // the arms differ
  }
  // Not the forms with `or`: a select can drop a poison arm where an `or` would keep it.
  if (is_value(arena, y, 0)) return arena.logic_and(c, x);
  if (is_value(arena, x, 0)) return arena.logic_and(arena.logic_not(c), y);
  return kNoTerm;
}

}  // namespace

TermId simplify_select(Arena& arena, Op op, TermId c, TermId x, TermId y) {
  if (x == y) return x;
  if (arena.is_const(c)) return arena.const_bits(c) != 0 ? x : y;
  const Node condition = arena[c];
  if (condition.op.kind == Kind::kNot) return arena.make(op, condition.a, y, x);
  if (is_kind(arena, x, Kind::kSelect) && arena[x].a == c) {
    return arena.make(op, c, arena[x].b, y);
  }
  if (is_kind(arena, y, Kind::kSelect) && arena[y].a == c) {
    return arena.make(op, c, x, arena[y].c);
  }
  // Where a and b have the same bits either will do.
  if (condition.op.kind == Kind::kEq &&
      ((condition.a == x && condition.b == y) || (condition.a == y && condition.b == x))) {
    return y;
  }
  if (op::bits(op.type) == 1) return select_of_predicates(arena, c, x, y);
  return kNoTerm;
}

TermId simplify_and(Arena& arena, Op op, TermId a, TermId b, TermId) {
  if (a == b) return a;
  const unsigned width = op::bits(op.type);
  if (arena.is_const(a)) std::swap(a, b);
  if (const auto constant = const_value(arena, b)) {
    const uint64_t bits = *constant;
    if (bits == 0) return b;
    if (bits == op::mask(width)) return a;
    uint64_t inner = 0;
    if (const auto x = with_constant(arena, a, Kind::kAnd, &inner)) {
      return arena.make(op, *x, arena.constant(width, bits & inner));
    }
    if (is_kind(arena, a, Kind::kZext)) {
      const TermId narrow = arena[a].a;
      const unsigned inside = arena.width(narrow);
      if ((~bits & op::mask(inside)) == 0) return a;
      const TermId kept = arena.constant(inside, bits);
      return arena.zext(arena.make(bits_op(Kind::kAnd, inside), narrow, kept), width);
    }
    for (unsigned low = 8; low < width; low *= 2) {
      if (bits == op::mask(low)) return arena.zext(arena.extract(a, 0, low), width);
    }
    const unsigned half = width / 2;
    if (half >= 8 && bits == op::mask(width) - op::mask(half)) {
      const TermId high = arena.extract(a, half, half);
      return arena.concat(high, arena.constant(half, 0));
    }
    return kNoTerm;
  }
  if (opposite(arena, a, b)) return arena.constant(width, 0);
  if (partner(arena, b, Kind::kOr, a)) return a;
  if (partner(arena, a, Kind::kOr, b)) return b;
  if (partner(arena, b, Kind::kAnd, a)) return b;
  if (partner(arena, a, Kind::kAnd, b)) return a;
  return kNoTerm;
}

TermId simplify_or(Arena& arena, Op op, TermId a, TermId b, TermId) {
  if (a == b) return a;
  const unsigned width = op::bits(op.type);
  if (arena.is_const(a)) std::swap(a, b);
  if (const auto constant = const_value(arena, b)) {
    if (*constant == 0) return a;
    if (is_ones(arena, b)) return b;
    uint64_t inner = 0;
    if (const auto x = with_constant(arena, a, Kind::kOr, &inner)) {
      return arena.make(op, *x, arena.constant(width, *constant | inner));
    }
  }
  if (opposite(arena, a, b)) return arena.constant(width, op::mask(width));
  if (partner(arena, b, Kind::kAnd, a)) return a;
  if (partner(arena, a, Kind::kAnd, b)) return b;
  if (partner(arena, b, Kind::kOr, a)) return b;
  if (partner(arena, a, Kind::kOr, b)) return a;
  return join_disjoint(arena, a, b);
}

TermId simplify_xor(Arena& arena, Op op, TermId a, TermId b, TermId) {
  const unsigned width = op::bits(op.type);
  if (a == b) return arena.constant(width, 0);
  if (arena.is_const(a)) std::swap(a, b);
  if (const auto constant = const_value(arena, b)) {
    if (*constant == 0) return a;
    if (is_ones(arena, b)) return arena.make(bits_op(Kind::kNot, width), a);
    uint64_t inner = 0;
    if (const auto x = with_constant(arena, a, Kind::kXor, &inner)) {
      return arena.make(op, *x, arena.constant(width, *constant ^ inner));
    }
  }
  if (opposite(arena, a, b)) return arena.constant(width, op::mask(width));
  if (const auto other = partner(arena, b, Kind::kXor, a)) return *other;
  if (const auto other = partner(arena, a, Kind::kXor, b)) return *other;
  return join_disjoint(arena, a, b);
}

TermId simplify_not(Arena& arena, Op, TermId a, TermId, TermId) {
  return is_kind(arena, a, Kind::kNot) ? arena[a].a : kNoTerm;
}

namespace {

// (x << s & m) == k asks for bits of x.
TermId equal_shifted(Arena& arena, Op op, TermId a, uint64_t constant) {
  uint64_t mask = op::mask(arena.width(a)), shift = 0;
  TermId moved = a;
  if (const auto x = with_constant(arena, a, Kind::kAnd, &mask)) moved = *x;
  const auto x = with_constant(arena, moved, Kind::kShl, &shift);
  const unsigned width = op::bits(op.type);
  if (!x || shift == 0 || shift >= width) return kNoTerm;
  mask &= op::mask(width) << shift;
  if ((constant & ~mask) != 0) return arena.truth(false);
  const TermId kept = arena.constant(width, mask >> shift);
  const TermId bits = arena.make(bits_op(Kind::kAnd, width), *x, kept);
  return arena.make(op, bits, arena.constant(width, constant >> shift));
}

}  // namespace

TermId simplify_eq(Arena& arena, Op op, TermId a, TermId b, TermId) {
  if (a == b) return arena.truth(true);
  const unsigned width = op::bits(op.type);
  if (opposite(arena, a, b)) return arena.truth(false);
  if (arena.is_const(a)) std::swap(a, b);
  const Node node = arena[a];
  if (const auto constant = const_value(arena, b)) {
    if (width == 1) return *constant != 0 ? a : arena.logic_not(a);
    uint64_t inner = 0;
    if (const auto x = with_constant(arena, a, Kind::kAdd, &inner)) {
      return arena.make(op, *x, arena.constant(width, *constant - inner));
    }
    if (const auto x = with_constant(arena, a, Kind::kXor, &inner)) {
      return arena.make(op, *x, arena.constant(width, *constant ^ inner));
    }
    if (const auto x = with_constant(arena, a, Kind::kOr, &inner)) {
      if ((inner & ~*constant) != 0) return arena.truth(false);
      const TermId others = arena.constant(width, ~inner);
      const TermId rest = arena.make(bits_op(Kind::kAnd, width), *x, others);
      return arena.make(op, rest, arena.constant(width, *constant & ~inner));
    }
    if (node.op.kind == Kind::kNot) {
      return arena.make(op, node.a, arena.constant(width, ~*constant));
    }
    if (node.op.kind == Kind::kSub) {
      if (arena.is_const(node.b)) {
        const uint64_t value = *constant + arena.const_bits(node.b);
        return arena.make(op, node.a, arena.constant(width, value));
      }
      if (*constant == 0) return arena.make(op, node.a, node.b);
    }
    if (node.op.kind == Kind::kXor && *constant == 0) return arena.make(op, node.a, node.b);
    if (node.op.kind == Kind::kZext || node.op.kind == Kind::kSext) {
      const unsigned narrow = op::bits(node.op.src);
      const uint64_t low = *constant & op::mask(narrow);
      const uint64_t extended =
          node.op.kind == Kind::kZext
              ? low
              : static_cast<uint64_t>(as_signed(low, narrow)) & op::mask(width);
      if (extended != *constant) return arena.truth(false);
      return arena.make(bits_op(Kind::kEq, narrow), node.a, arena.constant(narrow, low));
    }
    return equal_shifted(arena, op, a, *constant);
  }
  const Node other = arena[b];
  const bool same_extension =
      node.op == other.op && (node.op.kind == Kind::kZext || node.op.kind == Kind::kSext);
  if (same_extension || (node.op.kind == Kind::kNot && other.op.kind == Kind::kNot)) {
    return arena.make(bits_op(Kind::kEq, arena.width(node.a)), node.a, other.a);
  }
  // One base: offsets decide.
  if (node.op.kind == Kind::kAddress && other.op.kind == Kind::kAddress && node.a == other.a) {
    return arena.truth(false);  // equal ones have one id
  }
  return kNoTerm;
}

TermId simplify_lt_u(Arena& arena, Op op, TermId a, TermId b, TermId) {
  if (a == b) return arena.truth(false);
  const unsigned width = op::bits(op.type);
  const Node left = arena[a];
  const Node right = arena[b];
  if (is_ones(arena, a)) return arena.truth(false);
  if (const auto bound = const_value(arena, b)) {
    if (*bound == 0) return arena.truth(false);
    if (*bound == 1) return arena.equal(a, arena.constant(width, 0));
    if (left.op.kind == Kind::kZext) {
      const unsigned narrow = op::bits(left.op.src);
      if (*bound > op::mask(narrow)) return arena.truth(true);
      return arena.make(bits_op(Kind::kLtU, narrow), left.a, arena.constant(narrow, *bound));
    }
  }
  if (const auto bound = const_value(arena, a)) {
    if (*bound == 0) return arena.logic_not(arena.equal(b, a));
    if (right.op.kind == Kind::kZext) {
      const unsigned narrow = op::bits(right.op.src);
      if (*bound >= op::mask(narrow)) return arena.truth(false);
      const TermId low = arena.constant(narrow, *bound);
      return arena.make(bits_op(Kind::kLtU, narrow), low, right.a);
    }
  }
  if (left.op == right.op && left.op.kind == Kind::kZext) {
    return arena.make(bits_op(Kind::kLtU, op::bits(left.op.src)), left.a, right.a);
  }
  return kNoTerm;
}

TermId simplify_lt_s(Arena& arena, Op op, TermId a, TermId b, TermId) {
  if (a == b) return arena.truth(false);
  const unsigned width = op::bits(op.type);
  const uint64_t least = uint64_t{1} << (width - 1);
  const Node left = arena[a];
  const Node right = arena[b];
  if (is_value(arena, a, least - 1) || is_value(arena, b, least)) return arena.truth(false);
  // Extended values are not negative, or keep their order.
  if (left.op == right.op && left.op.kind == Kind::kZext) {
    return arena.make(bits_op(Kind::kLtU, op::bits(left.op.src)), left.a, right.a);
  }
  if (left.op == right.op && left.op.kind == Kind::kSext) {
    return arena.make(bits_op(Kind::kLtS, op::bits(left.op.src)), left.a, right.a);
  }
  if (const auto bound = const_value(arena, b); bound && left.op.kind == Kind::kZext) {
    if ((*bound & least) != 0) return arena.truth(false);
    return arena.make(bits_op(Kind::kLtU, width), a, b);
  }
  if (const auto bound = const_value(arena, a); bound && right.op.kind == Kind::kZext) {
    if ((*bound & least) != 0) return arena.truth(true);
    return arena.make(bits_op(Kind::kLtU, width), a, b);
  }
  return kNoTerm;
}

}  // namespace ptxequiv::term
