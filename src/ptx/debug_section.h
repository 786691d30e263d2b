// The contents of `.section .debug_... { ... }` (PTX manual, 11.5.2). They mean nothing here, but a
// slip in them makes the file illegal.
#pragma once
#include <string>
#include <string_view>

#include "ptx/token.h"

namespace ptxequiv::ptx {

// `section` is a part of the list's text. Throws base::InputError.
void check_debug_section(const TokenList& list, std::string_view section, const std::string& path);

}  // namespace ptxequiv::ptx
