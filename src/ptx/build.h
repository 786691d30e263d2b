// From bare syntax to the tree of ast.h. What the parts of the builder share.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "ptx/constant.h"
#include "ptx/names.h"
#include "ptx/syntax.h"

namespace ptxequiv::ptx {

struct BuildContext {
  SyntaxReader& reader;
  const SyntaxTree& tree;  // what the reader has read last
  Module& module;
  Names& names;

  [[noreturn]] void fail(SourceLoc loc, std::string message, std::string hint = {}) const {
    throw base::InputError(module.path, loc, std::move(message), std::move(hint));
  }
  Constant require(SourceLoc loc, const ConstantResult& result) const {
    if (const auto* why = std::get_if<std::string>(&result)) fail(loc, *why);
    return std::get<Constant>(result);
  }
  // A plain integer token; `most` bounds it.
  uint64_t integer(Cursor token, uint64_t most) const {
    uint64_t value = require(token.loc(), parse_integer(token.text())).bits;
    if (value > most)
      fail(token.loc(), fmt::format("{} is too large here", token.text()),
           fmt::format("The most is {}.", most));
    return value;
  }
};

// kGeneric if it names no space; `word` with or without the dot.
Space space_named(std::string_view word);
std::string_view space_name(Space space);
std::string_view opaque_name(Opaque type);

}  // namespace ptxequiv::ptx
