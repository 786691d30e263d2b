#include "base/error.h"

#include <fmt/format.h>

namespace ptxequiv::base {
namespace {

std::string place(const std::string& file, SourceLoc loc) {
  if (file.empty() && loc.line == 0) return "";
  if (loc.line == 0) return file + ": ";
  return fmt::format("{}:{}:{}: ", file, loc.line, loc.column);
}

}  // namespace

InputError::InputError(std::string file, SourceLoc loc, std::string message, std::string hint)
    : Error(place(file, loc) + message + (hint.empty() ? "" : "\n  hint: " + hint)),
      file_(std::move(file)),
      loc_(loc),
      message_(std::move(message)),
      hint_(std::move(hint)) {}

Unsupported::Unsupported(std::string what, std::string file, SourceLoc loc, std::string why)
    : Error(place(file, loc) + "not modelled: " + what + (why.empty() ? "" : " (" + why + ")")),
      feature_(std::move(what)),
      file_(std::move(file)),
      loc_(loc),
      why_(std::move(why)) {}

LimitReached::LimitReached(std::string limit, std::string detail)
    : Error(limit + ": " + detail), limit_(std::move(limit)), detail_(std::move(detail)) {}

void check_failed(const char* expression, const char* file, int line, std::string_view message) {
  throw InternalError(fmt::format("{}:{}: {} ({})", file, line, message, expression));
}

}  // namespace ptxequiv::base
