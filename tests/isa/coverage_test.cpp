#include "coverage.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

namespace ptxequiv::testing {
namespace {

TEST_CASE("the committed page of the instruction table is up to date") {
  std::ifstream in(std::string(PTXEQUIV_TEST_DIR) + "/../docs/isa-coverage.md");
  std::stringstream committed;
  committed << in.rdbuf();
  INFO("run scripts/make-isa-coverage");
  CHECK((committed.str() == coverage_page()));
}

TEST_CASE("every form is on the page, under a chapter") {
  const std::string page = coverage_page();
  CHECK(page.find("| `add{.sat}.s32 d, a, b` | 9.7.1.1 |") != std::string::npos);
  CHECK(page.find("| `wgmma.fence.sync.aligned` | 9.7.15.7.1 | 8.0 | sm_90a |  |") !=
        std::string::npos);
}

}  // namespace
}  // namespace ptxequiv::testing
