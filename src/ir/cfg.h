// Dominators and post-dominators (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm).
#pragma once
#include <vector>

#include "ir/ir.h"

namespace ptxequiv::ir {

struct Cfg {
  std::vector<BlockId> reverse_post_order;   // of reachable blocks
  std::vector<BlockId> immediate_dominator;  // kNone for the entry and unreachable blocks
  // kNone where the immediate post-dominator is the virtual exit (or there is none).
  std::vector<BlockId> immediate_post_dominator;
  // For a block that ends in a conditional branch: does the region between it and its immediate
  // post-dominator (exclusive) hold a barrier, warp collective, fence or asynchronous operation?
  // Then a symbolic branch there needs worlds.
  std::vector<bool> region_synchronises;
  // The block is the target of a back edge.
  std::vector<bool> is_loop_header;

  bool dominates(BlockId a, BlockId b) const;
};

Cfg analyse(const Function& function);

}  // namespace ptxequiv::ir
