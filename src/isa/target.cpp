#include "isa/target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <vector>

#include "base/error.h"

namespace ptxequiv::isa {
namespace {

struct Target {
  int number = 0;
  char suffix = 0;  // a, f or none
};

Target parse(std::string_view text) {
  Target target;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, target.number);
  if (error == std::errc() && rest != end) target.suffix = *rest;
  return target;
}

// Targets of one family run each other's code where they carry f; sm_101 was renamed sm_110.
int family(int number) {
  switch (number) {
    case 103:
      return 100;
    case 121:
      return 120;
    default:
      return number;
  }
}

bool matches(std::string_view alternative, const Target& target, uint32_t version) {
  if (alternative.front() == '<') {
    return version < static_cast<uint32_t>(parse(alternative.substr(1)).number);
  }
  const size_t dash = alternative.find('-');
  if (dash != std::string_view::npos) {
    return target.number >= parse(alternative.substr(0, dash)).number &&
           target.number <= parse(alternative.substr(dash + 1)).number;
  }
  const Target wanted = parse(alternative);
  switch (wanted.suffix) {
    case 'a':
      return target.suffix == 'a' && target.number == wanted.number;
    case 'f':
      return target.suffix != 0 && target.number >= wanted.number &&
             family(target.number) == family(wanted.number);
    default:
      return target.number >= wanted.number;
  }
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find('|');
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

bool Targets::contain(std::string_view name, uint32_t version) const {
  const Target target = parse(name.substr(name.find('_') + 1));
  if (text_.empty()) return target.number >= from_;
  for (const std::string_view alternative : split(text_)) {
    if (matches(alternative, target, version)) return true;
  }
  return false;
}

std::string Targets::to_string() const {
  if (text_.empty()) return fmt::format("sm_{} or later", from_);
  std::vector<std::string> names;
  for (const std::string_view alternative : split(text_)) {
    const size_t dash = alternative.find('-');
    if (alternative.front() == '<') {
      const int version = parse(alternative.substr(1)).number;
      names.push_back(fmt::format("any before PTX {}.{}", version / 10, version % 10));
    } else if (dash != std::string_view::npos) {
      names.push_back(
          fmt::format("sm_{} to sm_{}", alternative.substr(0, dash), alternative.substr(dash + 1)));
    } else {
      const bool plain = parse(alternative).suffix == 0;
      names.push_back(fmt::format("sm_{}{}", alternative, plain ? " or later" : ""));
    }
  }
  return fmt::format("{}", fmt::join(names, " or "));
}

}  // namespace ptxequiv::isa
