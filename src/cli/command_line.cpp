#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

#include "base/error.h"
#include "cli/help.h"
#include "spec/nearest.h"
#include "spec/vocabulary.h"

namespace ptxequiv::cli {
namespace {

using base::InputError;

[[noreturn]] void fail(const std::string& message, const std::string& hint = {}) {
  throw InputError("", {}, message, hint);
}

// Text as given; what it means is decided after parsing, where a diagnostic can be precise.
struct Raw {
  std::string level, tolerance, timeout, memory, threads, seed, colour, dump;
  std::vector<std::string> forbid;
  int verbose = 0;
  bool quiet = false, version = false;
};

double number(const std::string& option, const std::string& text, double low, double high) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !(value >= low && value <= high))
    fail(fmt::format("{} {}: not a number from {} to {}", option, text, low, high));
  return value;
}

// 2G, 512M, 1.5GB, 1073741824
uint64_t size(const std::string& option, const std::string& text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  std::string unit = text.substr(digits);
  std::transform(unit.begin(), unit.end(), unit.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  int shift = -1;
  constexpr std::string_view kUnits = "KMGT";
  if (unit.empty() || unit == "B") {
    shift = 0;
  } else if (const size_t at = kUnits.find(unit[0]); at != std::string_view::npos) {
    const std::string rest = unit.substr(1);
    if (rest.empty() || rest == "B" || rest == "IB") shift = 10 * (static_cast<int>(at) + 1);
  }
  if (shift < 0 || digits == 0)
    fail(fmt::format("{} {}: not a size", option, text), "write 2G, 512M or a number of bytes");
  return static_cast<uint64_t>(std::ldexp(number(option, text.substr(0, digits), 0, 1e15), shift));
}

std::string one_of(const std::string& option, const std::string& text,
                   const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), text) != known.end()) return text;
  fail(fmt::format("{} cannot be \"{}\"", option, text), spec::nearest_hint(text, known));
}

void add_launch(CLI::App& app, const std::string& prefix, const std::string& of,
                const std::string& group, spec::LaunchFlags& flags) {
  const auto add = [&](const char* name, std::optional<std::string>& target, const char* type,
                       const std::string& text) {
    app.add_option("--" + prefix + name, target, text)->type_name(type)->group(group);
  };
  if (prefix.empty()) {
    add("grid", flags.grid, "X,Y,Z", "CTAs of both kernels; numbers or expressions in scalars");
    add("block", flags.block, "X,Y,Z", "threads of a CTA; else .reqntid if the kernel has it");
    add("shared", flags.shared, "BYTES", "dynamic shared memory");
    add("entry", flags.entry, "NAME", "the kernel; else the file's only entry");
    add("args", flags.args, "A,B,...",
        "arguments in order: buffers, scalars, null, s32:5, x+64 (bytes)");
  } else {
    add("grid", flags.grid, "X,Y,Z", "... of the " + of);
    add("block", flags.block, "X,Y,Z", "");
    add("shared", flags.shared, "BYTES", "");
    add("entry", flags.entry, "NAME", "");
    add("args", flags.args, "A,B,...", "");
  }
}

// Each occurrence takes one value, so that files may follow.
CLI::Option* repeated(CLI::App& app, const std::string& name, std::vector<std::string>& target,
                      const char* type, const std::string& text) {
  return app.add_option(name, target, text)->type_name(type)->allow_extra_args(false);
}

bool looks_like_ptx(const std::string& path) {
  if (path.ends_with(".ptx")) return true;
  if (path.ends_with(".json")) return false;
  std::ifstream stream(path);
  std::string line;
  for (int i = 0; i < 100 && std::getline(stream, line); ++i) {
    const size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line.compare(first, 2, "//") == 0) continue;
    return line.compare(first, 8, ".version") == 0;
  }
  return false;
}

// The options a user could have meant.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> result;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) result.push_back("--" + name);
  return result;
}

