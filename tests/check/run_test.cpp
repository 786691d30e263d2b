// Whole checks on small kernels: what each verdict needs, and that nothing else earns it.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "base/error.h"
#include "check/check.h"

using namespace ptxequiv;

namespace {

struct Setup {
  std::string reference = "add", candidate = "add";
  std::string extra;             // more top-level keys, each with a leading comma
  std::string grid = "1", block = "4";
  std::string candidate_block = "4";
  std::string x_range;
  std::string args = R"(["x", "y", "o"])";
};

std::string launch(const std::string& kernel, const Setup& s, const std::string& block) {
  return fmt::format(R"({{"ptx": "kernels.ptx", "kernel": "{}", "grid": [{},1,1], "block": [{},1,1], "args": {}}})",
                     kernel, s.grid, block, s.args);
}

Report verify(const Setup& s, const check::Options& options = {}) {
  const std::string text = fmt::format(
      R"({{"schema": "ptxequiv/check/v1",
           "buffers": {{"x": {{"type": "f32", "shape": [4], "role": "input"{}}},
                        "y": {{"type": "f32", "shape": [4], "role": "input"}},
                        "o": {{"type": "f32", "shape": [4], "role": "output"}}}},
           "reference": {{"launches": [{}]}}, "candidate": {{"launches": [{}]}}{}}})",
      s.x_range, launch(s.reference, s, s.block), launch(s.candidate, s, s.candidate_block), s.extra);
  base::Log log(base::LogLevel::kOff);
  const spec::Check spec = spec::parse_check_text(text, std::string(PTXEQUIV_TEST_DIR) + "/check/data/check.json");
  return check::run(spec, options, log);
}

