#include "check/classes.h"

namespace ptxequiv::check {

uint32_t Classifier::range_class(const term::Node& leaf) {
  const real::Interval range = facts_.leaf_range(leaf);
  if (!range.low || !range.high) return 0;
  return ranges_.try_emplace({*range.low, *range.high}, ranges_.size() + 1).first->second;
}

void Classifier::add_leaf(TermId id) {
  const term::Node& node = arena_[id];
  key_.push_back(node.op.packed());
  const bool renamed = node.op.kind == op::Kind::kInput || node.op.kind == op::Kind::kInitial;
  if (renamed) {
    key_.push_back(leaves_++);
    key_.push_back(range_class(node));
    if (keep_buffers_) key_.push_back(node.a);
  } else {
    key_.push_back(node.a);
    key_.push_back(node.b);
    key_.push_back(node.c);
  }
}

bool Classifier::serialize(TermId root) {
  struct Frame { TermId id; unsigned next; };
  std::vector<Frame> stack{{root, 0}};
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next == 0 && local_.count(top.id)) {
      stack.pop_back();
      continue;
    }
    const auto operands = arena_.operands(top.id);
    if (top.next < operands.size()) {
      const TermId child = operands[top.next++];
      if (!local_.count(child)) stack.push_back({child, 0});
      continue;
    }
    if (local_.size() >= max_nodes_) return false;
    const term::Node& node = arena_[top.id];
    if (operands.empty()) {
      add_leaf(top.id);
    } else {
      key_.push_back(node.op.packed());
      for (TermId child : operands) key_.push_back(local_.at(child));
      if (node.op.kind == op::Kind::kExtract) key_.push_back(node.b);
    }
    local_.emplace(top.id, static_cast<uint32_t>(local_.size()));
    stack.pop_back();
  }
  key_.push_back(local_.at(root));
  return true;
}

std::optional<uint32_t> Classifier::classify(op::Type type, TermId reference, TermId candidate) {
  key_.assign(1, static_cast<uint32_t>(type));
  local_.clear();
  leaves_ = 0;
  if (!serialize(reference) || !serialize(candidate)) return std::nullopt;
  return classes_.try_emplace(key_, static_cast<uint32_t>(classes_.size())).first->second;
}

}  // namespace ptxequiv::check
