// Templates' terms over some arguments, and the same with one thing changed.
#pragma once
#include <array>
#include <functional>
#include <vector>

#include "op/op.h"
#include "real/library.h"

namespace ptxequiv::library::testing {

using term::TermId;

inline std::vector<TermId> leaves_for(const real::Template& t, term::Arena& arena) {
  std::vector<TermId> leaves;
  for (unsigned i = 0; i < t.arity; ++i) {
    leaves.push_back(arena.leaf(op::Kind::kInput, t.type, 0, 5 + i));
  }
  return leaves;
}

// A node as it is to be made; a change may edit it. Operands are in the new arena.
struct Draft {
  op::Op op;
  std::array<TermId, 3> operands;
  uint64_t bits;      // of a constant
  unsigned position;  // of an extract
};
using Change = std::function<void(TermId id, Draft& draft, const std::vector<TermId>& copies)>;

inline TermId instantiate(const real::Template& from, term::Arena& arena,
                          const std::vector<TermId>& arguments, const Change& change = {}) {
  const term::Arena& source = *from.arena;
  const TermId root = from.root;
  std::vector<TermId> copies(root + size_t{1}, term::kNoTerm);
  for (const TermId id : term::cone(source, std::span(&root, 1))) {
    const term::Node& node = source[id];
    const unsigned arity = op::arity(node.op.kind);
    Draft draft{node.op, {term::kNoTerm, term::kNoTerm, term::kNoTerm}, 0, 0};
    const auto below = source.operands(id);
    for (unsigned i = 0; i < arity; ++i) draft.operands[i] = copies[below[i]];
    if (node.op.kind == op::Kind::kConst) draft.bits = source.const_bits(id);
    if (node.op.kind == op::Kind::kExtract) draft.position = node.b;
    if (change) change(id, draft, copies);
    if (node.op.kind == op::Kind::kHole) {
      copies[id] = arguments.at(node.a);
    } else if (node.op.kind == op::Kind::kPoison) {
      copies[id] = arena.leaf(op::Kind::kPoison, node.op.type, 0);  // all are alike
    } else if (node.op.kind == op::Kind::kConst) {
      copies[id] = arena.constant(source.width(id), draft.bits);
    } else if (node.op.kind == op::Kind::kExtract) {
      copies[id] = arena.extract(draft.operands[0], draft.position, source.width(id));
    } else {
      copies[id] = arena.make(draft.op, draft.operands[0], draft.operands[1], draft.operands[2]);
    }
  }
  return copies[root];
}

}  // namespace ptxequiv::library::testing
