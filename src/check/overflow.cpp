// The runner's part that tells an integer overflow from other faults: a witness that disappears
// when one wrapping instruction is computed without wrap (design: section 1, `int-overflow`).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "check/describe.h"
#include "check/exact.h"
#include "check/runner.h"
#include "ir/widen.h"

namespace ptxequiv::check {
namespace {

constexpr double kMostSeconds = 3;  // for all executions together
constexpr size_t kMostInstructions = 64;

using Instructions = std::vector<const ptx::Instruction*>;

// The program with another function in place of one of its own.
struct Replaced {
  machine::Program program;
  std::unique_ptr<ir::Function> function;
};

Replaced replace(const machine::Program& program, const ir::Function& function, ir::Function by) {
  Replaced out{program, std::make_unique<ir::Function>(std::move(by))};
  for (machine::Step& step : out.program.steps) {
    auto* launch = std::get_if<machine::Launch>(&step);
    if (launch != nullptr && launch->function == &function) launch->function = out.function.get();
  }
  return out;
}

bool adds(const ptx::Instruction* instruction) {
  const std::string name = instruction->full_name();
  return name.starts_with("add") || name.starts_with("sub");
}

}  // namespace

bool Runner::happens(const machine::Fault& fault, const machine::Outcome& outcome,
                     const std::optional<Point>& point) {
  return std::any_of(outcome.faults.begin(), outcome.faults.end(), [&](const machine::Fault& f) {
    if (f.category != fault.category || f.accesses.empty()) return false;
    if (f.accesses[0].site.inst != fault.accesses[0].site.inst) return false;
    if (f.condition == term::kNoTerm || arena_.is_const(f.condition) || !point) return true;
    const TermId roots[] = {f.condition};
    const op::Result holds = evaluate_exactly(arena_, roots, *point)[0];
    return !holds.exact || (holds.bits & 1) != 0;  // choices of another execution's schedule
  });
}

void Runner::explain_by_overflow(const std::optional<Point>& point, bool of_values,
                                 const Shows& gone) {
  const auto deadline = base::Deadline::in(std::min(kMostSeconds, deadline_.left()));
  const auto shows = [&](const ir::Function& function, ir::Function by, const Shows& what) {
    const Replaced replaced = replace(prepared_.candidate, function, std::move(by));
    try {
      return what(execute(replaced.program, "candidate", machine::Schedule::kForward, &deadline));
    } catch (const base::Unsupported&) {
      side_.clear();
    } catch (const base::LimitReached&) {
      side_.clear();
    }
    return false;
  };
  const auto explains = [&](const ir::Function& function, const Instructions& instructions,
                            bool is_signed) {
    return shows(function, ir::widen(function, instructions, is_signed), gone);
  };
  // Other changes to what the machine sees could make a witness disappear: it must wrap, too.
  const auto wraps = [&](const ir::Function& function, const ptx::Instruction* one,
                         bool is_signed) {
    return shows(function, ir::probe_wrap(function, one, is_signed),
                 [&](const machine::Outcome& outcome) {
                   machine::Fault probe{machine::Category::kOutOfBounds};
                   probe.accesses.resize(1);
                   probe.accesses[0].site.inst = one;
                   return happens(probe, outcome, point);
                 });
  };
  std::vector<const ir::Function*> functions;
  for (const machine::Step& step : prepared_.candidate.steps) {
    const auto* launch = std::get_if<machine::Launch>(&step);
    if (launch == nullptr) continue;
    if (std::find(functions.begin(), functions.end(), launch->function) == functions.end()) {
      functions.push_back(launch->function);
    }
  }
  for (const ir::Function* function : functions) {
    Instructions all = ir::wrapping_instructions(*function);
    if (all.size() > kMostInstructions) all.resize(kMostInstructions);
    for (const bool is_signed : {true, false}) {
      // Read as unsigned, a negative number that is added to an index looks like a wrap.
      if (!is_signed && !of_values) std::erase_if(all, adds);
      // All of them together first: mostly the fault has nothing to do with an overflow.
      if (all.empty() || deadline.passed() || !explains(*function, all, is_signed)) continue;
      for (const ptx::Instruction* one : all) {
        if (deadline.passed()) return;
        if (explains(*function, {one}, is_signed) && wraps(*function, one, is_signed)) {
          blame(*function, *one);
          return;
        }
      }
    }
  }
}

// The overflow is the primary finding; what it brings about is listed after it.
void Runner::blame(const ir::Function& function, const ptx::Instruction& instruction) {
  const Place place = place_of({0, &function, &instruction}, "candidate");
  const std::string what = fmt::format("{} in line {} wraps around", place.instruction, place.line);
  if (report_.findings.empty()) {
    Finding effect;
    effect.category = report_.category;
    effect.side = "candidate";
    effect.message = report_.message;
    effect.location = report_.witness ? report_.witness->element : "";
    if (report_.witness) effect.places = report_.witness->places;
    report_.findings.push_back(std::move(effect));
  }
  Finding finding = report_.findings[0];
  finding.category = std::string(machine::name(machine::Category::kIntOverflow));
  finding.message = fmt::format("{}: {}", what, report_.message);
  finding.remedy = "computed without wrap, the difference disappears";
  finding.places.insert(finding.places.begin(), place);
  report_.category = finding.category;
  report_.message = finding.message;
  if (report_.witness) report_.witness->places.insert(report_.witness->places.begin(), place);
  report_.findings.insert(report_.findings.begin(), std::move(finding));
}

}  // namespace ptxequiv::check
