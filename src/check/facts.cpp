#include "check/facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "check/values.h"
#include "real/dag_fold.h"
#include "spec/expression.h"
#include "spec/number.h"

namespace ptxequiv::check {
namespace {

using real::Interval;
using real::Kind;
using real::RealId;
using spec::ExpressionNode;

constexpr uint64_t kMaxAssumptions = 100000;

std::optional<Interval> interval_of(const std::optional<spec::Range>& range, op::Type type) {
  if (!range) return std::nullopt;
  Interval out{least(type), greatest(type)};
  const auto tighten = [&](const std::optional<spec::Number>& end,
                           std::optional<mpq_class>& bound) {
    if (!end) return;
    if (const auto value = value_of(type, end->bits(type))) bound = *value;
  };
  tighten(range->low, out.low);
  tighten(range->high, out.high);
  return out;
}

// Gives an assumption's expression a meaning in the Dag for one choice of elements.
class AssumptionReader {
 public:
  AssumptionReader(const Prepared& prepared, term::Arena& arena, real::Reading& reading,
                   const spec::Assume& assume, std::vector<RealId>& out)
      : prepared_(prepared),
        arena_(arena),
        reading_(reading),
        assume_(assume),
        expression_(spec::parse_assume(assume, prepared.spec)),
        out_(out) {
    for (const ExpressionNode& node : expression_.nodes) {
      if (node.kind != ExpressionNode::Kind::kElements) continue;
      const uint32_t buffer = index_of(prepared.spec.buffers, node.name);
      if (std::find(buffers_.begin(), buffers_.end(), buffer) == buffers_.end())
        buffers_.push_back(buffer);
    }
  }

  void read_all() {
    uint64_t combinations = 1;
    for (uint32_t b : buffers_) {
      combinations *= std::max<uint64_t>(1, prepared_.buffers[b].elements);
      if (combinations > kMaxAssumptions) {
        throw base::Unsupported(fmt::format("assume \"{}\"", assume_.text), prepared_.spec.path,
                                assume_.loc, "it stands for too many relations; use \"range\"");
      }
    }
    for (uint64_t choice = 0; choice < combinations; ++choice) {
      uint64_t rest = choice;
      std::map<std::string, uint64_t> element;
      for (uint32_t b : buffers_) {
        element[prepared_.buffers[b].name] = rest % prepared_.buffers[b].elements;
        rest /= prepared_.buffers[b].elements;
      }
      read_one(element);
    }
  }

 private:
  template <typename List>
  static uint32_t index_of(const List& list, const std::string& name) {
    for (uint32_t i = 0; i < list.size(); ++i) {
      if (list[i].name == name) return i;
    }
    PTXEQUIV_CHECK(false, "parse_assume resolves names");
    return 0;
  }

  RealId leaf(const ExpressionNode& node, const std::map<std::string, uint64_t>& element) {
    real::Dag& dag = reading_.dag();
    if (node.kind == ExpressionNode::Kind::kNumber) {
      const spec::ExactNumber number = spec::exact(node.number);
      if (number.kind != spec::ExactNumber::Kind::kFinite) {
        throw base::InputError(
            prepared_.spec.path, assume_.loc,
            fmt::format("\"{}\" compares with {}", assume_.text, node.number.text),
            "inputs are finite: leave the relation out");
      }
      return dag.rational(number.value);
    }
    if (node.kind == ExpressionNode::Kind::kScalar) {
      const uint32_t index = index_of(prepared_.spec.scalars, node.name);
      const machine::Scalar& scalar = prepared_.scalars[index];
      if (!scalar.value) {
        return reading_.read(arena_.leaf(op::Kind::kScalar, scalar.type, index), scalar.type);
      }
      const auto value = value_of(scalar.type, *scalar.value);
      if (!value)
        throw base::InputError(prepared_.spec.path, assume_.loc,
                               fmt::format("'{}' has no finite value", node.name));
      return dag.rational(*value);
    }
    const uint32_t index = index_of(prepared_.spec.buffers, node.name);
    const machine::Buffer& buffer = prepared_.buffers[index];
    return reading_.read(arena_.leaf(op::Kind::kInput, buffer.type, index,
                                     static_cast<uint32_t>(element.at(node.name)),
                                     static_cast<uint32_t>(element.at(node.name) >> 32)),
                         buffer.type);
  }

