#include "term/evaluate.h"

#include <memory>

#include "op/evaluate.h"
#include "term/dot.h"

namespace ptxequiv::term {

using op::Kind;

std::vector<uint64_t> evaluate(const Arena& arena, std::span<const TermId> roots,
                               const LeafBits& leaf) {
  const std::vector<TermId> ids = cone(arena, roots);
  if (ids.empty()) return {};
  // Indexed by id and left uninitialised: pages of ids outside the cone are never touched.
  const std::unique_ptr<uint64_t[]> values(new uint64_t[size_t{ids.back()} + 1]);
  for (TermId id : ids) {
    const Node& node = arena[id];
    const Kind kind = node.op.kind;
    if (kind == Kind::kConst) {
      values[id] = arena.const_bits(id);
    } else if (kind <= Kind::kHole) {
      values[id] = leaf(id, node) & op::mask(op::bits(node.op.type));
    } else if (kind == Kind::kExtract) {
      values[id] = op::evaluate(node.op, values[node.a], node.b, 0).bits;
    } else if (kind == Kind::kDotClose) {
      values[id] = evaluate_dot(arena, id, [&](TermId operand) { return values[operand]; }).bits;
    } else if (!op::is_dot(kind)) {
      const unsigned arity = op::arity(kind);
      const uint64_t b = arity > 1 ? values[node.b] : 0;
      const uint64_t c = arity > 2 ? values[node.c] : 0;
      values[id] = op::evaluate(node.op, values[node.a], b, c).bits;
    }
  }
  std::vector<uint64_t> results;
  results.reserve(roots.size());
  for (TermId root : roots) results.push_back(values[root]);
  return results;
}

}  // namespace ptxequiv::term
