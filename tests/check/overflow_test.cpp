// Differences and faults that only a wrap-around causes; and what is noted beside a verdict.
#include <fmt/format.h>

#include <algorithm>

#include <catch2/catch.hpp>

#include "check/check.h"

using namespace ptxequiv;

namespace {

Report verify(const std::string& reference, const std::string& candidate) {
  const auto launch = [](const std::string& kernel) {
    return fmt::format(
        R"({{"ptx": "overflow.ptx", "kernel": "{}", "grid": [1], "block": [4], "args": ["x", "y", "o"]}})",
        kernel);
  };
  const std::string text = fmt::format(
      R"({{"schema": "ptxequiv/check/v1",
           "buffers": {{"x": {{"type": "u32", "shape": [4], "role": "input"}},
                        "y": {{"type": "u32", "shape": [4], "role": "input"}},
                        "o": {{"type": "u32", "shape": [4], "role": "output"}}}},
           "reference": {{"launches": [{}]}}, "candidate": {{"launches": [{}]}}}})",
      launch(reference), launch(candidate));
  base::Log log(base::LogLevel::kOff);
  return check::run(
      spec::parse_check_text(text, std::string(PTXEQUIV_TEST_DIR) + "/check/data/check.json"), {},
      log);
}

std::optional<Note> noted(const Report& r, const std::string& id) {
  const auto at =
      std::find_if(r.notes.begin(), r.notes.end(), [&](const Note& n) { return n.id == id; });
  return at == r.notes.end() ? std::nullopt : std::optional<Note>(*at);
}

}  // namespace

TEST_CASE("a sum that wraps is named, and what it brings about listed") {
  const Report r = verify("mean", "mean_wraps");
  CHECK(r.verdict == Verdict::kNotEquivalent);
  CHECK(r.category == "int-overflow");
  REQUIRE(r.findings.size() == 2);
  CHECK(r.findings[0].category == "int-overflow");
  REQUIRE(!r.findings[0].places.empty());
  CHECK(r.findings[0].places[0].instruction == "add.s32");
  CHECK(r.findings[1].category == "value");
}

TEST_CASE("an index that wraps is an overflow, not only out of bounds") {
  const Report r = verify("copy", "far_index");
  CHECK(r.category == "int-overflow");
  REQUIRE(r.findings.size() >= 2);
  CHECK(r.findings[1].category == "out-of-bounds");
}

TEST_CASE("a difference that stays without wrap is one of values") {
  const Report r = verify("mean", "mean_plus");
  CHECK(r.verdict == Verdict::kNotEquivalent);
  CHECK(r.category == "value");
}

TEST_CASE("code that is never executed is noted with its line") {
  const Report r = verify("copy", "copy");
  CHECK(r.verdict == Verdict::kEquivalent);
  const std::optional<Note> note = noted(r, "never-executed");
  REQUIRE(note);
  CHECK(note->count == 1);
  REQUIRE(note->places.size() == 1);
  CHECK(note->places[0].instruction == "mul.lo.s32");
  CHECK(!noted(verify("mean", "mean"), "never-executed"));
}

TEST_CASE("inputs that no output depends on are noted") {
  const std::optional<Note> neither = noted(verify("copy", "copy"), "unused-input");
  REQUIRE(neither);
  CHECK(neither->message == "no output of either side depends on y");
  const std::optional<Note> one = noted(verify("mean", "copy"), "unused-input");
  REQUIRE(one);
  CHECK(one->message == "no output of the candidate depends on y, though the reference's do");
  CHECK(!noted(verify("mean", "mean"), "unused-input"));
}
