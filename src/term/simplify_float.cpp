// The few float identities that hold for every bit pattern: NaN codes, -0, and subnormals under
// .ftz included. Everything else is the business of `real`.
#include "term/simplify.h"

namespace ptxequiv::term {

using op::Kind;
using op::Op;
using op::Type;

namespace {

// True if `id` is the result of float arithmetic in `type`: its NaN is then the canonical one
// (quiet for f64), so that an operation that only canonicalises does nothing to it.
bool is_canonical(const Arena& arena, TermId id, Type type) {
  const Op op = arena[id].op;
  if (op.type != type) return false;
  if (op.kind == Kind::kIToF) return true;
  return op.kind >= Kind::kFAdd && op.kind <= Kind::kFRint && op.kind != Kind::kFCopysign;
}

}  // namespace

TermId simplify_fneg(Arena& arena, Op op, TermId a, TermId, TermId) {
  const Node inner = arena[a];
  if (op.sat || op.relu || inner.op.kind != Kind::kFNeg || inner.op.type != op.type) return kNoTerm;
  if (inner.op.sat || inner.op.relu || !is_canonical(arena, inner.a, op.type)) return kNoTerm;
  const bool flushed = arena[inner.a].op.ftz;
  return (!op.ftz && !inner.op.ftz) || flushed ? inner.a : kNoTerm;
}

// |-x| and ||x|| are |x|: both make a NaN canonical and flush by the same rule. f64 keeps the sign
// of a NaN in both, so it works there too.
TermId simplify_fabs(Arena& arena, Op op, TermId a, TermId, TermId) {
  const Node inner = arena[a];
  const bool sign_only = inner.op.kind == Kind::kFNeg || inner.op.kind == Kind::kFAbs;
  if (!sign_only || inner.op.type != op.type || inner.op.sat || inner.op.relu) return kNoTerm;
  op.ftz = op.ftz || inner.op.ftz;
  return arena.make(op, inner.a);
}

// copysign moves bits only: the magnitude's sign plays no part, nor the sign operand's magnitude.
TermId simplify_fcopysign(Arena& arena, Op op, TermId a, TermId b, TermId) {
  if (a == b) return a;
  const Node sign = arena[a];
  const Node magnitude = arena[b];
  if (magnitude.op.kind == Kind::kFCopysign && magnitude.op.type == op.type) {
    return arena.make(op, a, magnitude.b);
  }
  if (sign.op.kind == Kind::kFCopysign && sign.op.type == op.type) {
    return arena.make(op, sign.a, b);
  }
  return kNoTerm;
}

// Widening and back again gives the value itself, with a canonical NaN.
TermId simplify_fcvt(Arena& arena, Op op, TermId a, TermId, TermId) {
  const Node inner = arena[a];
  if (inner.op.kind != Kind::kFCvt || inner.op.src != op.type || inner.op.type != op.src) {
    return kNoTerm;
  }
  const auto plain = [](Op o) { return !o.ftz && !o.sat && !o.relu && !o.satfinite; };
  const bool half = op.type == Type::kF16 || op.type == Type::kBF16;
  if (!half || op.src != Type::kF32 || !plain(op) || !plain(inner.op)) return kNoTerm;
  return is_canonical(arena, inner.a, op.type) ? inner.a : kNoTerm;
}

}  // namespace ptxequiv::term
