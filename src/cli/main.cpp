#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "cli/program.h"

namespace {

unsigned terminal_width() {
  constexpr unsigned kDefault = 100;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) return size.ws_col;
  return kDefault;
}

bool wants_colour() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return (!no_color || !*no_color) && (!term || std::string_view(term) != "dumb");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    ptxequiv::cli::Terminal terminal{std::cout, std::cerr};
    terminal.out_is_terminal = isatty(STDOUT_FILENO) != 0;
    terminal.err_is_terminal = isatty(STDERR_FILENO) != 0;
    terminal.width = terminal_width();
    terminal.colour_wanted = wants_colour();
    return ptxequiv::cli::run({argv + (argc > 0 ? 1 : 0), argv + argc}, terminal,
                              ptxequiv::check::run);
  } catch (...) {
    // Only what the program itself could not report comes here, such as no memory at all.
    std::fputs("ptxequiv: internal error\n", stderr);
    return 2;
  }
}
