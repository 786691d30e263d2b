// Double values of real expressions: fast, and only a filter.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "real/enclose.h"

namespace ptxequiv::real {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double truth(bool value) {
  return value ? 1 : 0;
}

// Booleans are 1, 0 or NaN. NaN operands make NaN, except in the arm that is not selected.
double compute(Kind kind, double a, double b, double c) {
  switch (kind) {
    case Kind::kIte:
    case Kind::kIteBool:
      return std::isnan(a) ? kNan : a != 0 ? b : c;
    default:
      break;
  }
  if (std::isnan(a) || std::isnan(b)) return kNan;
  switch (kind) {
    case Kind::kAdd:
      return a + b;
    case Kind::kSub:
      return a - b;
    case Kind::kNeg:
      return -a;
    case Kind::kMul:
      return a * b;
    case Kind::kDiv:
      return b == 0 ? kNan : a / b;
    case Kind::kSqrt:
      return a < 0 ? kNan : std::sqrt(a);
    case Kind::kExp2:
      return std::exp2(a);
    case Kind::kExp:
      return std::exp(a);
    case Kind::kLog2:
      return a <= 0 ? kNan : std::log2(a);
    case Kind::kLog:
      return a <= 0 ? kNan : std::log(a);
    case Kind::kSin:
      return std::sin(a);
    case Kind::kCos:
      return std::cos(a);
    case Kind::kTanh:
      return std::tanh(a);
    case Kind::kErf:
      return std::erf(a);
    case Kind::kMin:
      return std::min(a, b);
    case Kind::kMax:
      return std::max(a, b);
    case Kind::kAbs:
      return std::fabs(a);
    // Not std::rint: it obeys the rounding mode.
    case Kind::kRint:
      return std::isinf(a) ? a : a - std::remainder(a, 1.0);
    case Kind::kFloor:
      return std::floor(a);
    case Kind::kCeil:
      return std::ceil(a);
    case Kind::kTrunc:
      return std::trunc(a);
    case Kind::kLt:
      return truth(a < b);
    case Kind::kLe:
      return truth(a <= b);
    case Kind::kEq:
      return truth(a == b);
    case Kind::kAnd:
      return truth(a != 0 && b != 0);
    case Kind::kOr:
      return truth(a != 0 || b != 0);
    case Kind::kNot:
      return truth(a == 0);
    default:
      break;
  }
  PTXEQUIV_CHECK(false, "an operation without a double value");
  return kNan;
}

}  // namespace

std::vector<double> sample(const Dag& dag, std::span<const RealId> roots,
                           const std::function<double(RealId, const Node&)>& leaf) {
  const std::vector<RealId> ids = cone(dag, roots);
  std::vector<double> values(ids.empty() ? 0 : size_t{ids.back()} + 1, kNan);
  for (const RealId id : ids) {
    const Node& node = dag[id];
    double& value = values[id];
    switch (node.kind) {
      case Kind::kRational:
        value = dag.rational_value(id).get_d();
        break;
      case Kind::kInfinity:
        value = node.a ? -HUGE_VAL : HUGE_VAL;
        break;
      case Kind::kUndefined:
        break;
      case Kind::kLog2E:
        value = 1.4426950408889634;
        break;
      case Kind::kLeaf:
      case Kind::kOpaque:
      case Kind::kOpaqueBool:
        value = leaf(id, node);
        break;
      case Kind::kTrue:
        value = 1;
        break;
      case Kind::kFalse:
        value = 0;
        break;
      default: {
        const unsigned arity = info(node.kind).arity;
        value = compute(node.kind, values[node.a], arity > 1 ? values[node.b] : 0,
                        arity > 2 ? values[node.c] : 0);
      }
    }
  }
  std::vector<double> result;
  result.reserve(roots.size());
  for (const RealId root : roots) result.push_back(values[root]);
  return result;
}

}  // namespace ptxequiv::real