bool assumes(const Report& r, const std::string& id) {
  for (const Assumption& a : r.assumptions) {
    if (a.id == id) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("the same kernel is equivalent bit for bit") {
  const Report r = verify({});
  CHECK(r.verdict == Verdict::kEquivalent);
  REQUIRE(r.level);
  CHECK(*r.level == Level::kBitwise);
  CHECK(r.elements_compared == 4);
  CHECK(r.elements_proved == 4);
  CHECK(!assumes(r, "reals"));
}

TEST_CASE("a detour is equivalent over the reals, and says so") {
  const Report r = verify({.candidate = "add_detour"});
  CHECK(r.verdict == Verdict::kEquivalent);
  REQUIRE(r.level);
  CHECK(*r.level == Level::kReal);
  CHECK(assumes(r, "reals"));
}

TEST_CASE("a forbidden assumption is no proof") {
  check::Options options;
  options.forbid = {"reals"};
  const Report r = verify({.candidate = "add_detour"}, options);
  CHECK(r.verdict == Verdict::kUnknown);
  CHECK(r.reason == "forbidden-assumption");
}

TEST_CASE("which lane is elected is an assumption") {
  const Setup s{.reference = "copy", .candidate = "copy_elected"};
  const Report r = verify(s);
  CHECK(r.verdict == Verdict::kEquivalent);
  CHECK(assumes(r, "elect"));
  check::Options options;
  options.forbid = {"elect"};
  CHECK(verify(s, options).verdict == Verdict::kUnknown);
}

TEST_CASE("what is printed is not compared, and what vprintf returns is not known") {
  const Setup s{.reference = "copy", .candidate = "copy_printing"};
  const Report r = verify(s);
  CHECK(r.verdict == Verdict::kEquivalent);
  CHECK(assumes(r, "printf"));
  check::Options options;
  options.forbid = {"printf"};
  CHECK(verify(s, options).verdict == Verdict::kUnknown);
  CHECK(verify({.reference = "copy_count", .candidate = "copy_count"}).verdict ==
        Verdict::kUnknown);
}

TEST_CASE("a call of a function that the data choose") {
  const Report r = verify({.reference = "scale_called", .candidate = "scale_selected"});
  CHECK(r.verdict == Verdict::kEquivalent);
  CHECK(verify({.reference = "scale_called", .candidate = "scale_wrong"}).verdict ==
        Verdict::kNotEquivalent);
}

TEST_CASE("the bitwise level tells a detour apart") {
  check::Options options;
  options.level = Level::kBitwise;
  CHECK(verify({.candidate = "add_detour"}, options).verdict == Verdict::kNotEquivalent);
  CHECK(verify({}, options).verdict == Verdict::kEquivalent);
}

TEST_CASE("a difference comes with a small confirmed witness") {
  const Report r = verify({.candidate = "sub"});
  CHECK(r.verdict == Verdict::kNotEquivalent);
  CHECK(r.category == "value");
  REQUIRE(r.witness);
  CHECK(r.witness->confirmed);
  CHECK(r.witness->buffer == "o");
  REQUIRE(r.witness->inputs.size() == 1);   // one non-zero input suffices
  CHECK(r.witness->inputs[0].name.substr(0, 1) == "y");
  CHECK(r.witness->inputs[0].value == "1");
  CHECK(r.witness->places.size() == 2);
}

TEST_CASE("a candidate may be more defined than the reference, never less") {
  const Report more = verify({.reference = "div_mul", .candidate = "copy"});
  CHECK(more.verdict == Verdict::kEquivalent);
  CHECK(assumes(more, "ref-domain"));
  const Report less = verify({.reference = "copy", .candidate = "div_mul"});
  CHECK(less.verdict == Verdict::kNotEquivalent);
  REQUIRE(less.witness);
  CHECK(less.witness->candidate.real == "undefined");
}

TEST_CASE("elements that only one side writes are a coverage fault") {
  const Report r = verify({.candidate_block = "3"});
  CHECK(r.verdict == Verdict::kNotEquivalent);
  CHECK(r.category == "coverage");
  REQUIRE(r.witness);
  CHECK(r.witness->element == "o[3]");
}

TEST_CASE("a store under a condition is not a store") {
  for (const bool swapped : {false, true}) {
    Setup s{.reference = "copy", .candidate = "copy_positive"};
    if (swapped) std::swap(s.reference, s.candidate);
    const Report r = verify(s);
    CHECK(r.verdict == Verdict::kNotEquivalent);
    CHECK(r.category == "coverage");
  }
  CHECK(verify({.reference = "copy_positive", .candidate = "copy_positive"}).verdict == Verdict::kEquivalent);
}

TEST_CASE("an unwritten register in an output") {
  const Report candidate = verify({.candidate = "garbage"});
  CHECK(candidate.verdict == Verdict::kNotEquivalent);
  CHECK(candidate.category == "uninit-read");
  const Report reference = verify({.reference = "garbage"});
  CHECK(reference.verdict == Verdict::kInvalid);
  CHECK(reference.reason == "reference-fault");
}

TEST_CASE("accesses past a buffer") {
  const Report candidate = verify({.candidate_block = "5"});
  CHECK(candidate.verdict == Verdict::kNotEquivalent);
  CHECK(candidate.category == "out-of-bounds");
  const Report both = verify({.block = "5", .candidate_block = "5"});
  CHECK(both.verdict == Verdict::kInvalid);
  CHECK(both.reason == "reference-fault");
}

TEST_CASE("contradictory assumptions are invalid, not a proof") {
  const Report r = verify({.candidate = "sub", .extra = R"(, "scalars": {"a": {"type": "f32"}, "b": {"type": "f32"}},
                          "assume": ["a < b", "b < a"])"});
  CHECK(r.verdict == Verdict::kInvalid);
  CHECK(r.reason == "input");
}

TEST_CASE("what does not fit the kernel is invalid") {
  CHECK(verify({.reference = "nothing"}).verdict == Verdict::kInvalid);
  CHECK(verify({.args = R"(["x", "y"])"}).verdict == Verdict::kInvalid);
  CHECK(verify({.args = R"(["x", "y", {"s32": 1}])"}).verdict == Verdict::kInvalid);
  CHECK_THROWS_AS(verify({.block = "0"}), base::InputError);   // refused with the file
}

TEST_CASE("a range makes a difference disappear, and is listed") {
  // x = 0: x + y against x - y still differ; x / y * y against x needs y.
  const Report r = verify({.candidate = "copy", .x_range = R"(, "range": [0, 1])"});
  CHECK(r.verdict == Verdict::kNotEquivalent);
}
