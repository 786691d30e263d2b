// The report for people and for machines.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

#include "ptxequiv/report.h"

namespace ptxequiv::report {

struct TextOptions {
  bool colour = false;
  bool verbose = false;  // everything; otherwise at most a screen
  unsigned width = 100;
  bool quiet = false;  // the first line only
  std::string label;   // before the first line, to tell several checks apart
};

inline constexpr const char* kSchema = "ptxequiv/report/v1";

std::string to_text(const Report& report, const TextOptions& options);
// The first line without the verdict's name, without colour and without times: the same for the
// same input.
std::string headline(const Report& report);
// "3 checks: 2 equivalent, 1 unknown".
std::string summary(const std::vector<Report>& reports);

// Schema ptxequiv/report/v1 (docs/report.schema.json). Keys stand in a fixed order.
nlohmann::ordered_json to_json(const Report& report);
// One report: itself; several: {"schema", "verdict" (the worst), "checks": [...]}.
nlohmann::ordered_json to_json(const std::vector<Report>& reports);
// Text of a JSON value; bytes that are not UTF-8 are replaced.
std::string dump(const nlohmann::ordered_json& json);

}  // namespace ptxequiv::report
