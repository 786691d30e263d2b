// Arg-reductions of random shapes, right and wrong: whatever is recognised is held against the
// terms' own values, with many ties; and what is right is recognised.
#include "real/arg_reduction.h"

#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "op/evaluate.h"
#include "term/evaluate.h"

namespace ptxequiv::real {
namespace {

using op::Op;
using op::Type;
using term::Arena;
using term::TermId;

struct Part {
  TermId value, index;
  unsigned low, high;  // of the indices
};

// How two parts are combined.
enum class Style : uint8_t {
  kLexicographic,  // better, or equal with the lesser index
  kStrict,         // better: right where the other's indices are all less
  kNotWorse,       // better or equal: right where the other's indices are all greater
  kWrongTie,       // better, or equal with the greater index
  kWrongValue,     // worse
  kMixed,          // better, or index less
  kCount
};

class Builder {
 public:
  explicit Builder(uint64_t seed) : random_(seed) {}

  Part leaf(unsigned i) {
    const TermId value = arena.leaf(op::Kind::kInput, Type::kF32, 0, i);
    return {value, arena.constant(32, i), i, i};
  }
  TermId compare(op::Kind kind, Type type, TermId a, TermId b) {
    return arena.make(Op{.kind = kind, .type = type}, a, b);
  }
  Part combine(const Part& a, const Part& b, Style style) {
    const TermId better = compare(op::Kind::kFLt, Type::kF32, a.value, b.value);
    const TermId equal = compare(op::Kind::kFEq, Type::kF32, a.value, b.value);
    const TermId less = compare(op::Kind::kLtS, Type::kB32, b.index, a.index);
    const TermId greater = compare(op::Kind::kLtS, Type::kB32, a.index, b.index);
    TermId take = better;
    switch (style) {
      case Style::kLexicographic:
        take = arena.logic_or(better, arena.logic_and(equal, less));
        break;
      case Style::kStrict:
        break;
      case Style::kNotWorse:
        take = compare(op::Kind::kFLe, Type::kF32, a.value, b.value);
        break;
      case Style::kWrongTie:
        take = arena.logic_or(better, arena.logic_and(equal, greater));
        break;
      case Style::kWrongValue:
        take = compare(op::Kind::kFLt, Type::kF32, b.value, a.value);
        break;
      default:
        take = arena.logic_or(better, less);
    }
    TermId value = arena.select(take, b.value, a.value);
    if (style == Style::kLexicographic && random_() % 3 == 0) {
      value = arena.make(Op{.kind = op::Kind::kFMax, .type = Type::kF32}, a.value, b.value);
    }
    return {value, arena.select(take, b.index, a.index), std::min(a.low, b.low),
            std::max(a.high, b.high)};
  }
  // A random tree over the leaves in random order; `wrong` of its nodes have a random style.
  Part tree(unsigned leaves, unsigned wrong) {
    std::vector<Part> parts;
    for (unsigned i = 0; i < leaves; ++i) parts.push_back(leaf(i));
    if (random_() % 2) std::shuffle(parts.begin(), parts.end(), random_);
    unsigned left = leaves - 1;
    while (parts.size() > 1) {
      const size_t i = random_() % (parts.size() - 1);
      const Part &a = parts[i], &b = parts[i + 1];
      Style style = Style::kLexicographic;
      if (a.high < b.low && random_() % 2) style = Style::kStrict;
      if (b.high < a.low && random_() % 2) style = Style::kNotWorse;
      if (random_() % left < wrong) {
        style = static_cast<Style>(random_() % static_cast<unsigned>(Style::kCount));
        --wrong;
      }
      --left;
      parts[i] = combine(a, b, style);
      parts.erase(parts.begin() + static_cast<long>(i) + 1);
    }
    return parts[0];
  }
  // What the term gives, and the best place by the claim, at a point with few different values.
  void hold(TermId index, const ArgReduction& claim) {
    for (int point = 0; point < 60; ++point) {
      std::map<uint32_t, double> values;
      const auto value = [&](uint32_t i) {
        const auto [at, fresh] = values.try_emplace(i, 0);
        if (fresh) at->second = static_cast<double>(random_() % 3);
        return at->second;
      };
      const TermId roots[] = {index};
      const uint64_t got = term::evaluate(arena, roots, [&](TermId, const term::Node& node) {
        return op::from_double(Type::kF32, value(node.b));
      })[0];
      const bool greatest = claim.sense == ArgReduction::Sense::kGreatest;
      const auto at = [&](const ArgReduction::Entry& e) {
        const double v = value(arena[e.value].b);
        return greatest ? v : -v;
      };
      double best = at(claim.entries[0]);
      for (const auto& e : claim.entries) best = std::max(best, at(e));
      std::vector<uint64_t> places;
      for (const auto& e : claim.entries) {
        if (at(e) == best) places.push_back(e.index);
      }
      if (claim.first) REQUIRE(got == places.front());
      if (claim.last) REQUIRE(got == places.back());
    }
  }