[[noreturn]] void explain(const CLI::ParseError& error, const CLI::App& app,
                          const std::vector<std::string>& arguments) {
  std::vector<std::string> known = option_names(app);
  for (const CLI::App* sub : app.get_subcommands({}))
    for (const std::string& name : option_names(*sub)) known.push_back(name);
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (name.size() < 3 || name.compare(0, 2, "--") != 0) continue;
    if (std::find(known.begin(), known.end(), name) == known.end())
      fail(fmt::format("there is no option {}", name), [&] {
        const std::string near = spec::nearest(name, known);
        return near.empty() ? std::string("`ptxequiv --help` lists them")
                            : fmt::format("did you mean {}?", near);
      }());
  }
  fail(error.what(), "`ptxequiv --help` explains the options");
}

void settle(const Raw& raw, CommandLine& result) {
  if (!raw.level.empty())
    result.level = spec::level_named(one_of("--level", raw.level, spec::level_names()));
  if (!raw.tolerance.empty()) {
    if (result.level.value_or(Level::kTolerance) != Level::kTolerance)
      fail(fmt::format("--tolerance and --level {} contradict each other", raw.level),
           "--tolerance demands level tolerance; keep one of the two");
    result.tolerance = spec::parse_tolerance(raw.tolerance);
    result.level = Level::kTolerance;
  }
  if (!raw.timeout.empty()) result.timeout = number("--timeout", raw.timeout, 0, 1e9);
  if (!raw.memory.empty()) result.memory_bytes = size("--memory", raw.memory);
  if (!raw.threads.empty())
    result.threads = static_cast<unsigned>(number("--threads", raw.threads, 1, 4096));
  if (!raw.seed.empty())
    result.seed = static_cast<uint64_t>(number("--seed", raw.seed, 0, 9007199254740992.0));
  for (const std::string& id : raw.forbid)
    result.forbid.push_back(one_of("--forbid", id, spec::ids(spec::assumptions())));
  if (!raw.dump.empty())
    result.dump = one_of("--dump", raw.dump, {"ast", "ir", "terms", "real", "smt2"});
  if (!raw.colour.empty()) {
    const std::string colour = one_of("--color", raw.colour, {"auto", "always", "never"});
    result.colour = colour == "always"  ? Colour::kAlways
                    : colour == "never" ? Colour::kNever
                                        : Colour::kAuto;
  }
  if (raw.quiet && raw.verbose > 0) fail("-q and -v contradict each other");
  result.verbosity = raw.quiet ? -1 : raw.verbose;
}

void add_run(CLI::App& run, std::vector<std::string>& files, CommandLine& result, Raw& raw) {
  const auto add = [&](const char* name, std::string& target, const char* type, const char* text) {
    run.add_option(name, target, text)->type_name(type);
  };
  run.add_option("files", files, "a check file")->type_name("FILE");
  add("--side", result.run.side, "SIDE", "reference (default) or candidate; --compare takes both");
  add("--inputs", result.run.inputs, "FILE", "as recorded.json has them; or random:SEED (random:1)");
  add("--contract", result.run.contract, "WHICH", "none (default) or all: fuse mul with add");
  add("--compare", result.run.compare, "FILE", "what hardware left, and the inputs it had");
  add("--write", result.run.write, "FILE", "inputs and results, for --inputs or --compare");
  run.add_option("--meet", result.run.meet,
                 "both sides on N random inputs: do they mean the same reals?")
      ->type_name("N");
  add("--timeout", raw.timeout, "SECONDS", "then status 2 (30; 0 for none)");
  add("--memory", raw.memory, "SIZE", "soft limit, such as 4G");
  run.add_flag("-v,--verbose", raw.verbose, "every element, and notes");
  run.add_flag("-q,--quiet", raw.quiet, "with --compare: one line for each side");
}

