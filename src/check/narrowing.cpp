#include "check/narrowing.h"

#include <algorithm>

namespace ptxequiv::check {
namespace {

bool rounds(const op::Op& op) {
  const op::KindInfo& info = op::info(op.kind);
  return (info.is_float && op::is_float(op.type) && !info.is_predicate) || op.kind == op::Kind::kFCvt ||
         op.kind == op::Kind::kIToF;
}

std::vector<TermId> roots_of(const std::vector<Element>& elements, TermId Element::*side) {
  std::vector<TermId> roots;
  for (const Element& e : elements) roots.push_back(e.*side);
  return roots;
}

// Precision of the coarsest rounding in a cone, 0 if nothing rounds.
unsigned coarsest(const term::Arena& arena, const std::vector<TermId>& cone) {
  unsigned out = 0;
  for (TermId id : cone) {
    const op::Op& op = arena[id].op;
    if (!rounds(op)) continue;
    const unsigned precision = op::info(op.type).precision;
    if (precision && (out == 0 || precision < out)) out = precision;
  }
  return out;
}

}  // namespace

std::vector<uint32_t> narrowing_origins(const term::Arena& arena, const std::vector<Element>& elements) {
  const std::vector<TermId> left = roots_of(elements, &Element::reference);
  const std::vector<TermId> right = roots_of(elements, &Element::candidate);
  const unsigned reference = coarsest(arena, term::cone(arena, left));
  std::vector<uint32_t> out;
  const std::vector<TermId> cone = term::cone(arena, right);
  const unsigned candidate = coarsest(arena, cone);
  if (candidate == 0 || (reference != 0 && candidate >= reference)) return out;
  // Without any rounding on the reference's side its output format is the yardstick.
  unsigned output = 0;
  for (const Element& e : elements) output = std::max<unsigned>(output, op::info(e.type).precision);
  if (reference == 0 && candidate >= output) return out;
  for (TermId id : cone) {
    const op::Op& op = arena[id].op;
    if (rounds(op) && op::info(op.type).precision == candidate) out.push_back(arena.origin(id));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool may_contract(const term::Arena& arena, const std::vector<Element>& elements) {
  std::vector<TermId> roots = roots_of(elements, &Element::reference);
  const std::vector<TermId> right = roots_of(elements, &Element::candidate);
  roots.insert(roots.end(), right.begin(), right.end());
  for (TermId id : term::cone(arena, roots)) {
    const op::Op& op = arena[id].op;
    if (op.rounding != op::Rounding::kAny) continue;
    if (op.kind != op::Kind::kFAdd && op.kind != op::Kind::kFSub) continue;
    for (TermId operand : arena.operands(id)) {
      const op::Op& inner = arena[operand].op;
      if (inner.kind == op::Kind::kFMul && inner.rounding == op::Rounding::kAny) return true;
    }
  }
  return false;
}

bool has_approximation(const term::Arena& arena, const Element& element) {
  const TermId roots[] = {element.reference, element.candidate};
  for (TermId id : term::cone(arena, roots)) {
    if (arena[id].op.rounding == op::Rounding::kApprox) return true;
  }
  return false;
}

}  // namespace ptxequiv::check
