// Branches: how strands split, run both ways of a branch on a term, and meet again.
#pragma once
#include "machine/env.h"

namespace ptxequiv::machine {

class Control {
 public:
  explicit Control(Env& env) : env_(env) {}

  // Ends of blocks. The strand goes on, is done (others take its place), or both ways are queued.
  void branch(Warp& warp, Strand& strand);
  void conditional(const CodeInst& inst, Warp& warp, Strand& strand);
  void indexed(const CodeInst& inst, Warp& warp, Strand& strand);
  void exit(Warp& warp, Strand& strand);
  void trap(const CodeInst& inst, Warp& warp, Strand& strand);
  // griddepcontrol: lets the next launch start, or waits for the one before.
  void grid_dependency(const CodeInst& inst, Warp& warp, const Strand& strand);

 private:
  // Where a strand's lanes go: for each successor the lanes that take it for certain, and the
  // literals of those that may.
  struct Ways {
    std::vector<uint32_t> certain;  // by successor
    std::vector<uint32_t> possible;
    std::vector<std::array<TermId, kWarpSize>> literals;
    explicit Ways(size_t successors)
        : certain(successors, 0), possible(successors, 0), literals(successors) {}
  };
  void follow(Warp& warp, Strand& strand, const CodeInst& inst, const Ways& ways);
  void diverge(Warp& warp, Strand& strand, const std::vector<uint32_t>& certain, ir::BlockId join);
  void run_both(const CodeInst& inst, Warp& warp, Strand& strand, const Ways& ways,
                ir::BlockId join);
  void go(Warp& warp, Strand& strand, ir::BlockId from, uint32_t successor);
  // By an edge that turns: will the lanes go this way for ever?
  bool never_leaves(const Warp& warp, const Strand& strand, const CodeEdge& edge) const;
  void end_in_loop(Warp& warp, Strand& strand, ir::BlockId from);
  void copy_phis(Warp& warp, const Strand& strand, const CodeEdge& edge);
  void arrive(Warp& warp, Strand& strand, const CodeEdge& edge);
  void settle(Warp& warp, FrameRef frame);
  void start_arm(Warp& warp, const FrameRef& frame, unsigned arm);
  // The frame is over: its lanes go on at the join. Returns whether the outer frame may be over.
  bool finish(Warp& warp, const FrameRef& frame);
  std::vector<Register> merged_phis(const Frame& frame, uint32_t mask, uint32_t live);
  // What the arms of a symbolic frame bring, by conditions; `which` says of which registers.
  Register merged(const Frame& frame, std::vector<Register> Arm::*which, size_t index,
                  unsigned bits, uint32_t mask, uint32_t live);
  // Keeps what lanes that reach the join hold in registers that another arm may change.
  void keep_carried(Warp& warp, Frame& frame, unsigned arm, uint32_t mask);
  void leave(Warp& warp, FrameRef frame, unsigned arm, uint32_t lanes);
  Strand& add_strand(Warp& warp);
  bool split_on_trap(const CodeInst& inst, Warp& warp, Strand& strand, Ways& ways);
  void note_exit(Warp& warp, uint32_t lanes, ir::BlockId branch);

  Env& env_;
};

}  // namespace ptxequiv::machine
