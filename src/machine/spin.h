// Loops that do nothing but wait for a value in memory: which they are, and what a thread that
// leaves one has seen. However often such a loop turns, what comes after it is the same.
#pragma once
#include <functional>
#include <map>

#include "machine/env.h"
#include "machine/strong_writes.h"

namespace ptxequiv::machine {

// Marks in `code` the reads that loops wait on (CodeInst::spins) and the edges that leave such
// loops (CodeEdge::spin). A loop waits if it has no effect but one strong read, one way out, right
// after that read, and nothing that it computes from the read or from one turn to the next is used
// outside.
void find_spin_loops(Code& code);

class Spins {
 public:
  explicit Spins(Env& env) : env_(env) {}
  void begin_launch() { reads_.clear(); }
  // `thread` makes the read of a loop that waits.
  void read(unsigned thread, const StrongWrites::Key& key, unsigned size, Reach reach,
            bool acquires);
  // The lanes of a warp leave the loop whose read is at `pc` by way of `successor`: each is ordered
  // after the first write that lets it go. Other writes may let it go in another schedule only if
  // they come later in all of them; else that is left open.
  void leave(Warp& warp, uint32_t lanes, uint32_t pc, uint32_t successor);

 private:
  struct Read {
    StrongWrites::Key key;
    unsigned size = 0;
    Reach reach = Reach::kGpu;
    bool acquires = false;
  };
  // Would the loop end if its read gave a value? By the instructions between read and branch, and
  // what they find in the registers now.
  std::function<std::optional<bool>(const Lane&)> condition(Warp& warp, unsigned lane, uint32_t pc,
                                                            uint32_t successor) const;

  Env& env_;
  std::map<std::pair<uint32_t, unsigned>, Read> reads_;  // the last, by CTA and thread
};

}  // namespace ptxequiv::machine
