// Versions and targets that instructions need.
#include "isa/target.h"

#include "helpers.h"

namespace ptxequiv::testing {
namespace {

using isa::Targets;

TEST_CASE("targets: a number and later, one alone, a family, a range, a version") {
  CHECK(Targets(80).contain("sm_80", 90));
  CHECK(Targets(80).contain("sm_90a", 90));
  CHECK_FALSE(Targets(80).contain("sm_75", 90));
  CHECK(Targets("90a").contain("sm_90a", 90));
  CHECK_FALSE(Targets("90a").contain("sm_90", 90));
  CHECK_FALSE(Targets("90a").contain("sm_100a", 90));
  const Targets families("100f|110f");
  for (const char* target : {"sm_100a", "sm_100f", "sm_103a", "sm_103f", "sm_110a"}) {
    CHECK(families.contain(target, 90));
  }
  for (const char* target : {"sm_100", "sm_103", "sm_101a", "sm_120a", "sm_90a"}) {
    CHECK_FALSE(families.contain(target, 90));
  }
  CHECK_FALSE(Targets("103f").contain("sm_100a", 90));
  const Targets old("30-62|<64");
  CHECK(old.contain("sm_62", 90));
  CHECK(old.contain("sm_70", 63));
  CHECK_FALSE(old.contain("sm_70", 64));
  CHECK_FALSE(old.contain("sm_20", 90));
  CHECK(old.to_string() == "sm_30 to sm_62 or any before PTX 6.4");
  CHECK(families.to_string() == "sm_100f or sm_110f");
  CHECK(Targets(80).to_string() == "sm_80 or later");
}

std::string refusal_for(const std::string& body, const std::string& version,
                        const std::string& target) {
  try {
    lower_module(kernel(body), version, target);
  } catch (const base::InputError& error) {
    return error.message();
  }
  return "accepted";
}

TEST_CASE("an instruction, or a modifier of it, that the module is too old for is refused") {
  const char* copy = "cp.async.ca.shared.global [sh], [%rd0], 4;";
  CHECK(refusal_for(copy, "8.3", "sm_80") == "accepted");
  CHECK(refusal_for(copy, "8.3", "sm_75") ==
        "cp.async.ca.shared.global: needs .target sm_80 or later; the module's is sm_75");
  CHECK(refusal_for("min.NaN.f32 %f0, %f1, %f2;", "8.3", "sm_75") ==
        "min.NaN.f32: .NaN needs .target sm_80 or later; the module's is sm_75");
  CHECK(refusal_for("min.f32 %f0, %f1, %f2;", "8.3", "sm_75") == "accepted");
  CHECK(refusal_for("bmsk.clamp.b32 %r0, %r1, %r2;", "8.6", "sm_90a") == "accepted");
  CHECK(refusal_for("wgmma.fence.sync.aligned;", "8.6", "sm_90") ==
        "wgmma.fence.sync.aligned: needs .target sm_90a; the module's is sm_90");
}

}  // namespace
}  // namespace ptxequiv::testing
