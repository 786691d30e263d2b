// What a side leaves in its buffers, held against what hardware left there.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "run/execute.h"

namespace ptxequiv::run {

// One element where ours and theirs are not the same bits.
struct Deviation {
  std::string buffer;
  uint64_t index = 0;
  op::Type type = op::Type::kNone;
  uint64_t ours = 0, theirs = 0;
  bool bounded = false;  // hardware's value must lie in [low, high]
  double low = 0, high = 0;
  std::string lost_at;  // not bounded: the operation whose result nothing is known of
};

struct Comparison {
  enum class Outcome : uint8_t {
    kSame,       // bit for bit
    kWithin,     // where approximate instructions or the order of atomics leave room, within it
    kUnbounded,  // differs, and no bound could be computed for some element
    kDiffers,
  } outcome = Outcome::kDiffers;
  Contract contract = Contract::kNone;  // under which, if it does not differ
  uint64_t elements = 0;                // compared
  uint64_t inexact = 0;                 // not the same bits
  double bound = 0;                     // of those, the largest half width of what is allowed
  std::optional<Deviation> worst;       // the first that differs, else the farthest from ours
  double seconds = 0;                   // of one plain execution
  uint64_t thread_instructions = 0;
};

// `recorded` maps a buffer to the bytes that hardware left.
Comparison compare(const machine::Program& program, const std::vector<machine::Buffer>& buffers,
                   const std::vector<machine::Scalar>& scalars,
                   const std::map<std::string, std::vector<uint8_t>>& recorded,
                   const Options& options, const base::Deadline& deadline, base::Log& log);

}  // namespace ptxequiv::run