void settle_run(CommandLine& result) {
  if (result.files.size() != 1)
    fail("run takes one check file", "ptxequiv run CHECK.json [--compare recorded.json]");
  CommandLine::Run& run = result.run;
  if (!run.side.empty()) one_of("--side", run.side, {"reference", "candidate"});
  if (!run.contract.empty()) one_of("--contract", run.contract, {"none", "all"});
  if (run.meet > 0 && !(run.side + run.contract + run.compare + run.write).empty())
    fail("--meet runs both sides and writes nothing",
         "ptxequiv run CHECK.json --meet 100 [--inputs random:SEED]");
}

void settle_files(CommandLine& result) {
  if (result.files.empty())
    fail("no file is given",
         "ptxequiv CHECK.json, or ptxequiv REF.ptx CAND.ptx --grid ...; `ptxequiv --help` has "
         "examples");
  size_t ptx = 0;
  for (const std::string& file : result.files) ptx += looks_like_ptx(file) ? 1 : 0;
  if (ptx == 0) {
    if (result.has_flags)
      fail("--grid, --buffer and the like describe a pair of PTX files, not a check file",
           "write them into the check file, or give REF.ptx CAND.ptx");
    return;
  }
  if (ptx != result.files.size())
    fail("PTX files and check files are mixed", "give two PTX files, or check files only");
  if (ptx != 2)
    fail(fmt::format("{} PTX file{} given, and a check compares two", ptx,
                     ptx == 1 ? " is" : "s are"),
         "ptxequiv REF.ptx CAND.ptx; programs of several launches need a check file");
  result.is_pair = true;
  result.flags.reference_ptx = result.files[0];
  result.flags.candidate_ptx = result.files[1];
}

}  // namespace

