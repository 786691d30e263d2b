#include "run/enclosure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "op/evaluate.h"

namespace ptxequiv::run {
namespace {

using op::Kind;
using term::Node;
using term::TermId;

// A sum under way: of a tensor core's products, or of atomic additions in some order.
struct Sum {
  double low = 0, high = 0;
  double magnitude = 0;  // of all terms together
  unsigned terms = 0;
  bool any = false;
  void add(double a, double b) {
    low += std::min(a, b);
    high += std::max(a, b);
    magnitude += std::max(std::fabs(a), std::fabs(b));
    ++terms;
  }
};

bool is_unordered_sum(const op::Op& op) {
  return op.kind == Kind::kFAdd && op.rounding == op::Rounding::kApprox;
}

class Sweep {
 public:
  explicit Sweep(const term::Arena& arena) : arena_(arena) {}

  std::vector<Enclosure> run(std::span<const TermId> roots) {
    for (const TermId id : term::cone(arena_, roots)) {
      const Node& node = arena_[id];
      if (op::is_dot(node.op.kind) || is_unordered_sum(node.op)) {
        values_[id] = sum(id, node);
      } else {
        values_[id] = plain(id, node);
      }
      Enclosure& value = values_[id];
      if (!value.is_any()) continue;
      value.bits = id;
      for (const TermId operand : arena_.operands(id)) {
        if (values_[operand].is_any()) value.bits = values_[operand].bits;
      }
    }
    std::vector<Enclosure> results;
    for (const TermId root : roots) results.push_back(values_[root]);
    return results;
  }

 private:
  Enclosure plain(TermId id, const Node& node) {
    if (node.op.kind == Kind::kConst) return Enclosure::of_bits(arena_.const_bits(id));
    if (node.op.kind <= Kind::kHole) return Enclosure::any();
    Enclosure operands[3];
    const auto ids = arena_.operands(id);
    for (size_t i = 0; i < ids.size(); ++i) operands[i] = values_[ids[i]];
    return enclose_op(node, {operands, ids.size()});
  }

  // Ends of an operand read as `type`; false if nothing is known of it.
  bool ends(TermId id, op::Type type, double& low, double& high) {
    const Enclosure& value = values_[id];
    if (value.is_any()) return false;
    if (value.is_bits()) {
      low = high = op::to_double(type, value.bits);
    } else {
      low = value.low;
      high = value.high;
      if (type == op::Type::kTF32 && value.type == op::Type::kF32) {
        // The operand's low 13 bits play no part.
        const double cut = std::ldexp(std::max(std::fabs(low), std::fabs(high)), -10);
        low -= cut;
        high += cut;
      } else if (value.type != type) {
        return false;
      }
    }
    return std::isfinite(low) && std::isfinite(high);
  }

  void add_operand(Sum& sum, TermId id, op::Type type) {
    double low = 0, high = 0;
    if (!ends(id, type, low, high)) {
      sum.any = true;
      return;
    }
    sum.add(low, high);
  }

  Enclosure sum(TermId id, const Node& node) {
    Sum sum;
    const op::Type type = node.op.type;
    switch (node.op.kind) {
      case Kind::kDotOpen:
        add_operand(sum, node.a, type);
        break;
      case Kind::kDotTerm: {
        sum = sums_[node.a];
        double a_low = 0, a_high = 0, b_low = 0, b_high = 0;
        if (!ends(node.b, node.op.src, a_low, a_high) ||
            !ends(node.c, node.op.src, b_low, b_high)) {
          sum.any = true;
          break;
        }
        const auto [low, high] =
            std::minmax({a_low * b_low, a_low * b_high, a_high * b_low, a_high * b_high});
        sum.add(low, high);
        break;
      }
      case Kind::kDotClose:
        sum = sums_[node.a];
        return closed(sum, type);
      default:  // an addition whose place in the order is not known
        for (const TermId operand : {TermId{node.a}, TermId{node.b}}) {
          const auto found = sums_.find(operand);
          if (found == sums_.end() || !is_unordered_sum(arena_[operand].op)) {
            add_operand(sum, operand, type);
          } else {
            const Sum& other = found->second;
            sum.low += other.low;
            sum.high += other.high;
            sum.magnitude += other.magnitude;
            sum.terms += other.terms;
            sum.any = sum.any || other.any;
          }
        }
        sums_[id] = sum;
        return closed(sum, type);
    }
    sums_[id] = sum;
    return Enclosure::any();  // an open chain has no bits of its own
  }

  // Each of the additions rounds, or cuts, at most one unit in the last place of a partial sum.
  static Enclosure closed(const Sum& sum, op::Type type) {
    if (sum.any) return Enclosure::any();
    const double unit = std::ldexp(1.0, 1 - static_cast<int>(op::info(type).precision));
    const double slack = (sum.terms + 2) * sum.magnitude * unit * 1.01 +
                         std::ldexp(1.0, op::info(type).min_exponent);
    return Enclosure::interval(type, sum.low - slack, sum.high + slack);
  }

  const term::Arena& arena_;
  std::unordered_map<TermId, Enclosure> values_;
  std::unordered_map<TermId, Sum> sums_;
};

}  // namespace

Enclosure Enclosure::interval(op::Type type, double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return any();
  if (low == high && !op::is_float(type)) {
    return of_bits(static_cast<uint64_t>(static_cast<int64_t>(low)) & op::mask(op::bits(type)));
  }
  if (low == high && low != 0 && std::isfinite(low) &&
      op::to_double(type, op::from_double(type, low)) == low) {
    return of_bits(op::from_double(type, low));
  }
  return {State::kInterval, 0, type, low, high};
}

bool Enclosure::contains(uint64_t other, unsigned width) const {
  if (is_any()) return true;
  if (is_bits()) return (bits & op::mask(width)) == (other & op::mask(width));
  if (op::bits(type) != width) return false;
  double value;
  if (op::is_float(type)) {
    value = op::to_double(type, other);
  } else if (op::is_signed(type)) {
    value = static_cast<double>(static_cast<int64_t>(other << (64 - width)) >> (64 - width));
  } else {
    value = static_cast<double>(other & op::mask(width));
  }
  return low <= value && value <= high;
}

std::vector<Enclosure> enclose(const term::Arena& arena, std::span<const term::TermId> roots) {
  return Sweep(arena).run(roots);
}

}  // namespace ptxequiv::run
