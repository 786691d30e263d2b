#include "spec/vocabulary.h"

#include <catch2/catch.hpp>

#include "spec/digest.h"
#include "spec/nearest.h"

using namespace ptxequiv;

TEST_CASE("the nearest name forgives typing, not guessing") {
  const std::vector<std::string> known = {"buffers", "scalars", "candidate", "n"};
  CHECK(spec::nearest("bufers", known) == "buffers");
  CHECK(spec::nearest("sclaars", known) == "scalars");
  CHECK(spec::nearest("Candidate", known) == "candidate");
  CHECK(spec::nearest("cand", known) == "candidate");
  CHECK(spec::nearest("m", known).empty());
  CHECK(spec::nearest("reference", known).empty());
  CHECK(spec::nearest(std::string(100000, 'x'), known).empty());
}

TEST_CASE("exit codes and the worst of several verdicts") {
  CHECK(exit_code(Verdict::kEquivalent) == 0);
  CHECK(exit_code(Verdict::kNotEquivalent) == 1);
  CHECK(exit_code(Verdict::kUnknown) == 2);
  CHECK(exit_code(Verdict::kUnsupported) == 3);
  CHECK(exit_code(Verdict::kInvalid) == 4);
  const Verdict order[] = {Verdict::kEquivalent, Verdict::kUnknown, Verdict::kUnsupported,
                           Verdict::kNotEquivalent, Verdict::kInvalid};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) CHECK(worse(order[i], order[j]) == order[std::max(i, j)]);
}

TEST_CASE("what an expectation is met by") {
  CHECK(spec::meets("not_equivalent", Verdict::kNotEquivalent, "value", ""));
  CHECK(spec::meets("not_equivalent:race", Verdict::kNotEquivalent, "race-shared", ""));
  CHECK_FALSE(spec::meets("not_equivalent:race", Verdict::kNotEquivalent, "value", ""));
  CHECK_FALSE(spec::meets("equivalent", Verdict::kUnknown, "", ""));
  CHECK(
      spec::meets("invalid:reference-fault", Verdict::kInvalid, "race-shared", "reference-fault"));
  CHECK_FALSE(spec::fault_of_expect("not_equivalent:race"));
  CHECK(spec::fault_of_expect("not_equivalent:speed"));
  CHECK(spec::fault_of_expect("not-equivalent")->hint == "did you mean \"not_equivalent\"?");
  CHECK(spec::fault_of_expect("equivalent:"));
}

TEST_CASE("SHA-256 is the standard's") {
  CHECK(spec::sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(spec::sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}
