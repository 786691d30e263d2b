// Atoms and the algebra's construction.
#include "base/error.h"
#include "real/algebra.h"

namespace ptxequiv::real {
namespace {

bool is_special(const Atom& atom) {
  switch (atom.kind) {
    case AtomKind::kFactor:
    case AtomKind::kPositive:
    case AtomKind::kZero:
    case AtomKind::kBool:
    case AtomKind::kSin:
      return true;
    case AtomKind::kMax:
      return atom.operands.size() == 2;
    default:
      return false;
  }
}

bool is_integral(const Atom& atom) {
  switch (atom.kind) {
    case AtomKind::kFloor:
    case AtomKind::kRint:
    case AtomKind::kTrunc:
    case AtomKind::kPositive:
    case AtomKind::kZero:
    case AtomKind::kBool:
      return true;
    default:
      return atom.integral;
  }
}

}  // namespace

Algebra::Algebra(size_t max_monomials, const base::Deadline& deadline)
    : max_monomials_(max_monomials), deadline_(deadline) {
  record_slots_.assign(size_t{1} << 12, UINT32_MAX);
  poly_slots_.assign(size_t{1} << 10, UINT32_MAX);
  PTXEQUIV_CHECK(intern(Poly{}) == kZeroPoly, "the zero poly comes first");
  PTXEQUIV_CHECK(intern(Poly{{kUnit, 1}}) == kOnePoly, "then the one");
}

AtomId Algebra::add_atom(Atom atom) {
  const auto index = static_cast<AtomId>(atoms_.size());
  PTXEQUIV_CHECK(index < kSpecialAtom, "too many atoms");
  atom.integral = is_integral(atom);
  const AtomId id = is_special(atom) ? index | kSpecialAtom : index;
  atoms_.push_back(std::move(atom));
  return id;
}

AtomId Algebra::leaf(AtomKind kind, RealId node, bool integral) {
  if (node >= leaf_atoms_.size()) leaf_atoms_.resize(size_t{node} + node / 2 + 64, UINT32_MAX);
  AtomId& slot = leaf_atoms_[node];
  if (slot == UINT32_MAX) slot = add_atom({.kind = kind, .integral = integral, .node = node});
  return slot;
}

AtomId Algebra::function(AtomKind kind, PolyId argument) {
  const uint64_t key = static_cast<uint64_t>(kind) << 32 | argument;
  const auto [place, fresh] = function_atoms_.try_emplace(key, 0);
  if (!fresh) return place->second;
  Atom atom{.kind = kind, .argument = argument};
  if (kind == AtomKind::kPositive || kind == AtomKind::kZero) {
    Poly direction = poly(argument);
    if (direction.front().monomial.is_unit()) {
      atom.threshold = -direction.front().coefficient;
      direction.erase(direction.begin());
    }
    Coefficient g = direction.front().coefficient;  // positive: Forms makes them so
    for (const Term& t : direction) g = Coefficient::gcd(g, t.coefficient);
    atom.direction = intern(scale(direction, g.inverse()));
    atom.threshold = atom.threshold / g;
  }
  place->second = add_atom(std::move(atom));
  return place->second;
}

AtomId Algebra::maximum(std::vector<PolyId> operands) {
  PTXEQUIV_CHECK(operands.size() >= 2, "a maximum of fewer than two");
  uint64_t hash = operands.size();
  for (const PolyId p : operands) hash = (hash ^ p) * 0x9e3779b97f4a7c15u + (hash >> 31);
  std::vector<AtomId>& bucket = maxima_[hash];
  for (const AtomId id : bucket) {
    if (atom(id).operands == operands) return id;
  }
  Atom fresh{.kind = AtomKind::kMax};
  fresh.operands = std::move(operands);
  bucket.push_back(add_atom(std::move(fresh)));
  return bucket.back();
}

}  // namespace ptxequiv::real
