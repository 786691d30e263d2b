// Runs one CTA: its warps in turn, each until it blocks, and the CTA again for every world.
#pragma once
#include <vector>

#include "machine/access.h"
#include "machine/async_copy.h"
#include "machine/atomic.h"
#include "machine/barrier.h"
#include "machine/collective.h"
#include "machine/control.h"
#include "machine/env.h"

namespace ptxequiv::machine {

class Cta {
 public:
  explicit Cta(Env& env);

  // env.cta says which one. Its effects on memory are in place afterwards.
  void run();
  uint64_t thread_instructions() const { return thread_instructions_; }
  const std::vector<bool>& executed() const { return executed_; }

 private:
  void start_warps();
  void run_world();
  // Runs the warp's strands in turn until each waits or is done, or has used its share.
  bool run_warp(Warp& warp);
  // Executes until the strand waits, is done, or has used its share.
  void run_strand(Warp& warp, Strand& strand);
  void execute_op(const CodeInst& inst, Warp& warp, const Strand& strand);
  void execute_lanes(const CodeInst& inst, Warp& warp, uint32_t mask);
  void special_register(const CodeInst& inst, Warp& warp, const Strand& strand);
  void object_address(const CodeInst& inst, Warp& warp, const Strand& strand);
  void is_space(const CodeInst& inst, Warp& warp, const Strand& strand);
  void poll();
  void note_progress() { idle_ = 0; }
  void merge_worlds();
  void keep_world();
  bool diverged() const;

  Env& env_;
  Accesses accesses_;
  AsyncCopies async_;
  Atomics atomics_;
  Barriers barriers_;
  Collectives collectives_;
  Control control_;
  std::vector<Warp> warps_;
  std::vector<bool> executed_;  // blocks
  uint64_t thread_instructions_ = 0;
  uint64_t next_poll_ = 0;
  uint64_t idle_ = 0;  // loads that may be waiting, since something changed for others

  // What each world left in memory that outlives the CTA.
  struct World {
    TermId condition = kNoTerm;
    std::vector<Undo> after;                // last value of every cell it stored to
    std::map<uint32_t, unsigned> granules;  // of the regions it stored to, at the time
  };
  std::vector<World> finished_;
};

}  // namespace ptxequiv::machine
