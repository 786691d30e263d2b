// The page docs/isa-coverage.md, made from the instruction table and the recorded runs.
#pragma once
#include <string>

namespace ptxequiv::testing {

std::string coverage_page();

}  // namespace ptxequiv::testing
