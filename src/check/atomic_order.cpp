#include "check/atomic_order.h"

#include <algorithm>

namespace ptxequiv::check {

void AtomicOrder::add(const machine::Outcome& outcome) {
  for (const TermId sum : outcome.unordered_sums) {
    any_ = true;
    if (sum >= is_sum_.size()) is_sum_.resize(size_t{sum} + 1, false);
    is_sum_[sum] = true;
  }
}

bool AtomicOrder::depends(TermId id) {
  if (!any_) return false;
  for (auto next = static_cast<TermId>(depends_.size()); next <= id; ++next) {
    bool below = next < is_sum_.size() && is_sum_[next];
    for (const TermId operand : arena_.operands(next)) below = below || depends_[operand];
    depends_.push_back(below);
  }
  return depends_[id];
}

bool AtomicOrder::shows_in_bits(const real::Reading& reading, real::RealId id) {
  if (!any_) return false;
  const real::Dag& dag = reading.dag();
  std::vector<bool>& shown = shown_[&reading];
  for (auto next = static_cast<real::RealId>(shown.size()); next <= id; ++next) {
    const real::Node& node = dag[next];
    bool below = false;
    if (node.kind == real::Kind::kOpaque || node.kind == real::Kind::kOpaqueBool) {
      below = depends(node.a);
    }
    for (const real::RealId operand : dag.operands(next)) below = below || shown[operand];
    shown.push_back(below);
  }
  return shown[id];
}

}  // namespace ptxequiv::check
