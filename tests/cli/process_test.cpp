// The program as a user runs it: a process, its exit status, its two streams.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support.h"

using nlohmann::json;

TEST_CASE("verdicts become exit statuses") {
  CHECK(run_process(data("proved.json")).status == 0);
  CHECK(run_process(data("refuted.json")).status == 1);
  CHECK(run_process(data("throw.json")).status == 2);
  CHECK(run_process(data("memory.json")).status == 2);
  CHECK(run_process(data("zero_grid.json")).status == 4);
  CHECK(run_process("").status == 4);
  CHECK(run_process("--help").status == 0);
}

TEST_CASE("bad input is a diagnostic of one paragraph, on any stream but JSON's") {
  struct Case {
    std::string arguments;
    const char* message;
  };
  const std::string ptx = data("copy.ptx") + " " + data("copy.ptx");
  const Case cases[] = {
      {"/nowhere/check.json", "No such file"},
      {data(""), "is a folder"},
      {data("copy.ptx"), "compares two"},
      {ptx, "no buffer is given"},
      {ptx + " --buffer 'o:f32[4]:output' --grid 0", "an entry is 0"},
      {ptx + " --buffer 'o:f32[4]:output' --grid 1 --scalar n:s32=1 --scalar n:s32=1",
       "given twice"},
      {data("syntax.json"), "syntax.json:4:3: not JSON"},
      {data("zero_grid.json"), "zero_grid.json:7:59: the grid has the entry 0"},
  };
  for (const Case& c : cases) {
    INFO(c.arguments);
    const Outcome o = run_process(c.arguments);
    const std::string text = o.out + o.err;
    INFO(text);
    CHECK(o.status == 4);
    CHECK_THAT(text, Catch::Contains(c.message));
    CHECK(std::count(text.begin(), text.end(), '\n') <= 4);
    const Outcome j = run_process(c.arguments + " --json -");
    CHECK(j.status == 4);
    CHECK(json::parse(j.out)["verdict"] == "invalid");
  }
}

TEST_CASE("a JSON file is written beside the text") {
  const std::string path = std::filesystem::temp_directory_path() / "ptxequiv_process_test.json";
  const Outcome o = run_process(data("refuted.json") + " --json " + path);
  CHECK(o.status == 1);
  CHECK_THAT(o.out, Catch::StartsWith("NOT EQUIVALENT (race-shared)"));
  std::ifstream stream(path);
  CHECK(json::parse(stream)["category"] == "race-shared");
  std::filesystem::remove(path);
}

TEST_CASE("inference reaches the report") {
  const json report = json::parse(run_process(data("infer.json") + " --json -").out);
  REQUIRE(report["inferred"].size() == 6);
  CHECK(report["inferred"][2] ==
        "args of the reference = x, o, n (the only order that fits their use)");
}

// AddressSanitizer reserves terabytes of address space for its shadow.
#ifndef __SANITIZE_ADDRESS__
TEST_CASE("the program starts within a small address space") {
  const std::string command = "sh -c 'ulimit -v 200000; exec " + std::string(PTXEQUIV_STUB) + " " +
                              data("proved.json") + "' > /dev/null";
  CHECK(std::system(command.c_str()) == 0);
}
#endif

TEST_CASE("a long list of checks ends with a line that counts them") {
  const Outcome o = run_process("-q --test " + data("proved.json") + " " + data("refuted.json") +
                                " " + data("wrong.json"));
  CHECK(o.status == 1);
  CHECK_THAT(o.out, Catch::Contains("wrong.json  NOT EQUIVALENT (race-shared)"));
  CHECK_THAT(o.out, Catch::Contains("FAILED: expected equivalent"));
  CHECK_THAT(o.out, Catch::Contains("3 checks: 1 equivalent, 2 not_equivalent"));
}
