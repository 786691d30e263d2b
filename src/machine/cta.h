// Runs one CTA: its warps in turn, each until it blocks, and the CTA again for every world.
#pragma once
#include <utility>
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

  // env.cta says which one. False if its threads wait for those of others; then resume() goes on,
  // later. At the end its effects on memory are in place.
  bool run();
  bool resume(bool changed);  // `changed`: something did, meanwhile
  // Has it changed anything for others since it was last resumed?
  bool progressed() const { return changes_ != changes_at_start_; }
  // All its threads that are left turn in loops that change nothing, not even their registers; or
  // wait for a ticket.
  bool waits_for_ever() const;
  bool waits_for_ticket() const { return waits_for_ticket_; }
  void report_deadlock();
  // Executed since this was last asked.
  uint64_t take_thread_instructions() {
    next_poll_ = 0;
    return std::exchange(thread_instructions_, 0);
  }
  const std::vector<bool>& executed() const { return executed_; }

 private:
  void start_warps();
  bool run_world();  // false: it waits for other CTAs
  bool run_worlds();
  // The strand has made a read that may wait. True if it gives up its turn.
  bool may_wait(Warp& warp, Strand& strand, const CodeInst& inst, unsigned lanes);
  // Runs the warp's strands in turn until each waits or is done, or has used its share.
  bool run_warp(Warp& warp);
  // Executes until the strand waits, is done, or has used its share.
  void run_strand(Warp& warp, Strand& strand);
  void execute_op(const CodeInst& inst, Warp& warp, const Strand& strand);
  bool execute_terms(const CodeInst& inst, Warp& warp, uint32_t mask);
  void execute_lanes(const CodeInst& inst, Warp& warp, uint32_t mask);
  void special_register(const CodeInst& inst, Warp& warp, const Strand& strand);
  void object_address(const CodeInst& inst, Warp& warp, const Strand& strand);
  void is_space(const CodeInst& inst, Warp& warp, const Strand& strand);
  void poll();
  void note_progress() {
    idle_ = 0;
    ++changes_;
  }
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
  unsigned polls_after_fault_ = 0;
  uint64_t next_poll_ = 0;
  uint64_t changes_ = 0, changes_at_start_ = 0;
  bool waits_for_ticket_ = false;
  bool set_aside_ = false;  // others ran meanwhile
  uint64_t idle_ = 0;       // loads that may be waiting, since something changed for others

  // What each world left in memory that outlives the CTA.
  struct World {
    TermId condition = kNoTerm;
    std::vector<Undo> after;                // last value of every cell it stored to
    std::map<uint32_t, unsigned> granules;  // of the regions it stored to, at the time
  };
  std::vector<World> finished_;
};

}  // namespace ptxequiv::machine
