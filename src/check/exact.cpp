#include "check/exact.h"

#include <unordered_map>

#include "term/dot.h"

namespace ptxequiv::check {

std::vector<op::Result> evaluate_exactly(const term::Arena& arena,
                                         std::span<const term::TermId> roots, const Point& point) {
  std::unordered_map<term::TermId, op::Result> values;
  for (term::TermId id : term::cone(arena, roots)) {
    const term::Node& node = arena[id];
    op::Result result;
    if (node.op.kind == op::Kind::kConst) {
      result.bits = arena.const_bits(id);
    } else if (op::arity(node.op.kind) == 0) {
      result = {point.bits(id), point.is_given(id)};
    } else {
      if (op::is_dot(node.op.kind) && node.op.kind != op::Kind::kDotClose) continue;
      if (node.op.kind == op::Kind::kDotClose) {
        bool exact = true;
        result = term::evaluate_dot(arena, id, [&](term::TermId operand) {
          const op::Result& value = values.at(operand);
          exact = exact && value.exact;
          return value.bits;
        });
        result.exact = result.exact && exact;
        values.emplace(id, result);
        continue;
      }
      const auto operands = arena.operands(id);
      uint64_t in[3] = {node.a, node.b, node.c};
      bool exact = true;
      for (size_t i = 0; i < operands.size(); ++i) {
        const op::Result& operand = values.at(operands[i]);
        in[i] = operand.bits;
        // Only the selected arm matters.
        if (node.op.kind != op::Kind::kSelect) exact = exact && operand.exact;
      }
      if (node.op.kind == op::Kind::kSelect) {
        exact = values.at(operands[0]).exact && values.at(operands[in[0] & 1 ? 1 : 2]).exact;
      }
      result = op::evaluate(node.op, in[0], in[1], in[2]);
      result.exact = result.exact && exact;
    }
    values.emplace(id, result);
  }
  std::vector<op::Result> out;
  for (term::TermId root : roots) out.push_back(values.at(root));
  return out;
}

}  // namespace ptxequiv::check
