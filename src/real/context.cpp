#include "real/context.h"

#include <algorithm>
#include <unordered_set>

namespace ptxequiv::real {
namespace {

// p = 0 solved for a leaf that occurs once, plainly: the leaf and its value.
std::optional<std::pair<RealId, Poly>> solve(Algebra& algebra, const Poly& p) {
  Factor buffer[3];
  for (const Term& t : p) {
    const auto f = algebra.factors(t.monomial, buffer);
    if (f.size() != 1 || f[0].power != kOnePower || algebra.exponent(t.monomial) != kZeroPoly) {
      continue;
    }
    const AtomId leaf = f[0].atom;
    const Atom& atom = algebra.atom(leaf);
    if (atom.kind != AtomKind::kLeaf && atom.kind != AtomKind::kOpaque) continue;
    const Poly rest = algebra.add(p, {t}, -1);
    const std::vector<AtomId> others = atoms_within(algebra, rest);
    if (std::find(others.begin(), others.end(), leaf) != others.end()) continue;
    return std::pair{atom.node, algebra.scale(rest, (-t.coefficient).inverse())};
  }
  return std::nullopt;
}

}  // namespace

std::vector<AtomId> atoms_within(const Algebra& algebra, const Poly& p) {
  std::unordered_set<AtomId> seen;
  std::unordered_set<PolyId> seen_polys;
  std::vector<AtomId> result;
  std::vector<PolyId> stack;
  auto visit = [&](const Poly& q) {
    Factor buffer[3];
    for (const Term& t : q) {
      if (const PolyId e = algebra.exponent(t.monomial); e != kZeroPoly) stack.push_back(e);
      for (const Factor& f : algebra.factors(t.monomial, buffer)) {
        if (!seen.insert(f.atom).second) continue;
        result.push_back(f.atom);
        const Atom& atom = algebra.atom(f.atom);
        if (atom.argument != kZeroPoly) stack.push_back(atom.argument);
        stack.insert(stack.end(), atom.operands.begin(), atom.operands.end());
      }
    }
  };
  visit(p);
  while (!stack.empty()) {
    const PolyId top = stack.back();
    stack.pop_back();
    if (seen_polys.insert(top).second) visit(algebra.poly(top));
  }
  std::sort(result.begin(), result.end(),
            [](AtomId a, AtomId b) { return (a & ~kSpecialAtom) < (b & ~kSpecialAtom); });
  return result;
}

void apply(Context& context, const Decision& decision) {
  Algebra& algebra = context.forms.algebra();
  switch (decision.kind) {
    case Decision::Kind::kPositive:
      context.signs.assume(decision.poly, Relation::kPositive);
      break;
    case Decision::Kind::kNonNegative:
      context.signs.assume(decision.poly, Relation::kNonNegative);
      break;
    case Decision::Kind::kNonZero:
      context.signs.assume(decision.poly, Relation::kNonZero);
      break;
    case Decision::Kind::kZero: {
      context.signs.assume(decision.poly, Relation::kNonNegative);
      context.signs.assume(algebra.scale(decision.poly, -1), Relation::kNonNegative);
      if (auto solved = solve(algebra, decision.poly)) {
        context.evaluator.substitute(solved->first, std::move(solved->second));
      }
      break;
    }
    case Decision::Kind::kBool:
      context.evaluator.substitute(decision.node, algebra.constant(decision.truth ? 1 : 0));
      break;
  }
}

bool imply(Context& where, const Dag& dag, RealId condition, bool truth,
           std::vector<Decision>& out) {
  Algebra& algebra = where.forms.algebra();
  std::vector<std::pair<RealId, bool>> stack = {{condition, truth}};
  while (!stack.empty()) {
    const auto [id, holds] = stack.back();
    stack.pop_back();
    const Node& node = dag[id];
    switch (node.kind) {
      case Kind::kTrue:
      case Kind::kFalse:
        if ((node.kind == Kind::kTrue) != holds) return false;
        break;
      case Kind::kNot:
        stack.push_back({node.a, !holds});
        break;
      case Kind::kAnd:
      case Kind::kOr:
        if ((node.kind == Kind::kAnd) == holds) {
          stack.push_back({node.a, holds});
          stack.push_back({node.b, holds});
        }
        break;
      case Kind::kOpaqueBool:
        out.push_back({Decision::Kind::kBool, {}, id, holds});
        break;
      case Kind::kLt:
      case Kind::kLe:
      case Kind::kEq: {
        const FormValue& a = where.evaluator.value(node.a);
        const FormValue& b = where.evaluator.value(node.b);
        if (!a.is_finite() || !b.is_finite()) break;
        const Poly up = algebra.add(b.poly, a.poly, -1), down = algebra.scale(up, -1);
        Decision d{node.kind == Kind::kEq   ? Decision::Kind::kZero
                   : node.kind == Kind::kLt ? Decision::Kind::kPositive
                                            : Decision::Kind::kNonNegative,
                   up};
        if (!holds) {
          d.kind = node.kind == Kind::kEq   ? Decision::Kind::kNonZero
                   : node.kind == Kind::kLt ? Decision::Kind::kNonNegative
                                            : Decision::Kind::kPositive;
          d.poly = down;
        }
        out.push_back(std::move(d));
        break;
      }
      default:
        break;
    }
  }
  return true;
}

}  // namespace ptxequiv::real
