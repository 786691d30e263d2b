#include "run/compare.h"

#include <cmath>

#include "op/evaluate.h"
#include "run/bytes.h"
#include "run/enclosure.h"

namespace ptxequiv::run {
namespace {

using Outcome = Comparison::Outcome;
using Bytes = std::map<std::string, std::vector<uint8_t>>;

struct Difference {
  size_t buffer;
  uint64_t index;
  uint64_t ours, theirs;
};

// A plain execution: what it left that is not as recorded.
struct Attempt {
  Contract contract;
  std::vector<Difference> differences;
};

// Elements whose bits are not those recorded; `elements` counts all.
std::vector<Difference> differences(const Executed& run,
                                    const std::vector<machine::Buffer>& buffers,
                                    const Bytes& recorded, uint64_t& elements) {
  std::vector<Difference> result;
  elements = 0;
  for (size_t b = 0; b < buffers.size(); ++b) {
    const auto found = recorded.find(buffers[b].name);
    if (found == recorded.end()) continue;
    const unsigned size = op::bits(buffers[b].type) / 8;
    for (uint64_t i = 0; i < buffers[b].elements; ++i) {
      ++elements;
      const uint64_t ours = load(run.buffers[b].bytes, i, size);
      const uint64_t theirs = load(found->second, i, size);
      if (!run.buffers[b].known[i] || ours != theirs) result.push_back({b, i, ours, theirs});
    }
  }
  return result;
}

double number(op::Type type, uint64_t bits) {
  return op::is_float(type) ? op::to_double(type, bits) : static_cast<double>(bits);
}

// Holds differences of a plain execution against what the approximate instructions allow; `run`
// is the same execution, which kept them as terms.
Comparison bounded(const std::vector<Difference>& all, const Executed& run,
                   const std::vector<machine::Buffer>& buffers) {
  Comparison result;
  result.outcome = Outcome::kWithin;
  result.inexact = all.size();
  std::vector<term::TermId> roots;
  std::vector<const Difference*> enclosed;
  for (const Difference& d : all) {
    const auto& cells = run.outcome.buffers[d.buffer];
    if (d.index < cells.size() && cells[d.index].value != term::kNoTerm) {
      roots.push_back(cells[d.index].value);
      enclosed.push_back(&d);
      continue;
    }
    result.outcome = Outcome::kDiffers;
    result.worst = Deviation{
        buffers[d.buffer].name, d.index, buffers[d.buffer].type, d.ours, d.theirs, false, 0, 0, {}};
    return result;
  }
  const std::vector<Enclosure> enclosures = enclose(*run.arena, roots);
  double farthest = -1;
  for (size_t i = 0; i < enclosed.size(); ++i) {
    const Difference& d = *enclosed[i];
    const Enclosure& e = enclosures[i];
    const machine::Buffer& buffer = buffers[d.buffer];
    Deviation deviation{buffer.name, d.index, buffer.type, d.ours, d.theirs,
                        false,       e.low,   e.high,      {}};
    deviation.bounded = e.state == Enclosure::State::kInterval;
    if (e.is_any()) {
      deviation.lost_at = op::to_string((*run.arena)[static_cast<term::TermId>(e.bits)].op);
      if (result.outcome == Outcome::kWithin) result.worst = deviation;
      result.outcome = Outcome::kUnbounded;
      continue;
    }
    if (!e.contains(d.theirs, op::bits(buffer.type))) {
      result.outcome = Outcome::kDiffers;
      result.worst = deviation;
      return result;
    }
    result.bound = std::max(result.bound, (e.high - e.low) / 2);
    const double distance = std::fabs(number(buffer.type, d.ours) - number(buffer.type, d.theirs));
    if (result.outcome == Outcome::kWithin && distance > farthest) {
      farthest = distance;
      result.worst = deviation;
    }
  }
  return result;
}

}  // namespace

Comparison compare(const machine::Program& program, const std::vector<machine::Buffer>& buffers,
                   const std::vector<machine::Scalar>& scalars, const Bytes& recorded,
                   const Options& options, const base::Deadline& deadline, base::Log& log) {
  Options now = options;
  Comparison result;
  std::vector<Attempt> attempts;
  for (const Contract contract : {Contract::kNone, Contract::kAll}) {
    now.contract = contract;
    const Executed run = execute(program, buffers, scalars, now, deadline, log);
    if (contract == Contract::kNone) {
      result.seconds = run.seconds;
      result.thread_instructions = run.outcome.thread_instructions;
    } else if (run.fused == 0) {
      break;  // the same again
    }
    attempts.push_back({contract, differences(run, buffers, recorded, result.elements)});
    if (attempts.back().differences.empty()) {
      result.outcome = Outcome::kSame;
      result.contract = contract;
      return result;
    }
  }
  now.keep_approximate = true;
  std::optional<Comparison> best;
  for (const Attempt& attempt : attempts) {
    now.contract = attempt.contract;
    const Executed run = execute(program, buffers, scalars, now, deadline, log);
    Comparison found = bounded(attempt.differences, run, buffers);
    found.contract = attempt.contract;
    if (!best || found.outcome < best->outcome) best = std::move(found);
    if (best->outcome == Outcome::kWithin) break;
  }
  best->elements = result.elements;
  best->seconds = result.seconds;
  best->thread_instructions = result.thread_instructions;
  return *best;
}

}  // namespace ptxequiv::run
