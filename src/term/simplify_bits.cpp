// Extracts, concatenations, extensions: bits that only move.
#include <utility>

#include "op/evaluate.h"
#include "term/simplify.h"

namespace ptxequiv::term {

using op::Kind;
using op::Op;

namespace {

// What one step of simplify_extract finds.
enum class Step : uint8_t { kStop, kDown, kDone };

// extract(x op constant): the constant's bits there decide alone, or not at all.
Step through_constant(const Arena& arena, Kind kind, TermId* a, unsigned position, unsigned width,
                      uint64_t* bits) {
  uint64_t constant = 0;
  const auto x = with_constant(arena, *a, kind, &constant);
  if (!x) return Step::kStop;
  const uint64_t piece = constant >> position & op::mask(width);
  const uint64_t neutral = kind == Kind::kAnd ? op::mask(width) : 0;
  if (piece == neutral) {
    *a = *x;
    return Step::kDown;
  }
  if (kind != Kind::kXor && piece == (neutral ^ op::mask(width))) {
    *bits = piece;
    return Step::kDone;
  }
  return Step::kStop;
}

// extract(x shifted by a constant).
Step through_shift(const Arena& arena, const Node& node, TermId* a, unsigned* position,
                   unsigned width) {
  const auto amount = const_value(arena, node.b);
  const unsigned whole = op::bits(node.op.type);
  if (!amount || *amount >= whole) return Step::kStop;
  const auto shift = static_cast<unsigned>(*amount);
  if (node.op.kind == Kind::kShl) {
    if (*position >= shift) {
      *a = node.a;
      *position -= shift;
      return Step::kDown;
    }
    return *position + width <= shift ? Step::kDone : Step::kStop;  // zeros
  }
  if (*position + width + shift <= whole) {
    *a = node.a;
    *position += shift;
    return Step::kDown;
  }
  const bool zeros = node.op.kind == Kind::kShrU && *position + shift >= whole;
  return zeros ? Step::kDone : Step::kStop;
}

}  // namespace

TermId simplify_extract(Arena& arena, TermId* a, unsigned* position, unsigned width) {
  while (true) {
    const Node node = arena[*a];
    const unsigned whole = arena.width(*a);
    if (width == whole) return *a;
    Step step = Step::kStop;
    uint64_t bits = 0;
    switch (node.op.kind) {
      case Kind::kConst:
        return arena.constant(width, arena.const_bits(*a) >> *position);
      case Kind::kExtract:
        *a = node.a;
        *position += node.b;
        step = Step::kDown;
        break;
      case Kind::kConcat:
        if (*position >= whole / 2) {
          *a = node.a;
          *position -= whole / 2;
          step = Step::kDown;
        } else if (*position + width <= whole / 2) {
          *a = node.b;
          step = Step::kDown;
        }
        break;
      case Kind::kZext:
      case Kind::kSext: {
        const unsigned inner = op::bits(node.op.src);
        if (*position + width <= inner) {
          *a = node.a;
          step = Step::kDown;
        } else if (node.op.kind == Kind::kZext && *position >= inner) {
          step = Step::kDone;
        } else if (*position == 0 && is_cell(width)) {
          return node.op.kind == Kind::kZext ? arena.zext(node.a, width)
                                             : arena.sext(node.a, width);
        }
        break;
      }
      case Kind::kAnd:
      case Kind::kOr:
      case Kind::kXor:
        step = through_constant(arena, node.op.kind, a, *position, width, &bits);
        break;
      case Kind::kShl:
      case Kind::kShrU:
      case Kind::kShrS:
        step = through_shift(arena, node, a, position, width);
        break;
      case Kind::kSelect:
        if (selects_constants(arena, *a)) {
          const uint64_t then_bits = arena.const_bits(node.b) >> *position;
          const uint64_t else_bits = arena.const_bits(node.c) >> *position;
          const TermId then_term = arena.constant(width, then_bits);
          return arena.select(node.a, then_term, arena.constant(width, else_bits));
        }
        break;
      case Kind::kMul:
        return extract_product(arena, *a, *position, width);
      default:
        break;
    }
    if (step == Step::kStop) return kNoTerm;
    if (step == Step::kDone) return arena.constant(width, bits);
  }
}

namespace {

// A term as a run of bits of another: the whole of x, or an extract of it.
struct Run {
  TermId source;
  unsigned position;
};

Run run_of(const Arena& arena, TermId id) {
  const Node& node = arena[id];
  if (node.op.kind == Kind::kExtract) return {node.a, node.b};
  return {id, 0};
}

// concat(high, low) where that is no new concatenation; else kNoTerm.
TermId join_runs(Arena& arena, TermId high, TermId low) {
  const unsigned half = arena.width(low);
  const auto high_bits = const_value(arena, high);
  if (high_bits) {
    const auto low_bits = const_value(arena, low);
    if (low_bits) return arena.constant(2 * half, *high_bits << half | *low_bits);
    if (*high_bits == 0) return arena.zext(low, 2 * half);
  }
  if (is_kind(arena, high, Kind::kExtract)) {
    const Run upper = run_of(arena, high);
    const Run lower = run_of(arena, low);
    if (upper.source == lower.source && upper.position == lower.position + half) {
      return arena.extract(lower.source, lower.position, 2 * half);
    }
  }
  return kNoTerm;
}

}  // namespace

TermId simplify_concat(Arena& arena, Op, TermId high, TermId low, TermId) {
  const TermId joined = join_runs(arena, high, low);
  if (joined != kNoTerm) return joined;
  // Halves chosen by one condition, when the choices are whole terms.
  const Node upper = arena[high];
  const Node lower = arena[low];
  if (upper.op.kind == Kind::kSelect && lower.op.kind == Kind::kSelect && upper.a == lower.a) {
    const TermId then_term = join_runs(arena, upper.b, lower.b);
    if (then_term == kNoTerm) return kNoTerm;
    const TermId else_term = join_runs(arena, upper.c, lower.c);
    if (else_term != kNoTerm) return arena.select(upper.a, then_term, else_term);
  }
  return kNoTerm;
}

TermId simplify_zext(Arena& arena, Op op, TermId a, TermId, TermId) {
  const Node node = arena[a];
  const unsigned width = op::bits(op.type);
  if (width == arena.width(a)) return a;
  if (node.op.kind == Kind::kZext) return arena.zext(node.a, width);
  if (arena.width(a) == 1) {
    const TermId one = arena.constant(width, 1);
    return arena.select(a, one, arena.constant(width, 0));
  }
  return kNoTerm;
}

TermId simplify_sext(Arena& arena, Op op, TermId a, TermId, TermId) {
  const Node node = arena[a];
  const unsigned width = op::bits(op.type);
  if (width == arena.width(a)) return a;
  if (node.op.kind == Kind::kSext) return arena.sext(node.a, width);
  if (node.op.kind == Kind::kZext) return arena.zext(node.a, width);
  if (arena.width(a) == 1) {
    const TermId ones = arena.constant(width, op::mask(width));
    return arena.select(a, ones, arena.constant(width, 0));
  }
  return kNoTerm;
}

namespace {

// Bits as join_disjoint sees them, before anything is built: a term extended by zeros to `width`,
// or a constant.
struct View {
  TermId id = kNoTerm;  // kNoTerm: the constant
  uint64_t constant = 0;
  unsigned width = 0;

