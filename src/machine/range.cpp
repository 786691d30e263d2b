#include "machine/range.h"

#include <algorithm>
#include <bit>
#include <unordered_set>

#include "machine/lane.h"

namespace ptxequiv::machine {

using op::Kind;
using term::Node;

namespace {

// Nodes looked at for one question; deeper ones have their full range.
constexpr size_t kMaxNodes = 256;

int64_t signed_min(unsigned width) {
  return sign_extend(uint64_t{1} << (width - 1), width);
}
int64_t signed_max(unsigned width) {
  return static_cast<int64_t>(op::mask(width) >> 1);
}

}  // namespace

Range Range::full(unsigned width) {
  return {0, op::mask(width), signed_min(width), signed_max(width), 0};
}

Range Range::constant(unsigned width, uint64_t value) {
  const auto zeros = value == 0 ? width : static_cast<unsigned>(std::countr_zero(value));
  const int64_t s = sign_extend(value, width);
  return {value, value, s, s, zeros};
}

void Range::tighten(unsigned width) {
  if (high <= static_cast<uint64_t>(signed_max(width))) {
    signed_low = std::max(signed_low, static_cast<int64_t>(low));
    signed_high = std::min(signed_high, static_cast<int64_t>(high));
  }
  if (signed_low >= 0) {
    low = std::max(low, static_cast<uint64_t>(signed_low));
    high = std::min(high, static_cast<uint64_t>(signed_high));
  }
}

Range Ranges::lookup(const Known& known, TermId id) const {
  const Node& node = arena_[id];
  if (node.op.kind == Kind::kConst) return Range::constant(arena_.width(id), arena_.const_bits(id));
  if (const auto it = known.find(id); it != known.end()) return it->second;
  if (node.op.kind == Kind::kInput || node.op.kind == Kind::kScalar) return of_leaf(node);
  return Range::full(arena_.width(id));
}

void Ranges::narrow(Known& known, const Node& comparison, bool value) const {
  const unsigned width = arena_.width(comparison.a);
  Range a = lookup(known, comparison.a), b = lookup(known, comparison.b);
  switch (comparison.op.kind) {
    case Kind::kEq:
      if (!value) return;
      a.low = b.low = std::max(a.low, b.low);
      a.high = b.high = std::min(a.high, b.high);
      a.signed_low = b.signed_low = std::max(a.signed_low, b.signed_low);
      a.signed_high = b.signed_high = std::min(a.signed_high, b.signed_high);
      break;
    case Kind::kLtU:
      if (value) {
        if (b.high > 0) a.high = std::min(a.high, b.high - 1);
        if (a.low < op::mask(width)) b.low = std::max(b.low, a.low + 1);
      } else {
        a.low = std::max(a.low, b.low);
        b.high = std::min(b.high, a.high);
      }
      break;
    case Kind::kLtS:
      if (value) {
        if (b.signed_high > signed_min(width)) {
          a.signed_high = std::min(a.signed_high, b.signed_high - 1);
        }
        if (a.signed_low < signed_max(width))
          b.signed_low = std::max(b.signed_low, a.signed_low + 1);
      } else {
        a.signed_low = std::max(a.signed_low, b.signed_low);
        b.signed_high = std::min(b.signed_high, a.signed_high);
      }
      break;
    default:
      return;
  }
  a.tighten(width);
  b.tighten(width);
  store(known, comparison.a, a);
  store(known, comparison.b, b);
}

// What is known of an extended value is known of the value itself.
void Ranges::store(Known& known, TermId id, Range r) const {
  for (;;) {
    const Node& node = arena_[id];
    if (node.op.kind == Kind::kConst) return;
    known[id] = r;
    if (node.op.kind != Kind::kZext && node.op.kind != Kind::kSext) return;
    const unsigned inner = arena_.width(node.a);
    Range narrow_range = lookup(known, node.a);
    if (node.op.kind == Kind::kZext) {
      narrow_range.low = std::max(narrow_range.low, std::min(r.low, op::mask(inner)));
      narrow_range.high = std::min(narrow_range.high, r.high);
    } else {
      narrow_range.signed_low = std::max(narrow_range.signed_low, r.signed_low);
      narrow_range.signed_high = std::min(narrow_range.signed_high, r.signed_high);
    }
    narrow_range.tighten(inner);
    id = node.a;
    r = narrow_range;
  }
}

void Ranges::assume(Known& known, TermId fact, bool value) const {
  std::vector<Decision> work{{fact, value}};
  while (!work.empty()) {
    const Decision d = work.back();
    work.pop_back();
    const Node& node = arena_[d.condition];
    switch (node.op.kind) {
      case Kind::kNot:
        work.push_back({node.a, !d.value});
        break;
      case Kind::kAnd:
        if (d.value) work.insert(work.end(), {{node.a, true}, {node.b, true}});
        break;
      case Kind::kOr:
        if (!d.value) work.insert(work.end(), {{node.a, false}, {node.b, false}});
        break;
      default:
        narrow(known, node, d.value);
        break;
    }
  }
}

std::vector<TermId> Ranges::below(TermId root) const {
  std::vector<TermId> nodes;
  std::unordered_set<TermId> seen;
  std::vector<TermId> work{root};
  while (!work.empty() && nodes.size() < kMaxNodes) {
    const TermId t = work.back();
    work.pop_back();
    if (!seen.insert(t).second) continue;
    nodes.push_back(t);
    if (arena_.width(t) > 64 || op::info(arena_.kind(t)).is_float) continue;
    for (const TermId operand : arena_.operands(t)) work.push_back(operand);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

Range Ranges::of(TermId id, const Facts& facts) {
  if (facts.empty()) {
    if (const auto it = cache_.find(id); it != cache_.end()) return it->second;
  }
  const std::vector<TermId> nodes = below(id);
  Known bounds;  // from the facts alone
  for (const Decision& fact : facts) assume(bounds, fact.condition, fact.value);
  if (!facts.empty() &&
      std::none_of(nodes.begin(), nodes.end(), [&](TermId t) { return bounds.count(t) != 0; })) {
    return of(id, {});  // they speak of other things
  }
  Known known;
  for (const TermId t : nodes) {
    Range r;
    if (const auto cached = cache_.find(t); facts.empty() && cached != cache_.end()) {
      r = cached->second;
    } else {
      r = compute(arena_[t], known);
    }
    if (const auto it = bounds.find(t); it != bounds.end()) {
      r.low = std::max(r.low, it->second.low);
      r.high = std::min(r.high, it->second.high);
      r.signed_low = std::max(r.signed_low, it->second.signed_low);
      r.signed_high = std::min(r.signed_high, it->second.signed_high);
      r.tighten(arena_.width(t));
    }
    known[t] = r;
  }
  const Range result = lookup(known, id);
  if (facts.empty()) cache_[id] = result;
  return result;
}

namespace {

bool is_comparison(Kind kind) {
  return kind == Kind::kEq || kind == Kind::kLtU || kind == Kind::kLtS;
}

// The condition below all negations; *flip changes with each.
TermId without_nots(const term::Arena& arena, TermId condition, bool* flip) {
  while (arena.kind(condition) == Kind::kNot) {
    condition = arena[condition].a;
    *flip = !*flip;
  }
  return condition;
}

}  // namespace

bool Ranges::decidable(TermId condition) const {
  bool flip = false;
  const Kind kind = arena_.kind(without_nots(arena_, condition, &flip));
  return is_comparison(kind) || kind == Kind::kAnd || kind == Kind::kOr;
}

std::optional<bool> Ranges::compare(TermId condition, const Known& known) const {
  const Node& node = arena_[condition];
  if (!is_comparison(node.op.kind) || arena_.width(node.a) > 64) return std::nullopt;
  const Range a = lookup(known, node.a), b = lookup(known, node.b);
  switch (node.op.kind) {
    case Kind::kEq:
      if (a.low == a.high && b.low == b.high && a.low == b.low) return true;
      if (a.low > b.high || b.low > a.high) return false;
      if (a.signed_low > b.signed_high || b.signed_low > a.signed_high) return false;
      return std::nullopt;
    case Kind::kLtU:
      if (a.high < b.low) return true;
      if (a.low >= b.high) return false;
      return std::nullopt;
    case Kind::kLtS:
      if (a.signed_high < b.signed_low) return true;
      if (a.signed_low >= b.signed_high) return false;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// One part of a conjunction or disjunction may settle it; or all of them do.
std::optional<bool> Ranges::truth(TermId condition, const Facts& facts) {
  bool flip = false;
  condition = without_nots(arena_, condition, &flip);
  const Kind kind = arena_.kind(condition);
  if (kind != Kind::kAnd && kind != Kind::kOr) {
    const auto value = truth_of_comparison(condition, facts);
    return value ? std::optional(*value != flip) : std::nullopt;
  }
  constexpr size_t kMostParts = 16;
  const bool decisive = kind == Kind::kOr;
  bool all = true;
  size_t looked = 0;
  std::vector<TermId> parts{condition};
  while (!parts.empty()) {
    const TermId part = parts.back();
    parts.pop_back();
    if (arena_.kind(part) == kind) {
      parts.insert(parts.end(), {arena_[part].a, arena_[part].b});
      continue;
    }
    if (++looked > kMostParts) return std::nullopt;
    const auto value = truth_of_comparison(part, facts);
    if (value == decisive) return decisive != flip;
    all = all && value.has_value();
  }
  return all ? std::optional(decisive == flip) : std::nullopt;
}

std::optional<bool> Ranges::truth_of_comparison(TermId condition, const Facts& facts) {
  bool flip = false;
  condition = without_nots(arena_, condition, &flip);
  if (!is_comparison(arena_.kind(condition))) return std::nullopt;
  Known known;
  for (const TermId operand : arena_.operands(condition)) {
    if (arena_.width(operand) > 64) return std::nullopt;
    known[operand] = of(operand, facts);
  }
  const auto value = compare(condition, known);
  if (!value) return std::nullopt;
  return *value != flip;
}

}  // namespace ptxequiv::machine
