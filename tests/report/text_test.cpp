#include <catch2/catch.hpp>

#include "report/report.h"
#include "support.h"

using namespace ptxequiv;
using report::to_text;

TEST_CASE("texts are as in the golden files") {
  struct Case {
    const char* file;
    Report report;
    bool verbose;
  };
  const Case cases[] = {{"equivalent.txt", equivalent_report(), false},
                        {"equivalent_verbose.txt", equivalent_report(), true},
                        {"refuted.txt", refuted_report(), false},
                        {"race.txt", race_report(), false},
                        {"race_verbose.txt", race_report(), true},
                        {"unknown.txt", unknown_report(), false},
                        {"invalid.txt", invalid_report(), false}};
  for (const Case& c : cases) {
    INFO(c.file);
    report::TextOptions options;
    options.verbose = c.verbose;
    CHECK(to_text(c.report, options) == golden(c.file));
  }
}

TEST_CASE("narrowing is in the first line and alone in the second") {
  Report r = equivalent_report();
  r.assumptions.push_back(
      {"narrowing", "the candidate rounds to f16", 2, {place("candidate", 120, "softmax.py", 31)}});
  const std::string text = to_text(r, {});
  CHECK(text.substr(0, 28) == "EQUIVALENT (real, narrowing)");
  CHECK_THAT(text, Catch::Contains("\n  narrowing: the candidate rounds to f16: cand.ptx:120 "
                                   "(softmax.py:31)\n"));
}

TEST_CASE("colour is only of the verdict, and only when asked for") {
  report::TextOptions options;
  CHECK(to_text(equivalent_report(), options).find('\x1b') == std::string::npos);
  options.colour = true;
  CHECK(to_text(equivalent_report(), options).substr(0, 28) ==
        "\x1b[1;32mEQUIVALENT (real)\x1b[0m");
  CHECK(to_text(refuted_report(), options).substr(0, 7) == "\x1b[1;31m");
}

TEST_CASE("quiet is one line, a label tells several apart") {
  report::TextOptions options;
  options.quiet = true;
  options.label = "a/check.json";
  CHECK(to_text(refuted_report(), options) ==
        "a/check.json  NOT EQUIVALENT (value)   o[2,17] is 0.3148 in the reference and 0.2790 in "
        "the candidate\n");
}

TEST_CASE("an ordinary report is at most a screen, whatever is in it") {
  Report r = unknown_report();
  for (int i = 0; i < 500; ++i) {
    r.open.push_back({"o[" + std::to_string(i) + "]", "why", {place("candidate", 1, "", 0)}});
    r.notes.push_back({"n", "note", {}, 1});
    r.findings.push_back({"value", "candidate", "message", "", "", {}});
    r.inferred.push_back("a rather long sentence about what was inferred");
    r.assumptions.push_back({"reals", "a rather long sentence that was assumed", 1, {}});
  }
  const std::string text = to_text(r, {});
  CHECK(std::count(text.begin(), text.end(), '\n') <= 24);
  CHECK_THAT(text, Catch::Contains("more lines with -v"));
  report::TextOptions verbose;
  verbose.verbose = true;
  const std::string all = to_text(r, verbose);
  CHECK(std::count(all.begin(), all.end(), '\n') > 500);
}

TEST_CASE("findings of one kind are one line") {
  Report r = race_report();
  for (int i = 0; i < 30; ++i) r.findings.push_back(r.findings.back());
  const std::string text = to_text(r, {});
  CHECK_THAT(text, Catch::Contains("by thread 127 of CTA 3, and 30 more like it\n"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 6);
}

TEST_CASE("a message cannot redraw the terminal") {
  Report r = invalid_report();
  r.message = "bad\x1b[2Jname\r";
  r.hint = "h\x07";
  const std::string text = to_text(r, {});
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\r') == std::string::npos);
  CHECK(text.find('\x07') == std::string::npos);
}

TEST_CASE("a difference that bits do not show says so") {
  Report r = refuted_report();
  r.witness->candidate.bits = r.witness->reference.bits;
  r.witness->visible_in_bits = false;
  r.witness->ulp = 0;
  CHECK_THAT(to_text(r, {}), Catch::Contains("the difference is one of reals"));
}

TEST_CASE("launches of several steps are counted apart") {
  Report r = equivalent_report();
  LaunchScope more = r.launches[0];
  more.grid[0] = 1;
  r.launches.push_back(more);
  CHECK(report::headline(r) ==
        "800 of 800 elements of o, 4 CTAs of 128 threads + 1 of 128 against 4 of 128");
}

TEST_CASE("the summary counts verdicts") {
  CHECK(report::summary({equivalent_report(), equivalent_report(), unknown_report()}) ==
        "3 checks: 2 equivalent, 1 unknown, 0.6 s");
}

TEST_CASE("a proof apart from suppressed findings says so in the first line") {
  Report r = equivalent_report();
  Finding race;
  race.category = "race-shared";
  race.side = "candidate";
  race.message = "red[3]: written by thread 3, read by thread 0";
  r.suppressed = {{race, "softmax", "both write the same", true}};
  const std::string text = to_text(r, {});
  CHECK_THAT(text,
             Catch::StartsWith("EQUIVALENT (real, apart from 1 suppressed finding)"));
  CHECK_THAT(text, Catch::Contains("  1 finding suppressed:\n    race-shared of the candidate "
                                   "(softmax): red[3]"));
  CHECK_THAT(text, Catch::Contains("both write the same"));
}

TEST_CASE("two runs of a nondeterministic kernel are both shown") {
  Report r = refuted_report();
  r.witness->reference = r.witness->candidate = {};
  r.witness->runs = {{"CTAs from first to last", {"1", "0x00000001", "1"}},
                     {"CTAs from last to first", {"2", "0x00000002", "2"}}};
  const std::string text = to_text(r, {});
  CHECK_THAT(text, Catch::Contains("\n  1 (0x00000001) where CTAs from first to last\n"
                                   "  2 (0x00000002) where CTAs from last to first\n"));
}