void parse(const std::vector<std::string>& arguments, CommandLine& result) {
  CLI::App app(kDescription, "ptxequiv");
  app.footer(examples());
  app.formatter(make_formatter());
  Raw raw;
  app.add_option("files", result.files, "check files, or a reference and a candidate PTX file")
      ->type_name("FILE");

  const char* pair = "The question, for two PTX files (a check file says the same)";
  spec::Flags& flags = result.flags;
  repeated(app, "--buffer", flags.buffers, "NAME:TYPE[SHAPE]:ROLE",
           "memory of both kernels; ROLE is input (default), output, inout or scratch")
      ->group(pair);
  repeated(app, "--scalar", flags.scalars, "NAME:TYPE=VALUE",
           "a parameter by value; without =VALUE any value of its type")
      ->group(pair);
  repeated(app, "--range", flags.ranges, "NAME=LOW,HIGH", "bounds of a scalar or buffer element")
      ->group(pair);
  repeated(app, "--alias", flags.alias, "X,O", "buffers that share memory")->group(pair);
  add_launch(app, "", "", pair, flags.both);
  const char* sides = "Where the two kernels differ";
  add_launch(app, "ref-", "reference", sides, flags.reference);
  add_launch(app, "cand-", "candidate", sides, flags.candidate);

  const char* demand = "What is demanded";
  app.add_option("--level", raw.level, "bitwise, real (default), real-if or tolerance")
      ->type_name("LEVEL")
      ->group(demand);
  app.add_option("--tolerance", raw.tolerance,
                 "proves |ref - cand| <= ATOL + RTOL*|ref| over the reals, or refutes it")
      ->type_name("ATOL,RTOL")
      ->group(demand);
  repeated(app, "--assume", flags.assume, "COMPARISON",
           "what may be relied on, beside a check file's: \"lo <= hi\", \"x[*] >= 0\"")
      ->group(demand);
  app.add_option("--forbid", raw.forbid, "assumptions a proof must do without; else unknown")
      ->type_name("ID,ID")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(demand);
  app.add_option("--suppressions", result.suppressions,
                 "findings of kernels that become notes, each with a reason")
      ->type_name("FILE")
      ->group(demand);
  app.add_flag("--test", result.test, "exit 0 if every check is as its `expect` says, else 1")
      ->group(demand);

  const char* limits = "Limits";
  app.add_option("--timeout", raw.timeout, "for each check; then unknown (30; 0 for none)")
      ->type_name("SECONDS")
      ->group(limits);
  app.add_option("--memory", raw.memory, "soft limit for each check, such as 4G; then unknown")
      ->type_name("SIZE")
      ->group(limits);
  app.add_option("--threads", raw.threads, "worker threads (1)")->type_name("N")->group(limits);
  app.add_option("--seed", raw.seed, "of the random points that are tried (1)")
      ->type_name("N")
      ->group(limits);

  const char* output = "Output";
  app.add_option("--json", result.json, "write the report as JSON; - for standard output, alone")
      ->type_name("FILE")
      ->group(output);
  app.add_flag("-v,--verbose", raw.verbose, "everything known about the verdict; -vv: a log too")
      ->group(output);
  app.add_flag("-q,--quiet", raw.quiet, "one line for each check")->group(output);
  app.add_option("--color", raw.colour, "auto (default), always or never")
      ->type_name("WHEN")
      ->group(output);
  app.add_option("--dump", raw.dump, "print ast, ir, terms, real or smt2 on the way")
      ->type_name("STAGE")
      ->group(output);
  app.add_option("--emit-smt2", result.emit_smt2,
                 "write each obligation as an SMT-LIB file, with its expected answer")
      ->type_name("DIR")
      ->group(output);
  app.add_flag("--version", raw.version, "the program's version")->group(output);
  app.set_help_flag("-h,--help", "this page")->group(output);

  CLI::App* inspect = app.add_subcommand(
      "inspect", "show a PTX file's entries, their parameters and how each is used");
  inspect->formatter(make_formatter());
  inspect->set_help_flag("-h,--help", "this page");
  inspect->footer(inspect_examples());
  std::vector<std::string> inspected;
  std::string inspected_as;
  inspect->add_option("files", inspected, "PTX files")->type_name("FILE");
  inspect->add_flag("--init", result.init,
                    "print a check file to fill in; of two files, the first is the reference");
  inspect->add_option("--entry", result.entry, "only this entry")->type_name("NAME");
  inspect->add_flag("--ptxas", result.ptxas,
                    "what ptxas says of it: errors, registers, shared memory, stack, spills");
  inspect->add_option("--dump", inspected_as, "print the file as it was understood: ast")
      ->type_name("STAGE");

  CLI::App* run = app.add_subcommand(
      "run", "execute a side of a check on concrete data, or compare it with what hardware left");
  run->formatter(make_formatter());
  run->set_help_flag("-h,--help", "this page");
  run->footer(run_examples());
  std::vector<std::string> executed;
  add_run(*run, executed, result, raw);

  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    result.action = CommandLine::Action::kPrint;
    result.to_print = inspect->parsed() ? inspect->help() : run->parsed() ? run->help() : app.help();
    return;
  } catch (const CLI::ParseError& error) {
    explain(error, app, arguments);
  }
  if (raw.version) {
    result.action = CommandLine::Action::kPrint;
    result.to_print = fmt::format("ptxequiv {}\n", PTXEQUIV_VERSION);
    return;
  }
  settle(raw, result);
  if (inspect->parsed()) {
    result.action = CommandLine::Action::kInspect;
    result.files.insert(result.files.end(), inspected.begin(), inspected.end());
    if (result.files.empty()) fail("no file is given", "ptxequiv inspect KERNEL.ptx");
    if (!inspected_as.empty()) result.dump = one_of("--dump", inspected_as, {"ast"});
    if (result.ptxas + result.init + !inspected_as.empty() > 1)
      fail("--init, --ptxas and --dump are three questions", "ask one at a time");
    return;
  }
  if (run->parsed()) {
    result.action = CommandLine::Action::kRun;
    result.files.insert(result.files.end(), executed.begin(), executed.end());
    settle_run(result);
    return;
  }
  for (const CLI::Option* option : app.get_options())
    if (option->count() > 0 && (option->get_group() == pair || option->get_group() == sides))
      result.has_flags = true;
  settle_files(result);
}

}  // namespace ptxequiv::cli
