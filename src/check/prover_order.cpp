// Equality of terms that compare and choose among values (real/order.h).
#include "check/prover.h"
#include "check/values.h"
#include "real/order.h"
#include "term/evaluate.h"

namespace ptxequiv::check {

using real::RealId;

namespace {

constexpr size_t kFewNodes = size_t{1} << 17, kManyNodes = size_t{1} << 20;

// By more than rounding explains.
bool differ_clearly(op::Type type, uint64_t a, uint64_t b) {
  if (!op::is_float(type)) return a != b;
  const auto x = value_of(type, a), y = value_of(type, b);
  return x && y && 256 * abs(*x - *y) > abs(*x) + abs(*y);
}

}  // namespace

Prover::Decision Prover::by_order(TermId reference, TermId candidate, op::Type type) {
  real::OrderComparison comparison(
      arena_, [&](TermId id, op::Type as) { return normalizer_.normalize(reading_.read(id, as)); },
      [&](TermId id, op::Type as) {
        const RealId roots[] = {reading_.read(id, as)};
        const real::Dag& dag = reading_.dag();
        for (const RealId below : real::cone(dag, roots)) {
          if (dag[below].kind == real::Kind::kInfinity) return false;
        }
        return true;
      },
      effort_ == Effort::kForms ? kFewNodes : kManyNodes, deadline_);
  const real::OrderAnswer answer = comparison.equal(reference, candidate, type);
  Decision out;
  if (answer.equal) {
    out.proved = true;
    out.step = "order";
    return out;
  }
  for (const auto& difference : answer.differences) {
    smt::Model model;
    for (const auto& choice : difference) {
      const op::Kind kind = arena_.kind(choice.term);
      if (kind != op::Kind::kInput && kind != op::Kind::kScalar) continue;
      model.bits[choice.term] = nearest_bits(choice.type, choice.value);
    }
    const TermId roots[] = {reference, candidate};
    const auto bits = term::evaluate(arena_, roots, [&](TermId id, const term::Node&) {
      const auto found = model.bits.find(id);
      return found == model.bits.end() ? 0 : found->second;
    });
    out.why_open = "algebra";
    if (!differ_clearly(type, bits[0], bits[1])) continue;
    out.model = std::move(model);
    break;
  }
  return out;
}

}  // namespace ptxequiv::check
