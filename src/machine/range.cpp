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
__extension__ typedef __int128 Wide;

int64_t signed_min(unsigned width) { return sign_extend(uint64_t{1} << (width - 1), width); }
int64_t signed_max(unsigned width) { return static_cast<int64_t>(op::mask(width) >> 1); }

// The range of an exact result [low, high] reduced to `width` bits.
Range wrapped(unsigned width, Wide low, Wide high, Wide signed_low, Wide signed_high,
              unsigned zeros) {
  Range r = Range::full(width);
  if (low >= 0 && high <= static_cast<Wide>(op::mask(width))) {
    r.low = static_cast<uint64_t>(low);
    r.high = static_cast<uint64_t>(high);
  }
  if (signed_low >= signed_min(width) && signed_high <= signed_max(width)) {
    r.signed_low = static_cast<int64_t>(signed_low);
    r.signed_high = static_cast<int64_t>(signed_high);
  }
  r.zeros = std::min(zeros, width);
  r.tighten(width);
  return r;
}

Range product(unsigned width, const Range& a, const Range& b) {
  const Wide corners[] = {Wide{a.signed_low} * b.signed_low, Wide{a.signed_low} * b.signed_high,
                          Wide{a.signed_high} * b.signed_low, Wide{a.signed_high} * b.signed_high};
  const bool fits = std::bit_width(a.high) + std::bit_width(b.high) <= 64;
  const Wide high = fits ? Wide{a.high} * b.high : Wide{op::mask(width)} + 1;
  return wrapped(width, fits ? Wide{a.low} * b.low : Wide{0}, high,
                 *std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4),
                 a.zeros + b.zeros);
}

