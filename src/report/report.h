// The report for people and for machines.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

#include "ptxequiv/report.h"

namespace ptxequiv::report {

struct TextOptions {
  bool colour = false;
  bool verbose = false;     // everything; otherwise at most a screen
  unsigned width = 100;
};

std::string to_text(const Report& report, const TextOptions& options);
// Schema ptxequiv/report/v1.
nlohmann::json to_json(const Report& report);

}  // namespace ptxequiv::report
