#include "cli/program.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "base/error.h"
#include "cli/command_line.h"
#include "cli/inspect.h"
#include "cli/progress.h"
#include "cli/ptxas.h"
#include "cli/run_command.h"
#include "ptx/parser.h"
#include "report/report.h"
#include "spec/check_file.h"
#include "spec/digest.h"
#include "spec/vocabulary.h"

namespace ptxequiv::cli {
namespace {

using base::InputError;

constexpr int kUsage = 4;  // as for verdict `invalid`

std::string located(const InputError& error) {
  if (error.file().empty()) return error.message();
  if (error.loc().line == 0) return fmt::format("{}: {}", error.file(), error.message());
  return fmt::format("{}:{}:{}: {}", error.file(), error.loc().line, error.loc().column,
                     error.message());
}

Report invalid(const std::string& file, const InputError& error) {
  Report report;
  report.check_file = file;
  report.verdict = Verdict::kInvalid;
  report.reason = "input";
  report.message = located(error);
  report.hint = error.hint();
  return report;
}

Report broken(const std::string& file, const std::string& reason, const std::string& message) {
  Report report;
  report.check_file = file;
  report.verdict = Verdict::kUnknown;
  report.reason = reason;
  report.message = message;
  if (reason == "internal") report.hint = "this is a fault of ptxequiv itself: please report it";
  return report;
}

class Session {
 public:
  Session(const CommandLine& line, Terminal& terminal, const CheckFunction& check)
      : line_(line),
        terminal_(terminal),
        check_(check),
        log_(line.verbosity >= 2 ? base::LogLevel::kDebug : base::LogLevel::kWarn),
        progress_(terminal.err,
                  terminal.err_is_terminal && line.verbosity >= 0 && line.verbosity < 2,
                  terminal.width) {
    if (!line.suppressions.empty()) {
      suppressions_ = spec::parse_suppressions_file(line.suppressions);
    }
  }

  int checks() {
    std::ofstream json_file;
    if (!line_.json.empty() && line_.json != "-") {
      // Before the work, since nobody wants to hear it after.
      json_file.open(line_.json);
      if (!json_file)
        throw InputError("", {}, fmt::format("--json {}: cannot be written", line_.json), "");
    }
    bool as_expected = true;
    if (line_.is_pair) {
      as_expected = one("", "");
    } else {
      const bool several = line_.files.size() > 1;
      for (const std::string& file : line_.files) as_expected &= one(file, several ? file : "");
    }
    if (reports_.size() > 1 && prints()) terminal_.out << report::summary(reports_) << "\n";
    const std::string json = line_.json.empty() ? "" : report::dump(report::to_json(reports_));
    if (line_.json == "-") terminal_.out << json;
    if (json_file.is_open()) {
      json_file << json;
      json_file.close();
      if (!json_file)
        throw InputError("", {},
                         fmt::format("--json {}: cannot be written to its end", line_.json));
    }
    terminal_.out.flush();
    if (line_.test) return as_expected ? 0 : 1;
    Verdict worst = reports_[0].verdict;
    for (const Report& each : reports_) worst = worse(worst, each.verdict);
    return exit_code(worst);
  }

 private:
  bool prints() const { return line_.json != "-"; }
  std::ostream& side_channel() { return prints() ? terminal_.out : terminal_.err; }

  // One check, from its file or (if that is empty) from the flags. True if `expect` is met.
  bool one(const std::string& file, const std::string& label) {
    std::string expect;
    Report report = decide(file, label, expect);
    progress_.clear();
    if (prints()) print(report, label);
    bool met = true;
    if (line_.test) {
      met = !expect.empty() && spec::meets(expect, report.verdict, report.category, report.reason);
      if (!met && prints()) {
        terminal_.out << (expect.empty() ? "  FAILED: the check has no \"expect\" to test against\n"
                                         : fmt::format("  FAILED: expected {}\n", expect));
      }
    }
    reports_.push_back(std::move(report));
    return met;
  }

  void print(const Report& report, const std::string& label) {
    report::TextOptions options;
    options.colour =
        line_.colour == Colour::kAlways ||
        (line_.colour == Colour::kAuto && terminal_.out_is_terminal && terminal_.colour_wanted);
    options.verbose = line_.verbosity >= 1;
    options.quiet = line_.verbosity < 0;
    options.width = terminal_.width;
    options.label = label;
    terminal_.out << report::to_text(report, options) << std::flush;
  }

  Report decide(const std::string& file, const std::string& label, std::string& expect) {
    const auto start = std::chrono::steady_clock::now();
    Report report;
    std::optional<spec::Check> check;
    try {
      check = file.empty() ? spec::parse_flags(line_.flags) : spec::parse_check_file(file);
      if (!file.empty()) spec::add_assumptions(*check, line_.flags.assume);
      if (line_.tolerance) check->tolerance = line_.tolerance;
      expect = check->expect;
      progress_.start(label.empty() ? "ptxequiv" : label);
      report = check_(*check, check_options(), log_);
    } catch (const InputError& error) {
      if (!check && !file.empty()) expect = spec::peek_expect(file);
      report = invalid(file, error);
    } catch (const std::bad_alloc&) {
      report = broken(file, "memory", "out of memory");
    } catch (const std::exception& error) {
      report = broken(file, "internal", error.what());
    }
    complete(report, check);
    if (report.seconds == 0)
      report.seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
  }

