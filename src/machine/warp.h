// The state of a warp: registers, and strands, which are groups of lanes at one place. Strands
// split at branches and meet again at the branch's immediate post-dominator.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "ir/ir.h"
#include "machine/lane.h"

namespace ptxequiv::machine {

// What is assumed where both ways of a branch on a term are run: per lane, one literal (a 1-bit
// term that holds), and the conjunction with all outer ones. Shared, never changed.
struct Path {
  std::shared_ptr<const Path> outer;
  std::array<TermId, kWarpSize> literal;  // kNoTerm: the lane took this way for certain
  std::array<TermId, kWarpSize> guard;
  ir::BlockId branch = ir::kNone;
  uint32_t repeats = 0;  // of this branch on the path: iterations of a loop
};
using PathRef = std::shared_ptr<const Path>;

// One way out of a diverging branch, and what came of it at the join.
struct Arm {
  uint32_t successor = 0;
  uint32_t mask = 0;
  uint32_t pending = 0;  // lanes still under way
  uint32_t arrived = 0;  // lanes that reached the join
  PathRef path;
  std::vector<Register> phis;     // of the join, for the lanes that arrived
  std::vector<Register> carried;  // Code::carried(branch).merged, for the same lanes
};

// A branch whose lanes went, or will go, different ways. If `symbolic`, a lane may go several ways:
// then arms run one after the other, and the phis of the join become selects.
struct Frame {
  std::shared_ptr<Frame> outer;
  unsigned outer_arm = 0;
  ir::BlockId branch = ir::kNone;
  ir::BlockId join = ir::kNone;
  bool symbolic = false;
  unsigned running = 0;  // arm, if symbolic
  std::vector<Arm> arms;
  std::vector<Register> saved;  // Code::carried(branch).saved, as of the branch
  PathRef path;                 // before the branch
};
using FrameRef = std::shared_ptr<Frame>;

// kTurn: to come to a barrier that others complete first.
enum class Wait : uint8_t { kNone, kBarrier, kCollective, kTurn };

struct Strand {
  ir::BlockId block = 0;
  uint32_t pc = 0;  // into Code::insts
  uint32_t mask = 0;
  Wait wait = Wait::kNone;
  bool done = false;
  PathRef path;
  FrameRef frame;
  unsigned arm = 0;
  // Reads that may wait for another thread, since something last changed for others; and the
  // registers after some of them: the same again means that it waits for ever, if nothing changes.
  uint64_t reads = 0;
  uint64_t idle_since = ~uint64_t{0};  // Cta::changes_ when it gave up its turn
  bool repeats = false;
  uint32_t repeats_at = 0;
  uint64_t looked_at = 0;  // Cta::changes_ then
  std::vector<Register> registers;
};

struct Warp {
  unsigned index = 0;
  uint32_t exists = 0;  // lanes of the launch
  uint32_t live = 0;    // lanes that have not exited
  std::vector<Register> regs;
  std::vector<std::unique_ptr<Strand>> strands;
  // Where an exited lane left the way of those that go on, if it did nothing after; see Barriers.
  std::array<ir::BlockId, kWarpSize> exit_branch;
  unsigned thread(unsigned lane) const { return index * kWarpSize + lane; }
};

// Lanes that execute an instruction, and each one's condition.
struct Active {
  uint32_t mask = 0;
  const TermId* guards = nullptr;  // of the path, by lane; null: no condition
  bool conditional = false;        // the instruction adds conditions: `own` counts
  std::array<TermId, kWarpSize> own;
};

}  // namespace ptxequiv::machine
