#include "cli/command_line.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "support.h"

using namespace ptxequiv;
using cli::CommandLine;

namespace {

CommandLine parsed(const std::vector<std::string>& arguments) {
  CommandLine line;
  cli::parse(arguments, line);
  return line;
}

}  // namespace

TEST_CASE("options are read") {
  const CommandLine l = parsed({"a.json",
                                "b.json",
                                "--level",
                                "bitwise",
                                "--timeout",
                                "1.5",
                                "--memory",
                                "2G",
                                "--threads=3",
                                "--seed",
                                "7",
                                "--forbid",
                                "constant,libm",
                                "--forbid",
                                "narrowing",
                                "--dump",
                                "real",
                                "--json",
                                "-",
                                "-v",
                                "-v",
                                "--color=never",
                                "--test"});
  CHECK(l.files == std::vector<std::string>{"a.json", "b.json"});
  CHECK_FALSE(l.is_pair);
  CHECK(l.level == Level::kBitwise);
  CHECK(l.timeout == 1.5);
  CHECK(l.memory_bytes == uint64_t{2} << 30);
  CHECK(l.threads == 3);
  CHECK(l.seed == 7);
  CHECK(l.forbid == std::vector<std::string>{"constant", "libm", "narrowing"});
  CHECK(l.dump == "real");
  CHECK(l.json == "-");
  CHECK(l.verbosity == 2);
  CHECK(l.colour == cli::Colour::kNever);
  CHECK(l.test);
}

TEST_CASE("defaults") {
  const CommandLine l = parsed({"a.json"});
  CHECK_FALSE(l.level);
  CHECK(l.timeout == 30);
  CHECK(l.memory_bytes == 0);
  CHECK(l.verbosity == 0);
  CHECK(parsed({"a.json", "-q"}).verbosity == -1);
}

TEST_CASE("sizes have units") {
  const auto bytes = [](const std::string& text) {
    return parsed({"a.json", "--memory", text}).memory_bytes;
  };
  CHECK(bytes("4096") == 4096);
  CHECK(bytes("512M") == uint64_t{512} << 20);
  CHECK(bytes("1.5gb") == uint64_t{3} << 29);
  CHECK(bytes("10KiB") == 10240);
}

TEST_CASE("repeated flags take one value each, whatever the order") {
  const CommandLine l =
      parsed({"--buffer", "x:f32[4]", "--buffer", "o:f32[4]:output", "r.ptx", "c.ptx", "--scalar",
              "n:s32=-5", "--range", "x=-10,10", "--assume", "n <= 5", "--args", "[\"x\", \"o\"]",
              "--cand-args", "[x]", "--ref-grid", "2"});
  CHECK(l.is_pair);
  CHECK(l.flags.reference_ptx == "r.ptx");
  CHECK(l.flags.candidate_ptx == "c.ptx");
  CHECK(l.flags.buffers == std::vector<std::string>{"x:f32[4]", "o:f32[4]:output"});
  CHECK(l.flags.scalars == std::vector<std::string>{"n:s32=-5"});
  CHECK(l.flags.ranges == std::vector<std::string>{"x=-10,10"});
  CHECK(l.flags.assume == std::vector<std::string>{"n <= 5"});
  CHECK(l.flags.both.args == "[\"x\", \"o\"]");
  CHECK(l.flags.candidate.args == "[x]");
  CHECK(l.flags.reference.grid == "2");
  CHECK_FALSE(l.flags.candidate.grid);
}

TEST_CASE("PTX is known by its name, else by its first line") {
  CHECK(parsed({data("copy.ptx"), data("copy.ptx")}).is_pair);
  CHECK_FALSE(parsed({data("proved.json"), data("proved.json")}).is_pair);
}

TEST_CASE("bad command lines are explained") {
  struct Case {
    std::vector<std::string> arguments;
    const char* message;
    const char* hint;
  };
  const Case cases[] = {
      {{}, "no file is given", "--help"},
      {{"a.json", "--tiemout", "3"}, "there is no option --tiemout", "did you mean --timeout?"},
      {{"a.json", "--frobnicate"}, "there is no option --frobnicate", "--help"},
      {{"a.json", "--timeout"}, "--timeout", ""},
      {{"a.json", "--timeout", "soon"}, "--timeout soon: not a number", ""},
      {{"a.json", "--timeout", "-1"}, "--timeout -1: not a number from 0", ""},
      {{"a.json", "--timeout", "nan"}, "not a number", ""},
      {{"a.json", "--memory", "2Q"}, "--memory 2Q: not a size", "2G"},
      {{"a.json", "--memory", "G"}, "not a size", "2G"},
      {{"a.json", "--threads", "0"}, "--threads 0", ""},
      {{"a.json", "--level", "reel"}, "--level cannot be \"reel\"", "\"real\""},
      {{"a.json", "--forbid", "constants"}, "--forbid cannot be \"constants\"", "\"constant\""},
      {{"a.json", "--dump", "asm"}, "--dump cannot be \"asm\"", "ast"},
      {{"a.json", "--color", "blue"}, "--color cannot be \"blue\"", "never"},
      {{"a.json", "-q", "-v"}, "contradict", ""},
      {{"a.json", "--grid", "4"}, "not a check file", "check file"},
      {{"a.json", "r.ptx"}, "mixed", "two PTX files"},
      {{"r.ptx"}, "1 PTX file is given, and a check compares two", "REF.ptx CAND.ptx"},
      {{"r.ptx", "c.ptx", "d.ptx"}, "3 PTX files are given", "check file"},
      {{"inspect"}, "no file is given", "inspect"},
      {{"inspect", "--grid", "4", "k.ptx"}, "--grid", ""},
  };
  for (const Case& c : cases) {
    INFO(c.message);
    try {
      parsed(c.arguments);
      FAIL("accepted");
    } catch (const base::InputError& error) {
      CHECK_THAT(error.message(), Catch::Contains(c.message));
      CHECK_THAT(error.hint(), Catch::Contains(c.hint));
    }
  }
}

TEST_CASE("help and version are printed, whatever else is there") {
  CHECK(parsed({"--help"}).action == CommandLine::Action::kPrint);
  CHECK(parsed({"inspect", "--help"}).action == CommandLine::Action::kPrint);
  CHECK_THAT(parsed({"--version"}).to_print, Catch::StartsWith("ptxequiv 0."));
}

TEST_CASE("the help fits a terminal and names every option") {
  const std::string help = parsed({"--help"}).to_print;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 100);
  }
  for (const char* word : {"--buffer", "--cand-grid", "--timeout", "--json", "--forbid", "--test",
                           "inspect", "Examples", "reference that is itself faulty", "narrowing"})
    CHECK_THAT(help, Catch::Contains(word));
}
