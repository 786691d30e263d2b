// A function made ready for execution: instructions of a block side by side, operands as register
// numbers, phi copies by edge, what each branch needs to know of the control-flow graph.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "ir/cfg.h"
#include "ir/ir.h"
#include "machine/fault.h"
#include "machine/machine.h"

namespace ptxequiv::machine {

struct CodeInst {
  ir::Opcode opcode{};
  op::Op op{};
  uint8_t arity = 0;
  uint8_t dest_bits = 0;
  uint8_t src_bits[3] = {0, 0, 0};
  bool guard_negated = false;
  bool spins = false;         // a read that a loop waits on: spin.h
  uint32_t dest = ir::kNone;  // register numbers are ValueIds
  uint32_t src[3] = {ir::kNone, ir::kNone, ir::kNone};
  uint32_t guard = ir::kNone;
  int64_t immediate = 0;
  const ir::Inst* inst = nullptr;  // the rest
  SiteId site = kNoSite;
};

// Copies into the phis of a block on entry by one edge.
struct CodeEdge {
  ir::BlockId target = ir::kNone;
  std::vector<uint32_t> sources;  // parallel to CodeBlock::phis of the target
  bool overlapping = false;       // a source is itself one of the phis
  uint32_t spin = ir::kNone;      // leaves a loop that waits: instruction of its read
  bool turns = false;             // back to the start of a loop that registers decide: endless.h
  std::vector<uint32_t> control;  // if it turns: of the target's phis, those that decide
};

struct CodeBlock {
  uint32_t first = 0;          // of the instructions after the phis
  std::vector<uint32_t> phis;  // registers
  std::vector<uint8_t> phi_bits;
  std::vector<CodeEdge> edges;   // parallel to the successors
  ir::BlockId join = ir::kNone;  // immediate post-dominator
  bool synchronises = false;     // Cfg::region_synchronises
  bool only_traps = false;       // leads to a trap and does nothing before it
  bool only_exits = false;       // leads to the end of the thread and does nothing before
};

// Registers that running one way out of a branch may change although the other way, or the join,
// still needs them: only where the region between branch and join leads back to the branch.
struct Carried {
  std::vector<uint32_t> saved;   // live after the branch, and defined in the region
  std::vector<uint32_t> merged;  // live at the join, and defined in the region
  std::vector<uint8_t> merged_bits;
};

// Volatile accesses are strong, like relaxed ones (PTX 8.7.2).
inline bool is_strong(const ir::MemoryAccess& access) {
  return access.is_volatile || access.order != ir::MemoryAccess::Order::kWeak;
}

struct Code {
  const ir::Function* function = nullptr;
  ir::Cfg cfg;
  std::vector<CodeInst> insts;
  std::vector<CodeBlock> blocks;
  std::vector<uint32_t> constants;  // ValueIds that are constants
  // Some instruction may wait for other threads, or synchronise with them, through memory.
  bool follows = false;
  bool waits = false;      // there is a strong load, or an atomic that only looks
  std::vector<bool> used;  // by value: some instruction reads it
  // Can `to` be reached from `from` (through at least one edge)?
  bool reaches(ir::BlockId from, ir::BlockId to) const { return reachable_[from][to]; }

  // The instruction that ends a block.
  uint32_t last(ir::BlockId block) const {
    const size_t count = function->blocks[block].insts.size() - blocks[block].phis.size();
    return static_cast<uint32_t>(blocks[block].first + count - 1);
  }
  // The blocks of the natural loop of a back edge.
  std::vector<bool> loop(ir::BlockId header, ir::BlockId tail) const;
  // Of a block that ends in a branch; worked out when first asked for.
  const Carried& carried(ir::BlockId branch) const;

  Code(const ir::Function& function, SiteId first_site);

 private:
  void add_block(ir::BlockId id, SiteId first_site);
  void add_edges(ir::BlockId id);
  void find_short_ends();
  void find_reachable();
  void find_followed();
  void find_live() const;
  std::vector<bool> live_after(ir::BlockId block) const;

  std::vector<std::vector<bool>> reachable_;
  // Registers live at the start of each block, its phis left out.
  mutable std::vector<std::vector<bool>> live_;
  mutable std::vector<std::unique_ptr<Carried>> carried_;  // by block
};

}  // namespace ptxequiv::machine
