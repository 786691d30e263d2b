#include "check/check.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <new>

#include "base/error.h"
#include "check/describe.h"
#include "check/runner.h"
#include "smt/solver.h"

namespace ptxequiv::check {
namespace {

uint64_t peak_memory() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

std::string located(const std::string& file, base::SourceLoc loc, const std::string& text) {
  if (file.empty()) return text;
  if (loc.line == 0) return fmt::format("{}: {}", file, text);
  return fmt::format("{}:{}:{}: {}", file, loc.line, loc.column, text);
}

std::string of_side(const std::string& side) {
  return side.empty() ? "" : fmt::format(" (in the {})", side);
}

void give(Report& report, Verdict verdict, const std::string& reason, const std::string& message,
          const std::string& hint = {}) {
  report.verdict = verdict;
  report.category.clear();
  report.level.reset();
  report.reason = reason;
  report.message = message;
  report.hint = hint;
}

}  // namespace

Report run(const spec::Check& check, const Options& options, base::Log& log) {
  Report report;
  const auto start = std::chrono::steady_clock::now();
  {
    Runner runner(check, options, log, report);
    try {
      runner.run();
    } catch (const base::InputError& e) {
      give(report, Verdict::kInvalid, "input", located(e.file(), e.loc(), e.message()), e.hint());
    } catch (const base::Unsupported& e) {
      give(report, Verdict::kUnsupported, "unsupported",
           located(e.file(), e.loc(), "not modelled: " + e.feature() + (e.why().empty() ? "" : ": " + e.why())) +
               of_side(runner.side()));
    } catch (const base::LimitReached& e) {
      give(report, Verdict::kUnknown, e.limit(), e.detail() + of_side(runner.side()));
    } catch (const std::bad_alloc&) {
      give(report, Verdict::kUnknown, "memory", "out of memory" + of_side(runner.side()));
    } catch (const std::exception& e) {
      give(report, Verdict::kUnknown, "internal", e.what(), "this is a bug of ptxequiv: please report it");
    }
  }
  report.demanded = options.level.value_or(check.level);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.peak_memory_bytes = peak_memory();
  report.versions = {{"ptxequiv", PTXEQUIV_VERSION}, {"z3", smt::Solver::version()}};
  return report;
}

}  // namespace ptxequiv::check
