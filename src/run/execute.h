// A program executed on concrete data, by the machine that also executes it on terms.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/log.h"
#include "machine/machine.h"
#include "term/arena.h"

namespace ptxequiv::run {

// What the assembler makes of an un-suffixed mul beside an un-suffixed add or sub.
enum class Contract : uint8_t { kNone, kAll };

struct Options {
  Contract contract = Contract::kNone;
  // Approximate operations stay terms of `arena`, and so does what is computed from them: for
  // enclose().
  bool keep_approximate = false;
  machine::Limits limits;
};

struct Executed {
  std::shared_ptr<term::Arena> arena;
  machine::Outcome outcome;
  size_t fused = 0;                   // operations that contraction made
  std::shared_ptr<const void> owner;  // of the functions that the outcome's sites name
  double seconds = 0;
  // Contents of each buffer afterwards (input and scratch buffers as far as the machine reports
  // them), and whether every bit of an element is determined by the inputs.
  struct Buffer {
    std::vector<uint8_t> bytes;
    std::vector<bool> known;
  };
  std::vector<Buffer> buffers;
};

// Every buffer must have data, every scalar a value. Throws as machine::execute.
Executed execute(const machine::Program& program, const std::vector<machine::Buffer>& buffers,
                 const std::vector<machine::Scalar>& scalars, const Options& options,
                 const base::Deadline& deadline, base::Log& log);

}  // namespace ptxequiv::run