  void read_one(const std::map<std::string, uint64_t>& element) {
    real::Dag& dag = reading_.dag();
    std::vector<RealId> values;
    for (const ExpressionNode& node : expression_.nodes) {
      const auto binary = [&](Kind kind) {
        return dag.make(kind, values[node.left], values[node.right]);
      };
      switch (node.kind) {
        case ExpressionNode::Kind::kNumber:
        case ExpressionNode::Kind::kScalar:
        case ExpressionNode::Kind::kElements:
          values.push_back(leaf(node, element));
          break;
        case ExpressionNode::Kind::kNegate:
          values.push_back(dag.make(Kind::kNeg, values[node.left]));
          break;
        case ExpressionNode::Kind::kAdd:
          values.push_back(binary(Kind::kAdd));
          break;
        case ExpressionNode::Kind::kSubtract:
          values.push_back(binary(Kind::kSub));
          break;
        case ExpressionNode::Kind::kMultiply:
          values.push_back(binary(Kind::kMul));
          break;
        case ExpressionNode::Kind::kRemainder:
          values.push_back(remainder(values[node.left], values[node.right]));
          break;
        default:
          throw base::InputError(prepared_.spec.path, assume_.loc,
                                 fmt::format("\"{}\" divides or takes extremes", assume_.text),
                                 "assumptions compare polynomials");
      }
    }
    for (const spec::Comparison& c : expression_.comparisons) {
      const RealId a = values[c.left], b = values[c.right];
      switch (c.relation) {
        case spec::Relation::kEq:
          out_.push_back(dag.make(Kind::kEq, a, b));
          break;
        case spec::Relation::kNe:
          out_.push_back(dag.make(Kind::kNot, dag.make(Kind::kEq, a, b)));
          break;
        case spec::Relation::kLt:
          out_.push_back(dag.make(Kind::kLt, a, b));
          break;
        case spec::Relation::kLe:
          out_.push_back(dag.make(Kind::kLe, a, b));
          break;
        case spec::Relation::kGt:
          out_.push_back(dag.make(Kind::kLt, b, a));
          break;
        case spec::Relation::kGe:
          out_.push_back(dag.make(Kind::kLe, b, a));
          break;
      }
    }
  }

  // a - b * trunc(a / b), as C and PTX have it.
  RealId remainder(RealId a, RealId b) {
    real::Dag& dag = reading_.dag();
    const RealId quotient = dag.make(Kind::kTrunc, dag.make(Kind::kDiv, a, b));
    return dag.make(Kind::kSub, a, dag.make(Kind::kMul, b, quotient));
  }

