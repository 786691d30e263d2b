// Random expressions: whatever the normal form claims must hold at every point of a grid where the
// expressions are defined, special points (0, equal leaves, signs) above all.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "normal_support.h"
#include "real/enclose.h"

namespace ptxequiv::real::test {
namespace {

struct Fuzz {
  World w;
  std::mt19937 random;
  std::vector<Ex> leaves, conditions, reals, bools;
  std::vector<std::vector<double>> points;  // values of leaves, then conditions

  bool mostly_guards;

  explicit Fuzz(unsigned seed) : random(seed), mostly_guards(seed % 2 == 0) {
    leaves = w.xs(3);
    conditions = {w.condition(), w.condition()};
    reals = leaves;
    for (const long c : {0, 1, 2, -1, 3}) reals.push_back(w.c(c));
    bools = conditions;
    const double grid[] = {-2, -1, -0.5, 0, 1, 2};
    for (const double x : grid) {
      for (const double y : grid) {
        for (const double z : grid) {
          const double c = static_cast<double>(random() % 2), d = static_cast<double>(random() % 2);
          points.push_back({x, y, z, c, d});
        }
      }
    }
    for (int i = 0; i < 4; ++i) {
      std::vector<double> p;
      for (int k = 0; k < 3; ++k) p.push_back(static_cast<double>(random() % 4001) / 1000.0 - 2.0);
      p.push_back(i & 1);
      p.push_back(i & 2 ? 1 : 0);
      points.push_back(p);
    }
  }

  Ex pick(const std::vector<Ex>& from) { return from[random() % from.size()]; }
  // Recent ones more often, so that expressions grow.
  Ex real() {
    return random() % 3 == 0
               ? pick(leaves)
               : reals[reals.size() - 1 - random() % std::min<size_t>(reals.size(), 24)];
  }

  void grow() {
    const Ex a = real(), b = real();
    // Every other seed has mostly guards and what needs them.
    const unsigned guarded[] = {0,  2,  4,  4,  7,  8,  9,  12, 12, 14,
                                16, 16, 17, 18, 18, 19, 20, 20, 21, 24};
    switch (mostly_guards ? guarded[random() % std::size(guarded)] : random() % 25) {
      case 0:
      case 1:
        reals.push_back(a + b);
        break;
      case 2:
      case 3:
        reals.push_back(a - b);
        break;
      case 4:
      case 5:
      case 6:
        reals.push_back(a * b);
        break;
      case 7:
      case 8:
        reals.push_back(a / b);
        break;
      case 9:
        reals.push_back(max(a, b));
        break;
      case 10:
        reals.push_back(min(a, b));
        break;
      case 11:
        reals.push_back(abs(a));
        break;
      case 12:
        reals.push_back(sqrt(a));
        break;
      case 13:
        reals.push_back(exp2(min(a, w.c(3))));
        break;
      case 14:
        reals.push_back(log2(a));
        break;
      case 15:
        reals.push_back(make(Kind::kFloor, a));
        break;
      case 16:
      case 17:
      case 18:
        reals.push_back(ite(pick(bools), a, b));
        break;
      case 19:
        bools.push_back(random() % 2 ? a < b : a <= b);
        break;
      case 20:
        bools.push_back(random() % 3 ? a > w.c(0) : eq(a, b));
        break;
      case 21: {  // masked by -inf
        const Ex masked = ite(pick(bools), a, w.minus_infinity());
        const Ex uses[] = {max(masked, b), exp2(min(masked - b, w.c(3))),
                           exp2(min(masked, b) - max(b, masked)), abs(masked)};
        reals.push_back(uses[random() % 4]);
        break;
      }
      case 22:
        reals.push_back(random() % 2 ? sin(a) : tanh(a));
        break;
      case 23:
        reals.push_back(make(random() % 2 ? Kind::kRint : Kind::kTrunc, a));
        break;
      default: {
        const Ex p = pick(bools), q = pick(bools);
        const Kind kinds[] = {Kind::kAnd, Kind::kOr};
        bools.push_back(random() % 3 == 0 ? make(Kind::kNot, p) : make(kinds[random() % 2], p, q));
      }
    }
  }

