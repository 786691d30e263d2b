#include "ir/cfg.h"

#include <algorithm>

#include "base/error.h"

namespace ptxequiv::ir {
namespace {

using Edges = std::vector<std::vector<BlockId>>;

// Post-order of the nodes reachable from `root`, with an explicit stack.
std::vector<BlockId> post_order(const Edges& successors, BlockId root) {
  std::vector<BlockId> order;
  std::vector<bool> seen(successors.size());
  std::vector<std::pair<BlockId, size_t>> stack{{root, 0}};
  seen[root] = true;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next == successors[block].size()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    const BlockId successor = successors[block][next++];
    if (!seen[successor]) {
      seen[successor] = true;
      stack.push_back({successor, 0});
    }
  }
  return order;
}

// Immediate dominators of the graph seen from `root`; kNone for the root and what it cannot reach.
std::vector<BlockId> dominators(const Edges& successors, const Edges& predecessors, BlockId root) {
  const std::vector<BlockId> order = post_order(successors, root);
  std::vector<uint32_t> number(successors.size(), kNone);
  for (size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<uint32_t>(i);
  std::vector<BlockId> idom(successors.size(), kNone);
  idom[root] = root;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = order.size() - 1; i-- > 0;) {
      const BlockId block = order[i];
      BlockId best = kNone;
      for (BlockId other : predecessors[block]) {
        if (idom[other] == kNone) continue;
        if (best == kNone) {
          best = other;
          continue;
        }
        while (best != other) {
          while (number[best] < number[other]) best = idom[best];
          while (number[other] < number[best]) other = idom[other];
        }
      }
      if (idom[block] != best) {
        idom[block] = best;
        changed = true;
      }
    }
  }
  idom[root] = kNone;
  return idom;
}

// Post-dominators over the reversed graph with a virtual exit. A block that cannot reach an exit
// (an endless loop) is given an edge to the virtual exit, innermost first, so that every block has
// a place in the tree.
std::vector<BlockId> post_dominators(const Edges& successors, const Edges& predecessors,
                                     const std::vector<BlockId>& reverse_post_order) {
  const size_t count = successors.size();
  const BlockId exit = static_cast<BlockId>(count);
  Edges backward = predecessors;
  Edges forward = successors;
  backward.emplace_back();
  forward.emplace_back();
  std::vector<bool> reaches_exit(count + 1);
  std::vector<BlockId> worklist;
  const auto connect = [&](BlockId block) {
    backward[exit].push_back(block);
    forward[block].push_back(exit);
    worklist.push_back(block);
    while (!worklist.empty()) {
      const BlockId at = worklist.back();
      worklist.pop_back();
      if (reaches_exit[at]) continue;
      reaches_exit[at] = true;
      for (const BlockId before : predecessors[at]) worklist.push_back(before);
    }
  };
  for (const BlockId block : reverse_post_order) {
    if (successors[block].empty()) connect(block);
  }
  for (auto block = reverse_post_order.rbegin(); block != reverse_post_order.rend(); ++block) {
    if (!reaches_exit[*block]) connect(*block);
  }
  std::vector<BlockId> result = dominators(backward, forward, exit);
  result.pop_back();
  for (BlockId& block : result) {
    if (block == exit) block = kNone;
  }
  return result;
}

bool region_has_synchronisation(const Function& function, const std::vector<bool>& synchronising,
                                BlockId branch, BlockId stop) {
  std::vector<bool> seen(function.blocks.size());
  std::vector<BlockId> worklist = function.blocks[branch].successors;
  while (!worklist.empty()) {
    const BlockId block = worklist.back();
    worklist.pop_back();
    if (block == stop || seen[block]) continue;
    seen[block] = true;
    if (synchronising[block]) return true;
    const auto& next = function.blocks[block].successors;
    worklist.insert(worklist.end(), next.begin(), next.end());
  }
  return false;
}

}  // namespace

bool Cfg::dominates(BlockId a, BlockId b) const {
  while (b != a && b != kNone) b = immediate_dominator[b];
  return b == a;
}

Cfg analyse(const Function& function) {
  const size_t count = function.blocks.size();
  PTXEQUIV_CHECK(count > 0, "a function has an entry block");
  Edges successors(count), predecessors(count);
  for (BlockId block = 0; block < count; ++block) {
    successors[block] = function.blocks[block].successors;
  }
  Cfg cfg;
  cfg.reverse_post_order = post_order(successors, 0);
  std::reverse(cfg.reverse_post_order.begin(), cfg.reverse_post_order.end());
  // Edges of unreachable blocks would only confuse the post-dominators.
  for (const BlockId block : cfg.reverse_post_order) {
    for (const BlockId successor : successors[block]) predecessors[successor].push_back(block);
  }
  cfg.immediate_dominator = dominators(successors, predecessors, 0);
  cfg.immediate_post_dominator = post_dominators(successors, predecessors, cfg.reverse_post_order);

  std::vector<bool> synchronising(count);
  for (BlockId block = 0; block < count; ++block) {
    for (const InstId inst : function.blocks[block].insts) {
      if (synchronises(function.insts[inst].opcode)) synchronising[block] = true;
    }
  }
  cfg.region_synchronises.resize(count);
  cfg.is_loop_header.resize(count);
  for (const BlockId block : cfg.reverse_post_order) {
    if (successors[block].size() > 1) {
      cfg.region_synchronises[block] = region_has_synchronisation(
          function, synchronising, block, cfg.immediate_post_dominator[block]);
    }
    for (const BlockId successor : successors[block]) {
      if (cfg.dominates(successor, block)) cfg.is_loop_header[successor] = true;
    }
  }
  return cfg;
}

}  // namespace ptxequiv::ir
