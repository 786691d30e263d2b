#include "coverage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "data.h"
#include "isa/walker.h"
#include "ptx/parser.h"

namespace ptxequiv::testing {
namespace {

using isa::Entry;

struct Runs {
  unsigned agreeing = 0, all = 0;
};

// Runs that do not agree with hardware, with the reason.
std::map<std::string, std::string> open_runs() {
  std::map<std::string, std::string> result;
  std::ifstream in(std::string(PTXEQUIV_TEST_DIR) + "/vectors/open.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t blank = line.find(' ');
    result[line.substr(0, blank)] = line.substr(blank + 1);
  }
  return result;
}

// The rows that the instructions of a module use.
std::set<const Entry*> rows_used(const ptx::Module& module) {
  std::set<const Entry*> rows;
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Statement& statement : function.body) {
      const auto* inst = std::get_if<ptx::Instruction>(&statement);
      if (inst == nullptr) continue;
      const auto matches = isa::table().matches(*inst, module);
      rows.insert(isa::Table::choose(matches, *inst, module).entry);
    }
  }
  return rows;
}

std::map<const Entry*, Runs> count_runs(const std::map<std::string, std::string>& open,
                                        Runs& total) {
  std::map<const Entry*, Runs> result;
  for (const std::string& line : unpacked_lines("../../vectors/kernels.jsonl.gz")) {
    const auto run = nlohmann::json::parse(line);
    const std::string name =
        run["family"].get<std::string>() + "/" + run["name"].get<std::string>();
    const unsigned agrees = open.count(name) == 0 ? 1 : 0;
    total.agreeing += agrees;
    ++total.all;
    for (const Entry* entry : rows_used(ptx::parse(run["ptx"].get<std::string>(), name))) {
      result[entry].agreeing += agrees;
      ++result[entry].all;
    }
  }
  return result;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

// Chapters of the PTX manual, by the beginning of a section's number.
struct Chapter {
  std::string_view section;
  std::string_view title;
};
constexpr Chapter kChapters[] = {
    {"9.7.1.", "Integer arithmetic"},
    {"9.7.2.", "Extended-precision integer arithmetic"},
    {"9.7.3.", "Floating point"},
    {"9.7.4.", "Half-precision floating point"},
    {"9.7.5.", "Mixed-precision floating point"},
    {"9.7.6.", "Comparison and selection"},
    {"9.7.7.", "Half-precision comparison"},
    {"9.7.8.", "Logic and shift"},
    {"9.7.9.", "Data movement and conversion"},
    {"9.7.10.", "Textures"},
    {"9.7.11.", "Surfaces"},
    {"9.7.12.", "Control flow"},
    {"9.7.13.", "Parallel synchronisation and communication"},
    {"9.7.14.", "Matrices of a warp"},
    {"9.7.15.", "Matrices of a warp group"},
    {"9.7.16.", "Tensor cores of the fifth generation"},
    {"9.7.17.", "Stack"},
    {"9.7.18.", "Video"},
    {"9.7.19.", "Miscellaneous"},
};

bool is_modelled(const Entry& entry) {
  return entry.row->lower != isa::lower_unsupported;
}

void write_disagreements(std::string& page) {
  page +=
      "## Against ptxas\n\n"
      "`tests/isa/ptxas_test.cpp` holds the front end to what ptxas 13.0 says of 500 token mutants "
      "and\n"
      "3016 refused forms, and, where ptxas is on the PATH, of samples of every form below for "
      "eight\n"
      "versions and targets. Of the mutants these are judged otherwise:\n\n";
  bool any = false;
  std::ifstream in(std::string(PTXEQUIV_TEST_DIR) + "/isa/data/disagreements.tsv");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t tab = line.find('\t');
    page += fmt::format("- `{}`: {}\n", line.substr(0, tab), line.substr(tab + 1));
    any = true;
  }
  if (!any) page += "None.\n";
  page +=
      "\nBeyond them these differences are known.\n\n"
      "ptxas takes, the front end refuses:\n\n"
      "- modifiers that mean nothing to an instruction and that ptxas ignores "
      "(`mul.elemtype.bf16`,\n"
      "  `ld.interleave_layout...`), and repeated ones (`redux.sync.sync`, `vadd.sat.sat`);\n"
      "- in some operands (elements of vectors, coordinates, addresses) registers and literals of "
      "any\n"
      "  type and width, which ptxas does not look at;\n"
      "- `.v8` of elements other than 32 bits wide: ptxas takes them and moves wrong data, or ends "
      "with a\n"
      "  crash;\n"
      "- f64 on targets before sm_13, where it means f32.\n\n"
      "The front end takes, ptxas refuses:\n\n"
      "- a texture with its sampler in a module that is not in independent texture mode, and the "
      "other\n"
      "  way round;\n"
      "- textures and surfaces through a register before PTX 3.1, and generic addresses before "
      "sm_20;\n"
      "- `.b128` in `.sys` scope in PTX 8.3, where it needs 8.4;\n"
      "- literals that one instruction alone restricts (a barrier's number of threads that is no "
      "multiple\n"
      "  of 32, an mbarrier's count of nothing).\n\n"
      "`corpus/parse/nvcc/sm75/{k10_mma,k11_cpasync}.ptx` are refused by both: they ask for "
      "sm_80's\n"
      "instructions with `.target sm_75`.\n\n";
}

