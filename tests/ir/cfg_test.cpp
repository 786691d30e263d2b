#include "ir/cfg.h"

#include <catch2/catch.hpp>

#include <random>

#include "graph.h"

namespace ptxequiv::ir {
namespace {

using testing::append;
using testing::graph;

using Blocks = std::vector<BlockId>;

TEST_CASE("a diamond") {
  const Cfg cfg = analyse(graph({{1, 2}, {3}, {3}, {}}));
  CHECK(cfg.immediate_dominator == Blocks{kNone, 0, 0, 0});
  CHECK(cfg.immediate_post_dominator == Blocks{3, 3, 3, kNone});
  CHECK(cfg.reverse_post_order.front() == 0);
  CHECK(cfg.reverse_post_order.back() == 3);
  CHECK(cfg.dominates(0, 3));
  CHECK_FALSE(cfg.dominates(1, 3));
  CHECK(cfg.dominates(3, 3));
}

TEST_CASE("a loop") {
  const Cfg cfg = analyse(graph({{1}, {2}, {1, 3}, {}}));
  CHECK(cfg.immediate_post_dominator == Blocks{1, 2, 3, kNone});
  CHECK(cfg.is_loop_header == std::vector<bool>{false, true, false, false});
}

TEST_CASE("arms that leave separately meet only at the virtual exit") {
  const Cfg cfg = analyse(graph({{1, 2}, {}, {}}));
  CHECK(cfg.immediate_post_dominator == Blocks{kNone, kNone, kNone});
}

TEST_CASE("an endless loop beside the way out") {
  // 0 -> 1 or 2; 1 <-> 3 for ever; 2 exits.
  const Cfg cfg = analyse(graph({{1, 2}, {3}, {}, {1}}));
  CHECK(cfg.immediate_post_dominator[0] == kNone);
  CHECK(cfg.immediate_post_dominator[1] == 3);
  CHECK(cfg.immediate_post_dominator[2] == kNone);
}

TEST_CASE("nothing but an endless loop") {
  const Cfg cfg = analyse(graph({{1}, {1}}));
  CHECK(cfg.immediate_post_dominator == Blocks{1, kNone});
  CHECK(cfg.is_loop_header[1]);
}

TEST_CASE("blocks that cannot be reached are left out") {
  const Cfg cfg = analyse(graph({{1}, {}, {1}}));
  CHECK(cfg.reverse_post_order == Blocks{0, 1});
  CHECK(cfg.immediate_dominator[2] == kNone);
  CHECK(cfg.immediate_post_dominator[0] == 1);
}

// Puts an instruction of `opcode` at the start of `block`.
Function with(Function function, BlockId block, Opcode opcode) {
  append(function, block, {.opcode = opcode});
  auto& insts = function.blocks[block].insts;
  std::rotate(insts.begin(), insts.end() - 1, insts.end());
  return function;
}

TEST_CASE("a region synchronises if something inside does") {
  const Function diamond = graph({{1, 2}, {3}, {3}, {}});
  CHECK(analyse(with(diamond, 1, Opcode::kBarrier)).region_synchronises[0]);
  CHECK(analyse(with(diamond, 2, Opcode::kShuffle)).region_synchronises[0]);
  CHECK_FALSE(analyse(with(diamond, 2, Opcode::kAtomic)).region_synchronises[0]);
  CHECK_FALSE(analyse(with(diamond, 2, Opcode::kStore)).region_synchronises[0]);
  // At the post-dominator all are together again.
  CHECK_FALSE(analyse(with(diamond, 3, Opcode::kBarrier)).region_synchronises[0]);
  CHECK_FALSE(analyse(with(diamond, 1, Opcode::kBarrier)).region_synchronises[1]);
}

TEST_CASE("an exit before a barrier puts the barrier into the region") {
  const Function function = graph({{1, 2}, {}, {}});
  CHECK(analyse(with(function, 2, Opcode::kBarrier)).region_synchronises[0]);
}

TEST_CASE("a loop's branch encloses the loop's body") {
  const Function loop = graph({{1}, {2, 3}, {1}, {}});
  CHECK(analyse(with(loop, 2, Opcode::kBarrier)).region_synchronises[1]);
  CHECK(analyse(with(loop, 1, Opcode::kBarrier)).region_synchronises[1]);
  CHECK_FALSE(analyse(with(loop, 3, Opcode::kBarrier)).region_synchronises[1]);
}

// Is `to` reachable from `from` without entering `without`?
bool reaches(const Function& function, BlockId from, BlockId to, BlockId without) {
  std::vector<bool> seen(function.blocks.size());
  Blocks worklist{from};
  while (!worklist.empty()) {
    const BlockId block = worklist.back();
    worklist.pop_back();
    if (block == without || seen[block]) continue;
    seen[block] = true;
    if (block == to) return true;
    const auto& next = function.blocks[block].successors;
    worklist.insert(worklist.end(), next.begin(), next.end());
  }
  return false;
}

bool reaches_an_exit(const Function& function, BlockId from, BlockId without) {
  for (BlockId block = 0; block < function.blocks.size(); ++block) {
    if (function.blocks[block].successors.empty() && reaches(function, from, block, without)) {
      return true;
    }
  }
  return false;
}

TEST_CASE("dominators and post-dominators of random graphs are what their definition says") {
  std::mt19937 random(1);
  int complete = 0;
  for (int round = 0; round < 400; ++round) {
    const BlockId count = 2 + random() % 9;
    std::vector<Blocks> edges(count);
    for (BlockId block = 0; block < count; ++block) {
      const unsigned targets = random() % 3;
      for (unsigned i = 0; i < targets; ++i) {
        const BlockId target = 1 + random() % (count - 1);
        if (std::find(edges[block].begin(), edges[block].end(), target) == edges[block].end()) {
          edges[block].push_back(target);
        }
      }
    }
    const Function function = graph(edges);
    const Cfg cfg = analyse(function);
    bool all_end = true;
    for (const BlockId block : cfg.reverse_post_order) {
      all_end = all_end && reaches_an_exit(function, block, kNone);
    }
    complete += all_end ? 1 : 0;
    for (const BlockId a : cfg.reverse_post_order) {
      for (const BlockId b : cfg.reverse_post_order) {
        const bool dominates = a == b || !reaches(function, 0, b, a);
        CHECK(cfg.dominates(a, b) == dominates);
        if (!all_end) continue;
        BlockId up = b;
        while (up != a && up != kNone) up = cfg.immediate_post_dominator[up];
        CHECK((up == a) == (a == b || !reaches_an_exit(function, b, a)));
      }
    }
  }
  CHECK(complete > 50);
}

}  // namespace
}  // namespace ptxequiv::ir
