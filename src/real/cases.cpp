#include "real/cases.h"

#include <algorithm>

#include "real/zero.h"

namespace ptxequiv::real {
namespace {

constexpr size_t kMaxCases = 400, kMaxDepth = 72;
// With more conditions or maxima than this there is no hope of getting through all cases;
// conditions on integers are mostly thresholds of one variable, so that their cases are few.
constexpr size_t kMaxConditions = 12, kMaxThresholds = 72, kMaxMaxima = 8;
// Maxima of more operands, or of larger ones, are not split.
constexpr size_t kMaxOperands = 8, kMaxTerms = 512;

Decision sign(Decision::Kind kind, Poly p) {
  return {kind, std::move(p), kNoReal, false};
}

}  // namespace

std::vector<std::vector<Decision>> Cases::split_maximum(Context& context, const Atom& atom) {
  if (atom.operands.size() > kMaxOperands) return {};
  // The first pair whose order is open.
  for (size_t i = 0; i < atom.operands.size(); ++i) {
    for (size_t j = i + 1; j < atom.operands.size(); ++j) {
      Poly d = algebra_.add(algebra_.poly(atom.operands[i]), algebra_.poly(atom.operands[j]), -1);
      if (d.size() > kMaxTerms) continue;
      const SignSet s = context.signs.of(d);
      if (s.is_nonnegative() || s.is_nonpositive()) continue;
      Poly minus = algebra_.scale(d, -1);
      return {{sign(Decision::Kind::kNonNegative, std::move(d))},
              {sign(Decision::Kind::kPositive, std::move(minus))}};
    }
  }
  return {};
}

std::vector<std::vector<Decision>> Cases::split(Context& context, const Poly& form) {
  const std::vector<AtomId> atoms = atoms_within(algebra_, form);
  size_t conditions = 0, thresholds = 0, maxima = 0;
  for (const AtomId id : atoms) {
    const Atom& atom = algebra_.atom(id);
    if (atom.kind == AtomKind::kMax) ++maxima;
    if (!is_indicator(atom.kind)) continue;
    const bool integral =
        atom.kind != AtomKind::kBool && context.signs.is_integral(algebra_.poly(atom.argument));
    ++(integral ? thresholds : conditions);
  }
  if (conditions > kMaxConditions || thresholds > kMaxThresholds || maxima > kMaxMaxima) return {};
  std::vector<std::vector<Decision>> later;
  for (const AtomId id : atoms) {
    const Atom& atom = algebra_.atom(id);
    if (atom.kind == AtomKind::kBool) {
      return {{{Decision::Kind::kBool, {}, atom.node, true}},
              {{Decision::Kind::kBool, {}, atom.node, false}}};
    }
    if (atom.kind == AtomKind::kPositive) {
      const Poly& p = algebra_.poly(atom.argument);
      return {{sign(Decision::Kind::kPositive, p)},
              {sign(Decision::Kind::kNonNegative, algebra_.scale(p, -1))}};
    }
    if (atom.kind == AtomKind::kZero) {
      const Poly& p = algebra_.poly(atom.argument);
      // Flags: of whole numbers the sign seldom matters.
      if (context.signs.is_integral(p)) {
        return {{sign(Decision::Kind::kNonZero, p)}, {sign(Decision::Kind::kZero, p)}};
      }
      return {{sign(Decision::Kind::kPositive, p)},
              {sign(Decision::Kind::kPositive, algebra_.scale(p, -1))},
              {sign(Decision::Kind::kZero, p)}};
    }
    if (atom.kind == AtomKind::kMax && later.empty()) later = split_maximum(context, atom);
  }
  return later;
}

Proof Cases::prove(std::vector<Decision> given, const std::function<Goal(Context&)>& goal) {
  const size_t depth_of_given = given.size();
  std::vector<std::vector<Decision>> open;
  open.push_back(std::move(given));
  size_t cases = 0;
  while (!open.empty()) {
    algebra_.deadline().poll();
    if (++cases > kMaxCases) return Proof::kOpen;
    const std::vector<Decision> decisions = std::move(open.back());
    open.pop_back();
    Context context(dag_, shape_, algebra_, base_);
    for (const Decision& d : decisions) apply(context, d);
    if (!decisions.empty() && context.signs.contradictory()) continue;
    Goal g = goal(context);
    if (g.state == Goal::State::kHolds) continue;
    if (g.state == Goal::State::kFails) return Proof::kOpen;
    if (g.state == Goal::State::kForm && is_zero(context.forms, g.form)) continue;
    if (g.state == Goal::State::kSplit) {
      if (g.condition == kNoReal) return Proof::kOpen;
      const FormValue& condition = context.evaluator.value(g.condition);
      if (!condition.is_finite()) return Proof::kOpen;
      g.form = condition.poly;
    }
    if (decisions.size() >= depth_of_given + kMaxDepth) return Proof::kOpen;
    const auto branches = split(context, g.form);
    if (branches.empty()) return Proof::kOpen;
    // A decision made before did not decide it.
    for (const std::vector<Decision>& branch : branches) {
      if (std::find(decisions.begin(), decisions.end(), branch[0]) != decisions.end()) {
        return Proof::kOpen;
      }
    }
    for (const std::vector<Decision>& branch : branches) {
      open.push_back(decisions);
      open.back().insert(open.back().end(), branch.begin(), branch.end());
    }
  }
  return Proof::kProved;
}

}  // namespace ptxequiv::real