Range united(unsigned width, const Range& a, const Range& b) {
  Range r;
  r.low = std::min(a.low, b.low);
  r.high = std::max(a.high, b.high);
  r.signed_low = std::min(a.signed_low, b.signed_low);
  r.signed_high = std::max(a.signed_high, b.signed_high);
  r.zeros = std::min({a.zeros, b.zeros, width});
  return r;
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

Range Ranges::of_select(const Node& node, const Known& known) const {
  // A clamp: an arm that the condition itself compares is bounded by it.
  Range arms[2];
  for (const bool taken : {true, false}) {
    const TermId arm = taken ? node.b : node.c;
    Known local;
    local.emplace(arm, lookup(known, arm));
    if (arena_.is_const(arm)) {
      arms[taken ? 0 : 1] = lookup(known, arm);
      continue;
    }
    for (const TermId operand : {arena_[node.a].a, arena_[node.a].b}) {
      const Kind kind = arena_.kind(node.a);
      if (kind != Kind::kLtS && kind != Kind::kLtU && kind != Kind::kEq) break;
      local.emplace(operand, lookup(known, operand));
    }
    assume(local, node.a, taken);
    arms[taken ? 0 : 1] = lookup(local, arm);
  }
  return united(op::result_bits(node.op), arms[0], arms[1]);
}

Range Ranges::of_leaf(const Node& node) const {
  const unsigned width = op::bits(node.op.type);
  const std::optional<IntegerRange>* declared = nullptr;
  if (node.op.kind == Kind::kInput) declared = &context_.buffers[node.a].range;
  if (node.op.kind == Kind::kScalar) declared = &context_.scalars[node.a].range;
  Range r = Range::full(width);
  if (declared == nullptr || !declared->has_value() || !op::info(node.op.type).is_integer) return r;
  const IntegerRange& bounds = **declared;
  if (op::is_signed(node.op.type)) {
    r.signed_low = std::max(r.signed_low, bounds.low);
    r.signed_high = std::min(r.signed_high, bounds.high);
  } else {
    if (bounds.low > 0) r.low = static_cast<uint64_t>(bounds.low);
    if (bounds.high >= 0) r.high = std::min(r.high, static_cast<uint64_t>(bounds.high));
  }
  r.tighten(width);
  return r;
}

Range Ranges::compute(const Node& node, const Known& known) const {
  if (node.op.kind == Kind::kInput || node.op.kind == Kind::kScalar) return of_leaf(node);
  const unsigned width = op::result_bits(node.op);
  if (width > 64) return Range::full(64);
  const unsigned arity = op::arity(node.op.kind);
  Range a, b;
  if (arity > 0) a = lookup(known, node.a);
  if (arity > 1) b = lookup(known, node.b);
  const bool b_const = arity > 1 && b.low == b.high;
  switch (node.op.kind) {
    case Kind::kZext: {
      Range r = Range::full(width);
      r.low = a.low, r.high = a.high, r.zeros = a.zeros;
      r.tighten(width);
      return r;
    }
    case Kind::kSext: {
      Range r = Range::full(width);
      r.signed_low = a.signed_low, r.signed_high = a.signed_high, r.zeros = a.zeros;
      r.tighten(width);
      return r;
    }
    case Kind::kExtract:
      if (node.b == 0 && a.high <= op::mask(width)) {
        Range r = Range::full(width);
        r.low = a.low, r.high = a.high, r.zeros = std::min(a.zeros, width);
        r.tighten(width);
        return r;
      }
      if (node.b == 0) {
        Range r = wrapped(width, -1, -1, a.signed_low, a.signed_high, a.zeros);
        return r;
      }
      return Range::full(width);
    case Kind::kConcat: {
      const unsigned half = width / 2;
      return wrapped(width, Wide{a.low} << half | Wide{b.low}, (Wide{a.high} << half) + Wide{b.high},
                     -1, Wide{1} << 100, b.zeros < half ? b.zeros : half + a.zeros);
    }
    case Kind::kAdd:
      return wrapped(width, Wide{a.low} + b.low, Wide{a.high} + b.high,
                     Wide{a.signed_low} + b.signed_low, Wide{a.signed_high} + b.signed_high,
                     std::min(a.zeros, b.zeros));
    case Kind::kSub:
      return wrapped(width, Wide{a.low} - Wide{b.high}, Wide{a.high} - Wide{b.low},
                     Wide{a.signed_low} - b.signed_high, Wide{a.signed_high} - b.signed_low,
                     std::min(a.zeros, b.zeros));
    case Kind::kMul: return product(width, a, b);
    case Kind::kShl:
      if (b_const && b.low < width && b.low < 63) {
        return product(width, a, Range::constant(64, uint64_t{1} << b.low));
      }
      return Range::full(width);
    case Kind::kShrU:
      if (b_const && b.low < width) {
        return wrapped(width, a.low >> b.low, a.high >> b.low, 0, Wide{1} << 100,
                       a.zeros > b.low ? a.zeros - static_cast<unsigned>(b.low) : 0);
      }
      return wrapped(width, 0, a.high, -1, Wide{1} << 100, 0);
    case Kind::kShrS:
      if (b_const && b.low < width) {
        return wrapped(width, -1, -1, a.signed_low >> b.low, a.signed_high >> b.low, 0);
      }
      return Range::full(width);
    case Kind::kAnd:
      return wrapped(width, 0, std::min(a.high, b.high), -1, Wide{1} << 100,
                     std::max(a.zeros, b.zeros));
    case Kind::kOr:
    case Kind::kXor: {
      const unsigned top = static_cast<unsigned>(std::bit_width(a.high | b.high));
      const uint64_t low = node.op.kind == Kind::kOr ? std::max(a.low, b.low) : 0;
      return wrapped(width, low, op::mask(top == 0 ? 1 : top), -1, Wide{1} << 100,
                     std::min(a.zeros, b.zeros));
    }
    case Kind::kRemU:
      if (b.low > 0) {
        return wrapped(width, 0, std::min<uint64_t>(a.high, b.high - 1), -1, Wide{1} << 100, 0);
      }
      return Range::full(width);
    case Kind::kRemS:
      if (b_const && b.signed_low > 0) {
        return wrapped(width, -1, -1, std::max(std::min<int64_t>(a.signed_low, 0), 1 - b.signed_low),
                       std::min(std::max<int64_t>(a.signed_high, 0), b.signed_low - 1), 0);
      }
      return Range::full(width);
    case Kind::kDivU:
      if (b.low > 0) return wrapped(width, a.low / b.high, a.high / b.low, -1, Wide{1} << 100, 0);
      return Range::full(width);
    case Kind::kMinU:
      return wrapped(width, std::min(a.low, b.low), std::min(a.high, b.high), -1, Wide{1} << 100,
                     std::min(a.zeros, b.zeros));
    case Kind::kMaxU:
      return wrapped(width, std::max(a.low, b.low), std::max(a.high, b.high), -1, Wide{1} << 100,
                     std::min(a.zeros, b.zeros));
    case Kind::kMinS:
      return wrapped(width, -1, -1, std::min(a.signed_low, b.signed_low),
                     std::min(a.signed_high, b.signed_high), std::min(a.zeros, b.zeros));
    case Kind::kMaxS:
      return wrapped(width, -1, -1, std::max(a.signed_low, b.signed_low),
                     std::max(a.signed_high, b.signed_high), std::min(a.zeros, b.zeros));
    case Kind::kPopc:
    case Kind::kClz: return wrapped(width, 0, op::bits(node.op.src), -1, Wide{1} << 100, 0);
    case Kind::kBfeU: {
      const Range c = lookup(known, node.c);
      if (c.high < width) return wrapped(width, 0, op::mask(c.high == 0 ? 1 : static_cast<unsigned>(c.high)), -1, Wide{1} << 100, 0);
      return Range::full(width);
    }
    case Kind::kSelect: return of_select(node, known);
    default: return Range::full(width);
  }
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
        if (a.signed_low < signed_max(width)) b.signed_low = std::max(b.signed_low, a.signed_low + 1);
      } else {
        a.signed_low = std::max(a.signed_low, b.signed_low);
        b.signed_high = std::min(b.signed_high, a.signed_high);
      }
      break;
    default: return;
  }
  a.tighten(width);
  b.tighten(width);
  if (!arena_.is_const(comparison.a)) known[comparison.a] = a;
  if (!arena_.is_const(comparison.b)) known[comparison.b] = b;
}

