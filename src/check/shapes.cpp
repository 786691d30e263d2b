#include "check/shapes.h"

#include <algorithm>

namespace ptxequiv::check {
namespace {

uint64_t slot_of(uint32_t buffer, op::Kind kind) {
  return uint64_t{buffer} << 1 | (kind == op::Kind::kInitial ? 1u : 0u);
}

// Is each slot of `place` in `least` too, with no greater an index?
bool covers(std::span<const uint64_t> least, std::span<const uint64_t> place) {
  size_t at = 0;
  for (size_t i = 0; i < place.size(); i += 2, at += 2) {
    while (at < least.size() && least[at] < place[i]) at += 2;
    if (at >= least.size() || least[at] != place[i] || least[at + 1] > place[i + 1]) return false;
  }
  return true;
}

}  // namespace

size_t Sequences::Hash::operator()(Words words) const {
  uint64_t hash = words.size();
  for (const uint64_t word : words) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

bool Sequences::Equal::operator()(Words a, uint32_t b) const {
  return std::ranges::equal(a, (*all)[b]);
}

uint32_t Sequences::intern(Words words) {
  const auto known = index_.find(words);
  if (known != index_.end()) return *known;
  const auto id = static_cast<uint32_t>(starts_.size() - 1);
  words_.insert(words_.end(), words.begin(), words.end());
  starts_.push_back(words_.size());
  index_.insert(id);
  return id;
}

void Shapes::extend() {
  if (forms_.size() == arena_.size()) return;
  forms_.reserve(arena_.size());
  for (auto id = static_cast<TermId>(forms_.size()); id < arena_.size(); ++id) {
    const auto operands = arena_.operands(id);
    forms_.push_back(operands.empty() ? form_of_leaf(arena_[id]) : form_of(arena_[id], operands));
  }
}

Shapes::Form Shapes::form_of_leaf(const term::Node& node) {
  if (!is_contents(node.op.kind)) {
    const uint64_t words[] = {node.op.packed(), uint64_t{node.a} << 32 | node.b, node.c};
    return {shapes_.intern(words), 0};
  }
  const uint64_t slot = slot_of(node.a, node.op.kind);
  const uint64_t words[] = {node.op.packed(), slot};
  const uint64_t place[] = {slot, element_index(node)};
  return {shapes_.intern(words), places_.intern(place)};
}

// The place that has every slot of the operands', with the least index of each.
uint32_t Shapes::least(std::span<const Words> places, std::span<const Form> forms) {
  for (size_t i = 0; i < places.size(); ++i) {
    const bool all = std::ranges::all_of(places, [&](Words p) { return covers(places[i], p); });
    if (all) return forms[i].place;
  }
  merged_.clear();
  size_t at[3] = {0, 0, 0};
  for (;;) {
    constexpr uint64_t kNone = ~uint64_t{0};
    uint64_t slot = kNone, index = kNone;
    for (size_t i = 0; i < places.size(); ++i) {
      if (at[i] < places[i].size()) slot = std::min(slot, places[i][at[i]]);
    }
    if (slot == kNone) return places_.intern(merged_);
    for (size_t i = 0; i < places.size(); ++i) {
      if (at[i] >= places[i].size() || places[i][at[i]] != slot) continue;
      index = std::min(index, places[i][at[i] + 1]);
      at[i] += 2;
    }
    merged_.push_back(slot);
    merged_.push_back(index);
  }
}

// A shape where it lies from `least`: how many indices there are, the shape says.
void Shapes::describe(uint32_t shape, Words place, Words least, std::vector<uint64_t>& out) const {
  out.assign(1, shape);
  size_t at = 0;
  for (size_t i = 0; i < place.size(); i += 2) {
    while (least[at] < place[i]) at += 2;
    out.push_back(place[i + 1] - least[at + 1]);
  }
}

Shapes::Form Shapes::form_of(const term::Node& node, std::span<const TermId> operands) {
  const size_t count = operands.size();
  Form forms[3];
  Words places[3];
  for (size_t i = 0; i < count; ++i) {
    forms[i] = forms_[operands[i]];
    places[i] = places_[forms[i].place];
  }
  const uint32_t place = least({places, count}, {forms, count});
  const Words from = places_[place];
  for (size_t i = 0; i < count; ++i) {
    places[i] = places_[forms[i].place];  // interning may have moved them
    describe(forms[i].shape, places[i], from, parts_[i]);
  }
  if (op::info(node.op.kind).commutative && parts_[1] < parts_[0]) std::swap(parts_[0], parts_[1]);
  now_.assign(1,
              uint64_t{node.op.packed()} << 32 | (node.op.kind == op::Kind::kExtract ? node.b : 0));
  for (size_t i = 0; i < count; ++i) now_.insert(now_.end(), parts_[i].begin(), parts_[i].end());
  if (now_ != last_) {
    last_shape_ = shapes_.intern(now_);
    std::swap(last_, now_);
  }
  return {last_shape_, place};
}

uint32_t Shapes::shape(TermId id) {
  extend();
  return forms_[id].shape;
}

std::vector<uint64_t> Shapes::key(const Element& element) {
  extend();
  const Form forms[2] = {forms_[element.reference], forms_[element.candidate]};
  Words places[2] = {places_[forms[0].place], places_[forms[1].place]};
  const Words from = places_[least(places, forms)];
  std::vector<uint64_t> key = {element.buffer, static_cast<uint64_t>(element.type)};
  for (size_t i = 0; i < 2; ++i) {
    describe(forms[i].shape, places_[forms[i].place], from, parts_[i]);
    key.insert(key.end(), parts_[i].begin(), parts_[i].end());
  }
  // Own initial contents are what says that nothing was written.
  const uint64_t own = slot_of(element.buffer, op::Kind::kInitial);
  for (size_t i = 0; i < from.size(); i += 2) {
    if (from[i] == own) key.push_back(from[i + 1] - element.index);
  }
  return key;
}

}  // namespace ptxequiv::check
