// Words for a syntax error: what stands there, what should, and what to do.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace ptxequiv::ptx {

struct SyntaxProblem {
  std::string_view text;         // the whole text
  size_t begin, end;             // of the token that does not fit; begin == text.size() at the end
  base::SourceLoc loc;           // its place
  size_t previous_end;           // where the token before it ends
  base::SourceLoc previous_loc;  // where the token before it begins
  std::vector<std::string> expected;  // "';'", "ID", ... as ANTLR names them
  bool expects(std::string_view name) const;
};

base::InputError explain(const SyntaxProblem& problem, const std::string& path);
// The same for a text that is no PTX at all (a binary, CUDA source), by its beginning.
// Throws base::InputError if it is not.
void require_ptx(std::string_view text, const std::string& path);

}  // namespace ptxequiv::ptx
