// What of an expression is executed on a box, and boxes narrowed by conditions.
#include <algorithm>
#include <set>

#include "real/box_model.h"

namespace ptxequiv::real::bounding {

// Through the selects that are decided on this box.
RealId BoxModels::taken_arm(RealId id) const {
  while (dag_[id].kind == Kind::kIte && at(dag_[id].a).truth != Truth::kUndecided) {
    id = at(dag_[id].a).truth == Truth::kTrue ? dag_[id].b : dag_[id].c;
  }
  return id;
}

Model BoxModels::difference_of(RealId a, RealId b) const {
  std::vector<Model> factors;   // of the difference of what is left
  bool negative = false;
  Model result;
  for (;;) {
    a = taken_arm(a);
    b = taken_arm(b);
    if (a == b) {
      if (at(a).infinite == 0 && !at(a).broken) return constant(Span::integer(0));
      break;
    }
    const Node &x = dag_[a], &y = dag_[b];
    if (x.kind != y.kind) break;
    if (x.kind == Kind::kNeg) {
      negative = !negative;
      a = x.a;
      b = y.a;
      continue;
    }
    const bool commutes = x.kind == Kind::kAdd || x.kind == Kind::kMul;
    if (!commutes && x.kind != Kind::kSub && x.kind != Kind::kDiv) break;
    const RealId left[] = {taken_arm(x.a), taken_arm(x.b)};
    const RealId right[] = {taken_arm(y.a), taken_arm(y.b)};
    int shared = -1, other = -1;   // which operand of x equals which of y
    for (int i = 0; i < 2 && shared < 0; ++i) {
      for (int j = 0; j < 2 && shared < 0; ++j) {
        if (left[i] != right[j] || (!commutes && i != j)) continue;
        shared = i;
        other = j;
      }
    }
    if (shared < 0 || (x.kind == Kind::kDiv && shared == 0)) break;
    const Model& common = at(left[shared]);
    if (common.broken || common.infinite != 0) break;
    if (x.kind == Kind::kMul) factors.push_back(common);
    if (x.kind == Kind::kDiv) factors.push_back(inverse(common));
    if (x.kind == Kind::kSub && shared == 0) negative = !negative;
    a = left[1 - shared];
    b = right[1 - other];
  }
  const Model &x = at(a), &y = at(b);
  if (x.broken || y.broken || x.infinite != 0 || y.infinite != 0) {
    result.broken = true;
    return result;
  }
  result = difference(x, y);
  if (negative) result = scaled(result, Span::integer(-1));
  for (const Model& factor : factors) result = multiply(result, factor, false);
  return result;
}

BoxModels::Path BoxModels::path(RealId root) const {
  Path out;
  std::vector<bool> certain(scope_.nodes.size()), possible(scope_.nodes.size());
  std::vector<std::pair<RealId, bool>> stack{{root, true}};
  while (!stack.empty()) {
    const auto [id, sure] = stack.back();
    stack.pop_back();
    const uint32_t at = scope_.position[id];
    if (certain[at] || (possible[at] && !sure)) continue;
    const bool seen = possible[at];
    possible[at] = true;
    certain[at] = sure;
    const Node& node = dag_[id];
    if (node.kind == Kind::kIte || node.kind == Kind::kIteBool) {
      const Truth truth = this->at(node.a).truth;
      stack.emplace_back(node.a, sure);
      if (truth != Truth::kFalse) stack.emplace_back(node.b, sure && truth == Truth::kTrue);
      if (truth != Truth::kTrue) stack.emplace_back(node.c, sure && truth == Truth::kFalse);
      if (truth == Truth::kUndecided && !seen) out.undecided.push_back(node.a);
      continue;
    }
    for (const RealId operand : dag_.operands(id)) stack.emplace_back(operand, sure);
  }
  for (size_t i = 0; i < scope_.nodes.size(); ++i) {
    if (!models_[i].may_fail) continue;
    if (certain[i]) out.certain.push_back(scope_.nodes[i]);
    if (possible[i]) out.possible.push_back(scope_.nodes[i]);
  }
  std::sort(out.undecided.begin(), out.undecided.end());
  return out;
}

// Where sum of c_i x_i + rest <= 0: each x_i against the least that the others can be.
bool BoxModels::narrow(const Model& w, Box& box) const {
  if (w.range.low.sign() > 0) return false;
  for (size_t i = 0; i < w.linear.size(); ++i) {
    const auto& [variable, factor] = w.linear[i];
    const bool rising = factor.low.sign() > 0;
    if (!rising && factor.high.sign() >= 0) continue;
    Span others = w.rest;
    for (size_t j = 0; j < w.linear.size(); ++j) {
      if (j == i) continue;
      others = arithmetic_.add(
          others, arithmetic_.mul(w.linear[j].second, box_.spans[w.linear[j].first]));
    }
    if (!others.low.finite()) continue;
    const Span limit = arithmetic_.mul(arithmetic_.negate(Span::point(others.low)),
                                       arithmetic_.inverse(factor));
    Span& own = box.spans[variable];
    if (rising && limit.high < own.high) own.high = limit.high;
    if (!rising && own.low < limit.low) own.low = limit.low;
    if (own.empty()) return false;
  }
  return true;
}

bool BoxModels::constrain(RealId condition, bool truth, Box& box) const {
  std::vector<std::pair<RealId, bool>> work{{condition, truth}};
  std::set<RealId> seen;
  while (!work.empty()) {
    const auto [id, holds] = work.back();
    work.pop_back();
    if (!seen.insert(id).second) continue;
    const Truth known = at(id).truth;
    if (known != Truth::kUndecided && (known == Truth::kTrue) != holds) return false;
    box.decided[id] = holds;
    const Node& node = dag_[id];
    switch (node.kind) {
      case Kind::kNot:
        work.emplace_back(node.a, !holds);
        break;
      case Kind::kAnd:
      case Kind::kOr:
        if (holds == (node.kind == Kind::kAnd)) {
          work.emplace_back(node.a, holds);
          work.emplace_back(node.b, holds);
        }
        break;
      case Kind::kLt:
      case Kind::kLe:
      case Kind::kEq: {
        const Model &a = at(node.a), &b = at(node.b);
        if (a.broken || b.broken || a.infinite != 0 || b.infinite != 0) break;
        if (node.kind == Kind::kEq && !holds) break;
        // a <= b, weakly; for a false comparison the other way.
        if (holds && !narrow(difference(a, b), box)) return false;
        if ((!holds || node.kind == Kind::kEq) && !narrow(difference(b, a), box)) return false;
        break;
      }
      default:
        break;
    }
  }
  return true;
}

}  // namespace ptxequiv::real::bounding
