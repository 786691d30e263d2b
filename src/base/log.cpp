#include "base/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace ptxequiv::base {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kTrace: return spdlog::level::trace;
    case LogLevel::kDebug: return spdlog::level::debug;
    case LogLevel::kInfo: return spdlog::level::info;
    case LogLevel::kWarn: return spdlog::level::warn;
    case LogLevel::kError: return spdlog::level::err;
    case LogLevel::kOff: return spdlog::level::off;
  }
  return spdlog::level::off;
}

}  // namespace

struct Log::Impl {
  spdlog::logger logger{"ptxequiv", std::make_shared<spdlog::sinks::stderr_color_sink_mt>()};
};

Log::Log(LogLevel level) : impl_(std::make_unique<Impl>()), level_(level) {
  impl_->logger.set_pattern("[%H:%M:%S.%e] %^%l%$ %v");
  impl_->logger.set_level(to_spdlog(level));
}
Log::~Log() = default;
Log::Log(Log&&) noexcept = default;
Log& Log::operator=(Log&&) noexcept = default;

void Log::write(LogLevel level, std::string_view text) {
  impl_->logger.log(to_spdlog(level), text);
}

}  // namespace ptxequiv::base
