// The program behind main(): arguments in, text and an exit status out. The check itself is handed
// in, so that tests can run the program without a solver.
#pragma once
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "check/check.h"

namespace ptxequiv::cli {

using CheckFunction = std::function<Report(const spec::Check&, const check::Options&, base::Log&)>;

struct Terminal {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  unsigned width = 100;
  bool colour_wanted = true;  // by the environment: NO_COLOR unset, TERM not "dumb"
};

// Never throws. `arguments` without the program's name.
int run(const std::vector<std::string>& arguments, Terminal& terminal, const CheckFunction& check);

}  // namespace ptxequiv::cli