  const Prepared& prepared_;
  term::Arena& arena_;
  real::Reading& reading_;
  const spec::Assume& assume_;
  spec::Expression expression_;
  std::vector<RealId>& out_;
  std::vector<uint32_t> buffers_;
};

}  // namespace

SpecFacts::SpecFacts(const Prepared& prepared, term::Arena& arena, real::Reading& reading)
    : arena_(arena) {
  for (const spec::Buffer& b : prepared.spec.buffers)
    buffer_ranges_.push_back(interval_of(b.range, b.type));
  for (const spec::Scalar& s : prepared.spec.scalars)
    scalar_ranges_.push_back(interval_of(s.range, s.type));
  for (const spec::Assume& assume : prepared.spec.assume) {
    AssumptionReader(prepared, arena, reading, assume, assumptions_).read_all();
  }
}

bool SpecFacts::has_declared_range(const term::Node& leaf) const {
  if (leaf.op.kind == op::Kind::kInput) return buffer_ranges_.at(leaf.a).has_value();
  if (leaf.op.kind == op::Kind::kScalar) return scalar_ranges_.at(leaf.a).has_value();
  return false;
}

namespace {

// Of a float input: the bits that are all ones in NaN and infinities; 0 for other leaves.
uint64_t exponent_bits(const term::Node& leaf) {
  if (leaf.op.kind != op::Kind::kInput && leaf.op.kind != op::Kind::kScalar) return 0;
  switch (leaf.op.type) {
    case op::Type::kF16:
      return 0x7c00;
    case op::Type::kBF16:
      return 0x7f80;
    case op::Type::kF32:
      return 0x7f800000;
    case op::Type::kF64:
      return 0x7ff0000000000000;
    default:
      return 0;
  }
}

}  // namespace

std::vector<term::TermId> SpecFacts::within_ranges(term::Arena& arena,
                                                   term::TermId condition) const {
  std::vector<term::TermId> query{condition};
  const term::TermId roots[] = {condition};
  for (const term::TermId id : term::cone(arena, roots)) {
    const term::Node leaf = arena[id];
    if (const uint64_t exponent = exponent_bits(leaf); exponent != 0) {  // neither NaN nor infinite
      const unsigned bits = op::bits(leaf.op.type);
      const term::TermId all = arena.constant(bits, exponent);
      const term::TermId own = arena.make(op::Op{.kind = op::Kind::kAnd, .type = op::bits_type(bits)}, id, all);
      query.push_back(arena.logic_not(arena.equal(own, all)));
      continue;
    }
    if (!has_declared_range(leaf) || !op::info(leaf.op.type).is_integer) continue;
    const real::Interval range = leaf_range(leaf);
    const unsigned width = op::bits(leaf.op.type);
    const op::Op less{.kind = op::is_signed(leaf.op.type) ? op::Kind::kLtS : op::Kind::kLtU,
                      .type = op::bits_type(width)};
    const auto bound = [&](const mpq_class& value) {
      return arena.constant(width, nearest_bits(leaf.op.type, value));
    };
    if (range.low) query.push_back(arena.logic_not(arena.make(less, id, bound(*range.low))));
    if (range.high) query.push_back(arena.logic_not(arena.make(less, bound(*range.high), id)));
  }
  return query;
}

std::optional<std::vector<uint64_t>> SpecFacts::all_values(const term::Node& leaf,
                                                           size_t most) const {
  const op::Type type = leaf.op.type;
  const unsigned width = op::bits(type);
  const bool is_input = leaf.op.kind == op::Kind::kInput || leaf.op.kind == op::Kind::kScalar;
  std::vector<uint64_t> out;
  if (op::is_float(type)) {
    if (!is_input || width > 16 || size_t{1} << width > most) return {};
    const real::Interval range = leaf_range(leaf);
    for (uint64_t bits = 0; bits < uint64_t{1} << width; ++bits) {
      const auto value = value_of(type, bits);
      if (value && *range.low <= *value && *value <= *range.high) out.push_back(bits);
    }
    return out;
  }
  if (op::info(type).is_integer && is_input && has_declared_range(leaf)) {
    const real::Interval range = leaf_range(leaf);
    if (!range.low || !range.high || *range.high - *range.low >= most) return {};
    const mpz_class last = real::floor(*range.high);
    for (mpz_class n = real::ceil(*range.low); n <= last; ++n) {
      out.push_back(nearest_bits(type, n));
    }
    return out;
  }
  if (width > 16 || size_t{1} << width > most) return {};
  for (uint64_t bits = 0; bits < uint64_t{1} << width; ++bits) out.push_back(bits);
  return out;
}

real::Interval SpecFacts::leaf_range(const term::Node& leaf) const {
  if (leaf.op.kind == op::Kind::kInput && buffer_ranges_.at(leaf.a)) return *buffer_ranges_[leaf.a];
  if (leaf.op.kind == op::Kind::kScalar && scalar_ranges_.at(leaf.a))
    return *scalar_ranges_[leaf.a];
  const op::Type type = leaf.op.type;
  if (!op::is_float(type) && !op::info(type).is_integer) return {};
  return {least(type), greatest(type)};
}

real::Interval SpecFacts::range(RealId, const real::Node& node) const {
  const term::Node& leaf = arena_[node.a];
  // A leaf read as another type than its own carries no range of ours.
  if (leaf.op.type != static_cast<op::Type>(node.b)) {
    const auto type = static_cast<op::Type>(node.b);
    if (!op::is_float(type) && !op::info(type).is_integer) return {};
    return {least(type), greatest(type)};
  }
  return leaf_range(leaf);
}

}  // namespace ptxequiv::check