  Arena arena;

 private:
  std::mt19937_64 random_;
};

TEST_CASE("right arg-reductions of any shape are recognised, and equal") {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Builder b(seed);
    const TermId one = b.tree(12, 0).index, two = b.tree(12, 0).index;
    Reading reading(b.arena, nullptr, {});
    const auto found = arg_reductions(reading, one);
    REQUIRE_FALSE(found.empty());
    for (const ArgReduction& claim : found) {
      CHECK(claim.entries.size() == 12);
      b.hold(one, claim);
    }
    CHECK(same_arg_reduction(reading, one, two, [](TermId x, TermId y, Type) { return x == y; }));
  }
}

TEST_CASE("what is recognised of wrong arg-reductions is still true") {
  size_t claims = 0, refused = 0, different = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Builder b(1000 + seed);
    const TermId right = b.tree(7, 0).index, wrong = b.tree(7, 1).index;
    Reading reading(b.arena, nullptr, {});
    const auto found = arg_reductions(reading, wrong);
    refused += found.empty();
    for (const ArgReduction& claim : found) {
      ++claims;
      b.hold(wrong, claim);
    }
    if (!same_arg_reduction(reading, right, wrong,
                            [](TermId x, TermId y, Type) { return x == y; })) {
      ++different;
    }
  }
  CHECK(claims > 20);
  CHECK(refused > 100);
  CHECK(different > 150);
}

TEST_CASE("the least index at which the maximum stands") {
  Builder b(7);
  Arena& arena = b.arena;
  const auto best = [&](unsigned count) {
    TermId value = b.leaf(0).value;
    for (unsigned i = 1; i < count; ++i) {
      value = arena.make(Op{.kind = op::Kind::kFMax, .type = Type::kF32}, value, b.leaf(i).value);
    }
    return value;
  };
  const auto where = [&](TermId maximum, unsigned count, uint64_t beyond, unsigned step) {
    TermId all = arena.constant(32, beyond);
    for (unsigned i = 0; i < count; ++i) {
      const TermId test = b.compare(op::Kind::kFEq, Type::kF32, b.leaf(i).value, maximum);
      const TermId item =
          arena.select(test, arena.constant(32, i * step), arena.constant(32, beyond));
      all = arena.make(Op{.kind = op::Kind::kMinS, .type = Type::kB32}, all, item);
    }
    return all;
  };
  Reading reading(arena, nullptr, {});
  const auto same = [&](TermId x, TermId y) {
    return same_arg_reduction(reading, x, y, [](TermId p, TermId q, Type) { return p == q; });
  };
  const TermId tree = b.tree(6, 0).index;
  const TermId right = where(best(6), 6, 100, 1);
  CHECK(same(tree, right));
  for (const ArgReduction& claim : arg_reductions(reading, right)) b.hold(right, claim);
  CHECK_FALSE(same(tree, where(best(6), 6, 4, 1)));    // a real index is not beyond
  CHECK_FALSE(same(tree, where(best(6), 6, 100, 2)));  // other indices
  CHECK_FALSE(same(tree, where(best(5), 6, 100, 1)));  // the maximum of fewer
  CHECK_FALSE(same(tree, where(best(6), 5, 100, 1)));  // one value never looked at
}

TEST_CASE("values that may be undefined are no arg-reduction") {
  Builder b(9);
  Arena& arena = b.arena;
  Part x = b.leaf(0), y = b.leaf(1);
  y.value = arena.make(Op{.kind = op::Kind::kFRcp, .type = Type::kF32}, y.value);
  const TermId index = b.combine(x, y, Style::kLexicographic).index;
  Reading reading(arena, nullptr, {});
  CHECK(arg_reductions(reading, index).empty());
}

}  // namespace
}  // namespace ptxequiv::real
