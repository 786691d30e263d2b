#include "real/refute.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "real/enclose.h"

namespace ptxequiv::real {
namespace {

constexpr uint32_t kPoints = 12;

double unit_noise(uint64_t key) {
  key = (key ^ key >> 31) * 0x9e3779b97f4a7c15u;
  key = (key ^ key >> 29) * 0xbf58476d1ce4e5b9u;
  return static_cast<double>((key ^ key >> 32) >> 11) * 0x1p-53;
}

}  // namespace

bool seems_different(const Dag& dag, RealId a, RealId b, const Facts& facts) {
  std::vector<RealId> roots = {a, b};
  roots.insert(roots.end(), facts.assumptions().begin(), facts.assumptions().end());
  int different = 0;
  for (uint32_t point = 0; point < kPoints && different < 2; ++point) {
    const auto values = sample(dag, roots, [&](RealId id, const Node& node) -> double {
      const double noise = unit_noise(uint64_t{id} << 8 | point);
      if (node.kind == Kind::kOpaqueBool) return noise < 0.5 ? 0 : 1;
      double value = 4 * noise - 2;
      const bool integral = op::info(static_cast<op::Type>(node.b)).is_integer;
      if (integral) value = std::floor(16 * noise) - 4;
      if (node.kind != Kind::kLeaf) return value;
      const Interval range = facts.range(id, node);
      if (range.low && range.high && *range.high - *range.low < 1000) {
        value = range.low->get_d() + noise * (range.high->get_d() - range.low->get_d());
        if (integral) value = std::floor(value);
      }
      if (range.low) value = std::max(value, range.low->get_d());
      if (range.high) value = std::min(value, range.high->get_d());
      return value;
    });
    const bool admitted =
        std::all_of(values.begin() + 2, values.end(), [](double v) { return v == 1; });
    if (!admitted || !std::isfinite(values[0]) || !std::isfinite(values[1])) continue;
    const double size = std::fabs(values[0]) + std::fabs(values[1]);
    if (std::fabs(values[0] - values[1]) > 1e-3 * size + 1e-9) ++different;
  }
  return different >= 2;
}

}  // namespace ptxequiv::real
