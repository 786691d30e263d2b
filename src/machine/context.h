// What every part of the machine needs: the caller's inputs and where its findings go.
#pragma once
#include <string>
#include <vector>

#include "machine/machine.h"

namespace ptxequiv::machine {

class Reporter;

struct Context {
  const std::vector<Buffer>& buffers;
  const std::vector<Scalar>& scalars;
  term::Arena& arena;
  const Limits& limits;
  const base::Deadline& deadline;
  Oracle* oracle;
  base::Log& log;
  Reporter& reporter;
};

}  // namespace ptxequiv::machine
