// "did you mean": the known name closest to what was written.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ptxequiv::spec {

// Empty if none is close (more than a third of the letters differ).
std::string nearest(std::string_view written, const std::vector<std::string>& known);
// "did you mean \"x\"?" or, failing that, "known: a, b, c"; empty if nothing is known.
std::string nearest_hint(std::string_view written, const std::vector<std::string>& known);

}  // namespace ptxequiv::spec
