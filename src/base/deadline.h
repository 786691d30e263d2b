// The time a check may take. Long loops poll it; nothing is interrupted from outside.
#pragma once
#include <chrono>

namespace ptxequiv::base {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;
  static Deadline never() { return Deadline(Clock::time_point::max()); }
  static Deadline in(double seconds);

  bool passed() const { return end_ != Clock::time_point::max() && Clock::now() >= end_; }
  // Seconds left, never negative; a large number for `never`.
  double left() const;
  // Throws LimitReached("timeout") once the time is over.
  void poll() const;

 private:
  explicit Deadline(Clock::time_point end) : end_(end) {}
  Clock::time_point end_;
};

}  // namespace ptxequiv::base
