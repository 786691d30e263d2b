#include "cli/program.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "support.h"

using namespace ptxequiv;
using nlohmann::json;

namespace {

cli::CheckFunction answering(Verdict verdict) {
  return [verdict](const spec::Check&, const check::Options&, base::Log&) {
    Report report;
    report.verdict = verdict;
    report.message = "as told";
    return report;
  };
}

}  // namespace

TEST_CASE("the exit status is the verdict's") {
  for (const Verdict v : {Verdict::kEquivalent, Verdict::kNotEquivalent, Verdict::kUnknown,
                          Verdict::kUnsupported, Verdict::kInvalid})
    CHECK(run_here({data("proved.json")}, answering(v)).status == exit_code(v));
}

TEST_CASE("options reach the checker") {
  check::Options seen;
  std::string title;
  const auto look = [&](const spec::Check& c, const check::Options& options, base::Log&) {
    seen = options;
    title = c.title;
    return proved(c);
  };
  run_here({data("proved.json"), "--timeout", "2", "--memory", "1G", "--threads", "2", "--seed",
            "9", "--forbid", "libm", "--level", "bitwise", "--dump", "ir"},
           look);
  CHECK(title == "proved");
  CHECK(seen.timeout_seconds == 2);
  CHECK(seen.memory_bytes == uint64_t{1} << 30);
  CHECK(seen.threads == 2);
  CHECK(seen.seed == 9);
  CHECK(seen.forbid == std::vector<std::string>{"libm"});
  CHECK(seen.level == Level::kBitwise);
  CHECK(seen.dump == "ir");
}

TEST_CASE("assumptions and a tolerance reach the check of a file") {
  spec::Check seen;
  check::Options with;
  const auto look = [&](const spec::Check& c, const check::Options& options, base::Log&) {
    seen = c;
    with = options;
    return proved(c);
  };
  const Outcome fine = run_here({data("proved.json"), "--assume", "x[*] >= 0", "--tolerance", "1e-6,0.5",
                                 "--emit-smt2", "folder"}, look);
  CHECK(fine.status == 0);
  REQUIRE(seen.assume.size() == 1);
  CHECK(seen.assume[0].text == "x[*] >= 0");
  REQUIRE(seen.tolerance);
  CHECK(seen.tolerance->atol.text == "1e-6");
  CHECK(seen.tolerance->rtol.text == "0.5");
  CHECK(with.level == Level::kTolerance);
  CHECK(with.emit_smt2 == "folder");
  for (const std::vector<std::string>& bad :
       {std::vector<std::string>{"--assume", "y[*] >= 0"}, {"--assume", "x[*] >="},
        {"--tolerance", "1e-6"}, {"--tolerance", "-1,0"}, {"--tolerance", "1,nan"},
        {"--tolerance", "1,0", "--level", "real"}}) {
    std::vector<std::string> arguments{data("proved.json")};
    arguments.insert(arguments.end(), bad.begin(), bad.end());
    const Outcome o = run_here(arguments, look);
    INFO(bad[0] + " " + bad[1]);
    CHECK(o.status == 4);
    CHECK_THAT(o.err + o.out, Catch::Contains(bad[0]));
  }
}

TEST_CASE("a suppressions file reaches the checker, and a bad one is invalid") {
  check::Options seen;
  const auto look = [&](const spec::Check& c, const check::Options& options, base::Log&) {
    seen = options;
    return proved(c);
  };
  run_here({data("proved.json"), "--suppressions", data("suppressions.json")}, look);
  REQUIRE(seen.suppressions.size() == 1);
  CHECK(seen.suppressions[0].category == "race-shared");
  const Outcome o =
      run_here({data("proved.json"), "--suppressions", data("proved.json")}, look);
  CHECK(o.status == 4);
  CHECK_THAT(o.err, Catch::Contains("suppressions"));
}

TEST_CASE("a pair of PTX files needs no check file") {
  const Outcome o = run_here(pair_flags());
  CHECK(o.status == 0);
  CHECK_THAT(o.out, Catch::StartsWith("EQUIVALENT (real)   4 of 4 elements"));
}

TEST_CASE("flags that make no sense are invalid, with the flag named") {
  auto flags = pair_flags();
  flags.insert(flags.end(), {"--scalar", "n:s32=5"});
  const Outcome o = run_here(flags);
  CHECK(o.status == 4);
  CHECK(o.out ==
        "INVALID   --scalar n:s32=5: the scalar \"n\" is given twice\n"
        "  hint: keep one of the two\n");
}

TEST_CASE("with --json - only JSON goes to standard output") {
  const Outcome o = run_here({data("proved.json"), "--json", "-", "--dump", "ir"},
                             [](const auto& c, const auto& options, auto&) {
                               options.dump_to("a dump");
                               return proved(c);
                             });
  CHECK(o.status == 0);
  CHECK(json::parse(o.out)["verdict"] == "equivalent");
  CHECK(o.err == "a dump\n");
}

