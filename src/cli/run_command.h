// `ptxequiv run`: a side of a check executed on concrete data.
#pragma once
#include "cli/command_line.h"
#include "cli/program.h"

namespace ptxequiv::cli {

// The exit status: 0, or 1 for a fault or (with --compare) a difference. Throws what the stages
// throw.
int run_command(const CommandLine& line, Terminal& terminal);

}  // namespace ptxequiv::cli
