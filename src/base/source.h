// Places in input text. Every diagnostic, instruction and fault carries one.
#pragma once
#include <cstdint>
#include <string>

namespace ptxequiv::base {

// A position in a PTX or check file. `line` and `column` count from 1; line 0 means "no place".
// `file` indexes nothing global: whoever owns the text (ptx::Module, spec::CheckFile) knows its path.
struct SourceLoc {
  uint32_t line = 0;
  uint32_t column = 0;
  friend bool operator==(const SourceLoc&, const SourceLoc&) = default;
};

// Where the compiler says an instruction came from: the `.loc` directive in force (PTX manual, 11.5.3).
struct DebugLoc {
  uint32_t file = 0;  // index into ptx::Module::files, 0 = none
  uint32_t line = 0;
  uint32_t column = 0;
  friend bool operator==(const DebugLoc&, const DebugLoc&) = default;
};

}  // namespace ptxequiv::base
