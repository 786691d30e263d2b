#include "spec/suppressions.h"

#include "support.h"

using namespace ptxequiv::spec;

namespace {

std::vector<Suppression> parse(const std::string& entries) {
  return parse_suppressions(
      "// known findings\n{\"schema\": \"ptxequiv/suppressions/v1\", \"suppressions\": [" +
          entries + "]}",
      "s.json");
}

}  // namespace

TEST_CASE("a suppressions file names kernel and category and reason") {
  const auto all =
      parse(R"({"kernel": "sum*", "category": "race-shared", "reason": "both write 0"} /* one */)");
  REQUIRE(all.size() == 1);
  CHECK(all[0].reason == "both write 0");
  CHECK(all[0].matches("sum_rows", "race-shared"));
  CHECK(!all[0].matches("sum_rows", "race-global"));
  CHECK(!all[0].matches("a_sum", "race-shared"));
}

TEST_CASE("what is wrong with a suppression is said with its place") {
  const auto message = [](const std::string& entry) {
    return input_error([&] { parse(entry); }).message();
  };
  CHECK(message(R"({"kernel": "k", "category": "race-shared"})").find("reason") !=
        std::string::npos);
  CHECK(message(R"({"kernel": "k", "category": "race-shared", "reason": ""})") ==
        "\"reason\" is empty");
  CHECK(message(R"({"kernel": "k", "category": "race", "reason": "r"})") ==
        "\"race\" is no category");
  CHECK(message(R"({"kernel": "k", "category": "value", "reason": "r"})") ==
        "\"value\" cannot be suppressed: it is what a check is about");
  const auto error =
      input_error([] { parse(R"({"kernel": "k", "categry": "trap", "reason": "r"})"); });
  CHECK(error.hint().find("category") != std::string::npos);
  CHECK(error.loc().line == 2);
}

TEST_CASE("globs match whole names") {
  CHECK(matches_glob("*", ""));
  CHECK(matches_glob("a*b*c", "aXXbYYc"));
  CHECK(matches_glob("a*ab", "aaab"));
  CHECK(matches_glob("k?", "k1"));
  CHECK(!matches_glob("k?", "k"));
  CHECK(!matches_glob("a*b", "abc"));
  CHECK(!matches_glob("", "a"));
}
