// Where an expression is defined: its partial operations with the paths on which they matter, what
// of that sign reasoning shows, and what the other side's definedness implies.
#include <algorithm>
#include <functional>
#include <map>

#include "base/error.h"
#include "real/normal_impl.h"

namespace ptxequiv::real {
namespace {

using Kind_ = Obligation::Kind;
using State = FormValue::State;

bool satisfies(SignSet s, Kind_ kind) {
  switch (kind) {
    case Kind_::kNonZero:
      return s.is_nonzero();
    case Kind_::kNonNegative:
      return s.is_nonnegative();
    case Kind_::kPositive:
      return s.is_positive();
    case Kind_::kDefined:
      return false;
  }
  return false;
}

// What a shown or given obligation of kind `from` says about one of kind `to` on the same argument.
bool entails(Kind_ from, Kind_ to) {
  return from == to || (from == Kind_::kPositive && to != Kind_::kDefined);
}

}  // namespace

RealId Normalizer::Impl::both(RealId guard, RealId condition, bool truth) {
  const RealId c = truth ? condition : dag.make(Kind::kNot, condition);
  return guard == kNoReal ? c : dag.make(Kind::kAnd, guard, c);
}

RealId Normalizer::Impl::either(RealId a, RealId b) {
  if (a == kNoReal || b == kNoReal) return kNoReal;
  if (a == b) return a;
  const RealId result = dag.make(Kind::kOr, a, b);
  const FormValue& v = base().evaluator.value(result);
  return v.is_finite() && v.poly == algebra.poly(kOnePoly) ? kNoReal : result;
}

bool Normalizer::Impl::exists_everywhere(RealId guard) {
  std::vector<RealId> stack = {guard};
  std::unordered_set<RealId> seen;
  while (!stack.empty()) {
    const RealId top = stack.back();
    stack.pop_back();
    if (!seen.insert(top).second || !shape.may_be_undefined(top) || clean.contains(top)) continue;
    // Guards are made of conditions; they themselves were never visited.
    const Kind kind = dag[top].kind;
    if (kind != Kind::kAnd && kind != Kind::kOr && kind != Kind::kNot) return false;
    for (const RealId operand : dag.operands(top)) stack.push_back(operand);
  }
  return true;
}

std::vector<Obligation> Normalizer::Impl::obligations(RealId root) {
  base();
  shape.update();
  std::vector<Obligation> open;
  if (!shape.may_be_undefined(root) || clean.contains(root)) return open;
  // From above, so that a node's guard is complete when it is reached.
  std::map<RealId, RealId, std::greater<>> pending = {{root, kNoReal}};
  std::vector<Obligation> found;
  std::map<RealId, bool> visited;  // ascending; whether reached unguarded without open obligations
  auto reach = [&](RealId id, RealId guard) {
    if (!shape.may_be_undefined(id)) return;
    if (guard == kNoReal && clean.contains(id)) return;
    const auto [place, fresh] = pending.try_emplace(id, guard);
    if (!fresh) place->second = either(place->second, guard);
  };
  while (!pending.empty()) {
    deadline.poll();
    const auto [id, guard] = *pending.begin();
    pending.erase(pending.begin());
    const Node node = dag[id];
    const size_t before = open.size();
    auto demand_of = [&](Kind_ kind, RealId argument) {
      const Obligation o{kind, argument, guard};
      if (!discharged(o)) {
        open.push_back(o);
      } else if (kind != Kind_::kDefined) {
        found.push_back({kind, argument, shown_under});
      }
    };
    bool meets_infinity = false;
    for (const RealId operand : dag.operands(id)) {
      meets_infinity =
          meets_infinity || (!info(dag[operand].kind).is_bool && shape.may_be_infinite(operand));
    }
    switch (node.kind) {
      case Kind::kDiv:
        demand_of(Kind_::kNonZero, node.b);
        if (shape.may_be_infinite(node.a) && shape.may_be_infinite(node.b)) {
          demand_of(Kind_::kDefined, id);
        }
        break;
      case Kind::kSqrt:
        demand_of(Kind_::kNonNegative, node.a);
        break;
      case Kind::kLog:
      case Kind::kLog2:
        demand_of(Kind_::kPositive, node.a);
        break;
      case Kind::kUndefined:
        demand_of(Kind_::kDefined, id);
        break;
      case Kind::kAdd:
      case Kind::kSub:
        if (shape.may_be_infinite(node.a) && shape.may_be_infinite(node.b)) {
          demand_of(Kind_::kDefined, id);
        }
        break;
      case Kind::kMul:
      case Kind::kSin:
      case Kind::kCos:
        if (meets_infinity) demand_of(Kind_::kDefined, id);
        break;
      default:
        break;
    }
    visited.emplace(id, guard == kNoReal && open.size() == before);
    if (node.kind == Kind::kIte || node.kind == Kind::kIteBool) {
      reach(node.a, guard);
      reach(node.b, both(guard, node.a, true));
      reach(node.c, both(guard, node.a, false));
    } else {
      // From the copy: a guard made on the way may move the Dag's nodes.
      const RealId operands[] = {node.a, node.b, node.c};
      for (unsigned i = 0; i < info(node.kind).arity; ++i) reach(operands[i], guard);
    }
    shape.update();  // guards are new nodes
  }
  for (const auto& [id, good] : visited) {
    if (!good) continue;
    const auto operands = dag.operands(id);
    if (std::all_of(operands.begin(), operands.end(),
                    [&](RealId o) { return !shape.may_be_undefined(o) || clean.contains(o); })) {
      clean.insert(id);
    }
  }
  // What was found of a sign holds where the argument and the guard exist: from x != 3/x follows
  // x != 0, but not for the other side. It may use it only if that is everywhere.
  for (const Obligation& o : found) {
    if (shape.may_be_undefined(o.argument) && !clean.contains(o.argument)) continue;
    if (o.guard != kNoReal && !exists_everywhere(o.guard)) continue;
    const FormValue& v = base().evaluator.value(o.argument);
    if (!v.is_finite()) continue;
    std::vector<Shown>& facts_of = shown[algebra.intern(v.poly)];
    const bool known = std::any_of(facts_of.begin(), facts_of.end(), [&](const Shown& s) {
      return s.kind == o.kind && s.guard == o.guard;
    });
    if (!known) facts_of.push_back({o.kind, o.guard});
  }
  std::reverse(open.begin(), open.end());
  return open;
}

SignSet Normalizer::Impl::sign_of_node(RealId root) {
  // By structure: squares stay visible here where the form has expanded them.
  Signs& signs = base().signs;
  std::vector<RealId> stack = {root};
  auto known = [&](RealId id) -> const SignSet* {
    const auto place = node_signs.find(id);
    if (place != node_signs.end()) return &place->second;
    stack.push_back(id);
    return nullptr;
  };
  while (!stack.empty()) {
    const RealId id = stack.back();
    if (node_signs.contains(id)) {
      stack.pop_back();
      continue;
    }
    const Node& node = dag[id];
    const size_t before = stack.size();
    SignSet s = SignSet::any();
    auto binary = [&](auto combine) {
      const SignSet* a = known(node.a);
      const SignSet* b = known(node.b);
      if (a != nullptr && b != nullptr) s = combine(*a, *b);
    };
    switch (node.kind) {
      case Kind::kRational:
        s = SignSet::of(sgn(dag.rational_value(id)));
        break;
      case Kind::kLog2E:
        s = SignSet(4);
        break;
      case Kind::kExp:
      case Kind::kExp2:
        s = SignSet(shape.may_be_infinite(node.a) ? 6 : 4);
        break;  // exp(-inf) = 0
      case Kind::kLeaf:
        s = signs.of(base().evaluator.value(id).poly);
        break;
      case Kind::kAbs:
        s = SignSet(6);
        break;
      case Kind::kSqrt:
        if (const SignSet* a = known(node.a)) s = a->is_positive() ? SignSet(4) : SignSet(6);
        break;
      case Kind::kAdd:
        binary([](SignSet a, SignSet b) { return a + b; });
        break;
      case Kind::kSub:
        binary([](SignSet a, SignSet b) { return a + -b; });
        break;
      case Kind::kNeg:
        if (const SignSet* a = known(node.a)) s = -*a;
        break;
      case Kind::kMul:
        binary([&](SignSet a, SignSet b) {
          if (node.a == node.b) return a.is_nonzero() ? SignSet(4) : SignSet(6);
          return a * b;
        });
        break;
      case Kind::kDiv:
        if (shape.may_be_infinite(node.b)) break;  // 1/inf = 0
        binary([](SignSet a, SignSet b) { return a * (b & SignSet(5)); });
        break;
      case Kind::kMax:
        binary([](SignSet a, SignSet b) {
          if (a.is_positive() || b.is_positive()) return SignSet(4);
          if (a.is_nonnegative() || b.is_nonnegative()) return SignSet(6);
          return a.is_nonpositive() && b.is_nonpositive() ? SignSet(3) : SignSet::any();
        });
        break;
      case Kind::kMin:
        binary([](SignSet a, SignSet b) {
          if (a.is_positive() && b.is_positive()) return SignSet(4);
          return a.is_nonnegative() && b.is_nonnegative() ? SignSet(6) : SignSet::any();
        });
        break;
      default:
        break;
    }
    if (stack.size() == before) {
      node_signs.emplace(id, s);
      stack.pop_back();
    }
  }
  return node_signs.at(root);
}

Goal Normalizer::Impl::demand(Context& context, const Obligation& o) {
  const FormValue& v = context.evaluator.value(o.argument);
  Goal goal;
  switch (v.state) {
    case State::kUndefined:
      goal.state = Goal::State::kFails;
      return goal;
    case State::kSplit:
      goal.state = Goal::State::kSplit;
      goal.condition = v.condition;
      return goal;
    case State::kPlusInfinity:
      goal.state = Goal::State::kHolds;
      return goal;
    case State::kMinusInfinity:
      goal.state = o.kind == Kind_::kNonZero || o.kind == Kind_::kDefined ? Goal::State::kHolds
                                                                          : Goal::State::kFails;
      return goal;
    case State::kFinite:
      break;
  }
  if (o.kind == Kind_::kDefined || satisfies(context.signs.of(v.poly), o.kind)) {
    goal.state = Goal::State::kHolds;
    return goal;
  }
  goal.state = v.poly.size() <= 64 ? Goal::State::kUndecided : Goal::State::kFails;
  goal.form = v.poly;
  return goal;
}

bool Normalizer::Impl::discharged(const Obligation& o) {
  const uint64_t key = static_cast<uint64_t>(o.kind) << 32 | o.argument;
  const auto [place, fresh] = discharged_always.try_emplace(key, false);
  if (fresh) {
    bool good = o.kind != Kind_::kDefined && !shape.may_be_infinite(o.argument) &&
                satisfies(sign_of_node(o.argument), o.kind);
    if (!good) {
      Goal goal = demand(base(), o);
      good = goal.state == Goal::State::kHolds;
      if (!good && goal.state != Goal::State::kFails) {
        Cases cases(dag, shape, algebra, base().signs);
        good =
            cases.prove({}, [&](Context& context) { return demand(context, o); }) == Proof::kProved;
      }
    }
    discharged_always[key] = good;
  }
  bool good = discharged_always[key];
  shown_under = kNoReal;
  if (!good && o.guard != kNoReal) {
    std::vector<Decision> given;
    shown_under = o.guard;
    if (!imply(base(), dag, o.guard, true, given)) return true;
    if (!given.empty()) {
      Cases cases(dag, shape, algebra, base().signs);
      good = cases.prove(given, [&](Context& context) { return demand(context, o); }) ==
             Proof::kProved;
    }
  }
  return good;
}

bool Normalizer::Impl::guard_implies(RealId stronger, RealId weaker) {
  if (weaker == kNoReal || weaker == stronger) return true;
  std::vector<Decision> given;
  if (stronger != kNoReal && !imply(base(), dag, stronger, true, given)) return true;
  Cases cases(dag, shape, algebra, base().signs);
  return cases.prove(given, [&](Context& context) {
    const FormValue& v = context.evaluator.value(weaker);
    Goal goal;
    goal.state = v.is_finite()              ? Goal::State::kForm
                 : v.state == State::kSplit ? Goal::State::kSplit
                                            : Goal::State::kFails;
    if (v.is_finite()) goal.form = context.forms.complement(v.poly);
    goal.condition = v.condition;
    return goal;
  }) == Proof::kProved;
}

bool Normalizer::Impl::shown_before(const Obligation& o) {
  const FormValue& v = base().evaluator.value(o.argument);
  if (!v.is_finite()) return false;
  const auto facts_of = shown.find(algebra.intern(v.poly));
  if (facts_of == shown.end()) return false;
  return std::any_of(facts_of->second.begin(), facts_of->second.end(), [&](const Shown& s) {
    return entails(s.kind, o.kind) && guard_implies(o.guard, s.guard);
  });
}

bool Normalizer::Impl::implied(const Obligation& wanted, std::span<const Obligation> given) {
  if (wanted.kind != Kind_::kDefined && shown_before(wanted)) return true;
  std::vector<Decision> decisions;
  if (wanted.guard != kNoReal && !imply(base(), dag, wanted.guard, true, decisions)) return true;
  for (const Obligation& g : given) {
    if (!guard_implies(wanted.guard, g.guard)) continue;
    if (g.kind == Kind_::kDefined) {
      // The reference is not defined where its guard holds and the argument is not.
      if (g.argument == wanted.argument && wanted.kind == Kind_::kDefined) return true;
      if (dag[g.argument].kind == Kind::kUndefined) return true;
      continue;
    }
    if (entails(g.kind, wanted.kind) && g.argument == wanted.argument) return true;
    const FormValue& v = base().evaluator.value(g.argument);
    if (!v.is_finite()) continue;
    decisions.push_back({g.kind == Kind_::kNonZero    ? Decision::Kind::kNonZero
                         : g.kind == Kind_::kPositive ? Decision::Kind::kPositive
                                                      : Decision::Kind::kNonNegative,
                         v.poly, kNoReal, false});
  }
  Cases cases(dag, shape, algebra, base().signs);
  return cases.prove(decisions, [&](Context& context) { return demand(context, wanted); }) ==
         Proof::kProved;
}

std::vector<Obligation> Normalizer::obligations(RealId id) {
  return impl_->obligations(id);
}

Proof Normalizer::implied(const Obligation& wanted, std::span<const Obligation> given) {
  try {
    return impl_->implied(wanted, given) ? Proof::kProved : Proof::kOpen;
  } catch (const base::LimitReached& limit) {
    if (limit.limit() != "expansion") throw;
    return Proof::kOpen;
  }
}

}  // namespace ptxequiv::real
