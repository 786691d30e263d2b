// Operations on floats that do not round: min, max, signs, comparisons.
#include "op/float_util.h"
#include "op/internal.h"

namespace ptxequiv::op::handlers {
namespace {

using soft::Format;

// Flushes under .ftz; true if the operand changed, which over the reals it must not.
bool flush_operand(const Format& f, Op op, uint64_t* operand) {
  if (!op.ftz || !soft::is_subnormal(f, *operand)) return false;
  *operand &= f.sign();
  return true;
}

// Increases with the value; -0 comes just before +0.
int64_t order_key(const Format& f, uint64_t bits) {
  const auto magnitude = static_cast<int64_t>(bits & (f.sign() - 1));
  return (bits & f.sign()) != 0 ? ~magnitude : magnitude;
}
// As order_key, but the zeros are equal.
int64_t value_key(const Format& f, uint64_t bits) {
  const auto magnitude = static_cast<int64_t>(bits & (f.sign() - 1));
  return (bits & f.sign()) != 0 ? -magnitude : magnitude;
}

Result min_or_max(Op op, uint64_t a, uint64_t b, bool max) {
  const Format& f = soft::format_of(op.type);
  bool exact = !flush_operand(f, op, &a);
  if (flush_operand(f, op, &b)) exact = false;
  const bool a_nan = soft::is_nan(f, a);
  const bool b_nan = soft::is_nan(f, b);
  if ((a_nan && b_nan) || (op.nan && (a_nan || b_nan))) return nan_result(f, op, {b, a});
  if (a_nan) return {clamp(f, op, b), false};
  if (b_nan) return {clamp(f, op, a), false};
  const bool less = order_key(f, a) < order_key(f, b);
  return {clamp(f, op, less == max ? b : a), exact};
}

struct Compared {
  bool unordered;
  int64_t a, b;
  bool exact;
};

Compared compare(Op op, uint64_t a, uint64_t b) {
  const Format& f = soft::format_of(op.type);
  bool exact = !flush_operand(f, op, &a);
  if (flush_operand(f, op, &b)) exact = false;
  return {soft::is_nan(f, a) || soft::is_nan(f, b), value_key(f, a), value_key(f, b), exact};
}

}  // namespace

Result fmin(Op op, uint64_t a, uint64_t b, uint64_t) {
  return min_or_max(op, a, b, false);
}
Result fmax(Op op, uint64_t a, uint64_t b, uint64_t) {
  return min_or_max(op, a, b, true);
}

// The sign of an f64 NaN stays as it is (found); other formats give the canonical NaN.
Result fabs(Op op, uint64_t a, uint64_t, uint64_t) {
  const Format& f = soft::format_of(op.type);
  if (soft::is_nan(f, a)) return nan_result(f, op, {a});
  const bool flushed = flush_operand(f, op, &a);
  return {clamp(f, op, a & ~f.sign()), !flushed};
}
Result fneg(Op op, uint64_t a, uint64_t, uint64_t) {
  const Format& f = soft::format_of(op.type);
  if (soft::is_nan(f, a)) return nan_result(f, op, {a});
  const bool flushed = flush_operand(f, op, &a);
  return {clamp(f, op, a ^ f.sign()), !flushed};
}
Result fcopysign(Op op, uint64_t a, uint64_t b, uint64_t) {
  const uint64_t sign = soft::format_of(op.type).sign();
  return {(a & sign) | (b & ~sign)};
}

Result feq(Op op, uint64_t a, uint64_t b, uint64_t) {
  const Compared c = compare(op, a, b);
  return {!c.unordered && c.a == c.b, c.exact};
}
Result flt(Op op, uint64_t a, uint64_t b, uint64_t) {
  const Compared c = compare(op, a, b);
  return {!c.unordered && c.a < c.b, c.exact};
}
Result fle(Op op, uint64_t a, uint64_t b, uint64_t) {
  const Compared c = compare(op, a, b);
  return {!c.unordered && c.a <= c.b, c.exact};
}
Result funordered(Op op, uint64_t a, uint64_t b, uint64_t) {
  return {compare(op, a, b).unordered};
}

}  // namespace ptxequiv::op::handlers