TEST_CASE("errors are JSON too where JSON is asked for") {
  const Outcome usage = run_here({"--json", "-", "--frobnicate"});
  CHECK(usage.status == 4);
  CHECK(json::parse(usage.out)["verdict"] == "invalid");
  CHECK_THAT(usage.err, Catch::StartsWith("ptxequiv: there is no option --frobnicate\n  hint: "));
  const Outcome missing = run_here({"/nowhere.json", "--json", "-"});
  CHECK(missing.status == 4);
  CHECK(json::parse(missing.out)["reason"] == "input");
  CHECK(json::parse(missing.out)["check_file"] == "/nowhere.json");
}

TEST_CASE("several checks: every one is printed, the worst counts") {
  int count = 0;
  const auto alternate = [&](const spec::Check& c, const check::Options& o, base::Log& log) {
    return ++count == 2 ? answering(Verdict::kUnknown)(c, o, log) : proved(c);
  };
  const Outcome o =
      run_here({data("proved.json"), data("refuted.json"), data("zero_grid.json")}, alternate);
  CHECK(o.status == 4);
  CHECK_THAT(o.out, Catch::Contains("proved.json  EQUIVALENT"));
  CHECK_THAT(o.out, Catch::Contains("refuted.json  UNKNOWN"));
  CHECK_THAT(o.out, Catch::Contains("zero_grid.json  INVALID"));
  CHECK_THAT(o.out, Catch::Contains("3 checks: 1 equivalent, 1 unknown, 1 invalid"));
  const Outcome j = run_here({data("proved.json"), data("refuted.json"), "--json", "-"});
  CHECK(json::parse(j.out)["checks"].size() == 2);
}

TEST_CASE("the test flag holds verdicts against expectations") {
  CHECK(run_here({data("proved.json"), "--test"}).status == 0);
  const Outcome wrong = run_here({data("wrong.json"), "--test"}, answering(Verdict::kUnknown));
  CHECK(wrong.status == 1);
  CHECK_THAT(wrong.out, Catch::Contains("FAILED: expected equivalent\n"));
  // A file that cannot be read as a check, and says so itself.
  CHECK(run_here({data("zero_grid.json"), "--test"}).status == 0);
  const Outcome none = run_here({data("no_expect.json"), "--test"});
  CHECK(none.status == 1);
  CHECK_THAT(none.out, Catch::Contains("no \"expect\""));
}

TEST_CASE("no exception escapes, and none is a verdict") {
  const Outcome broken =
      run_here({data("proved.json")}, [](const auto&, const auto&, auto&) -> Report {
        throw std::runtime_error("an invariant is broken");
      });
  CHECK(broken.status == 2);
  CHECK_THAT(broken.out, Catch::StartsWith("UNKNOWN (internal)   an invariant is broken\n"));
  const Outcome memory =
      run_here({data("proved.json")},
               [](const auto&, const auto&, auto&) -> Report { throw std::bad_alloc(); });
  CHECK(memory.status == 2);
  const Outcome input =
      run_here({data("proved.json")}, [](const auto&, const auto&, auto&) -> Report {
        throw base::InputError("k.ptx", {3, 4}, "no such thing", "try another");
      });
  CHECK(input.status == 4);
  CHECK(input.out == "INVALID   k.ptx:3:4: no such thing\n  hint: try another\n");
}

TEST_CASE("reports say which files and version they are about") {
  const json report = json::parse(run_here({data("proved.json"), "--json", "-"}).out);
  REQUIRE(report["inputs"].size() == 2);
  CHECK(report["inputs"][1]["path"] == data("copy.ptx"));
  CHECK(report["inputs"][1]["sha256"].get<std::string>().size() == 64);
  CHECK(report["versions"].contains("ptxequiv"));
}

TEST_CASE("a JSON file that cannot be written is said before the work") {
  bool ran = false;
  const Outcome o = run_here({data("proved.json"), "--json", "/nowhere/r.json"},
                             [&](const auto& c, const auto&, auto&) {
                               ran = true;
                               return proved(c);
                             });
  CHECK(o.status == 4);
  CHECK_FALSE(ran);
  CHECK_THAT(o.err, Catch::Contains("/nowhere/r.json: cannot be written"));
}

TEST_CASE("colour follows the terminal and the flag") {
  CHECK(run_here({data("proved.json")}).out.find('\x1b') == std::string::npos);
  const auto plain = [](const auto& c, const auto&, auto&) { return proved(c); };
  CHECK(run_here({data("proved.json")}, plain, true).out.find('\x1b') == 0);
  CHECK(run_here({data("proved.json"), "--color", "never"}, plain, true).out.find('\x1b') ==
        std::string::npos);
  CHECK(run_here({data("proved.json"), "--color", "always"}).out.find('\x1b') == 0);
}