  // What the stages before this one may have left out.
  void complete(Report& report, const std::optional<spec::Check>& check) const {
    if (check && report.input_hashes.empty()) report.input_hashes = spec::input_hashes(*check);
    if (report.versions.empty()) report.versions.emplace_back("ptxequiv", PTXEQUIV_VERSION);
    if (check && report.verdict == Verdict::kInvalid && report.title.empty())
      report.title = check->title;
  }

  check::Options check_options() {
    check::Options options;
    options.level = line_.level;
    options.timeout_seconds = line_.timeout;
    options.memory_bytes = line_.memory_bytes;
    options.threads = line_.threads;
    options.forbid = line_.forbid;
    options.suppressions = suppressions_;
    options.seed = line_.seed;
    options.emit_smt2 = line_.emit_smt2;
    options.dump = line_.dump;
    options.dump_to = [this](const std::string& text) {
      progress_.clear();
      side_channel() << text << (text.empty() || text.back() == '\n' ? "" : "\n") << std::flush;
    };
    options.progress = [this](const std::string& stage, uint64_t done, uint64_t total) {
      progress_.update(stage, done, total);
    };
    return options;
  }

  const CommandLine& line_;
  Terminal& terminal_;
  const CheckFunction& check_;
  base::Log log_;
  Progress progress_;
  std::vector<spec::Suppression> suppressions_;
  std::vector<Report> reports_;
};

// What ptxas says, also of files that our parser refuses.
int inspect_by_ptxas(const CommandLine& line, Terminal& terminal) {
  const std::optional<std::string> program = find_ptxas();
  if (!program)
    throw InputError("", {}, "there is no ptxas on the PATH",
                     "it is a part of the CUDA toolkit, and of the PyPI package nvidia-cuda-nvcc");
  bool accepted = true;
  for (const std::string& file : line.files) {
    const PtxasOpinion opinion = ask_ptxas(*program, file);
    accepted &= opinion.accepts;
    terminal.out << describe_opinion(opinion, file);
  }
  return accepted ? 0 : kUsage;
}

int inspect(const CommandLine& line, Terminal& terminal) {
  if (line.ptxas) return inspect_by_ptxas(line, terminal);
  if (!line.init) {
    bool first = true;
    for (const std::string& file : line.files) {
      if (!first) terminal.out << "\n";
      first = false;
      const ptx::Module module = ptx::parse_file(file);
      terminal.out << (line.dump == "ast" ? ptx::print(module)
                                          : describe_module(module, line.entry));
    }
    return 0;
  }
  if (line.files.size() > 2)
    throw InputError("", {}, "--init takes a reference and a candidate", "give one or two files");
  const ptx::Module reference = ptx::parse_file(line.files[0]);
  if (line.files.size() == 1) {
    terminal.out << check_file_for(reference, reference, line.entry);
  } else {
    terminal.out << check_file_for(reference, ptx::parse_file(line.files[1]), line.entry);
  }
  return 0;
}

void complain(Terminal& terminal, const CommandLine& line, const InputError& error) {
  terminal.err << "ptxequiv: " << located(error) << "\n";
  if (!error.hint().empty()) terminal.err << "  hint: " << error.hint() << "\n";
  // Whoever reads JSON gets JSON, whatever is wrong.
  if (line.json == "-") terminal.out << report::dump(report::to_json(invalid("", error)));
}

}  // namespace

int run(const std::vector<std::string>& arguments, Terminal& terminal, const CheckFunction& check) {
  CommandLine line;
  try {
    parse(arguments, line);
    switch (line.action) {
      case CommandLine::Action::kPrint:
        terminal.out << line.to_print << std::flush;
        return 0;
      case CommandLine::Action::kInspect:
        return inspect(line, terminal);
      case CommandLine::Action::kRun:
        return run_command(line, terminal);
      case CommandLine::Action::kCheck:
        return Session(line, terminal, check).checks();
    }
  } catch (const InputError& error) {
    complain(terminal, line, error);
    return kUsage;
  } catch (const base::Unsupported& error) {
    terminal.err << "ptxequiv: not modelled: " << error.what() << "\n";
    return exit_code(Verdict::kUnsupported);
  } catch (const std::exception& error) {
    terminal.err << "ptxequiv: " << error.what() << "\n";
    if (line.json == "-")
      terminal.out << report::dump(report::to_json(broken("", "internal", error.what())));
  }
  return exit_code(Verdict::kUnknown);
}

}  // namespace ptxequiv::cli
