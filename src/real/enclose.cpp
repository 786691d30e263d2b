#include "real/enclose.h"

#include <algorithm>
#include <tuple>

#include "base/error.h"
#include "real/encloser.h"

namespace ptxequiv::real {
namespace enclosing {

Value Encloser::rational(const mpq_class& q) const {
  Value value = plain(State::kFinite);
  const size_t bits = mpz_sizeinbase(q.get_num_mpz_t(), 2) + mpz_sizeinbase(q.get_den_mpz_t(), 2);
  if (bits <= kMaxExactBits) {
    value.exact = q;
  } else {
    value.ball = Ball(q, precision_);
  }
  return value;
}

Value Encloser::ball(Ball b) {
  if (!arb_is_finite(b.get())) return unsettled();
  Value value = plain(State::kFinite);
  value.ball = std::move(b);
  return value;
}

Signs Encloser::signs(const Value& v) const {
  if (v.exact) return {sgn(*v.exact) < 0, sgn(*v.exact) == 0, sgn(*v.exact) > 0};
  arb_srcptr x = v.ball.get();
  return {!arb_is_nonnegative(x), arb_contains_zero(x) != 0, !arb_is_nonpositive(x)};
}

std::vector<Enclosure> Encloser::run(std::span<const RealId> roots) {
  const std::vector<RealId> ids = cone(dag_, roots);
  index_.assign(ids.empty() ? 0 : size_t{ids.back()} + 1, 0);
  values_.reserve(ids.size());
  for (const RealId id : ids) {
    index_[id] = static_cast<uint32_t>(values_.size());
    values_.push_back(compute(id, dag_[id]));
  }
  std::vector<Enclosure> result;
  for (const RealId root : roots) result.push_back(finish(at(root)));
  return result;
}

Enclosure Encloser::finish(const Value& v) {
  Enclosure result;
  result.state = v.state;
  if (!v.finite()) {
    if (v.truth == Truth::kTrue || v.truth == Truth::kFalse) {  // a boolean root: 1 or 0
      result.state = State::kFinite;
      result.low = result.high = v.truth == Truth::kTrue ? 1 : 0;
    } else if (v.truth == Truth::kUndefined) {
      result.state = State::kUndefined;
    }
    return result;
  }
  if (v.exact) {
    result.low = result.high = *v.exact;
    result.midpoint = v.exact->get_d();
    return result;
  }
  result.midpoint = v.ball.midpoint();
  if (const auto ends = v.ball.ends()) {
    std::tie(result.low, result.high) = *ends;
  } else {
    result.state = State::kUnknown;
  }
  return result;
}

Value Encloser::compute(RealId id, const Node& node) {
  switch (node.kind) {
    case Kind::kRational:
      return rational(dag_.rational_value(id));
    case Kind::kInfinity:
      return infinite(node.a != 0);
    case Kind::kUndefined:
      return plain(State::kUndefined);
    case Kind::kLog2E: {
      Ball b;
      arb_const_log2(b.get(), precision_);
      arb_inv(b.get(), b.get(), precision_);
      return ball(std::move(b));
    }
    case Kind::kLeaf:
    case Kind::kOpaque: {
      const auto value = leaf_(id, node);
      return value ? rational(*value) : Value{};
    }
    case Kind::kOpaqueBool: {
      const auto value = leaf_(id, node);
      return value ? truth(sgn(*value) != 0) : Value{};
    }
    case Kind::kTrue:
    case Kind::kFalse:
      return truth(node.kind == Kind::kTrue);
    case Kind::kIte:
    case Kind::kIteBool:
      return choose(at(node.a), at(node.b), at(node.c));
    case Kind::kAnd:
    case Kind::kOr:
      return logic(node.kind, at(node.a), at(node.b));
    case Kind::kNot:
      return logic(node.kind, at(node.a), at(node.a));
    default:
      break;
  }
  const bool binary = info(node.kind).arity > 1;
  const Value& a = at(node.a);
  const Value& b = binary ? at(node.b) : a;
  if (a.state == State::kUndefined || b.state == State::kUndefined) {
    return info(node.kind).is_bool ? truth(Truth::kUndefined) : plain(State::kUndefined);
  }
  if (a.state == State::kUnknown || b.state == State::kUnknown) return {};
  switch (node.kind) {
    case Kind::kLt:
    case Kind::kLe:
    case Kind::kEq:
      return compare(node.kind, a, b);
    case Kind::kMin:
    case Kind::kMax:
      return lattice(node.kind == Kind::kMin, a, b);
    case Kind::kAdd:
    case Kind::kSub:
    case Kind::kMul:
      return a.infinite() || b.infinite() ? infinite_arithmetic(node.kind, a, b)
                                          : arithmetic(node, a, b);
    case Kind::kDiv:
      return quotient(a, b);
    case Kind::kRint:
    case Kind::kFloor:
    case Kind::kCeil:
    case Kind::kTrunc:
      return step(node.kind, a);
    default:
      return a.infinite() ? function_at_infinity(node.kind, a.negative_infinity())
                          : function(node.kind, a);
  }
}

}  // namespace enclosing

namespace {

using enclosing::Encloser;
using enclosing::State;

Comparison settle(const Enclosure& reference, const Enclosure& candidate) {
  if (reference.state == State::kUndefined) return Comparison::kReferenceUndefined;
  if (reference.state == State::kUnknown) return Comparison::kUnknown;
  if (candidate.state == State::kUndefined) return Comparison::kCandidateUndefined;
  if (candidate.state == State::kUnknown) return Comparison::kUnknown;
  if (reference.state != State::kFinite || candidate.state != State::kFinite) {
    return reference.state == candidate.state ? Comparison::kOverlap : Comparison::kDisjoint;
  }
  const bool disjoint = reference.high < candidate.low || candidate.high < reference.low;
  return disjoint ? Comparison::kDisjoint : Comparison::kOverlap;
}

}  // namespace

std::vector<Enclosure> enclose(const Dag& dag, std::span<const RealId> roots, const LeafValue& leaf,
                               unsigned precision) {
  return Encloser(dag, leaf, precision).run(roots);
}

PointComparison compare_at(const Dag& dag, RealId reference, RealId candidate,
                           const LeafValue& leaf, unsigned max_precision) {
  PointComparison result;
  const RealId roots[] = {reference, candidate};
  for (unsigned precision = std::min(64u, max_precision);; precision *= 2) {
    precision = std::min(precision, max_precision);
    Encloser encloser(dag, leaf, precision);
    const std::vector<Enclosure> values = encloser.run(roots);
    result = {settle(values[0], values[1]), values[0], values[1], precision};
    const bool open =
        result.result == Comparison::kOverlap || result.result == Comparison::kUnknown;
    const bool exact = values[0].state == State::kFinite && values[1].state == State::kFinite &&
                       values[0].low == values[0].high && values[1].low == values[1].high;
    const bool inexact_ends =
        result.result == Comparison::kOverlap && !exact && values[0].state == State::kFinite;
    if (!open || precision >= max_precision) return result;
    if (!inexact_ends && !encloser.precision_matters()) return result;
  }
}

}  // namespace ptxequiv::real
