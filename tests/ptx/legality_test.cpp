#include "legality_cases.h"

using namespace ptxequiv::ptx;
using namespace ptxequiv::ptx::testing;

TEST_CASE("declarations are taken and refused as ptxas does") {
  for (const LegalityCase& one : kLegalityCases) {
    CAPTURE(one.text);
    if (one.is_legal)
      CHECK_NOTHROW(parsed(whole_text(one)));
    else
      CHECK_THROWS_AS(parsed(whole_text(one)), ptxequiv::base::InputError);
  }
}

TEST_CASE("an illegal declaration is explained where it stands") {
  auto error = refusal(whole_text({Place::kEntryHead, false, ".nothing"}));
  CHECK(error.message() == "`.nothing` is no directive of a function");
  CHECK(error.loc().line == 4);
  CHECK(error.loc().column == 12);
  CHECK(refusal(whole_text({Place::kOutside, false, ".global .bf16 x;"})).hint() == "Use .b16.");
}

TEST_CASE("versions and targets that ptxas 13.0 does not know as written") {
  CHECK_NOTHROW(parsed(".version 9.1\n.target sm_90\n.entry e() .new_thing 3 { ret; }\n"));
  CHECK_NOTHROW(parsed(".version 9.1\n.target sm_999\n"));
  CHECK(refusal(".version 7.0\n.target sm_86\n").message() == "`sm_86` needs PTX 7.1 or later");
  CHECK(parsed(".version 9.0\n.target compute_90\n").target == "sm_90");
}
