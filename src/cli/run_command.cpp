#include "cli/run_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <ostream>

#include "base/error.h"
#include "check/values.h"
#include "run/bytes.h"
#include "run/compare.h"
#include "run/execute.h"
#include "run/inputs.h"
#include "run/meet.h"
#include "spec/check_file.h"
#include "spec/flags.h"

namespace ptxequiv::cli {
namespace {

using base::InputError;
using run::Comparison;
using run::Contract;

constexpr std::string_view kRandom = "random:";
constexpr size_t kShown = 8;  // elements of a buffer, without -v

std::string value_text(op::Type type, uint64_t bits) {
  if (op::is_float(type) || op::info(type).is_integer) return check::to_decimal(type, bits);
  return check::to_hex(type, bits);
}

class RunCommand {
 public:
  RunCommand(const CommandLine& line, Terminal& terminal)
      : line_(line),
        terminal_(terminal),
        log_(line.verbosity >= 2 ? base::LogLevel::kDebug : base::LogLevel::kWarn),
        deadline_(line.timeout > 0 ? base::Deadline::in(line.timeout) : base::Deadline::never()),
        prepared_(check::prepare(
            line.is_pair ? spec::parse_flags(line.flags) : spec::parse_check_file(line.files[0]),
            sources_)) {
    options_.limits.max_bytes = line.memory_bytes;
    if (line.run.contract == "all") options_.contract = Contract::kAll;
  }

  int run() {
    if (line_.run.meet > 0) return meet();
    const bool compares = !line_.run.compare.empty();
    if (compares) recorded_ = run::read_recorded(line_.run.compare);
    std::string source = line_.run.compare;
    if (!line_.run.inputs.empty() || !compares) {
      recorded_.inputs = inputs(line_.run.inputs.empty() ? "random:1" : line_.run.inputs);
      source = line_.run.inputs;
    }
    run::apply(recorded_.inputs, source, run::kUnwrittenByte, prepared_.buffers, prepared_.scalars);
    bool good = true;
    for (const char* side : {"reference", "candidate"}) {
      if (line_.run.side.empty() ? !compares && side[0] == 'c' : line_.run.side != side) continue;
      good &= compares ? compare(side) : execute(side);
    }
    if (!line_.run.write.empty()) write();
    return good ? 0 : 1;
  }

 private:
  run::Inputs inputs(const std::string& text) {
    if (!text.starts_with(kRandom)) return run::read_recorded(text).inputs;
    return run::random_inputs(prepared_, seed(text), deadline_);
  }

  static uint64_t seed(const std::string& text) {
    uint64_t seed = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + kRandom.size(), end, seed);
    if (!text.starts_with(kRandom) || error != std::errc{} || stop != end) {
      throw InputError("", {}, fmt::format("--inputs {}: not a seed", text),
                       "random:1, random:2, ..., or a file");
    }
    return seed;
  }

  // Ends at the first input where the sides differ, or the candidate alone is faulty.
  int meet() {
    const uint64_t first = line_.run.inputs.empty() ? 1 : seed(line_.run.inputs);
    uint64_t elements = 0, unknown = 0;
    double nearest = 0;
    unsigned met = 0, skipped = 0;
    std::string stopped;
    for (uint64_t seed = first; seed < first + line_.run.meet && stopped.empty(); ++seed) {
      check::Prepared now = prepared_;
      run::Meeting found;
      try {
        const auto draw = static_cast<check::Draw>(seed % check::kDrawCount);
        run::apply(run::random_inputs(prepared_, seed, deadline_, draw), "", run::kUnwrittenByte,
                   now.buffers, now.scalars);
        found = run::meet(now, options_.limits, deadline_, log_);
      } catch (const base::LimitReached& limit) {
        if (met == 0) throw;
        stopped = fmt::format(", then stopped: {}", limit.what());
        break;
      }
      if (found.candidate_fault) {
        terminal_.out << fmt::format("FAULT      candidate, at random:{}: ({}) {}\n", seed,
                                     machine::name(found.candidate_fault->category),
                                     found.candidate_fault->message);
        return 1;
      }
      if (found.disjoint()) {
        terminal_.out << difference(seed, *found.farthest);
        return 1;
      }
      found.reference_fault ? ++skipped : ++met;
      elements += found.elements;
      unknown += found.unknown;
      if (found.farthest) nearest = std::max(nearest, found.farthest->factor);
    }
    terminal_.out << fmt::format(
        "MEET       {} inputs, at most {:.2g} of what rounding explains, {} of {} elements unknown{}"
        "{}\n",
        met, nearest, unknown, elements,
        skipped > 0 ? fmt::format(", {} inputs where the reference is faulty", skipped) : "",
        stopped);
    return 0;
  }

  static std::string difference(uint64_t seed, const run::Meeting::Apart& apart) {
    const auto text = [&](const run::Margin& margin) {
      if (!margin.is_number()) return std::string("undefined");
      run::Near near;
      if (!op::is_float(apart.type) || !run::read_near(margin, apart.type, near)) {
        return value_text(apart.type, margin.bits);
      }
      return fmt::format("{} +- {:.3g}", value_text(apart.type, margin.bits), near.radius);
    };
    return fmt::format(
        "DISJOINT   at random:{}: {}[{}] is {} in the reference and {} in the candidate, {:.3g} "
        "times what rounding explains\n",
        seed, apart.buffer, apart.index, text(apart.reference), text(apart.candidate),
        apart.factor);
  }

  const machine::Program& program(const std::string& side) const {
    return side == "reference" ? prepared_.reference : prepared_.candidate;
  }
  std::map<std::string, std::vector<uint8_t>>& bytes_of(const std::string& side) {
    return side == "reference" ? recorded_.reference : recorded_.candidate;
  }

