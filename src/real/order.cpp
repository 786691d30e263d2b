#include "real/order.h"

#include <algorithm>

#include "base/error.h"
#include "real/order_sweep.h"

namespace ptxequiv::real {
namespace {

constexpr size_t kMaxConstants = 16, kMaxPivots = 3;

using Difference = std::vector<OrderAnswer::Choice>;

// Numbers on either side of t, and t.
struct Around {
  mpq_class below, t, above;
};

Around around(const OrderPlan& plan, const Threshold& threshold) {
  if (threshold.kind == Threshold::Kind::kGreatest || threshold.kind == Threshold::Kind::kLeast) {
    return {0, threshold.kind == Threshold::Kind::kGreatest ? 1 : 0, 1};
  }
  if (threshold.kind == Threshold::Kind::kPivot) {
    const mpq_class t = threshold.pivot.is_atom ? mpq_class(0) : threshold.pivot.constant.value;
    return {t - 1, t, t + 1};
  }
  std::optional<mpq_class> low, high;
  for (size_t i = 0; i < plan.constants.size(); ++i) {
    const Bound& b = plan.constants[i];
    if (b.kind != Bound::Kind::kFinite) continue;
    if (i < threshold.constants_below) low = b.value;
    if (i >= threshold.constants_below && !high) high = b.value;
  }
  Around out;
  out.below = low ? *low : high ? mpq_class(*high - 1) : mpq_class(0);
  out.above = high ? *high : mpq_class(out.below + 1);
  out.t = out.below;
  return out;
}

Difference read_off(const OrderPlan& plan, const Threshold& threshold, const Bdd& bdd,
                    Bdd::Edge differ) {
  Difference out;
  const auto path = bdd.assignment(differ);
  if (!path) return out;
  const Around at = around(plan, threshold);
  std::vector<bool> at_least(plan.atoms.size()), above(plan.atoms.size());
  for (const auto& [variable, value] : *path) {
    const size_t atom = variable / 2;
    if (atom >= plan.atoms.size()) continue;
    (variable % 2 == 0 ? at_least : above)[atom] = value;
  }
  for (size_t i = 0; i < plan.atoms.size(); ++i) {
    bool is_above = above[i], is_t = at_least[i];
    if (threshold.kind == Threshold::Kind::kPivot) {
      const bool pivot = threshold.pivot.is_atom && threshold.pivot.atom == i;
      is_above = !pivot && is_above && is_t;
      is_t = pivot || is_t;
    }
    out.push_back({plan.atoms[i].term, plan.atoms[i].type,
                   is_above ? at.above
                   : is_t   ? at.t
                            : at.below});
  }
  return out;
}

// Where the two are known and differ, as far as the variables may be.
Bdd::Edge differing(Bdd& bdd, const Rail& a, const Rail& b) {
  return bdd.disjoin(bdd.conjoin(a.yes, b.no), bdd.conjoin(a.no, b.yes));
}

// Known and the same, wherever `under` holds.
bool agree(Bdd& bdd, const Rail& a, const Rail& b, Bdd::Edge under) {
  return bdd.implies(under, bdd.disjoin(bdd.conjoin(a.yes, b.yes), bdd.conjoin(a.no, b.no)));
}

std::vector<Threshold> thresholds(const OrderPlan& plan) {
  std::vector<Threshold> out;
  if (plan.lines.size() == 1 && plan.atoms.size() > 1) {
    const op::Type line = plan.lines.begin()->first;
    out.push_back({Threshold::Kind::kGreatest, line, 0, {}});
    out.push_back({Threshold::Kind::kLeast, line, 0, {}});
  }
  for (size_t i = 0; i < plan.pivots.size() && i < kMaxPivots; ++i) {
    const OrderPlan::Pivot& p = plan.pivots[i];
    const op::Type line = p.is_atom ? line_of(plan.atoms[p.atom].type) : plan.lines.begin()->first;
    if (!p.is_atom && plan.lines.size() != 1) continue;
    out.push_back({Threshold::Kind::kPivot, line, 0, p});
  }
  return out;
}

}  // namespace

OrderAnswer OrderComparison::equal(term::TermId a, term::TermId b, op::Type type) {
  OrderAnswer out;
  const auto plan = plan_order(arena_, a, b, type, meaning_);
  if (!plan || plan->constants.size() > kMaxConstants) return out;
  const bool as_value = plan->wanted[plan->place.at(a)].type != op::Type::kNone;
  const bool all_finite =
      std::all_of(plan->atoms.begin(), plan->atoms.end(),
                  [&](const OrderPlan::Atom& atom) { return is_finite_(atom.term, atom.type); });
  const auto attempt = [&](const Threshold& threshold) {
    try {
      Bdd bdd(max_nodes_, deadline_);
      OrderSweep sweep(arena_, *plan, threshold, all_finite, bdd);
      sweep.run();
      Bdd::Edge differ = Bdd::kFalse;
      bool equal = true;
      if (as_value) {
        const Rail &x = sweep.level(a).above, &y = sweep.level(b).above;
        equal = agree(bdd, x, y, Bdd::kTrue);
        differ = differing(bdd, x, y);
      } else {
        const Bits &x = sweep.bits(a), &y = sweep.bits(b);
        for (size_t i = 0; i < x.size(); ++i) {
          equal = equal && agree(bdd, x[i], y[i], sweep.constraint());
          if (differ != Bdd::kFalse) continue;
          differ = bdd.conjoin(sweep.constraint(), differing(bdd, x[i], y[i]));
        }
      }
      if (!equal && differ != Bdd::kFalse) {
        out.differences.push_back(read_off(*plan, threshold, bdd, differ));
      }
      return equal;
    } catch (const base::LimitReached& limit) {
      if (limit.limit() != "decision-diagram") throw;
      return false;
    }
  };
  if (!as_value) {
    const auto all = thresholds(*plan);
    out.equal = std::any_of(all.begin(), all.end(), attempt);
    return out;
  }
  // Values of several types would need a t for each.
  if (plan->lines.size() != 1) return out;
  out.equal = true;
  for (size_t below = 0; below <= plan->constants.size() && out.equal; ++below) {
    // Nothing is below -inf or above inf.
    if (below < plan->constants.size() && plan->constants[below].kind == Bound::Kind::kLow)
      continue;
    if (below > 0 && plan->constants[below - 1].kind == Bound::Kind::kHigh) continue;
    out.equal = attempt({Threshold::Kind::kBetween, plan->lines.begin()->first, below, {}});
  }
  return out;
}

}  // namespace ptxequiv::real
