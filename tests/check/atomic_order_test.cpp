// What floating-point atomics leave: equal over the reals under an assumption, never bit for bit.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "check/check.h"

using namespace ptxequiv;

namespace {

std::string steps(const std::vector<std::string>& kernels, const std::string& fill) {
  std::string text = fill.empty() ? "" : fmt::format(R"({{"fill": "o", "value": {}}})", fill);
  for (const std::string& kernel : kernels) {
    const std::string threads = kernel == "truncate" ? "1" : "4";
    text += fmt::format(
        R"({}{{"ptx": "atomics.ptx", "kernel": "{}", "grid": [1], "block": [{}], "args": ["x", "o"]}})",
        text.empty() ? "" : ", ", kernel, threads);
  }
  return text;
}

Report verify(const std::vector<std::string>& reference, const std::vector<std::string>& candidate,
              const check::Options& options = {}, const std::string& type = "f32",
              const std::string& fill = "0") {
  const std::string text = fmt::format(
      R"({{"schema": "ptxequiv/check/v1",
           "buffers": {{"x": {{"type": "f32", "shape": [4], "role": "input"}},
                        "o": {{"type": "{}", "shape": [4], "role": "{}"}}}},
           "reference": {{"launches": [{}]}}, "candidate": {{"launches": [{}]}}}})",
      type, fill.empty() ? "inout" : "output", steps(reference, fill), steps(candidate, fill));
  base::Log log(base::LogLevel::kOff);
  return check::run(
      spec::parse_check_text(text, std::string(PTXEQUIV_TEST_DIR) + "/check/data/check.json"),
      options, log);
}

const Assumption* assumed(const Report& r, const std::string& id) {
  for (const Assumption& a : r.assumptions) {
    if (a.id == id) return &a;
  }
  return nullptr;
}

check::Options bitwise() {
  check::Options options;
  options.level = Level::kBitwise;
  return options;
}

}  // namespace

TEST_CASE("sums by atomics are those of a loop over the reals") {
  const Report r = verify({"sum_plain"}, {"sum_atomic"});
  CHECK(r.verdict == Verdict::kEquivalent);
  REQUIRE(r.level);
  CHECK(*r.level == Level::kReal);
  const Assumption* atomics = assumed(r, "commutative-atomics");
  REQUIRE(atomics != nullptr);
  CHECK(atomics->count == 3);  // the second addition and on
  REQUIRE(atomics->places.size() == 1);
  CHECK(atomics->places[0].line == 17);
  CHECK(r.notes.empty());
  check::Options forbidding;
  forbidding.forbid = {"commutative-atomics"};
  CHECK(verify({"sum_plain"}, {"sum_atomic"}, forbidding).verdict == Verdict::kUnknown);
}

TEST_CASE("the same atomic sum on both sides is no proof of equal bits") {
  const Report real = verify({"sum_atomic"}, {"sum_atomic"});
  CHECK(real.verdict == Verdict::kEquivalent);
  REQUIRE(real.level);
  CHECK(*real.level == Level::kReal);
  CHECK(assumed(real, "commutative-atomics") != nullptr);
  CHECK(assumed(real, "reals") != nullptr);
  const Report bits = verify({"sum_atomic"}, {"sum_atomic"}, bitwise());
  CHECK(bits.verdict == Verdict::kUnknown);
  CHECK(bits.reason == "order");
  // Nor is another order a refutation.
  CHECK(verify({"sum_plain"}, {"sum_atomic"}, bitwise()).verdict == Verdict::kUnknown);
}

TEST_CASE("one addition a cell has no order") {
  const Report r = verify({"each_atomic"}, {"each_atomic"}, bitwise());
  CHECK(r.verdict == Verdict::kEquivalent);
  REQUIRE(r.level);
  CHECK(*r.level == Level::kBitwise);
  CHECK(assumed(r, "commutative-atomics") == nullptr);
  // One launch after the other: still none.
  const Report twice =
      verify({"each_atomic", "each_atomic"}, {"each_atomic", "each_atomic"}, bitwise());
  CHECK(twice.verdict == Verdict::kEquivalent);
}

TEST_CASE("bits of a sum that depend on the order are left open") {
  const Report r = verify({"sum_atomic", "truncate"}, {"sum_atomic", "truncate"});
  CHECK(r.verdict == Verdict::kUnknown);
  CHECK(r.reason == "order");
  CHECK(r.elements_proved == 3);
  CHECK(verify({"sum_plain", "truncate"}, {"sum_plain", "truncate"}).verdict ==
        Verdict::kEquivalent);
}

TEST_CASE("integer atomics are equal bit for bit in any order") {
  const Report r = verify({"count_atomic"}, {"count_atomic"}, bitwise(), "u32", "");
  CHECK(r.verdict == Verdict::kEquivalent);
  CHECK(assumed(r, "commutative-atomics") == nullptr);
}
