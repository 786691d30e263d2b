#include "term/exhaust.h"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>

#include "op/evaluate.h"

namespace ptxequiv::term {

using op::Kind;

namespace {

constexpr size_t kMaxNodes = 4096;
constexpr unsigned kLanes = 64;  // inputs at a time

bool is_input(Kind kind) {
  return kind == Kind::kInput || kind == Kind::kScalar || kind == Kind::kFresh;
}

bool compares_floats(Kind kind) {
  return kind >= Kind::kFEq && kind <= Kind::kFUnordered;
}

// Hardware's bits of it are IEEE's.
bool has_defined_bits(op::Op op) {
  switch (op.kind) {
    case Kind::kFEx2:
    case Kind::kFLg2:
    case Kind::kFSin:
    case Kind::kFCos:
    case Kind::kFTanh:
    case Kind::kFRsqrt:
    case Kind::kDotOpen:
    case Kind::kDotTerm:
    case Kind::kDotClose:
      return false;
    default:
      return op.rounding != op::Rounding::kApprox;
  }
}

// An un-suffixed product and an un-suffixed sum: the assembler may make one operation of them.
bool may_contract(const Arena& arena, std::span<const TermId> ids) {
  bool product = false, sum = false;
  for (const TermId id : ids) {
    const op::Op op = arena[id].op;
    if (op.rounding != op::Rounding::kAny) continue;
    product = product || op.kind == Kind::kFMul;
    sum = sum || op.kind == Kind::kFAdd || op.kind == Kind::kFSub;
  }
  return product && sum;
}

struct Step {
  op::Op op;
  uint32_t operands[3] = {0, 0, 0};  // places in the values; of a constant its bits
  unsigned position = 0;             // of an extract
  std::vector<uint64_t> values;      // of a leaf
  uint64_t period = 1;               // of a leaf: inputs until its next value
};

class Table {
 public:
  Table(const Arena& arena, const LeafValues& values, uint64_t most_work)
      : arena_(arena), values_(values), most_work_(most_work) {}
  // False if something below is not decided this way.
  bool build(std::span<const TermId> ids);
  bool equal(TermId a, TermId b);

 private:
  void evaluate(size_t step, uint64_t first, unsigned lanes);

  const Arena& arena_;
  const LeafValues& values_;
  uint64_t most_work_;
  std::vector<Step> steps_;
  std::unordered_map<TermId, uint32_t> place_;
  uint64_t count_ = 1;
  std::vector<std::array<uint64_t, kLanes>> rows_;
};

bool Table::build(std::span<const TermId> ids) {
  if (ids.size() > kMaxNodes || may_contract(arena_, ids)) return false;
  for (const TermId id : ids) {
    const Node& node = arena_[id];
    const Kind kind = node.op.kind;
    if (arena_.width(id) > 64) return false;
    Step step{.op = node.op, .values = {}};
    if (kind == Kind::kConst) {
      step.operands[0] = node.a;
      step.operands[1] = node.b;
    } else if (op::arity(kind) == 0) {
      if (!is_input(kind)) return false;
      auto all = values_(id);
      if (!all || all->empty()) return false;
      step.values = *std::move(all);
      step.period = count_;
      count_ *= step.values.size();
      if (count_ * ids.size() > most_work_) return false;
    } else {
      const bool is_float = op::info(kind).is_float || compares_floats(kind);
      if (is_float && !has_defined_bits(node.op)) return false;
      if (kind == Kind::kExtract) step.position = node.b;
      const auto operands = arena_.operands(id);
      for (size_t i = 0; i < operands.size(); ++i) step.operands[i] = place_.at(operands[i]);
    }
    place_.emplace(id, static_cast<uint32_t>(steps_.size()));
    steps_.push_back(std::move(step));
  }
  rows_.resize(steps_.size());
  return true;
}

void Table::evaluate(size_t s, uint64_t first, unsigned lanes) {
  const Step& step = steps_[s];
  auto& out = rows_[s];
  if (step.op.kind == Kind::kConst) {
    if (first == 0) out.fill(uint64_t{step.operands[1]} << 32 | step.operands[0]);
    return;
  }
  if (!step.values.empty()) {
    for (unsigned i = 0; i < lanes; ++i) {
      out[i] = step.values[(first + i) / step.period % step.values.size()];
    }
    return;
  }
  const unsigned arity = op::arity(step.op.kind);
  const auto& x = rows_[step.operands[0]];
  const auto& y = rows_[step.operands[1]];
  const auto& z = rows_[step.operands[2]];
  const uint64_t mask = op::mask(op::result_bits(step.op));
  for (unsigned i = 0; i < lanes; ++i) {
    const uint64_t second = step.op.kind == Kind::kExtract ? step.position : arity > 1 ? y[i] : 0;
    out[i] = op::evaluate(step.op, x[i], second, arity > 2 ? z[i] : 0).bits & mask;
  }
}

bool Table::equal(TermId a, TermId b) {
  for (uint64_t first = 0; first < count_; first += kLanes) {
    const auto lanes = static_cast<unsigned>(std::min<uint64_t>(kLanes, count_ - first));
    for (size_t s = 0; s < steps_.size(); ++s) evaluate(s, first, lanes);
    const auto &left = rows_[place_.at(a)], &right = rows_[place_.at(b)];
    if (!std::equal(left.begin(), left.begin() + lanes, right.begin())) return false;
  }
  return true;
}

}  // namespace

bool equal_for_all_values(const Arena& arena, TermId a, TermId b, const LeafValues& values,
                          uint64_t most_work) {
  if (arena.width(a) != arena.width(b)) return false;
  const TermId roots[] = {a, b};
  Table table(arena, values, most_work);
  return table.build(cone(arena, roots)) && table.equal(a, b);
}

}  // namespace ptxequiv::term
