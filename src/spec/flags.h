// A check from command-line flags: two single kernels.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "spec/spec.h"

namespace ptxequiv::spec {

struct LaunchFlags {
  std::optional<std::string> grid, block, shared, entry, args;
};

struct Flags {
  std::string reference_ptx, candidate_ptx;
  LaunchFlags both, reference, candidate;  // a side's own flag wins over that of both
  std::vector<std::string> buffers;        // "o:f32[64,48]:output"
  std::vector<std::string> scalars;        // "n:s32=1000", "eps:f32"
  std::vector<std::string> ranges;         // "x=-10,10"
  std::vector<std::string> assume;         // "lo <= hi"
  std::vector<std::string> alias;          // "x,o"
};

// Throws base::InputError whose message begins with the flag.
Check parse_flags(const Flags& flags);

// More assumptions from the command line, beside those of the check. Throws base::InputError.
void add_assumptions(Check& check, const std::vector<std::string>& texts);
// "1e-6,0": of --tolerance. Throws base::InputError.
Tolerance parse_tolerance(const std::string& text);

// The inverse, for `inspect --init` and for messages: "o:f32[64,48]:output".
std::string to_flag(const Buffer& buffer);

}  // namespace ptxequiv::spec
