// The program's log: one spdlog logger, passed by reference, never global. Includes only fmt so
// that translation units stay cheap to compile.
#pragma once
#include <fmt/format.h>

#include <memory>
#include <string_view>

namespace ptxequiv::base {

enum class LogLevel { kTrace, kDebug, kInfo, kWarn, kError, kOff };

class Log {
 public:
  explicit Log(LogLevel level = LogLevel::kWarn);  // writes to standard error
  ~Log();
  Log(Log&&) noexcept;
  Log& operator=(Log&&) noexcept;

  bool enabled(LogLevel level) const { return level >= level_; }
  void write(LogLevel level, std::string_view text);
  template <typename... Args>
  void debug(fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(LogLevel::kDebug)) write(LogLevel::kDebug, fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  void info(fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(LogLevel::kInfo)) write(LogLevel::kInfo, fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  void warn(fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(LogLevel::kWarn)) write(LogLevel::kWarn, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  LogLevel level_;
};

}  // namespace ptxequiv::base