void Ranges::assume(Known& known, TermId fact, bool value) const {
  std::vector<Decision> work{{fact, value}};
  while (!work.empty()) {
    const Decision d = work.back();
    work.pop_back();
    const Node& node = arena_[d.condition];
    switch (node.op.kind) {
      case Kind::kNot: work.push_back({node.a, !d.value}); break;
      case Kind::kAnd:
        if (d.value) work.insert(work.end(), {{node.a, true}, {node.b, true}});
        break;
      case Kind::kOr:
        if (!d.value) work.insert(work.end(), {{node.a, false}, {node.b, false}});
        break;
      default: narrow(known, node, d.value); break;
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
  Known bounds;   // from the facts alone
  for (const Decision& fact : facts) assume(bounds, fact.condition, fact.value);
  if (!facts.empty() && std::none_of(nodes.begin(), nodes.end(),
                                     [&](TermId t) { return bounds.count(t) != 0; })) {
    return of(id, {});   // they speak of other things
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

bool Ranges::decidable(TermId condition) const {
  while (arena_.kind(condition) == Kind::kNot) condition = arena_[condition].a;
  const Kind kind = arena_.kind(condition);
  return kind == Kind::kEq || kind == Kind::kLtU || kind == Kind::kLtS;
}

std::optional<bool> Ranges::compare(TermId condition, const Known& known) const {
  const Node& node = arena_[condition];
  const Range a = lookup(known, node.a), b = lookup(known, node.b);
  switch (node.op.kind) {
    case Kind::kEq:
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
    default: return std::nullopt;
  }
}

std::optional<bool> Ranges::truth(TermId condition, const Facts& facts) {
  if (!decidable(condition)) return std::nullopt;
  bool flip = false;
  while (arena_.kind(condition) == Kind::kNot) {
    condition = arena_[condition].a;
    flip = !flip;
  }
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
