#include "real/bdd.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace ptxequiv::real {
namespace {

constexpr uint32_t kNoVariable = 0xffffffff;
constexpr size_t kCacheSize = size_t{1} << 17;

uint64_t mix(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t h = a * 0x9e3779b97f4a7c15u ^ b * 0xc2b2ae3d27d4eb4fu ^ c * 0x165667b19e3779f9u;
  h ^= h >> 29;
  h *= 0xbf58476d1ce4e5b9u;
  return h ^ h >> 32;
}

}  // namespace

Bdd::Bdd(size_t max_nodes, const base::Deadline& deadline)
    : slots_(size_t{1} << 12), cache_(kCacheSize), max_nodes_(max_nodes), deadline_(deadline) {
  nodes_.push_back({kNoVariable, kTrue, kTrue});
}

void Bdd::grow() {
  std::vector<uint32_t> slots(2 * slots_.size());
  const size_t mask = slots.size() - 1;
  for (uint32_t i = 1; i < nodes_.size(); ++i) {
    size_t at = mix(nodes_[i].variable, nodes_[i].high, nodes_[i].low) & mask;
    while (slots[at] != 0) at = (at + 1) & mask;
    slots[at] = i;
  }
  slots_ = std::move(slots);
}

Bdd::Edge Bdd::node(uint32_t variable, Edge high, Edge low) {
  if (high == low) return high;
  const Edge complement = high & 1;
  high ^= complement;
  low ^= complement;
  const size_t mask = slots_.size() - 1;
  size_t at = mix(variable, high, low) & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask) {
    const Node& n = nodes_[slots_[at]];
    if (n.variable == variable && n.high == high && n.low == low)
      return slots_[at] << 1 | complement;
  }
  if (nodes_.size() >= max_nodes_) {
    throw base::LimitReached("decision-diagram", "a decision diagram grew too large");
  }
  if (nodes_.size() % 4096 == 0) deadline_.poll();
  nodes_.push_back({variable, high, low});
  const auto index = static_cast<uint32_t>(nodes_.size() - 1);
  slots_[at] = index;
  if (2 * nodes_.size() > slots_.size()) grow();
  return index << 1 | complement;
}

Bdd::Edge Bdd::conjoin(Edge a, Edge b) {
  if (a > b) std::swap(a, b);
  if (a == kTrue) return b;
  if (a == kFalse || a == negate(b)) return kFalse;
  if (a == b) return a;
  return conjoin_nodes(a, b);
}

Bdd::Edge Bdd::conjoin_nodes(Edge a, Edge b) {
  const size_t slot = mix(a, b, 0) & (kCacheSize - 1);
  if (const Entry& e = cache_[slot]; e.used && e.a == a && e.b == b) return e.result;
  const Node& x = nodes_[a >> 1];
  const Node& y = nodes_[b >> 1];
  const uint32_t top = std::min(x.variable, y.variable);
  const bool of_x = x.variable == top, of_y = y.variable == top;
  const Edge x_high = of_x ? x.high ^ (a & 1) : a, x_low = of_x ? x.low ^ (a & 1) : a;
  const Edge y_high = of_y ? y.high ^ (b & 1) : b, y_low = of_y ? y.low ^ (b & 1) : b;
  const Edge high = conjoin(x_high, y_high);
  const Edge low = conjoin(x_low, y_low);
  const Edge result = node(top, high, low);
  cache_[slot] = {a, b, result, true};
  return result;
}

std::optional<std::vector<std::pair<uint32_t, bool>>> Bdd::assignment(Edge a) const {
  if (a == kFalse) return std::nullopt;
  std::vector<std::pair<uint32_t, bool>> out;
  // Every function but the constant ones is true somewhere: any edge that is not kFalse will do.
  while (a != kTrue) {
    const Node& n = nodes_[a >> 1];
    const Edge low = n.low ^ (a & 1), high = n.high ^ (a & 1);
    const bool takes_high = low == kFalse;
    out.emplace_back(n.variable, takes_high);
    a = takes_high ? high : low;
  }
  return out;
}

bool Bdd::value(Edge a, const std::vector<bool>& variables) const {
  while (a > kFalse) {
    const Node& n = nodes_[a >> 1];
    a = (variables.at(n.variable) ? n.high : n.low) ^ (a & 1);
  }
  return a == kTrue;
}

}  // namespace ptxequiv::real
