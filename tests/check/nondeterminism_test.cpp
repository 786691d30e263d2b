// What only the schedule decides: proved for all its choices, or shown by two of them.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "check/check.h"

using namespace ptxequiv;

namespace {

std::string launches(const std::string& kernel) {
  const bool updates = kernel == "exchange" || kernel.substr(0, 4) == "max_";
  return fmt::format(
      R"({}{{"ptx": "schedule.ptx", "kernel": "{}", "grid": [1], "block": [4], "args": ["x", "o"]}})",
      updates ? R"({"fill": "o", "value": 0}, )" : "", kernel);
}

Report verify(const std::string& reference, const std::string& candidate,
              const check::Options& options = {}) {
  const std::string text = fmt::format(
      R"({{"schema": "ptxequiv/check/v1",
           "buffers": {{"x": {{"type": "u32", "shape": [4], "role": "input", "range": [0, 1000]}},
                        "o": {{"type": "u32", "shape": [4], "role": "output"}}}},
           "reference": {{"launches": [{}]}}, "candidate": {{"launches": [{}]}}}})",
      launches(reference), launches(candidate));
  base::Log log(base::LogLevel::kOff);
  return check::run(
      spec::parse_check_text(text, std::string(PTXEQUIV_TEST_DIR) + "/check/data/check.json"),
      options, log);
}

check::Options suppressing(const std::string& kernel, const std::string& category) {
  check::Options options;
  options.suppressions = {{kernel, category, "nothing reads what it reads", {}}};
  return options;
}

}  // namespace

TEST_CASE("a clock in the output is shown by two of its values") {
  const Report r = verify("copy", "clock_bit");
  CHECK(r.verdict == Verdict::kNotEquivalent);
  CHECK(r.category == "nondeterministic");
  REQUIRE(r.witness);
  REQUIRE(r.witness->runs.size() == 2);
  CHECK(r.witness->runs[0].value.real != r.witness->runs[1].value.real);
  CHECK(r.witness->runs[0].schedule != r.witness->runs[1].schedule);
  CHECK(r.witness->runs[0].schedule.find("%clock gives thread") != std::string::npos);
  CHECK(r.witness->confirmed);
}

TEST_CASE("a reference that depends on the clock is faulty") {
  const Report r = verify("clock_bit", "copy");
  CHECK(r.verdict == Verdict::kInvalid);
  CHECK(r.reason == "reference-fault");
  CHECK(r.category == "nondeterministic");
}

TEST_CASE("a clock that decides nothing leaves a proof for all its values") {
  CHECK(verify("copy", "clock_unused").verdict == Verdict::kEquivalent);
  CHECK(verify("clock_unused", "clock_unused").verdict == Verdict::kEquivalent);
}

TEST_CASE("a processor's number is taken from what the code compares it with") {
  const Report r = verify("copy", "on_processor");
  CHECK(r.verdict == Verdict::kNotEquivalent);
  CHECK(r.category == "nondeterministic");
}

TEST_CASE("what the last to come leaves is shown by two orders") {
  const Report r = verify("exchange", "copy");
  CHECK(r.verdict == Verdict::kInvalid);
  CHECK(r.category == "nondeterministic");
  REQUIRE(r.witness);
  REQUIRE(r.witness->runs.size() == 2);
  CHECK(r.witness->runs[1].schedule == "CTAs, warps and lanes from last to first");
  CHECK(r.open.empty());
}

TEST_CASE("two orders that agree are no proof") {
  const Report r = verify("max_and_or", "max_and_or");
  CHECK(r.verdict == Verdict::kUnknown);
  CHECK(r.reason == "schedule");
}

TEST_CASE("values are refuted beside a gap of the candidate but not of the reference") {
  const Report r = verify("copy", "max_or_plus");
  CHECK(r.verdict == Verdict::kNotEquivalent);
  const Report other = verify("max_or_plus", "copy");
  CHECK(other.verdict == Verdict::kUnknown);
}

TEST_CASE("a suppressed race leaves a proof apart from it") {
  CHECK(verify("copy", "racy").category == "race-global");
  const Report r = verify("copy", "racy", suppressing("ra*", "race-global"));
  CHECK(r.verdict == Verdict::kEquivalent);
  REQUIRE(r.suppressed.size() >= 1);
  CHECK(r.suppressed[0].kernel == "racy");
  CHECK(r.suppressed[0].reason == "nothing reads what it reads");
  CHECK(r.findings.empty());
  bool assumed = false;
  for (const Assumption& a : r.assumptions) assumed = assumed || a.id == "suppressed";
  CHECK(assumed);
  check::Options strict = suppressing("racy", "race-global");
  strict.forbid = {"suppressed"};
  CHECK(verify("copy", "racy", strict).verdict == Verdict::kUnknown);
}

TEST_CASE("a suppression is of one category in one kernel") {
  for (const auto& [kernel, category] :
       {std::pair{"racy", "race-shared"}, std::pair{"other", "race-global"}}) {
    const Report r = verify("copy", "racy", suppressing(kernel, category));
    CHECK(r.verdict == Verdict::kNotEquivalent);
    CHECK(r.suppressed.empty());
    REQUIRE(!r.notes.empty());
    CHECK(r.notes.back().id == "unused-suppression");
  }
}
