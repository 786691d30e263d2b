#include "cli/help.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "spec/vocabulary.h"

namespace ptxequiv::cli {
namespace {

// Option and text on one line where there is room, else below each other; no "Options:" noise.
class Formatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    if (app->get_parent() != nullptr && app->get_name() == "run")
      return "usage: ptxequiv run [OPTIONS] CHECK.json\n\n";
    if (app->get_parent()) return "usage: ptxequiv inspect [OPTIONS] FILE.ptx...\n\n";
    return fmt::format(
        "usage: {0} [OPTIONS] CHECK.json...\n"
        "       {0} [OPTIONS] REF.ptx CAND.ptx --grid ... --buffer ... --args ...\n"
        "       {0} inspect [--init] FILE.ptx...\n"
        "       {0} run [--compare recorded.json] CHECK.json\n\n",
        name);
  }
  std::string make_description(const CLI::App* app) const override {
    return app->get_description() + "\n\n";
  }
  std::string make_positionals(const CLI::App*) const override { return ""; }
  std::string make_subcommands(const CLI::App*, CLI::AppFormatMode) const override { return ""; }
  std::string make_group(std::string group, bool,
                         std::vector<const CLI::Option*> options) const override {
    std::string result = group + "\n";
    for (const CLI::Option* option : options) {
      std::string name = "  " + option->get_name(false, true);
      if (option->get_items_expected() != 0) name += " " + option->get_type_name();
      const std::string& text = option->get_description();
      if (text.empty()) {
        result += name + "\n";
      } else if (name.size() < kColumn) {
        result += name + std::string(kColumn - name.size(), ' ') + text + "\n";
      } else {
        result += name + "\n" + std::string(kColumn, ' ') + text + "\n";
      }
    }
    return result;
  }
  std::string make_footer(const CLI::App* app) const override {
    return "\n" + app->get_footer() + "\n";
  }

 private:
  static constexpr size_t kColumn = 26;
};

}  // namespace

const char* const kDescription =
    "Proves that two GPU kernels, given as PTX, leave the same values in the same output elements\n"
    "for every input and every schedule; or finds an input or a schedule on which they do not.";

std::string examples() {
  std::string ids;
  size_t column = 0;
  for (const spec::Word& word : spec::assumptions()) {
    if (column + word.id.size() > 84) {
      ids += "\n ";
      column = 0;
    }
    ids += (ids.empty() ? "" : " ") + std::string(word.id);
    column += word.id.size() + 1;
  }
  return fmt::format(
      R"(Verdicts and exit status
  0 equivalent       proved, under the assumptions that the report lists
  1 not_equivalent   refuted, with an input or a pair of accesses that shows it
  2 unknown          neither, within the limits; the report says what is left open
  3 unsupported      an instruction or feature that is not modelled
  4 invalid          bad usage or input, or a reference that is itself faulty
  Of several checks the worst counts: 4, 1, 3, 2, 0.

Types   f16 bf16 f32 f64 tf32 e4m3 e5m2, s8 to s64, u8 to u64, b8 to b64
Assumptions (for --forbid)
  {}

Examples
  Two kernels of one launch each, x[1000] and n in, o[1000] out:
    ptxequiv ref.ptx cand.ptx --grid 4 --block 256 --buffer 'x:f32[1000]' \
        --buffer 'o:f32[1000]:output' --scalar n:s32=1000 --args x,o,n
  The candidate works on four elements a thread:
    ptxequiv ref.ptx cand.ptx --grid 'ceil_div(n, 256)' --cand-grid 'ceil_div(n, 1024)' ...
  Clamp, where the bounds are known to be ordered:
    ptxequiv ref.ptx cand.ptx ... --scalar lo:f32 --scalar hi:f32 --assume 'lo <= hi'
  What does this kernel take? And a check file for it, to be filled in:
    ptxequiv inspect kernel.ptx
    ptxequiv inspect ref.ptx cand.ptx --init > check.json
  Every check of a project, one line each, as a test and for a program:
    ptxequiv -q --test checks/*.json
    ptxequiv --json - check.json
  docs/check-files.md describes check files.)",
      ids);
}

std::string inspect_examples() {
  return R"(Shows for each entry its parameters, what they are (a pointer that is read or written, a
scalar, a struct), its shared memory and the launch it demands. What is not said in the PTX
is a guess from the use; sizes cannot be seen in it.

  ptxequiv inspect kernel.ptx
  ptxequiv inspect ref.ptx cand.ptx --init > check.json    then fill in sizes and grids
  ptxequiv inspect kernel.ptx --ptxas                      exit status 4 if ptxas refuses it)";
}

std::string run_examples() {
  return R"(Executes with the bits that hardware would compute, by the code that also executes on terms.
Approximate instructions (ex2, sin, rcp.approx) are the correctly rounded functions; --compare
allows for their known errors, and says what it allows. Exit status: 0, 1 for a fault or a
difference, 2 past a limit, 3 not modelled, 4 bad input.

  ptxequiv run check.json                             the reference, on random inputs
  ptxequiv run check.json --side candidate --inputs random:7 --write out.json
  ptxequiv run check.json --compare recorded.json     both sides against a GPU's results
  ptxequiv run check.json --meet 100                  both sides over the reals, at random inputs)";
}

std::shared_ptr<CLI::FormatterBase> make_formatter() {
  return std::make_shared<Formatter>();
}

}  // namespace ptxequiv::cli
