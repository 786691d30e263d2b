#include "spec/nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace ptxequiv::spec {
namespace {

char folded(char c) {
  if (c == '-') return '_';
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Damerau-Levenshtein distance (optimal string alignment), case and - against _ not counted.
size_t distance(std::string_view a, std::string_view b) {
  const size_t width = b.size() + 1;
  std::vector<size_t> before(width), last(width), row(width);
  for (size_t j = 0; j < width; ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j < width; ++j) {
      const bool same = folded(a[i - 1]) == folded(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) &&
          folded(a[i - 2]) == folded(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest(std::string_view written, const std::vector<std::string>& known) {
  constexpr size_t kLongestName = 64;
  if (written.empty() || written.size() > kLongestName) return "";
  std::string best;
  size_t best_distance = 0;
  for (const std::string& name : known) {
    if (name.size() > kLongestName) continue;
    const size_t d = distance(written, name);
    if (d > std::max(written.size(), name.size()) / 3) continue;
    if (best.empty() || d < best_distance) {
      best = name;
      best_distance = d;
    }
  }
  if (!best.empty()) return best;
  // "in" for "input", "out" for "output": a beginning that only one name has.
  if (written.size() < 2) return "";
  for (const std::string& name : known) {
    if (name.size() <= written.size() ||
        !std::equal(written.begin(), written.end(), name.begin(),
                    [](char a, char b) { return folded(a) == folded(b); }))
      continue;
    if (!best.empty()) return "";
    best = name;
  }
  return best;
}

std::string nearest_hint(std::string_view written, const std::vector<std::string>& known) {
  if (const std::string name = nearest(written, known); !name.empty())
    return fmt::format("did you mean \"{}\"?", name);
  if (known.empty()) return "";
  constexpr size_t kShown = 24;
  const std::vector<std::string> some(known.begin(),
                                      known.begin() + std::min(known.size(), kShown));
  return fmt::format("known here: {}{}", fmt::join(some, ", "),
                     known.size() > kShown ? ", ..." : "");
}

}  // namespace ptxequiv::spec
