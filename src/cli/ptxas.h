// NVIDIA's assembler as a second opinion, where it is installed.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxequiv::cli {

struct PtxasMessage {
  std::string severity;  // "error", "fatal", "warning"
  uint32_t line = 0;     // 0 if it names none
  std::string text;
};

// What it says of an entry; of a function that is none, only what stands on the stack.
struct PtxasFunction {
  std::string name;
  bool is_entry = false;
  uint64_t registers = 0, barriers = 0, shared_bytes = 0;
  uint64_t stack_bytes = 0, spill_stores = 0, spill_loads = 0;
};

struct PtxasOpinion {
  bool accepts = false;
  std::string version;  // "13.0.88", empty if it does not say
  std::string target;
  std::vector<PtxasMessage> messages;
  std::vector<PtxasFunction> functions;
};

// The first executable ptxas on the PATH.
std::optional<std::string> find_ptxas();
// Runs `program` on a PTX file for the target that the file names. Throws base::InputError if it
// cannot be started or the file be read, base::LimitReached if it does not end.
PtxasOpinion ask_ptxas(const std::string& program, const std::string& file);
// Reads what ptxas -v writes to its two streams.
void read_ptxas_output(std::string_view output, PtxasOpinion& opinion);
std::string describe_opinion(const PtxasOpinion& opinion, const std::string& file);

}  // namespace ptxequiv::cli
