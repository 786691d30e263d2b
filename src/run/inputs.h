// What a program is run on: bytes of buffers and bits of scalars, from a file or drawn at random.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "check/points.h"
#include "check/prepare.h"

namespace ptxequiv::run {

struct Inputs {
  std::map<std::string, std::vector<uint8_t>> buffers;  // little endian, as in memory
  std::map<std::string, uint64_t> scalars;              // bits
};

// What some machine left in the buffers of each side ("ptxequiv/recorded/v1").
struct Recorded {
  std::string device;
  Inputs inputs;
  std::map<std::string, std::vector<uint8_t>> reference, candidate;
};

// Every byte of an output or scratch buffer before a recorded run.
inline constexpr uint8_t kUnwrittenByte = 0x4d;

// Throws base::InputError with the file's name: unreadable, not JSON, not hexadecimal.
Recorded read_recorded(const std::string& path);
std::string write_recorded(const Recorded& recorded);

// Values within the declared ranges that satisfy every `assume`; the same for the same seed. If there
// is an `assume` they are drawn as may be, else as `draw` says.
// Throws base::InputError if none is found.
Inputs random_inputs(const check::Prepared& prepared, uint64_t seed,
                     const base::Deadline& deadline,
                     check::Draw draw = check::Draw::kUniform);

// Puts the inputs into the program's buffers and scalars. Throws base::InputError for a buffer that
// is missing, unknown, or has another size. Outputs and scratch are filled with `rest`.
void apply(const Inputs& inputs, const std::string& source, uint8_t rest,
           std::vector<machine::Buffer>& buffers, std::vector<machine::Scalar>& scalars);

}  // namespace ptxequiv::run
