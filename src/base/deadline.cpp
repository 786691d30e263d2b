#include "base/deadline.h"

#include <algorithm>

#include "base/error.h"

namespace ptxequiv::base {

Deadline Deadline::in(double seconds) {
  return Deadline(Clock::now() +
                  std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
}

double Deadline::left() const {
  if (end_ == Clock::time_point::max()) return 1e9;
  return std::max(0.0, std::chrono::duration<double>(end_ - Clock::now()).count());
}

void Deadline::poll() const {
  if (passed()) throw LimitReached("timeout", "the time for this check is over");
}

}  // namespace ptxequiv::base
