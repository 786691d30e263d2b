// What the command line says.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ptxequiv/verdict.h"
#include "spec/flags.h"

namespace ptxequiv::cli {

enum class Colour : uint8_t { kAuto, kAlways, kNever };

struct CommandLine {
  enum class Action : uint8_t { kCheck, kInspect, kRun, kPrint };
  Action action = Action::kCheck;
  std::string to_print;  // kPrint: help or version

  std::vector<std::string> files;
  spec::Flags flags;  // reference_ptx and candidate_ptx are set for a pair of PTX
  bool is_pair = false;
  bool has_flags = false;  // any of those that describe a pair

  std::optional<Level> level;
  std::optional<spec::Tolerance> tolerance;  // then the level is tolerance
  std::string emit_smt2;                     // a folder or empty
  double timeout = 30;
  uint64_t memory_bytes = 0;
  unsigned threads = 1;
  uint64_t seed = 1;
  std::vector<std::string> forbid;
  std::string suppressions;  // a file or empty
  std::string dump;

  std::string json;  // path, "-" or empty
  bool test = false;
  int verbosity = 0;  // -1 with -q
  Colour colour = Colour::kAuto;

  struct Run {
    std::string side;      // "reference", "candidate" or empty
    std::string inputs;    // a file, "random:SEED" or empty
    std::string contract;  // "none", "all" or empty
    std::string compare;   // a file or empty
    std::string write;     // a file, "-" or empty
    unsigned meet = 0;     // so many random inputs
  } run;

  bool init = false;  // of inspect
  bool ptxas = false;
  std::string entry;
};

// Throws base::InputError for anything that is wrong with the arguments. `json` is filled in as far
// as it could be read even then.
void parse(const std::vector<std::string>& arguments, CommandLine& result);

}  // namespace ptxequiv::cli
