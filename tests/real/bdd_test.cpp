// Decision diagrams against truth tables, and what is known of bits against all their values.
#include "real/bdd.h"

#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <random>

#include "base/error.h"
#include "real/rails.h"

namespace ptxequiv::real {
namespace {

constexpr unsigned kVariables = 5;

std::vector<bool> assignment(unsigned row) {
  std::vector<bool> out;
  for (unsigned i = 0; i < kVariables; ++i) out.push_back((row >> i & 1) != 0);
  return out;
}

TEST_CASE("decision diagrams agree with truth tables, and equal functions are one edge") {
  const base::Deadline deadline = base::Deadline::never();
  Bdd bdd(1 << 16, deadline);
  std::mt19937 random(7);
  std::vector<std::pair<Bdd::Edge, uint32_t>> made{{Bdd::kTrue, 0xffffffff}};
  for (unsigned i = 0; i < kVariables; ++i) {
    uint32_t table = 0;
    for (unsigned row = 0; row < 32; ++row) table |= (row >> i & 1u) << row;
    made.emplace_back(bdd.variable(i), table);
  }
  for (int step = 0; step < 3000; ++step) {
    const auto pick = [&] { return made[random() % made.size()]; };
    const auto [a, ta] = pick();
    const auto [b, tb] = pick();
    const auto [c, tc] = pick();
    switch (random() % 4) {
      case 0:
        made.emplace_back(bdd.conjoin(a, b), ta & tb);
        break;
      case 1:
        made.emplace_back(bdd.disjoin(a, b), ta | tb);
        break;
      case 2:
        made.emplace_back(Bdd::negate(a), ~ta);
        break;
      default:
        made.emplace_back(bdd.choose(c, a, b), (tc & ta) | (~tc & tb));
        break;
    }
  }
  std::map<uint32_t, Bdd::Edge> canonical;
  for (const auto& [edge, table] : made) {
    for (unsigned row = 0; row < 32; ++row) {
      REQUIRE(bdd.value(edge, assignment(row)) == ((table >> row & 1) != 0));
    }
    REQUIRE(canonical.try_emplace(table, edge).first->second == edge);
    const auto path = bdd.assignment(edge);
    REQUIRE(path.has_value() == (table != 0));
    if (!path) continue;
    std::vector<bool> values(kVariables);
    for (const auto& [variable, value] : *path) values[variable] = value;
    CHECK(bdd.value(edge, values));
  }
  CHECK(bdd.implies(bdd.conjoin(bdd.variable(0), bdd.variable(1)), bdd.variable(1)));
  CHECK_FALSE(bdd.implies(bdd.variable(1), bdd.variable(0)));
}

TEST_CASE("decision diagrams that grow too large give up") {
  const base::Deadline deadline = base::Deadline::never();
  Bdd bdd(100, deadline);
  const auto build = [&] {
    // Pairs of variables far apart: exponential in this order.
    Bdd::Edge all = Bdd::kFalse;
    for (uint32_t i = 0; i < 12; ++i) {
      all = bdd.disjoin(all, bdd.conjoin(bdd.variable(i), bdd.variable(12 + i)));
    }
    return all;
  };
  CHECK_THROWS_AS(build(), base::LimitReached);
}

// Rails whose variables are the bits of two numbers, some of them hidden: whatever is known must be
// so for all values of the hidden ones.
TEST_CASE("what is known of sums, counts and comparisons holds for every value of the rest") {
  const base::Deadline deadline = base::Deadline::never();
  Bdd bdd(1 << 18, deadline);
  Rails rails(bdd);
  constexpr unsigned kWidth = 4;
  const unsigned hidden = GENERATE(0u, 0x01u, 0x80u, 0x18u, 0xffu);
  Bits a, b;
  for (unsigned i = 0; i < kWidth; ++i) {
    const auto bit = [&](unsigned n) {
      return (hidden >> n & 1) != 0 ? Rails::unknown() : Rails::known(bdd.variable(n));
    };
    a.push_back(bit(i));
    b.push_back(bit(kWidth + i));
  }
  struct Case {
    Bits made;
    std::function<unsigned(unsigned, unsigned)> meaning;
  };
  const auto sign = [](unsigned x) {
    return x >= 8 ? static_cast<int>(x) - 16 : static_cast<int>(x);
  };
  const std::vector<Case> cases = {
      {rails.add(a, b, Rails::truth(false)), [](unsigned x, unsigned y) { return x + y; }},
      {rails.subtract(a, b), [](unsigned x, unsigned y) { return x - y; }},
      {{rails.less(a, b, false)}, [](unsigned x, unsigned y) { return unsigned{x < y}; }},
      {{rails.less(a, b, true)},
       [&](unsigned x, unsigned y) { return unsigned{sign(x) < sign(y)}; }},
      {{rails.same(a, b)}, [](unsigned x, unsigned y) { return unsigned{x == y}; }},
      {rails.count(a, 3), [](unsigned x, unsigned) { return unsigned(__builtin_popcount(x)); }},
      {rails.highest(a, 5),
       [](unsigned x, unsigned) { return x == 0 ? 31u : 31u - unsigned(__builtin_clz(x)); }},
      {rails.choose(rails.less(a, b, false), b, a),
       [](unsigned x, unsigned y) { return std::max(x, y); }},
      {rails.choose(a[0], Bits{rails.differ(a[1], b[1])}, Bits{rails.disjoin(a[1], b[1])}),
       [](unsigned x, unsigned y) {
         return (x & 1) != 0 ? (x >> 1 & 1) ^ (y >> 1 & 1) : (x >> 1 | y >> 1) & 1;
       }}};
  for (const Case& c : cases) {
    for (unsigned row = 0; row < 256; ++row) {
      std::vector<bool> values;
      for (unsigned i = 0; i < 8; ++i) values.push_back((row >> i & 1) != 0);
      const unsigned wanted = c.meaning(row & 15, row >> 4);
      for (size_t i = 0; i < c.made.size(); ++i) {
        const bool yes = bdd.value(c.made[i].yes, values), no = bdd.value(c.made[i].no, values);
        REQUIRE_FALSE((yes && no));
        REQUIRE((wanted >> i & 1) <= unsigned{!no});
        REQUIRE((wanted >> i & 1) >= unsigned{yes});
        if (hidden == 0) REQUIRE(yes != no);
      }
    }
  }
}

}  // namespace
}  // namespace ptxequiv::real
