#include "check/shifts.h"

#include <algorithm>

namespace ptxequiv::check {
namespace {

constexpr uint32_t kNever = 0xffffffffu;
constexpr uint64_t kMaxWalks = 8;

bool is_moved(op::Kind kind) {
  return kind == op::Kind::kInput || kind == op::Kind::kInitial;
}

uint32_t slot_of(const term::Node& leaf) {
  return leaf.a << 1 | (leaf.op.kind == op::Kind::kInitial ? 1u : 0u);
}

uint32_t mix(uint64_t x) {
  x *= 0x9e3779b97f4a7c15u;
  return static_cast<uint32_t>(x >> 32 ^ x >> 13);
}

}  // namespace

void Shifts::extend_shapes() {
  const size_t size = arena_.size();
  shapes_.reserve(size);
  for (auto id = static_cast<TermId>(shapes_.size()); id < size; ++id) {
    const term::Node& node = arena_[id];
    const auto operands = arena_.operands(id);
    uint32_t hash = mix(node.op.packed() + 1);
    if (operands.empty()) {
      hash = mix(uint64_t{hash} << 32 | node.a);
      if (!is_moved(node.op.kind)) hash = mix((uint64_t{hash} << 32) + node.b * 31u + node.c);
    } else {
      uint32_t s[3] = {0, 0, 0};
      for (size_t i = 0; i < operands.size(); ++i) s[i] = shapes_[operands[i]];
      if (op::info(node.op.kind).commutative && s[0] > s[1]) std::swap(s[0], s[1]);
      if (node.op.kind == op::Kind::kExtract) s[1] = node.b;
      hash = mix(uint64_t{hash} << 32 | s[0]);
      hash = mix(uint64_t{hash} << 32 | (s[1] * 0x85ebca6bu ^ s[2] * 0xc2b2ae35u));
    }
    shapes_.push_back(hash);
  }
}

uint64_t Shifts::shape(const Element& element) {
  if (shapes_.size() < arena_.size()) extend_shapes();
  const uint64_t sides = uint64_t{shapes_[element.reference]} << 32 | shapes_[element.candidate];
  return sides + element.buffer * 0x9e3779b97f4a7c15u + static_cast<uint64_t>(element.type);
}

bool Shifts::alike(TermId first, TermId second, bool& swapped) const {
  const term::Node& a = arena_[first];
  const term::Node& b = arena_[second];
  if (a.op != b.op || shapes_[first] != shapes_[second]) return false;
  if (a.op.kind == op::Kind::kExtract && a.b != b.b) return false;
  swapped = op::info(a.op.kind).commutative && shapes_[a.a] != shapes_[b.a];
  return true;
}

std::optional<Shifts::ShiftId> Shifts::match_leaf(TermId first, TermId second) {
  const term::Node& a = arena_[first];
  const term::Node& b = arena_[second];
  if (!is_moved(a.op.kind)) {
    if (first == second) return 0;
    return std::nullopt;
  }
  if (a.op != b.op || a.a != b.a) return std::nullopt;
  const auto distance = static_cast<int64_t>(element_index(b) - element_index(a));
  return intern({{slot_of(a), distance}});
}

Shifts::ShiftId Shifts::intern(std::vector<Distance> distances) {
  uint64_t key = 0;
  for (const Distance& d : distances) {
    key = (key ^ d.slot) * 0x9e3779b97f4a7c15u;
    key = (key ^ static_cast<uint64_t>(d.distance)) * 0xd6e8feb86659fd93u;
  }
  std::vector<ShiftId>& known = shift_index_[key];
  for (const ShiftId id : known) {
    if (shifts_[id] == distances) return id;
  }
  known.push_back(static_cast<ShiftId>(shifts_.size()));
  shifts_.push_back(std::move(distances));
  return known.back();
}

std::optional<Shifts::ShiftId> Shifts::join(ShiftId a, ShiftId b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  if (a > b) std::swap(a, b);
  const uint64_t key = uint64_t{a} << 32 | b;
  Recent& recent = recent_[(key * 0x9e3779b97f4a7c15u) >> 52];
  if (recent.key != key) {
    auto [slot, fresh] = joins_.try_emplace(key, kNever);
    if (fresh) {
      std::vector<Distance> merged;
      const std::vector<Distance>& x = shifts_[a];
      const std::vector<Distance>& y = shifts_[b];
      bool agree = true;
      size_t i = 0, k = 0;
      while (i < x.size() || k < y.size()) {
        if (k == y.size() || (i < x.size() && x[i].slot < y[k].slot)) {
          merged.push_back(x[i++]);
        } else if (i == x.size() || y[k].slot < x[i].slot) {
          merged.push_back(y[k++]);
        } else {
          agree = agree && x[i].distance == y[k].distance;
          merged.push_back(x[i++]);
          ++k;
        }
      }
      if (agree) slot->second = intern(std::move(merged));
    }
    recent = {key, slot->second};
  }
  if (recent.shift == kNever) return std::nullopt;
  return recent.shift;
}

std::optional<Shifts::ShiftId> Shifts::match(TermId first, TermId second) {
  if (matches_.size() < arena_.size()) {
    steps_left_ += kMaxWalks * (arena_.size() - matches_.size());
    matches_.resize(arena_.size());
  }
  stack_.clear();
  ShiftId result = 0;                           // of the pair that was finished last
  const auto enter = [&](TermId a, TermId b) {  // false: they do not match
    if (matches_[b].first == a) {
      result = matches_[b].shift;
      return true;
    }
    if (arena_.operands(a).empty()) {
      const auto shift = match_leaf(a, b);
      if (!shift) return false;
      matches_[b] = {a, *shift};
      result = *shift;
      return true;
    }
    if (steps_left_ == 0) return false;
    --steps_left_;
    Frame frame{a, b};
    if (!alike(a, b, frame.swapped)) return false;
    stack_.push_back(frame);
    return true;
  };
  if (!enter(first, second)) return std::nullopt;
  while (!stack_.empty()) {
    Frame& top = stack_.back();
    const auto from = arena_.operands(top.first), to = arena_.operands(top.second);
    const size_t depth = stack_.size();
    while (top.next < from.size()) {
      const unsigned i = top.next;
      const unsigned other = top.swapped && i < 2 ? 1 - i : i;
      // An operand under way is entered again once it is matched, and then found.
      if (!enter(from[i], to[other])) return std::nullopt;
      if (stack_.size() != depth) break;
      const auto joined = join(top.shift, result);
      if (!joined) return std::nullopt;
      top.shift = *joined;
      ++top.next;
    }
    if (stack_.size() != depth) continue;
    matches_[top.second] = {top.first, top.shift};
    result = top.shift;
    stack_.pop_back();
  }
  return result;
}

bool Shifts::moves(const Element& first, const Element& second) {
  if (shapes_.size() < arena_.size()) extend_shapes();
  const auto left = match(first.reference, second.reference);
  if (!left) return false;
  const auto right = match(first.candidate, second.candidate);
  if (!right) return false;
  const auto both = join(*left, *right);
  if (!both) return false;
  // Own initial contents are what says that nothing was written.
  const uint32_t own = first.buffer << 1 | 1u;
  if (first.buffer != second.buffer || first.type != second.type) return false;
  for (const Distance& d : shifts_[*both]) {
    if (d.slot == own && d.distance != static_cast<int64_t>(second.index - first.index))
      return false;
  }
  return true;
}

}  // namespace ptxequiv::check
