#include "run/margin.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "op/evaluate.h"

namespace ptxequiv::run {
namespace {

using op::Kind;
using op::Type;
using term::Node;
using term::TermId;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The products of a tensor core so far. Over the reals their order is of no account.
struct Chain {
  double value = 0, radius = 0;
  double magnitude = 0;  // of all terms together, for the rounding of this sum in doubles
  unsigned terms = 0;
  bool known = true;

  void add(Near a, Near b) {
    value += a.value * b.value;
    radius += std::fabs(a.value) * b.radius + std::fabs(b.value) * a.radius + a.radius * b.radius;
    magnitude += std::fabs(a.value * b.value);
    ++terms;
  }
};

class Sweep {
 public:
  explicit Sweep(const term::Arena& arena) : arena_(arena) {}

  std::vector<Margin> run(std::span<const TermId> roots) {
    for (const TermId id : term::cone(arena_, roots)) {
      const Node& node = arena_[id];
      if (op::is_dot(node.op.kind)) {
        link(id, node);
      } else {
        margins_[id] = plain(id, node);
      }
    }
    std::vector<Margin> results;
    for (const TermId root : roots) results.push_back(margins_[root]);
    return results;
  }

 private:
  Margin plain(TermId id, const Node& node) {
    if (node.op.kind == Kind::kConst) return Margin::exact(arena_.const_bits(id));
    if (node.op.kind <= Kind::kHole) return Margin::unknown();
    Margin operands[3];
    const auto ids = arena_.operands(id);
    for (size_t i = 0; i < ids.size(); ++i) operands[i] = margins_[ids[i]];
    return margin_of(node, {operands, ids.size()});
  }

  void link(TermId id, const Node& node) {
    if (node.op.kind == Kind::kDotOpen) {
      Near c;
      Chain& chain = chains_[id];
      chain.known = read_near(margins_[node.a], node.op.type, c);
      chain.add(c, {1, 0});
      return;
    }
    Chain chain = chains_[node.a];
    if (node.op.kind == Kind::kDotTerm) {
      Near a, b;
      chain.known = chain.known && read_near(margins_[node.b], node.op.src, a) &&
                    read_near(margins_[node.c], node.op.src, b);
      chain.add(a, b);
      chains_[id] = chain;
      return;
    }
    if (!chain.known) return;  // margins_[id] is unknown
    const uint64_t bits = op::from_double(node.op.type, chain.value);
    const double rounding = std::fabs(op::to_double(node.op.type, bits) - chain.value) +
                            std::ldexp(chain.magnitude * (chain.terms + 2), -52);
    margins_[id] = Margin::near(node.op.type, bits, chain.radius + rounding);
  }

  const term::Arena& arena_;
  std::unordered_map<TermId, Margin> margins_;
  std::unordered_map<TermId, Chain> chains_;
};

}  // namespace

Margin Margin::near(Type type, uint64_t bits, double radius) {
  const double value = op::to_double(type, bits);
  if (std::isnan(value) || std::isnan(radius) || std::isinf(radius)) return unknown();
  if (std::isinf(value) && radius > 0) return unknown();
  return {State::kNumber, bits, type, radius};
}

std::vector<Margin> margins(const term::Arena& arena, std::span<const TermId> roots) {
  return Sweep(arena).run(roots);
}

double apart(const Margin& reference, const Margin& candidate, Type type) {
  // Room for the rounding of all radii, which are computed in doubles.
  constexpr double kRoom = 1 + 1e-9;
  if (!reference.is_number() || candidate.state == Margin::State::kUnknown) return 0;
  if (!op::is_float(type)) {
    const bool exact = reference.is_exact() && candidate.is_exact();
    const uint64_t mask = op::mask(op::bits(type));
    return exact && ((reference.bits ^ candidate.bits) & mask) != 0 ? kInfinity : 0;
  }
  Near a, b;
  if (!read_near(reference, type, a)) return 0;
  if (!candidate.is_number()) return kInfinity;
  if (!read_near(candidate, type, b) || a.value == b.value) return 0;
  const double allowed = (a.radius + b.radius) * kRoom;
  return allowed == 0 ? kInfinity : std::fabs(a.value - b.value) / allowed;
}

}  // namespace ptxequiv::run
