#include "run/meet.h"

#include "run/bytes.h"
#include "run/execute.h"

namespace ptxequiv::run {
namespace {

bool is_compared(const machine::Buffer& buffer) {
  return buffer.role == machine::Role::kOutput || buffer.role == machine::Role::kInout;
}

// What one side leaves in the buffers that are compared, element by element.
struct Side {
  std::vector<Margin> margins;
  std::optional<machine::Fault> fault;
};

Side run_side(const machine::Program& program, const check::Prepared& prepared,
              const machine::Limits& limits, const base::Deadline& deadline, base::Log& log) {
  Options options;
  options.limits = limits;
  options.limits.keep_rounding = true;
  const Executed run = execute(program, prepared.buffers, prepared.scalars, options, deadline, log);
  Side side;
  if (!run.outcome.faults.empty()) side.fault = run.outcome.faults.front();
  std::vector<term::TermId> roots;
  std::vector<size_t> places;
  for (size_t b = 0; b < prepared.buffers.size(); ++b) {
    const machine::Buffer& buffer = prepared.buffers[b];
    if (!is_compared(buffer)) continue;
    const auto& cells = run.outcome.buffers[b];
    for (uint64_t i = 0; i < buffer.elements; ++i) {
      if (i < cells.size() && cells[i].value != term::kNoTerm) {
        roots.push_back(cells[i].value);
        places.push_back(side.margins.size());
      }
      side.margins.push_back(
          Margin::exact(load(run.buffers[b].bytes, i, op::bits(buffer.type) / 8)));
    }
  }
  const std::vector<Margin> found = margins(*run.arena, roots);
  for (size_t i = 0; i < found.size(); ++i) side.margins[places[i]] = found[i];
  return side;
}

}  // namespace

Meeting meet(const check::Prepared& prepared, const machine::Limits& limits,
             const base::Deadline& deadline, base::Log& log) {
  Meeting result;
  const Side reference = run_side(prepared.reference, prepared, limits, deadline, log);
  result.reference_fault = reference.fault;
  if (reference.fault) return result;
  const Side candidate = run_side(prepared.candidate, prepared, limits, deadline, log);
  result.candidate_fault = candidate.fault;
  if (candidate.fault) return result;
  size_t at = 0;
  for (const machine::Buffer& buffer : prepared.buffers) {
    if (!is_compared(buffer)) continue;
    for (uint64_t i = 0; i < buffer.elements; ++i, ++at) {
      const Margin& a = reference.margins[at];
      const Margin& b = candidate.margins[at];
      ++result.elements;
      if (!a.is_number() || b.state == Margin::State::kUnknown) {
        ++result.unknown;
        continue;
      }
      const double factor = apart(a, b, buffer.type);
      if (result.farthest && factor <= result.farthest->factor) continue;
      result.farthest = {buffer.name, i, buffer.type, a, b, factor};
    }
  }
  return result;
}

}  // namespace ptxequiv::run
