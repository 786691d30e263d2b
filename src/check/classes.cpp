#include "check/classes.h"

namespace ptxequiv::check {
namespace {

constexpr uint32_t kLarge = 2048;  // nodes of a pair

}  // namespace

uint32_t Classifier::range_class(const term::Node& leaf) {
  const auto [slot, fresh] = range_classes_.try_emplace({leaf.a, leaf.op.type}, 0);
  if (!fresh) return slot->second;
  const real::Interval range = facts_.leaf_range(leaf);
  if (range.low && range.high) {
    slot->second = ranges_.try_emplace({*range.low, *range.high}, ranges_.size() + 1).first->second;
  }
  return slot->second;
}

void Classifier::add_leaf(TermId id) {
  const term::Node& node = arena_[id];
  key_.push_back(node.op.packed());
  if (is_contents(node.op.kind)) {
    key_.push_back(leaves_++);
    key_.push_back(range_class(node));
    if (node.op.kind == op::Kind::kInitial) {
      key_.push_back(node.a == element_->buffer && element_index(node) == element_->index);
    }
    if (keep_buffers_) key_.push_back(node.a);
  } else {
    key_.push_back(node.a);
    key_.push_back(node.b);
    key_.push_back(node.c);
  }
}

bool Classifier::serialize(TermId root) {
  struct Frame {
    TermId id;
    unsigned next;
  };
  std::vector<Frame> stack{{root, 0}};
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next == 0 && numbered(top.id)) {
      stack.pop_back();
      continue;
    }
    const auto operands = arena_.operands(top.id);
    if (top.next < operands.size()) {
      const TermId child = operands[top.next++];
      if (!numbered(child)) stack.push_back({child, 0});
      continue;
    }
    if (nodes_ >= max_nodes_ || (nodes_ == kLarge && !worth_trying())) return false;
    const term::Node& node = arena_[top.id];
    if (operands.empty()) {
      add_leaf(top.id);
    } else {
      key_.push_back(node.op.packed());
      for (TermId child : operands) key_.push_back(number_[child]);
      if (node.op.kind == op::Kind::kExtract) key_.push_back(node.b);
    }
    number_[top.id] = nodes_++;
    stamp_[top.id] = current_;
    stack.pop_back();
  }
  key_.push_back(number_[root]);
  return true;
}

// Walking large terms pays only where they fall into few classes.
bool Classifier::worth_trying() const {
  constexpr uint64_t kTrials = 64;
  return large_ < kTrials || large_known_ * 2 > large_;
}

uint32_t Classifier::classify(const Element& element) {
  const auto [known, fresh] = by_shape_.try_emplace(shapes_.key(element), 0);
  if (fresh) {
    const std::optional<uint32_t> renamed = by_renaming(element);
    known->second = renamed ? *renamed : count_++;
  }
  return known->second;
}

std::optional<uint32_t> Classifier::by_renaming(const Element& element) {
  element_ = &element;
  key_.assign(1, static_cast<uint32_t>(element.type));
  number_.resize(arena_.size());
  stamp_.resize(arena_.size(), current_);
  ++current_;
  nodes_ = leaves_ = 0;
  if (!serialize(element.reference) || !serialize(element.candidate)) return std::nullopt;
  const auto [slot, fresh] = classes_.try_emplace(key_, count_);
  if (fresh) ++count_;
  if (nodes_ > kLarge) {
    ++large_;
    large_known_ += !fresh;
  }
  return slot->second;
}

}  // namespace ptxequiv::check
