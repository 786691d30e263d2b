#include "check/sizes.h"

#include <algorithm>
#include <set>

#include "check/exact.h"
#include "check/points.h"
#include "check/values.h"

namespace ptxequiv::check {
namespace {

constexpr long kFewValues = 64;          // of a range: all of them are tried
constexpr size_t kMaxValues = 96;        // for each leaf
constexpr size_t kMaxComparisons = 512, kMaxCone = 64;

class Finder {
 public:
  Finder(const term::Arena& arena, const SpecFacts& facts, std::span<const term::TermId> cone)
      : arena_(arena), facts_(facts), cone_(cone) {}

  std::vector<uint64_t> values(term::TermId leaf) {
    const op::Type type = arena_[leaf].op.type;
    const real::Interval range = facts_.leaf_range(arena_[leaf]);
    const mpz_class low = mpq_class(range.low.value_or(least(type))).get_num();
    const mpz_class high = mpq_class(range.high.value_or(greatest(type))).get_num();
    std::set<mpz_class> found;
    const auto add = [&](const mpz_class& value) {
      if (value >= low && value <= high) found.insert(value);
    };
    if (high - low < kFewValues) {
      for (mpz_class v = low; v <= high; ++v) found.insert(v);
    } else {
      for (const mpz_class& at : turning_points(leaf)) {
        for (int off = -1; off <= 2; ++off) {
          if (found.size() < kMaxValues) add(at + off);
        }
      }
      for (const mpz_class& v : {low, mpz_class(low + 1), mpz_class(high - 1), high}) add(v);
    }
    std::vector<uint64_t> out;
    for (const mpz_class& value : found) out.push_back(nearest_bits(type, mpq_class(value)));
    return out;
  }

 private:
  bool depends_only_on(term::TermId id, term::TermId leaf) const {
    const term::TermId roots[] = {id};
    const std::vector<term::TermId> below = term::cone(arena_, roots);
    if (below.size() > kMaxCone) return false;
    bool occurs = false;
    for (const term::TermId other : below) {
      occurs = occurs || other == leaf;
      const bool is_leaf = op::arity(arena_.kind(other)) == 0 && !arena_.is_const(other);
      if (is_leaf && other != leaf) return false;
    }
    return occurs;
  }

  // Where a comparison of a function of the scalar with a constant turns, if that is linear there.
  std::set<mpz_class> turning_points(term::TermId leaf) const {
    std::set<mpz_class> out;
    size_t seen = 0;
    for (const term::TermId id : cone_) {
      const term::Node& node = arena_[id];
      const bool compares = node.op.kind == op::Kind::kEq || node.op.kind == op::Kind::kLtS ||
                            node.op.kind == op::Kind::kLtU;
      if (!compares || seen >= kMaxComparisons) continue;
      for (const auto& [a, b] : {std::pair{node.a, node.b}, {node.b, node.a}}) {
        if (!arena_.is_const(b) || !depends_only_on(a, leaf)) continue;
        ++seen;
        if (const auto at = turn(a, leaf, arena_.const_bits(b), arena_.width(b))) out.insert(*at);
      }
    }
    return out;
  }

  std::optional<mpz_class> turn(term::TermId id, term::TermId leaf, uint64_t constant,
                                unsigned width) const {
    const op::Type as = width == 64 ? op::Type::kS64 : width == 32 ? op::Type::kS32 : op::Type::kNone;
    if (as == op::Type::kNone) return std::nullopt;
    const auto value_at = [&](long x) {
      Point point(arena_, facts_, Draw::kZero, 0);
      point.set(leaf, nearest_bits(arena_[leaf].op.type, mpq_class(x)));
      const term::TermId roots[] = {id};
      return value_of(as, evaluate_exactly(arena_, roots, point)[0].bits)->get_num();
    };
    const mpz_class target = value_of(as, constant)->get_num();
    if (id == leaf) return target;
    const mpz_class first = value_at(64), slope = value_at(65) - first;
    if (slope == 0) return std::nullopt;
    return 64 + (target - first) / slope;
  }

  const term::Arena& arena_;
  const SpecFacts& facts_;
  std::span<const term::TermId> cone_;
};

}  // namespace

std::vector<std::pair<term::TermId, uint64_t>> special_sizes(const term::Arena& arena,
                                                             const SpecFacts& facts,
                                                             std::span<const term::TermId> roots) {
  const std::vector<term::TermId> cone = term::cone(arena, roots);
  std::vector<std::pair<term::TermId, uint64_t>> out;
  for (const term::TermId id : cone) {
    const term::Node& node = arena[id];
    if (node.op.kind != op::Kind::kScalar || !op::info(node.op.type).is_integer) continue;
    if (!facts.has_declared_range(node)) continue;
    for (const uint64_t bits : Finder(arena, facts, cone).values(id)) out.emplace_back(id, bits);
  }
  return out;
}

}  // namespace ptxequiv::check
