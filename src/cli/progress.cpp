#include "cli/progress.h"

#include <fmt/format.h>

#include <ostream>

#include "report/layout.h"

namespace ptxequiv::cli {

using namespace std::chrono_literals;

Progress::Progress(std::ostream& out, bool enabled, unsigned width)
    : out_(out), enabled_(enabled), width_(width) {}

void Progress::start(std::string label) {
  clear();
  label_ = std::move(label);
  started_ = Clock::now();
  last_ = started_ + 400ms;  // the first line comes 500 ms after the start
}

void Progress::update(const std::string& stage, uint64_t done, uint64_t total) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < 100ms) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  std::string line = fmt::format("{}: {}", label_, stage);
  if (total > 0) {
    line += fmt::format(" {} of {}", done, total);
  } else if (done > 0) {
    line += fmt::format(" {}", done);
  }
  line += fmt::format(", {:.0f} s", seconds);
  line = report::printable(line);
  if (line.size() >= width_) line.resize(width_ - 1);
  out_ << '\r' << line << "\x1b[K" << std::flush;
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  out_ << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace ptxequiv::cli
