// What every part of the machine needs: the caller's inputs and where its findings go.
#pragma once
#include <string>
#include <vector>

#include "machine/machine.h"

namespace ptxequiv::machine {

class Reporter;

// A module variable that a run reads before it writes it, and may leave changed.
struct CarriedOver {
  const ptx::Module* module = nullptr;
  ptx::SymbolId symbol = 0;
  bool certain = false;  // some input makes it change
};

struct Context {
  const std::vector<Buffer>& buffers;
  const std::vector<Scalar>& scalars;
  term::Arena& arena;
  const Limits& limits;
  const base::Deadline& deadline;
  Oracle* oracle;
  base::Log& log;
  Reporter& reporter;
  // What module variables hold before the first launch: given; arbitrary. Others: their
  // initialisers.
  const std::vector<Variable>* given = nullptr;
  const std::vector<CarriedOver>* arbitrary = nullptr;
};

// Which of `count` comes `i`-th.
inline uint64_t in_turn(Schedule schedule, uint64_t i, uint64_t count) {
  const uint64_t half = (count + 1) / 2;
  switch (schedule) {
    case Schedule::kForward:
      break;
    case Schedule::kBackward:
      return count - 1 - i;
    case Schedule::kInterleaved:
      return i < half ? 2 * i : 2 * (i - half) + 1;
  }
  return i;
}

}  // namespace ptxequiv::machine
