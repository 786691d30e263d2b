// Level tolerance: differences that are bounded over all inputs, or shown to be too large.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "check/runner.h"
#include "real/bound.h"
#include "spec/number.h"

namespace ptxequiv::check {

// Equal elements first, which are within any tolerance; then witnesses, then bounds, and last
// what proves equality with more effort.
void Runner::decide_within_tolerance() {
  const auto open = [&] {
    return std::any_of(elements_.begin(), elements_.end(),
                       [](const Element& e) { return e.state == ElementState::kOpen; });
  };
  const bool two_readings = literals_matter();
  World& final_world = world(two_readings);
  timed("classify", [&] { classify(); });
  prove(world(false), Prover::Effort::kForms);
  if (two_readings && open()) prove(final_world, Prover::Effort::kForms);
  if (!open()) return;
  const std::vector<size_t> first_of_kind = classify();
  timed("sample", [&] { refute(final_world, final_world.refuter.search(elements_, first_of_kind)); });
  if (refuted_) return;
  timed("bound", [&] { bound_elements(final_world); });
  if (refuted_ || !open()) return;
  const auto bounds_open = [&] {
    std::map<size_t, std::string> out;
    for (size_t i = 0; i < elements_.size(); ++i) {
      if (elements_[i].state == ElementState::kOpen) out[i] = elements_[i].why_open;
    }
    return out;
  }();
  const ProofLog log = prove(final_world, Prover::Effort::kFull);
  timed("refute", [&] {
    try_models(final_world, log);
    if (!refuted_) look_closely(final_world);
  });
  for (const auto& [i, why] : bounds_open) elements_[i].why_open = why;
}

void Runner::bound_elements(World& w) {
  struct Result {
    bool proved = false;
    std::string why;
  };
  std::map<uint32_t, Result> of_kind;
  uint64_t boxes = 0;
  const auto bound = [&](size_t index) {
    const Element& element = elements_[index];
    Result result;
    const auto stored = w.prover.stored_values(element, result.why);
    if (!stored) return result;
    real::BoundQuestion question;
    question.reference = w.reading.read(stored->first, element.type);
    question.candidate = w.reading.read(stored->second, element.type);
    question.atol = spec::exact(spec_.tolerance->atol).value;
    question.rtol = spec::exact(spec_.tolerance->rtol).value;
    const auto try_point = [&](const std::map<real::RealId, mpq_class>& values) {
      smt::Model model;
      for (const auto& [id, value] : values) model.reals[id] = value;
      return refute(w, w.refuter.confirm(elements_, index, w.refuter.point_of(model)));
    };
    const real::BoundAnswer answer = real::bound_difference(
        w.reading.dag(), w.facts, question, real::BoundOptions{}, deadline_, try_point);
    boxes += answer.boxes;
    result.proved = answer.proved;
    result.why = answer.why == "definedness" || answer.why == "timeout" ? answer.why : "tolerance";
    return result;
  };
  uint64_t done = 0;
  for (size_t i = 0; i < elements_.size() && !refuted_; ++i) {
    Element& element = elements_[i];
    if (element.state != ElementState::kOpen) continue;
    if (options_.progress) options_.progress("bound", ++done, elements_.size());
    Result result;
    if (deadline_.passed()) {
      result.why = "timeout";
    } else if (element.kind) {
      const auto [slot, fresh] = of_kind.try_emplace(*element.kind);
      if (fresh) slot->second = bound(i);
      result = slot->second;
    } else {
      result = bound(i);
    }
    if (refuted_) break;
    element.why_open = result.why;
    if (!result.proved) continue;
    element.state = ElementState::kProved;
    element.reading = &w.reading;
    element.within_tolerance = true;
    ++proof_.steps["bounded"];
  }
  if (boxes > 0) report_.bounds.emplace_back("boxes", boxes);
}

}  // namespace ptxequiv::check
