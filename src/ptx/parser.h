// Text to syntax tree.
#pragma once
#include <string>
#include <string_view>

#include "ptx/ast.h"

namespace ptxequiv::ptx {

// Parses PTX text and resolves its names. `path` is for diagnostics only.
// Throws base::InputError with file:line:column and a hint for a syntax error, an undeclared or
// doubly declared name, a label that is not in scope.
Module parse(std::string_view text, const std::string& path);
// Reads the file and parses it. Throws base::InputError if it cannot be read.
Module parse_file(const std::string& path);
// PTX text again: parse(print(m)) is m up to locations and register names. For --dump ast and the
// round-trip test.
std::string print(const Module& module);

}  // namespace ptxequiv::ptx
