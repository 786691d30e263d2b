// Runs the program, in this process with a given checker, or as a process of its own.
#pragma once
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.h"

struct Outcome {
  int status = -1;
  std::string out, err;
};

inline ptxequiv::Report proved(const ptxequiv::spec::Check& check) {
  ptxequiv::Report report;
  report.check_file = check.path;
  report.verdict = ptxequiv::Verdict::kEquivalent;
  report.level = ptxequiv::Level::kReal;
  report.elements_compared = report.elements_proved = 4;
  report.seconds = 0.5;
  return report;
}

inline Outcome run_here(
    const std::vector<std::string>& arguments,
    const ptxequiv::cli::CheckFunction& check = [](const auto& c, const auto&,
                                                   auto&) { return proved(c); },
    bool terminals = false) {
  std::ostringstream out, err;
  ptxequiv::cli::Terminal terminal{out, err};
  terminal.out_is_terminal = terminal.err_is_terminal = terminals;
  Outcome outcome;
  outcome.status = ptxequiv::cli::run(arguments, terminal, check);
  outcome.out = out.str();
  outcome.err = err.str();
  return outcome;
}

// The stub program, with standard error kept apart in a file.
inline Outcome run_process(const std::string& arguments) {
  const std::string err =
      std::filesystem::temp_directory_path() / ("ptxequiv_err_" + std::to_string(getpid()));
  const std::string command = std::string(PTXEQUIV_STUB) + " " + arguments + " 2>" + err;
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer{};
  for (size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    outcome.out.append(buffer.data(), n);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::ifstream stream(err);
  std::ostringstream text;
  text << stream.rdbuf();
  outcome.err = text.str();
  std::filesystem::remove(err);
  return outcome;
}

inline std::string data(const std::string& name) {
  return PTXEQUIV_TEST_DIR "/cli/data/" + name;
}

// The flags of a good pair.
inline std::vector<std::string> pair_flags() {
  return {data("copy.ptx"), data("copy.ptx"), "--grid",   "4",
          "--buffer",       "x:f32[1000]",    "--buffer", "o:f32[1000]:output",
          "--scalar",       "n:s32=1000",     "--args",   "x,o,n"};
}