  bool is_zero() const { return id == kNoTerm && constant == 0; }
};

View view_of(const Arena& arena, TermId id, unsigned width) {
  while (is_kind(arena, id, Kind::kZext)) id = arena[id].a;
  if (const auto bits = const_value(arena, id)) return {kNoTerm, *bits, width};
  return {id, 0, width};
}

struct Halves {
  View high, low;
};

// Both halves, where the structure shows them.
std::optional<Halves> halves(const Arena& arena, View view) {
  const unsigned half = view.width / 2;
  if (half < 8) return std::nullopt;
  if (view.id == kNoTerm) {
    return Halves{{kNoTerm, view.constant >> half, half},
                  {kNoTerm, view.constant & op::mask(half), half}};
  }
  const unsigned own = arena.width(view.id);
  if (own <= half) return Halves{{kNoTerm, 0, half}, {view.id, 0, half}};
  const Node& node = arena[view.id];
  if (own != view.width || node.op.kind != Kind::kConcat) return std::nullopt;
  return Halves{view_of(arena, node.a, half), view_of(arena, node.b, half)};
}

// Recursion halves the width each time: three levels.
bool are_disjoint(const Arena& arena, View a, View b) {
  if (a.is_zero() || b.is_zero()) return true;
  const auto x = halves(arena, a);
  if (!x) return false;
  const auto y = halves(arena, b);
  return y && are_disjoint(arena, x->low, y->low) && are_disjoint(arena, x->high, y->high);
}

TermId build(Arena& arena, View view) {
  return view.id == kNoTerm ? arena.constant(view.width, view.constant)
                            : arena.zext(view.id, view.width);
}

TermId join(Arena& arena, View a, View b) {
  if (a.is_zero()) return build(arena, b);
  if (b.is_zero()) return build(arena, a);
  const Halves x = halves(arena, a).value();
  const Halves y = halves(arena, b).value();
  const TermId high = join(arena, x.high, y.high);
  return arena.concat(high, join(arena, x.low, y.low));
}

}  // namespace

TermId join_disjoint(Arena& arena, TermId a, TermId b) {
  const unsigned width = arena.width(a);
  const View x = view_of(arena, a, width);
  const View y = view_of(arena, b, width);
  return are_disjoint(arena, x, y) ? join(arena, x, y) : kNoTerm;
}

}  // namespace ptxequiv::term
