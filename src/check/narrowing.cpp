#include "check/narrowing.h"

#include <algorithm>
#include <unordered_set>

namespace ptxequiv::check {
namespace {

// Significand bits of what an operation rounds to, or cuts its operands to; 0 if it does neither.
unsigned rounds_to(const op::Op& op) {
  const unsigned precision = op::info(op.type).precision;
  switch (op.kind) {
    case op::Kind::kFCvt:
      return precision < op::info(op.src).precision ? precision : 0;
    case op::Kind::kIToF:
      return precision;
    case op::Kind::kDotOpen:  // only the end of a tensor core's pass rounds
      return 0;
    case op::Kind::kDotTerm:
      return op.src == op::Type::kTF32 ? op::info(op.src).precision : 0u;
    default:
      break;
  }
  const op::KindInfo& info = op::info(op.kind);
  return info.is_float && op::is_float(op.type) && !info.is_predicate ? precision : 0;
}

// The same for arithmetic alone: in what it is computed, whatever it is stored as afterwards.
unsigned computes_in(const op::Op& op) {
  return op.kind == op::Kind::kFCvt || op.kind == op::Kind::kIToF ? 0 : rounds_to(op);
}

using Measure = unsigned (*)(const op::Op& op);

// One element of each kind: the others consist of the same operations.
std::vector<TermId> roots_of(const std::vector<Element>& elements, TermId Element::*side) {
  std::vector<TermId> roots;
  std::unordered_set<uint32_t> kinds;
  for (const Element& e : elements) {
    if (!e.kind || kinds.insert(*e.kind).second) roots.push_back(e.*side);
  }
  return roots;
}

// The least of a measure in a cone, 0 if nothing has it.
unsigned coarsest(const term::Arena& arena, const std::vector<TermId>& cone, Measure measure) {
  unsigned out = 0;
  for (TermId id : cone) {
    const unsigned precision = measure(arena[id].op);
    if (precision != 0 && (out == 0 || precision < out)) out = precision;
  }
  return out;
}

}  // namespace

std::vector<uint32_t> narrowing_origins(const term::Arena& arena,
                                        const std::vector<Element>& elements) {
  const std::vector<TermId> left = roots_of(elements, &Element::reference);
  const std::vector<TermId> right = roots_of(elements, &Element::candidate);
  const std::vector<TermId> reference_cone = term::cone(arena, left);
  const std::vector<TermId> cone = term::cone(arena, right);
  // Without any rounding on the reference's side its output format is the yardstick.
  unsigned output = 0;
  for (const Element& e : elements) output = std::max<unsigned>(output, op::info(e.type).precision);
  std::vector<uint32_t> out;
  for (const Measure measure : {rounds_to, computes_in}) {
    const unsigned reference = coarsest(arena, reference_cone, measure);
    const unsigned candidate = coarsest(arena, cone, measure);
    if (candidate == 0 || candidate >= (reference != 0 ? reference : output)) continue;
    for (TermId id : cone) {
      if (measure(arena[id].op) == candidate) out.push_back(arena.origin(id));
    }
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

std::vector<bool> floats_below(const term::Arena& arena) {
  return term::any_below(arena, [&](TermId id) { return op::info(arena.kind(id)).is_float; });
}

bool has_approximation(const term::Arena& arena, const Element& element) {
  const TermId roots[] = {element.reference, element.candidate};
  for (TermId id : term::cone(arena, roots)) {
    if (arena[id].op.rounding == op::Rounding::kApprox) return true;
  }
  return false;
}

}  // namespace ptxequiv::check
