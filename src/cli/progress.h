// One line on a terminal that says what a long check is doing; gone when it is done.
#pragma once
#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace ptxequiv::cli {

class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  // Shows nothing at all unless `enabled`; and nothing in the first half second.
  Progress(std::ostream& out, bool enabled, unsigned width);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void start(std::string label);
  void update(const std::string& stage, uint64_t done, uint64_t total);
  void clear();

 private:
  std::ostream& out_;
  bool enabled_;
  unsigned width_;
  bool shown_ = false;
  std::string label_;
  Clock::time_point started_, last_;
};

}  // namespace ptxequiv::cli
