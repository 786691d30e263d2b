#include "ptx/syntax_error.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxequiv::ptx {
namespace {

std::string quoted(std::string_view token) {
  constexpr size_t kLongest = 40;
  std::string result = "`";
  for (char c : token.substr(0, kLongest)) {
    auto byte = static_cast<unsigned char>(c);
    result += byte < 0x20 || byte >= 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return result + (token.size() > kLongest ? "...`" : "`");
}

// What people call ANTLR's tokens.
std::string plain(const std::string& expected) {
  if (expected == "ID") return "a name";
  if (expected == "INT") return "an integer";
  if (expected == "FLOAT" || expected == "F32" || expected == "F64") return "a number";
  if (expected == "DOTID") return "a modifier";
  if (expected == "STRING") return "a string";
  if (expected == "SPACE") return "a state space";
  if (expected == "EOF" || expected == "<EOF>") return "the end of the file";
  if (expected.size() > 2 && expected.front() == '\'')
    return "`" + expected.substr(1, expected.size() - 2) + "`";
  return expected;
}

std::string list_of(const std::vector<std::string>& expected) {
  std::vector<std::string> names;
  for (const std::string& one : expected) {
    std::string name = plain(one);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  constexpr size_t kMost = 4;  // more would not help
  if (names.empty() || names.size() > kMost) return {};
  std::string text = names[0];
  for (size_t i = 1; i < names.size(); ++i)
    text += (i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

bool starts_with(std::string_view text, size_t at, std::string_view what) {
  return at <= text.size() && text.substr(at, what.size()) == what;
}

}  // namespace

bool SyntaxProblem::expects(std::string_view name) const {
  return std::find(expected.begin(), expected.end(), name) != expected.end();
}

base::InputError explain(const SyntaxProblem& problem, const std::string& path) {
  std::string_view found = problem.text.substr(problem.begin, problem.end - problem.begin);
  std::string wanted = list_of(problem.expected);
  auto error = [&](base::SourceLoc loc, std::string message, std::string hint = {}) {
    return base::InputError(path, loc, std::move(message), std::move(hint));
  };
  if (starts_with(problem.text, problem.begin, "/*"))
    return error(problem.loc, "this comment is never closed", "Add `*/` where it ends.");
  if (!found.empty() && found[0] == '"')
    return error(problem.loc, "this string is never closed", "Add `\"` on the same line.");
  if (found == ".section")
    return error(problem.loc, "this is no debug section, or it never ends",
                 "It is `.section .debug_... { ... }`, without braces inside.");
  if (!found.empty() && static_cast<unsigned char>(found[0]) >= 0x80)
    return error(problem.loc, fmt::format("unexpected byte {}", quoted(found)),
                 "PTX is ASCII outside comments.");
  // The statement before was not ended: that is where to look, not at the next line's first word.
  auto gap = problem.text.substr(std::min(problem.previous_end, problem.begin),
                                 problem.begin - std::min(problem.previous_end, problem.begin));
  if (problem.expects("';'") && (found.empty() || gap.find('\n') != gap.npos))
    return error(problem.previous_loc, "`;` is missing at the end of this statement",
                 found.empty() ? "The file ends here."
                               : fmt::format("The next line begins with {}.", quoted(found)));
  if (found.empty())
    return error(problem.loc, "the file ends too early",
                 wanted.empty() ? "Is it cut off? A `}` may be missing."
                                : fmt::format("Expected {}. Is the file cut off?", wanted));
  std::string message = fmt::format("unexpected {}", quoted(found));
  if (!wanted.empty()) message += fmt::format(", expected {}", wanted);
  std::string hint;
  if (found == ";" && problem.previous_end > 0 && problem.text[problem.previous_end - 1] == ';')
    hint = "PTX has no empty statement: remove this `;`.";
  else if (found[0] == '.' && found.size() > 1 && found[1] >= '0' && found[1] <= '9')
    hint = fmt::format("Write the number as 0{}.", found);
  else if (found == ".")
    hint = "A modifier follows its dot without a blank.";
  return error(problem.loc, std::move(message), std::move(hint));
}

void require_ptx(std::string_view text, const std::string& path) {
  auto refuse = [&](std::string message, std::string hint) {
    throw base::InputError(path, {}, std::move(message), std::move(hint));
  };
  if (text.find_first_not_of(" \t\r\n") == text.npos)
    refuse("the file is empty", "A PTX file begins with `.version`.");
  std::string_view head = text.substr(0, 4096);
  if (starts_with(text, 0,
                  "\x7f"
                  "ELF") ||
      starts_with(text, 0, "\x50\xed\x55\xba"))
    refuse("this is a binary, not PTX text",
           "Make PTX with `nvcc -ptx`, or extract it with `cuobjdump -ptx`.");
  bool has_version = text.find(".version") != text.npos;
  if (!has_version && (head.find("#include") != head.npos || head.find("__global__") != head.npos))
    refuse("this looks like CUDA source, not PTX", "Compile it with `nvcc -ptx`.");
  if (starts_with(text, 0, "\xef\xbb\xbf") || head.find('\0') != head.npos)
    refuse("this is not plain ASCII text",
           "Save the PTX without a byte-order mark and not as UTF-16.");
}

}  // namespace ptxequiv::ptx
