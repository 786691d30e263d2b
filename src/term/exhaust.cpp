#include "term/exhaust.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "op/evaluate.h"

namespace ptxequiv::term {

using op::Kind;

namespace {

constexpr size_t kMaxNodes = 4096;
constexpr unsigned kLanes = 64;  // inputs at a time

bool is_input(Kind kind) {
  return kind == Kind::kInput || kind == Kind::kScalar || kind == Kind::kFresh;
}

}  // namespace

bool equal_for_all_inputs(const Arena& arena, TermId a, TermId b, unsigned max_bits) {
  if (arena.width(a) != arena.width(b)) return false;
  const TermId roots[] = {a, b};
  const std::vector<TermId> ids = cone(arena, roots);
  if (ids.size() > kMaxNodes) return false;
  struct Step {
    op::Op op;
    uint32_t operands[3];  // places in `values`
    unsigned position;     // of a leaf's bits in the counter; of an extract's
  };
  std::vector<Step> steps;
  std::unordered_map<TermId, uint32_t> place;
  unsigned bits = 0;
  for (const TermId id : ids) {
    const Node& node = arena[id];
    const Kind kind = node.op.kind;
    Step step{node.op, {0, 0, 0}, 0};
    if (kind == Kind::kConst) {
      step.operands[0] = node.a;
      step.operands[1] = node.b;
    } else if (op::arity(kind) == 0) {
      if (!is_input(kind) || op::is_float(node.op.type)) return false;
      step.position = bits;
      bits += arena.width(id);
      if (bits > max_bits || bits > 24) return false;
    } else {
      if (op::info(kind).is_float || (kind >= Kind::kFEq && kind <= Kind::kFUnordered))
        return false;
      if (kind == Kind::kExtract) step.position = node.b;
      const auto operands = arena.operands(id);
      for (size_t i = 0; i < operands.size(); ++i) step.operands[i] = place.at(operands[i]);
    }
    if (arena.width(id) > 64) return false;
    place.emplace(id, static_cast<uint32_t>(steps.size()));
    steps.push_back(step);
  }
  std::vector<std::array<uint64_t, kLanes>> values(steps.size());
  const uint64_t count = uint64_t{1} << bits;
  for (uint64_t first = 0; first < count; first += kLanes) {
    const unsigned lanes = static_cast<unsigned>(std::min<uint64_t>(kLanes, count - first));
    for (size_t s = 0; s < steps.size(); ++s) {
      const Step& step = steps[s];
      auto& out = values[s];
      if (step.op.kind == Kind::kConst) {
        if (first == 0) out.fill(uint64_t{step.operands[1]} << 32 | step.operands[0]);
        continue;
      }
      const unsigned arity = op::arity(step.op.kind);
      if (arity == 0) {
        const uint64_t mask = op::mask(op::bits(step.op.type));
        for (unsigned i = 0; i < lanes; ++i) out[i] = (first + i) >> step.position & mask;
        continue;
      }
      const auto& x = values[step.operands[0]];
      const auto& y = values[step.operands[1]];
      const auto& z = values[step.operands[2]];
      const uint64_t mask = op::mask(op::result_bits(step.op));
      for (unsigned i = 0; i < lanes; ++i) {
        const uint64_t second = step.op.kind == Kind::kExtract ? step.position
                                : arity > 1                    ? y[i]
                                                               : 0;
        out[i] = op::evaluate(step.op, x[i], second, arity > 2 ? z[i] : 0).bits & mask;
      }
    }
    const auto &left = values[place.at(a)], &right = values[place.at(b)];
    for (unsigned i = 0; i < lanes; ++i) {
      if (left[i] != right[i]) return false;
    }
  }
  return true;
}

}  // namespace ptxequiv::term
