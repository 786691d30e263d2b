#include "data.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "../recorded_data.h"
#include "base/error.h"
#include "isa/lower.h"
#include "ptx/parser.h"

namespace ptxequiv::testing {
namespace {

using Lines = std::vector<std::string>;

Lines split(const std::string& text) {
  Lines lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

// A patch is [first line, lines replaced, new text or null], in lines of the base.
Lines patched(const Lines& base, const nlohmann::json& patch) {
  Lines result;
  size_t next = 0;
  for (const auto& part : patch) {
    const auto first = part[0].get<size_t>();
    result.insert(result.end(), base.begin() + static_cast<ptrdiff_t>(next),
                  base.begin() + static_cast<ptrdiff_t>(first));
    next = first + part[1].get<size_t>();
    if (part[2].is_null()) continue;
    const Lines added = split(part[2].get<std::string>());
    result.insert(result.end(), added.begin(), added.end());
  }
  result.insert(result.end(), base.begin() + static_cast<ptrdiff_t>(next), base.end());
  return result;
}

}  // namespace

Lines unpacked_lines(const std::string& name) {
  Lines lines = split(unpack(std::string(PTXEQUIV_TEST_DIR) + "/isa/data/" + name));
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

std::vector<Mutant> mutants() {
  std::vector<Mutant> result;
  std::vector<Lines> texts;
  for (const std::string& line : unpacked_lines("mutants.jsonl.gz")) {
    const auto entry = nlohmann::json::parse(line);
    const bool is_patch = !entry["base"].is_null();
    const Lines base = is_patch ? texts.at(entry["base"].get<size_t>()) : Lines();
    texts.push_back(patched(base, entry["patch"]));
    std::string text;
    for (const std::string& each : texts.back()) text += (text.empty() ? "" : "\n") + each;
    if (texts.back().front().empty()) text = "\n" + text;
    result.push_back({entry["name"].get<std::string>(), std::move(text)});
  }
  return result;
}

std::string verdict(const std::string& text) {
  try {
    isa::check(ptx::parse(text, "test.ptx"));
  } catch (const base::InputError& error) {
    return fmt::format("{}:{}: {}", error.loc().line, error.loc().column, error.message());
  }
  return "accepted";
}

}  // namespace ptxequiv::testing
