#include "base/log.h"

#include <fcntl.h>
#include <unistd.h>
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>
#include <utility>

using namespace ptxequiv::base;

namespace {

// What `body` writes to standard error.
template <typename Body>
std::string standard_error(const Body& body) {
  char path[] = "/tmp/ptxequiv_log_XXXXXX";
  const int file = mkstemp(path);
  REQUIRE(file >= 0);
  std::fflush(stderr);
  const int saved = dup(2);
  dup2(file, 2);
  body();
  std::fflush(stderr);
  dup2(saved, 2);
  close(saved);
  std::string text(4096, '\0');
  const ssize_t size = pread(file, text.data(), text.size(), 0);
  text.resize(size < 0 ? 0 : static_cast<size_t>(size));
  close(file);
  unlink(path);
  return text;
}

}  // namespace

TEST_CASE("a log writes its level and above, formatted") {
  const std::string text = standard_error([] {
    Log log(LogLevel::kInfo);
    log.debug("hidden {}", 1);
    log.info("shown {}", 2);
    log.warn("warned {}", 3);
  });
  CHECK(text.find("hidden") == std::string::npos);
  CHECK(text.find("shown 2") != std::string::npos);
  CHECK(text.find("warned 3") != std::string::npos);
}

TEST_CASE("a log knows what is enabled, also after a move") {
  Log log(LogLevel::kWarn);
  CHECK(log.enabled(LogLevel::kError));
  CHECK_FALSE(log.enabled(LogLevel::kInfo));
  const Log moved = std::move(log);
  CHECK(moved.enabled(LogLevel::kWarn));
  CHECK_FALSE(Log(LogLevel::kOff).enabled(LogLevel::kError));
}

TEST_CASE("a message with braces is written as it is") {
  const std::string text =
      standard_error([] { Log(LogLevel::kInfo).write(LogLevel::kWarn, "{}"); });
  CHECK(text.find("{}") != std::string::npos);
}
