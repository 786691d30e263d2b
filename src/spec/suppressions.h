// A suppressions file: findings that the user takes for harmless, with the reason. A proof then
// holds apart from them (assumption `suppressed`).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace ptxequiv::spec {

struct Suppression {
  std::string kernel;  // may hold * and ?
  std::string category;
  std::string reason;
  base::SourceLoc loc;

  bool matches(std::string_view kernel_name, std::string_view category_id) const;
};

// Throws base::InputError, with the place, for whatever is wrong with the text.
std::vector<Suppression> parse_suppressions(const std::string& text, const std::string& path);
std::vector<Suppression> parse_suppressions_file(const std::string& path);

// Does `pattern`, with * for any text and ? for any one letter, match the whole of `text`?
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace ptxequiv::spec
