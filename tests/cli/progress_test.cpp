#include "cli/progress.h"

#include <catch2/catch.hpp>
#include <sstream>
#include <thread>

using ptxequiv::cli::Progress;

TEST_CASE("short work shows nothing") {
  std::ostringstream out;
  Progress progress(out, true, 80);
  progress.start("a.json");
  progress.update("execute", 0, 0);
  progress.clear();
  CHECK(out.str().empty());
}

TEST_CASE("long work shows one line that is cleared") {
  std::ostringstream out;
  {
    Progress progress(out, true, 30);
    progress.start("a/rather/long/path/to/check.json");
    std::this_thread::sleep_for(std::chrono::milliseconds(520));
    progress.update("prove", 3, 7);
    progress.update("prove", 4, 7);  // too soon
  }
  CHECK(out.str() == "\ra/rather/long/path/to/check.j\x1b[K\r\x1b[K");
}

TEST_CASE("without a terminal there is no progress") {
  std::ostringstream out;
  {
    Progress progress(out, false, 80);
    progress.start("a.json");
    std::this_thread::sleep_for(std::chrono::milliseconds(520));
    progress.update("prove", 3, 7);
  }
  CHECK(out.str().empty());
}