// "not modelled: cp.reduce.async.bulk.global..." is "cp.reduce"; what came out instead is left out.
std::string short_reason(std::string reason) {
  const std::string_view prefix = "not modelled: ";
  if (reason.compare(0, prefix.size(), prefix) != 0) return "differs";
  reason.erase(0, prefix.size());
  const size_t first = reason.find('.');
  const size_t second = first == std::string::npos ? first : reason.find('.', first + 1);
  return reason.substr(0, second);
}

void write_open(std::string& page, const std::map<std::string, std::string>& open,
                const Runs& total) {
  page += fmt::format(
      "## Recorded runs\n\n"
      "Of {} runs of one-instruction kernels recorded on an H200 (`tests/vectors`), {} agree bit "
      "for bit,\n"
      "or within the error stated with them. The others, by reason:\n\n",
      total.all, total.agreeing);
  struct Family {
    std::set<std::string> reasons;
    std::vector<std::string> names;
  };
  std::map<std::string, Family> families;
  for (const auto& [name, reason] : open) {
    const size_t slash = name.find('/');
    Family& family = families[name.substr(0, slash)];
    family.names.push_back(name.substr(slash + 1));
    family.reasons.insert(short_reason(reason));
  }
  for (const auto& [name, family] : families) {
    page += fmt::format("- {} ({}; {}): {}\n", name, family.names.size(),
                        fmt::join(family.reasons, ", "), fmt::join(family.names, ", "));
  }
  if (families.empty()) page += "None.\n";
  page += "\n";
}

}  // namespace

std::string coverage_page() {
  const std::vector<Entry>& entries = isa::table().entries();
  const std::map<std::string, std::string> open = open_runs();
  Runs total;
  const std::map<const Entry*, Runs> runs = count_runs(open, total);
  unsigned modelled = 0;
  std::set<std::string_view> opcodes;
  for (const Entry& entry : entries) {
    modelled += is_modelled(entry) ? 1 : 0;
    opcodes.insert(entry.row->opcode);
  }
  std::string page = fmt::format(
      "# Instruction coverage\n\n"
      "Made from the instruction table by `scripts/make-isa-coverage`: do not edit.\n\n"
      "PTX ISA 9.0: {} opcodes in {} forms, of which {} have a meaning. The others are checked "
      "like them\n"
      "and are `unsupported` where one is executed. How a form reads says `src/isa/form.h`: "
      "`{{.x}}` may be\n"
      "missing, `<74,80>` asks for PTX 7.4 and sm_80, `a:t2` has the second type. A target with "
      "`a` is that\n"
      "one alone, with `f` its family. *Runs* are the recorded kernels in which the form occurs: "
      "how many\n"
      "agree with hardware, of how many.\n\n",
      opcodes.size(), entries.size(), modelled);
  write_disagreements(page);
  write_open(page, open, total);
  for (const Chapter& chapter : kChapters) {
    page += fmt::format("## {} ({})\n\n", chapter.title,
                        chapter.section.substr(0, chapter.section.size() - 1));
    page +=
        "| form | section | PTX | target | meaning | runs |\n| --- | --- | --- | --- | --- | --- "
        "|\n";
    for (const Entry& entry : entries) {
      const isa::Row& row = *entry.row;
      if (row.section.substr(0, chapter.section.size()) != chapter.section) continue;
      const auto found = runs.find(&entry);
      const std::string used =
          found == runs.end() ? ""
                              : fmt::format("{} of {}", found->second.agreeing, found->second.all);
      page += fmt::format("| `{}{}` | {} | {}.{} | {} | {} | {} |\n", row.opcode, escaped(row.form),
                          row.section, row.ptx / 10, row.ptx % 10, row.targets.to_string(),
                          is_modelled(entry) ? "yes" : "", used);
    }
    page += "\n";
  }
  page.pop_back();
  return page;
}

}  // namespace ptxequiv::testing