  bool compare(const std::string& side) {
    const auto& theirs = bytes_of(side);
    if (theirs.empty()) {
      throw InputError(line_.run.compare, {}, fmt::format("has nothing for the {}", side));
    }
    const Comparison result = run::compare(program(side), prepared_.buffers, prepared_.scalars,
                                           theirs, options_, deadline_, log_);
    terminal_.out << verdict(side, result);
    if (line_.verbosity >= 0) terminal_.out << details(result);
    terminal_.out << std::flush;
    return result.outcome == Comparison::Outcome::kSame ||
           result.outcome == Comparison::Outcome::kWithin;
  }

  std::string verdict(const std::string& side, const Comparison& result) const {
    const std::string under =
        result.contract == Contract::kAll ? "fusing mul and add" : "without contraction";
    switch (result.outcome) {
      case Comparison::Outcome::kSame:
        return fmt::format("AGREES     {}: {} elements, bit for bit, {}\n", side, result.elements,
                           under);
      case Comparison::Outcome::kWithin:
        return fmt::format(
            "AGREES     {}: {} of {} elements bit for bit, the rest within their bounds, {}\n",
            side, result.elements - result.inexact, result.elements, under);
      case Comparison::Outcome::kUnbounded:
        return fmt::format("UNBOUNDED  {}: {} of {} elements differ, some without a bound\n", side,
                           result.inexact, result.elements);
      case Comparison::Outcome::kDiffers:
        break;
    }
    return fmt::format("DIFFERS    {}: {} of {} elements\n", side, result.inexact, result.elements);
  }

  std::string details(const Comparison& result) const {
    std::string text;
    if (result.worst) {
      const run::Deviation& d = *result.worst;
      text += fmt::format("  {}[{}] is {} ({}) here and {} ({}) in the record", d.buffer, d.index,
                          value_text(d.type, d.ours), check::to_hex(d.type, d.ours),
                          value_text(d.type, d.theirs), check::to_hex(d.type, d.theirs));
      if (d.bounded) text += fmt::format(", allowed {:.9g} to {:.9g}", d.low, d.high);
      if (!d.lost_at.empty()) text += fmt::format(", no bound past {}", d.lost_at);
      text += "\n";
    }
    if (result.outcome == Comparison::Outcome::kWithin) {
      text += fmt::format("  largest bound {:.3g}\n", result.bound);
    }
    return text + speed(result.thread_instructions, result.seconds);
  }

  static std::string speed(uint64_t instructions, double seconds) {
    return fmt::format("  {} thread-instructions in {:.2f} s\n", instructions, seconds);
  }

  bool execute(const std::string& side) {
    const run::Executed result = run::execute(program(side), prepared_.buffers, prepared_.scalars,
                                              options_, deadline_, log_);
    terminal_.out << side << "\n";
    for (const machine::Fault& fault : result.outcome.faults) {
      terminal_.out << fmt::format("  FAULT ({}) {}\n", machine::name(fault.category),
                                   fault.message);
      for (const auto& access : fault.accesses) terminal_.out << place(access.site);
    }
    for (const machine::Gap& gap : result.outcome.gaps) {
      terminal_.out << fmt::format("  note: {}\n", gap.message);
    }
    for (const machine::Note& note : result.outcome.notes) {
      if (line_.verbosity >= 1) terminal_.out << fmt::format("  note: {}\n", note.message);
    }
    for (size_t b = 0; b < prepared_.buffers.size(); ++b) {
      const machine::Buffer& buffer = prepared_.buffers[b];
      if (buffer.role != machine::Role::kOutput && buffer.role != machine::Role::kInout) continue;
      bytes_of(side)[buffer.name] = result.buffers[b].bytes;
      show(buffer, result.buffers[b]);
    }
    terminal_.out << speed(result.outcome.thread_instructions, result.seconds) << std::flush;
    return result.outcome.faults.empty();
  }

  std::string place(const machine::Site& site) const {
    if (site.inst == nullptr || site.function == nullptr) return "";
    return fmt::format("    {}:{} {}\n", site.function->module->path, site.inst->loc.line,
                       site.inst->full_name());
  }

  void show(const machine::Buffer& buffer, const run::Executed::Buffer& contents) {
    const unsigned size = op::bits(buffer.type) / 8;
    const size_t shown =
        line_.verbosity >= 1 ? buffer.elements : std::min<size_t>(buffer.elements, kShown);
    std::string text =
        fmt::format("  {} {}[{}]", buffer.name, op::name(buffer.type), buffer.elements);
    for (size_t i = 0; i < shown; ++i) {
      const uint64_t bits = run::load(contents.bytes, i, size);
      text += ' ' + (contents.known[i] ? value_text(buffer.type, bits) : "?");
    }
    if (shown < buffer.elements) text += " ...";
    terminal_.out << text << "\n";
  }

  void write() {
    recorded_.device = "ptxequiv";
    const std::string text = run::write_recorded(recorded_);
    if (line_.run.write == "-") {
      terminal_.out << text << std::flush;
      return;
    }
    std::ofstream file(line_.run.write);
    file << text;
    file.close();
    if (!file) {
      throw InputError("", {}, fmt::format("--write {}: cannot be written", line_.run.write));
    }
  }

  const CommandLine& line_;
  Terminal& terminal_;
  base::Log log_;
  base::Deadline deadline_;
  check::Sources sources_;
  check::Prepared prepared_;
  run::Options options_;
  run::Recorded recorded_;
};

}  // namespace

int run_command(const CommandLine& line, Terminal& terminal) {
  return RunCommand(line, terminal).run();
}

}  // namespace ptxequiv::cli
