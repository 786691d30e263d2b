#include "run/compare.h"

#include <cmath>
#include <cstring>

#include "op/evaluate.h"
#include "run/enclosure.h"

namespace ptxequiv::run {
namespace {

using Outcome = Comparison::Outcome;
using Bytes = std::map<std::string, std::vector<uint8_t>>;

uint64_t element(const std::vector<uint8_t>& bytes, uint64_t index, unsigned size) {
  uint64_t bits = 0;
  if ((index + 1) * size <= bytes.size()) std::memcpy(&bits, bytes.data() + index * size, size);
  return bits;
}

struct Difference {
  size_t buffer;
  uint64_t index;
  uint64_t ours, theirs;
};

// Elements whose bits are not those recorded.
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
      const uint64_t ours = element(run.buffers[b].bytes, i, size);
      const uint64_t theirs = element(found->second, i, size);
      if (!run.buffers[b].known[i] || ours != theirs) result.push_back({b, i, ours, theirs});
    }
  }
  return result;
}

double number(op::Type type, uint64_t bits) {
  return op::is_float(type) ? op::to_double(type, bits) : static_cast<double>(bits);
}

// Holds the differences of a plain run against what the approximate instructions allow; `run` kept
// them as terms.
Comparison bounded(const Executed& plain, const Executed& run,
                   const std::vector<machine::Buffer>& buffers, const Bytes& recorded) {
  Comparison result;
  result.outcome = Outcome::kWithin;
  const std::vector<Difference> all = differences(plain, buffers, recorded, result.elements);
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
    const double distance =
        std::fabs(number(d.ours == d.theirs ? op::Type::kU64 : buffer.type, d.ours) -
                  number(buffer.type, d.theirs));
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
  std::optional<Comparison> best;
  double seconds = 0;
  uint64_t instructions = 0;
  bool fuses = true;
  std::vector<Executed> plain;
  for (const Contract contract : {Contract::kNone, Contract::kAll}) {
    now.contract = contract;
    now.keep_approximate = false;
    plain.push_back(execute(program, buffers, scalars, now, deadline, log));
    const Executed& run = plain.back();
    if (contract == Contract::kNone) {
      seconds = run.seconds;
      instructions = run.outcome.thread_instructions;
    } else {
      fuses = run.fused > 0;
    }
    Comparison result;
    result.contract = contract;
    result.seconds = seconds;
    result.thread_instructions = instructions;
    const auto found = differences(run, buffers, recorded, result.elements);
    if (found.empty()) {
      result.outcome = Outcome::kSame;
      return result;
    }
    if (!fuses) break;  // the same again
  }
  for (const Contract contract : {Contract::kNone, Contract::kAll}) {
    if (contract == Contract::kAll && !fuses) break;
    now.contract = contract;
    now.keep_approximate = true;
    const Executed run = execute(program, buffers, scalars, now, deadline, log);
    const Executed& exact = plain[contract == Contract::kAll ? 1 : 0];
    Comparison result = bounded(exact, run, buffers, recorded);
    result.contract = contract;
    result.seconds = seconds;
    result.thread_instructions = instructions;
    if (!best || result.outcome < best->outcome) best = result;
    if (best->outcome == Outcome::kWithin) break;
  }
  return *best;
}

}  // namespace ptxequiv::run
