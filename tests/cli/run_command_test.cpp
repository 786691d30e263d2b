// `ptxequiv run`, from the command line to its text and exit status.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "support.h"

namespace {

std::string file(const std::string& name) {
  return (std::filesystem::temp_directory_path() / (std::to_string(getpid()) + "_" + name))
      .string();
}

TEST_CASE("run executes the reference and shows what it leaves") {
  const Outcome o = run_here({"run", data("proved.json")});
  CHECK(o.status == 0);
  CHECK_THAT(o.out, Catch::StartsWith("reference\n"));
  CHECK_THAT(o.out, Catch::Contains("o f32[1000]"));
  CHECK_THAT(o.out, Catch::Contains(" ..."));
  CHECK_THAT(o.out, Catch::Contains("thread-instructions"));
  const Outcome all = run_here({"run", data("proved.json"), "-v", "--side", "candidate"});
  CHECK_THAT(all.out, Catch::StartsWith("candidate\n"));
  CHECK_THAT(all.out, !Catch::Contains(" ..."));
}

TEST_CASE("what one run writes another compares with") {
  const std::string path = file("written.json");
  CHECK(run_here({"run", data("proved.json"), "--inputs", "random:5", "--write", path}).status ==
        0);
  const Outcome same =
      run_here({"run", data("proved.json"), "--side", "reference", "--compare", path});
  CHECK(same.status == 0);
  CHECK_THAT(same.out, Catch::StartsWith("AGREES     reference: 1000 elements, bit for bit"));
  // A byte of the inputs' results is changed: copies no longer agree.
  std::ifstream stream(path);
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  const size_t at = text.find("\"o\": \"");
  REQUIRE(at != std::string::npos);
  text[at + 6] = text[at + 6] == '0' ? '1' : '0';
  std::ofstream(path) << text;
  const Outcome other =
      run_here({"run", data("proved.json"), "--side", "reference", "--compare", path});
  CHECK(other.status == 1);
  CHECK_THAT(other.out, Catch::StartsWith("DIFFERS    reference: 1 of 1000 elements"));
  CHECK_THAT(other.out, Catch::Contains("o[0] is"));
  // It has nothing for the candidate.
  CHECK(run_here({"run", data("proved.json"), "--compare", path}).status != 0);
  std::filesystem::remove(path);
}

TEST_CASE("both sides are run over the reals") {
  const Outcome same = run_here({"run", data("proved.json"), "--meet", "3"});
  CHECK(same.status == 0);
  CHECK_THAT(same.out, Catch::StartsWith("MEET       3 inputs"));
  CHECK_THAT(same.out, Catch::Contains("0 of 3000 elements unknown"));
  CHECK(run_here({"run", data("proved.json"), "--meet", "3", "--side", "reference"}).status == 4);
  CHECK(run_here({"run", data("proved.json"), "--meet", "3", "--inputs", "x.json"}).status == 4);
}

TEST_CASE("wrong usage of run is a diagnostic") {
  CHECK(run_here({"run"}).status == 4);
  CHECK(run_here({"run", data("proved.json"), data("proved.json")}).status == 4);
  CHECK(run_here({"run", "/nowhere.json"}).status == 4);
  const Outcome side = run_here({"run", data("proved.json"), "--side", "refrence"});
  CHECK(side.status == 4);
  CHECK_THAT(side.err, Catch::Contains("reference"));
  CHECK(run_here({"run", data("proved.json"), "--contract", "some"}).status == 4);
  CHECK(run_here({"run", data("proved.json"), "--inputs", "random:x"}).status == 4);
  CHECK(run_here({"run", data("proved.json"), "--compare", "/nowhere.json"}).status == 4);
  const Outcome help = run_here({"run", "--help"});
  CHECK(help.status == 0);
  CHECK_THAT(help.out, Catch::Contains("--compare"));
}

}  // namespace