  std::vector<std::vector<double>> values() {
    std::vector<RealId> roots;
    for (const Ex e : reals) roots.push_back(e.id);
    for (const Ex e : bools) roots.push_back(e.id);
    std::vector<std::vector<double>> result;
    for (const auto& p : points) {
      result.push_back(sample(w.dag, roots, [&](RealId id, const Node&) {
        for (size_t k = 0; k < 3; ++k)
          if (leaves[k].id == id) return p[k];
        return conditions[0].id == id ? p[3] : p[4];
      }));
    }
    return result;
  }
};

// In ball arithmetic: doubles alone err where a comparison is close.
LeafValue exact(const Fuzz& f, const std::vector<double>& p) {
  return [&f, &p](RealId id, const Node&) -> std::optional<mpq_class> {
    for (size_t k = 0; k < 3; ++k)
      if (f.leaves[k].id == id) return mpq_class(p[k]);
    return mpq_class(f.conditions[0].id == id ? p[3] : p[4]);
  };
}

bool close(double a, double b) {
  return std::fabs(a - b) <= 1e-6 * (1 + std::fabs(a) + std::fabs(b));
}

// Doubles are exact enough here to tell: values stay moderate or the pair is not looked at.
bool usable(double a) {
  return std::isfinite(a) && std::fabs(a) < 1e6;
}

void run(unsigned seed, int size, int random_pairs) {
  Fuzz f(seed);
  for (int i = 0; i < size; ++i) f.grow();
  const auto at = f.values();
  const size_t n = f.reals.size();
  auto differ_at = [&](size_t i, size_t j) -> int {
    for (size_t p = 0; p < at.size(); ++p) {
      if (!usable(at[p][i]) || !usable(at[p][j]) || close(at[p][i], at[p][j])) continue;
      const auto sure =
          compare_at(f.w.dag, f.reals[i].id, f.reals[j].id, exact(f, f.points[p]), 256);
      if (sure.result == Comparison::kDisjoint) return static_cast<int>(p);
    }
    return -1;
  };
  size_t proved = 0;
  auto check = [&](size_t i, size_t j) {
    if (!f.w.equal(f.reals[i], f.reals[j])) return;
    ++proved;
    const int p = differ_at(i, j);
    if (p >= 0) {
      const RealId roots[] = {f.reals[i].id, f.reals[j].id};
      INFO("seed " << seed << " point " << p << ": " << at[static_cast<size_t>(p)][i] << " and "
                   << at[static_cast<size_t>(p)][j] << "\n"
                   << to_string(f.w.dag, roots) << f.w.text(f.reals[i]));
      CHECK(false);
    }
    // A candidate whose obligations all follow is defined where the reference is.
    const auto given = f.w.normalizer.obligations(f.reals[i].id);
    for (const Obligation& o : f.w.normalizer.obligations(f.reals[j].id)) {
      if (f.w.normalizer.implied(o, given) != Proof::kProved) return;
    }
    for (size_t q = 0; q < at.size(); ++q) {
      if (std::isnan(at[q][i]) || !std::isnan(at[q][j])) continue;
      const auto sure =
          compare_at(f.w.dag, f.reals[i].id, f.reals[j].id, exact(f, f.points[q]), 256);
      if (sure.result != Comparison::kCandidateUndefined) continue;
      const RealId roots[] = {f.reals[i].id, f.reals[j].id};
      INFO("seed " << seed << " point " << q << " candidate undefined\n"
                   << to_string(f.w.dag, roots));
      CHECK(false);
      return;
    }
  };
  // Pairs that agree at the generic points, and others at random.
  std::map<std::string, std::vector<size_t>> alike;
  for (size_t i = 0; i < n; ++i) {
    std::string key;
    for (size_t p = at.size() - 4; p < at.size(); ++p) {
      key += std::isnan(at[p][i]) ? "nan " : std::to_string(at[p][i]) + " ";
    }
    alike[key].push_back(i);
  }
  for (const auto& [key, members] : alike) {
    for (size_t i = 1; i < members.size() && i < 12; ++i) check(members[i - 1], members[i]);
  }
  for (int k = 0; k < random_pairs; ++k) check(f.random() % n, f.random() % n);
  for (size_t b = 0; b < f.bools.size(); ++b) {
    const bool holds = f.w.normalizer.holds(f.bools[b].id) == Proof::kProved;
    for (size_t p = 0; holds && p < at.size(); ++p) {
      INFO("seed " << seed << " condition\n"
                   << to_string(f.w.dag, std::vector<RealId>{f.bools[b].id}));
      if (at[p][n + b] != 0) continue;
      const Ex as_number = ite(f.bools[b], f.w.c(1), f.w.c(0));
      const RealId roots[] = {as_number.id};
      const auto sure = enclose(f.w.dag, roots, exact(f, f.points[p]), 256);
      if (sure[0].state != Enclosure::State::kFinite || sure[0].high >= 1) continue;
      CHECK(false);
      break;
    }
  }
  for (size_t i = 0; i < n; ++i) {
    if (!f.w.normalizer.obligations(f.reals[i].id).empty()) continue;
    for (size_t p = 0; p < at.size(); ++p) {
      if (!std::isnan(at[p][i])) continue;
      const RealId roots[] = {f.reals[i].id};
      const auto sure = enclose(f.w.dag, roots, exact(f, f.points[p]), 256);
      if (sure[0].state != Enclosure::State::kUndefined) continue;
      INFO("seed " << seed << " undefined at " << p << "\n"
                   << to_string(f.w.dag, std::vector<RealId>{f.reals[i].id}));
      CHECK(false);
      break;
    }
  }
}

TEST_CASE("random expressions: no claim is false at any point of a grid") {
  const char* variable = std::getenv("PTXEQUIV_FUZZ_SEEDS");  // first,count for long runs
  unsigned first = 1, count = 12;
  if (variable != nullptr) std::sscanf(variable, "%u,%u", &first, &count);
  for (unsigned seed = first; seed < first + count; ++seed) run(seed, 60, 60);
}

}  // namespace
}  // namespace ptxequiv::real::test
