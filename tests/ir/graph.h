// Functions made by hand for the tests of the IR.
#pragma once
#include <algorithm>
#include <vector>

#include "ir/ir.h"

namespace ptxequiv::ir::testing {

inline InstId append(Function& function, BlockId block, Inst inst) {
  const InstId id = static_cast<InstId>(function.insts.size());
  inst.block = block;
  for (const ValueId dest : inst.dests) function.values[dest].def = id;
  function.insts.push_back(std::move(inst));
  function.blocks[block].insts.push_back(id);
  return id;
}

// Ends `block` with a jump to `targets` (an exit if there are none).
inline void finish(Function& function, BlockId block, const std::vector<BlockId>& targets) {
  Inst end{.opcode = targets.empty()       ? Opcode::kExit
                     : targets.size() == 1 ? Opcode::kBranch
                                           : Opcode::kCondBranch};
  if (targets.size() == 2) end.srcs = {function.constant(1, 1)};
  append(function, block, end);
  function.blocks[block].successors = targets;
  for (const BlockId target : targets) {
    auto& from = function.blocks[target].predecessors;
    if (std::find(from.begin(), from.end(), block) == from.end()) from.push_back(block);
  }
}

// A function of empty blocks with the given edges.
inline Function graph(const std::vector<std::vector<BlockId>>& edges) {
  Function function;
  function.name = "test";
  function.blocks.resize(edges.size());
  for (BlockId block = 0; block < edges.size(); ++block) finish(function, block, edges[block]);
  return function;
}

// dest = op(srcs), appended before any end.
inline ValueId operation(Function& function, BlockId block, op::Op op, std::vector<ValueId> srcs,
                         unsigned bits) {
  const ValueId value = function.add_value(bits);
  append(function, block, {.opcode = Opcode::kOp, .op = op, .dests = {value}, .srcs = srcs});
  return value;
}

}  // namespace ptxequiv::ir::testing
