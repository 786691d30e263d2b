// Runs a piece of work in a child process that can be killed: Z3 honours neither its time-out nor
// its memory limit in every case, and a crash in it must not take the checker down.
#pragma once
#include <functional>
#include <string>

namespace ptxequiv::smt {

struct WorkerLimits {
  double seconds = 5;            // wall clock, from the fork; then SIGKILL
  unsigned memory_megabytes = 2048;   // address space beyond what the parent has mapped; 0: none
};

struct WorkerResult {
  enum class State { kDone, kTimeout, kMemory, kCrash, kNoProcess } state = State::kCrash;
  std::string text;              // what the work returned; empty unless kDone
};

// `work` runs in the child and returns what the parent receives. It must not touch threads, files
// or locks of the parent. A std::bad_alloc in it is kMemory; any other exception, kCrash.
WorkerResult run_in_child(const std::function<std::string()>& work, const WorkerLimits& limits);

}  // namespace ptxequiv::smt
