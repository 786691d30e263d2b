// Says of each PTX file on the command line whether the front end takes it: its text, and every
// instruction of every function in it. `--all` prints every problem, one a line, as ptxas does.
// `--samples LIMIT` prints instructions that the table allows, each with the number of its row.
// `--coverage` prints docs/isa-coverage.md.
// A tool for comparing with ptxas, not a test.
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "coverage.h"
#include "isa/lower.h"
#include "isa/walker.h"
#include "ptx/parser.h"
#include "samples.h"

namespace {

void print_samples(size_t limit) {
  size_t row = 0;
  for (const ptxequiv::isa::Entry& entry : ptxequiv::isa::table().entries()) {
    for (const std::string& text : ptxequiv::testing::samples(entry, limit)) {
      std::printf("%zu\t%s\n", row, text.c_str());
    }
    ++row;
  }
}

}  // namespace

int main(int argc, char** argv) {
  using ptxequiv::base::InputError;
  bool all = false;
  if (argc == 3 && std::strcmp(argv[1], "--samples") == 0) {
    print_samples(std::stoul(argv[2]));
    return 0;
  }
  if (argc == 2 && std::strcmp(argv[1], "--coverage") == 0) {
    std::fputs(ptxequiv::testing::coverage_page().c_str(), stdout);
    return 0;
  }
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--all") == 0) {
      all = true;
      continue;
    }
    size_t problems = 0;
    const auto report = [&](const InputError& error) {
      ++problems;
      if (problems > 1 && !all) return;
      std::printf("%s:%u:%u: %s (%s)\n", argv[i], error.loc().line, error.loc().column,
                  error.message().c_str(), error.hint().c_str());
    };
    try {
      ptxequiv::isa::check(ptxequiv::ptx::parse_file(argv[i]), report);
    } catch (const InputError& error) {
      report(error);
    } catch (const std::exception& error) {
      ++problems;
      std::printf("%s: %s\n", argv[i], error.what());
    }
    if (problems == 0) std::printf("%s: accepted\n", argv[i]);
  }
}
