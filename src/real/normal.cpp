#include "real/normal.h"

#include "base/error.h"
#include "real/normal_impl.h"
#include "real/normal_print.h"
#include "real/refute.h"
#include "real/zero.h"

namespace ptxequiv::real {
namespace {

// FormIds of values that are no polys.
constexpr FormId kPlusInfinityForm = 0xfffffffe, kMinusInfinityForm = 0xfffffffd;
constexpr FormId kNodeForm = 0x80000000;  // | RealId: equal to itself only

}  // namespace

Context& Normalizer::Impl::base() {
  if (base_context != nullptr) return *base_context;
  // Assumptions are evaluated without any, then become facts of a fresh context.
  Signs plain(algebra, dag, facts);
  Context first(dag, shape, algebra, plain);
  std::vector<Decision> decisions;
  for (const RealId assumption : facts.assumptions()) {
    imply(first, dag, assumption, true, decisions);
  }
  Signs with_assumptions(algebra, dag, facts);
  for (const Decision& d : decisions) {
    switch (d.kind) {
      case Decision::Kind::kPositive:
        with_assumptions.assume(d.poly, Relation::kPositive);
        break;
      case Decision::Kind::kNonNegative:
        with_assumptions.assume(d.poly, Relation::kNonNegative);
        break;
      case Decision::Kind::kNonZero:
        with_assumptions.assume(d.poly, Relation::kNonZero);
        break;
      case Decision::Kind::kZero:
        with_assumptions.assume(d.poly, Relation::kNonNegative);
        with_assumptions.assume(algebra.scale(d.poly, -1), Relation::kNonNegative);
        break;
      case Decision::Kind::kBool:
        break;
    }
  }
  base_context = std::make_unique<Context>(dag, shape, algebra, with_assumptions, true);
  for (const Decision& d : decisions) {
    if (d.kind == Decision::Kind::kBool) apply(*base_context, d);
  }
  return *base_context;
}

Normalizer::Normalizer(Dag& dag, const Facts& facts, NormalOptions options,
                       const base::Deadline& deadline)
    : impl_(std::make_unique<Impl>(dag, facts, options, deadline)) {}
Normalizer::~Normalizer() = default;

FormId Normalizer::normalize(RealId id) {
  using State = FormValue::State;
  const FormValue v = impl_->base().evaluator.root(id);
  switch (v.state) {
    case State::kFinite: {
      const PolyId form = impl_->algebra.intern(v.poly);
      PTXEQUIV_CHECK(form < kNodeForm, "too many forms");
      return form;
    }
    case State::kPlusInfinity:
      return kPlusInfinityForm;
    case State::kMinusInfinity:
      return kMinusInfinityForm;
    case State::kUndefined:
    case State::kSplit:
      break;
  }
  return kNodeForm | id;
}

Goal Normalizer::Impl::equality(Context& context, RealId a, RealId b, bool* vacuous) {
  using State = FormValue::State;
  const FormValue x = context.evaluator.root(a), y = context.evaluator.root(b);
  Goal goal;
  // Where one side is undefined in a whole case nothing is claimed of its value there.
  if (x.state == State::kUndefined || y.state == State::kUndefined) {
    goal.state = Goal::State::kHolds;
    if (vacuous != nullptr) *vacuous = true;
    return goal;
  }
  for (const FormValue* v : {&x, &y}) {
    if (v->state != State::kSplit) continue;
    goal.state = Goal::State::kSplit;
    goal.condition = v->condition;
    if (goal.condition != kNoReal) return goal;
  }
  if (goal.state == Goal::State::kSplit) return goal;
  if (x.is_infinite() || y.is_infinite()) {
    goal.state = x.state == y.state ? Goal::State::kHolds : Goal::State::kFails;
    return goal;
  }
  if (x.poly == y.poly) {
    goal.state = Goal::State::kHolds;
  } else {
    goal.form = algebra.add(x.poly, y.poly, -1);
  }
  return goal;
}

Proof Normalizer::equal(RealId a, RealId b) {
  if (a == b) return Proof::kProved;
  try {
    Context& base = impl_->base();
    bool vacuous = false;
    Goal first = impl_->equality(base, a, b, &vacuous);
    if (vacuous) return Proof::kOpen;  // nowhere defined: that is not for us to call equal
    if (first.state == Goal::State::kHolds) return Proof::kProved;
    if (first.state == Goal::State::kFails) return Proof::kOpen;
    if (first.state == Goal::State::kForm && is_zero(base.forms, first.form)) return Proof::kProved;
    if (seems_different(impl_->dag, a, b, impl_->facts)) return Proof::kOpen;
    Cases cases(impl_->dag, impl_->shape, impl_->algebra, base.signs);
    return cases.prove({}, [&](Context& context) { return impl_->equality(context, a, b); });
  } catch (const base::LimitReached& limit) {
    if (limit.limit() != "expansion") throw;
    return Proof::kOpen;
  }
}

Proof Normalizer::holds(RealId condition, std::span<const RealId> under) {
  try {
    Context& base = impl_->base();
    std::vector<Decision> given;
    for (const RealId u : under) {
      if (!imply(base, impl_->dag, u, true, given)) return Proof::kProved;
    }
    Cases cases(impl_->dag, impl_->shape, impl_->algebra, base.signs);
    return cases.prove(given, [&](Context& context) {
      const FormValue& v = context.evaluator.value(condition);
      Goal goal;
      if (v.is_finite()) {
        goal.form = context.forms.complement(v.poly);
        return goal;
      }
      goal.state = v.state == FormValue::State::kSplit ? Goal::State::kSplit : Goal::State::kFails;
      goal.condition = v.condition;
      return goal;
    });
  } catch (const base::LimitReached& limit) {
    if (limit.limit() != "expansion") throw;
    return Proof::kOpen;
  }
}

std::string Normalizer::to_string(FormId form) const {
  if (form == kPlusInfinityForm) return "+inf";
  if (form == kMinusInfinityForm) return "-inf";
  if (form >= kNodeForm) return "r" + std::to_string(form & ~kNodeForm);
  return print(impl_->algebra, impl_->dag, impl_->algebra.poly(form));
}

}  // namespace ptxequiv::real
