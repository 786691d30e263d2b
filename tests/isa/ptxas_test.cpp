// What the front end takes, against what ptxas takes: recorded answers of ptxas 13.0, and its
// answers of today where it is on the PATH.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "data.h"
#include "helpers.h"
#include "isa/walker.h"
#include "samples.h"

namespace ptxequiv::testing {
namespace {

// Names of what is not as ptxas has it, each with the reason.
std::map<std::string, std::string> listed(const std::string& file) {
  std::map<std::string, std::string> result;
  std::ifstream in(std::string(PTXEQUIV_TEST_DIR) + "/isa/data/" + file);
  REQUIRE(in);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t tab = line.find('\t');
    REQUIRE(tab != std::string::npos);
    result[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return result;
}

TEST_CASE("token mutants are taken or refused as ptxas does, but for those listed") {
  std::map<std::string, std::string> allowed = listed("disagreements.tsv");
  const std::vector<Mutant> all = mutants();
  CHECK(all.size() == 500);
  for (const Mutant& mutant : all) {
    const std::string found = verdict(mutant.text);
    const bool agrees = (found == "accepted") == mutant.expected();
    const bool is_listed = allowed.erase(mutant.name) == 1;
    INFO(mutant.name << ": " << found);
    CHECK(agrees != is_listed);
  }
  CHECK(allowed.empty());
}

ptx::Instruction instruction_of(const std::string& text) {
  ptx::Instruction inst;
  const size_t end = text.find_first_of(" ;");
  std::istringstream name(text.substr(0, end));
  std::getline(name, inst.opcode, '.');
  for (std::string word; std::getline(name, word, '.');) inst.modifiers.push_back(word);
  const std::string operands = text.substr(end);
  size_t count = operands.find_first_not_of(" ;") == std::string::npos ? 0 : 1;
  int depth = 0;
  for (const char c : operands) {
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c == ',' && depth == 0) ++count;
  }
  inst.operands.resize(count);
  return inst;
}

// By modifiers and number of operands alone, whatever the operands are.
bool could_match(const std::string& text, const std::string& target) {
  ptx::Module module;
  module.path = "test.ptx";
  module.version_major = 9;
  module.target = target;
  try {
    for (const isa::Match& match : isa::table().matches(instruction_of(text), module)) {
      if (match.too_new.empty()) return true;
    }
  } catch (const base::InputError&) {
  }
  return false;
}

TEST_CASE("instruction forms that ptxas refuses are refused") {
  std::map<std::string, std::string> by_operands = listed("rejected_by_operands.tsv");
  const std::vector<std::string> lines = unpacked_lines("rejected.tsv.gz");
  CHECK(lines.size() > 3000);
  for (const std::string& line : lines) {
    const size_t first = line.find('\t'), second = line.find('\t', first + 1);
    const std::string text = line.substr(first + 1, second - first - 1);
    INFO(line);
    const auto found = by_operands.find(text);
    if (found == by_operands.end()) {
      CHECK_FALSE(could_match(text, line.substr(0, first)));
      continue;
    }
    // The same with operands written out.
    CHECK_THROWS_AS(lower_module(kernel(found->second), "9.0", line.substr(0, first)),
                    base::InputError);
    by_operands.erase(found);
  }
  CHECK(by_operands.empty());
}

// ---- With ptxas

struct Shell {
  int status = -1;
  std::string output;
};

Shell run(const std::string& command) {
  Shell shell;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return shell;
  char buffer[4096];
  while (fgets(buffer, sizeof buffer, pipe) != nullptr) shell.output += buffer;
  shell.status = pclose(pipe);
  return shell;
}

bool have_ptxas() {
  static const bool have = run("ptxas --version").output.find("release 13.0") != std::string::npos;
  if (!have) WARN("ptxas 13.0 is not on the PATH: nothing is compared");
  return have;
}

// Lines that ptxas complains about, by number. It stops at a syntax error; there are none here.
std::set<unsigned> complaints_of_ptxas(const std::string& text, const std::string& architecture) {
  const auto path = std::filesystem::temp_directory_path() /
                    fmt::format("ptxequiv_isa_{}.ptx", static_cast<int>(getpid()));
  std::ofstream(path) << text;
  const Shell shell =
      run(fmt::format("ptxas -arch={} {} -o /dev/null", architecture, path.string()));
  std::filesystem::remove(path);
  std::set<unsigned> lines;
  std::istringstream in(shell.output);
  for (std::string line; std::getline(in, line);) {
    unsigned number = 0;
    const size_t at = line.find(", line ");
    const bool refuses = line.find("; error") != std::string::npos ||
                         line.find("; fatal") != std::string::npos;  // else a warning
    if (refuses && at != std::string::npos &&
        std::sscanf(line.c_str() + at, ", line %u;", &number) == 1) {
      lines.insert(number);
    }
  }
  if (shell.status != 0 && lines.empty()) lines.insert(0);
  return lines;
}

std::set<unsigned> our_complaints(const std::string& text) {
  std::set<unsigned> lines;
  isa::check(ptx::parse(text, "test.ptx"),
             [&](const base::InputError& error) { lines.insert(error.loc().line); });
  return lines;
}

TEST_CASE("a few mutants: ptxas says today what was recorded") {
  if (!have_ptxas()) return;
  const std::vector<Mutant> all = mutants();
  for (size_t i = 0; i < all.size(); i += 20) {
    const std::string& text = all[i].text;
    const size_t at = text.find(".target sm_");
    if (at == std::string::npos) continue;
    std::string target =
        text.substr(at + 11, text.find_first_not_of("0123456789af", at + 11) - at - 11);
    if (std::atoi(target.c_str()) < 75) target = "75";
    INFO(all[i].name);
    CHECK(complaints_of_ptxas(text, "compute_" + target).empty() == all[i].expected());
  }
}

TEST_CASE("samples of every form: ptxas takes those that the table takes") {
  if (!have_ptxas()) return;
  const std::map<std::string, std::string> allowed = listed("form_disagreements.tsv");
  std::vector<std::string> instructions;
  for (const isa::Entry& entry : isa::table().entries()) {
    for (std::string& text : samples(entry, 5)) {
      bool is_listed = false;
      for (const auto& [prefix, why] : allowed) {
        is_listed = is_listed || text.compare(0, prefix.size(), prefix) == 0;
      }
      if (!is_listed) instructions.push_back(std::move(text));
    }
  }
  CHECK(instructions.size() > 2000);
  struct Where {
    unsigned version;
    std::string target;
  };
  const Where places[] = {{90, "90a"},  {90, "100a"}, {90, "120f"}, {90, "75"},
                          {86, "100a"}, {78, "90"},   {70, "80"},   {63, "75"}};
  for (const Where& where : places) {
    std::vector<std::string> known = instructions;
    for (std::string& text : known) {  // .b128 registers come with PTX 8.3
      if (where.version < 83 && text.find("%q") != std::string::npos) text = "ret;";
    }
    // Old versions stop at words that they do not know, so only what the table takes is shown.
    if (where.version < 86) {
      for (const unsigned line :
           our_complaints(sample_module(known, where.version, "sm_" + where.target))) {
        known.at(line - kFirstLine) = "ret;";
      }
    }
    const std::string text = sample_module(known, where.version, "sm_" + where.target);
    const std::set<unsigned> theirs = complaints_of_ptxas(text, "compute_" + where.target);
    const std::set<unsigned> ours = our_complaints(text);
    for (unsigned i = 0; i < known.size(); ++i) {
      const unsigned line = kFirstLine + i;
      const bool refused = theirs.count(line) == 1;
      INFO("PTX " << where.version << ", sm_" << where.target << ": " << known[i]);
      CHECK(refused == (ours.count(line) == 1));
    }
  }
}

}  // namespace
}  // namespace ptxequiv::testing
