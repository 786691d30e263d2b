// One check from specification to report: executes both sides, pairs outputs, climbs the ladder,
// confirms witnesses, forms the verdict.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "ptxequiv/report.h"
#include "spec/spec.h"
#include "spec/suppressions.h"

namespace ptxequiv::check {

struct Options {
  std::optional<Level> level;            // overrides the check file's
  double timeout_seconds = 30;
  uint64_t memory_bytes = 0;             // 0 = no limit
  unsigned threads = 1;
  std::vector<std::string> forbid;       // assumption ids that turn a proof into unknown
  std::vector<spec::Suppression> suppressions;   // findings that become notes
  uint64_t seed = 1;
  std::string emit_smt2;                 // a folder for the obligations, or empty
  std::string dump;                      // "ast", "ir", "terms", "real", "smt2" or empty
  std::function<void(const std::string&)> dump_to;      // receives dump text
  // Called now and then with a stage's name and how far it is (done, total; total 0 = unknown).
  std::function<void(const std::string& stage, uint64_t done, uint64_t total)> progress;
};

// Never throws for bad input, unmodelled instructions or limits: those are verdicts.
Report run(const spec::Check& check, const Options& options, base::Log& log);

}  // namespace ptxequiv::check
