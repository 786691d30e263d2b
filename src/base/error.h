// The three ways in which work can end early, and the check that guards invariants.
//
//   InputError     the user's text is wrong: verdict `invalid`, exit 4, with place and hint
//   Unsupported    legal, but not modelled: verdict `unsupported`, exit 3, names the instruction
//   LimitReached   a bound (time, memory, unrolling) was hit: verdict `unknown`, exit 2
//   InternalError  a broken invariant of ours (PTXEQUIV_CHECK): verdict `unknown`, reason `internal`
//
// All derive from Error. A stage throws them; only `check` and `cli` catch them.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/source.h"

namespace ptxequiv::base {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class InputError : public Error {
 public:
  // `file` may be empty (command line). `hint` is one sentence that says what to do, or empty.
  InputError(std::string file, SourceLoc loc, std::string message, std::string hint = {});
  const std::string& file() const { return file_; }
  SourceLoc loc() const { return loc_; }
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }

 private:
  std::string file_;
  SourceLoc loc_;
  std::string message_;
  std::string hint_;
};

class Unsupported : public Error {
 public:
  // `what` names the instruction or feature as the user wrote it, e.g. "wgmma.mma_async.sync...".
  Unsupported(std::string what, std::string file, SourceLoc loc, std::string why = {});
  const std::string& feature() const { return feature_; }
  const std::string& file() const { return file_; }
  SourceLoc loc() const { return loc_; }
  const std::string& why() const { return why_; }

 private:
  std::string feature_;
  std::string file_;
  SourceLoc loc_;
  std::string why_;
};

class LimitReached : public Error {
 public:
  // `limit` is a stable id: "timeout", "memory", "unroll", "worlds", "expansion".
  LimitReached(std::string limit, std::string detail);
  const std::string& limit() const { return limit_; }
  const std::string& detail() const { return detail_; }

 private:
  std::string limit_;
  std::string detail_;
};

struct InternalError : Error {
  using Error::Error;
};

[[noreturn]] void check_failed(const char* expression, const char* file, int line,
                               std::string_view message);

}  // namespace ptxequiv::base

// Stays on in release builds. Use it for what must hold whatever the input is.
#define PTXEQUIV_CHECK(expr, message)                                                       \
  do {                                                                                      \
    if (!(expr)) [[unlikely]]                                                               \
      ::ptxequiv::base::check_failed(#expr, __FILE__, __LINE__, message);                   \
  } while (false)
