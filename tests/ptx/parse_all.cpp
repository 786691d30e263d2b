// ptx_parse_all PATH...: parses every .ptx below the paths, prints what fails and how fast it went.
// With --round-trip, also parses what was printed; with --print, writes it to the output. A tool
// for the developer's corpora; not a test.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "ptx/parser.h"

namespace {

// The most memory that was in use, in kB as Linux counts it; 0 where it does not say.
unsigned long peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (unsigned long size = 0; word == "VmHWM:" && status >> size) return size;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  bool round_trip = false, quiet = false, prints = false;
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--round-trip")
      round_trip = true;
    else if (argument == "--quiet")
      quiet = true;
    else if (argument == "--print")
      prints = true;
    else if (fs::is_regular_file(argument))
      files.emplace_back(argument);
    else
      for (const auto& entry : fs::recursive_directory_iterator(argument))
        if (entry.path().extension() == ".ptx") files.push_back(entry.path());
  }
  size_t good = 0, bytes = 0;
  double slowest = 0;
  fs::path slowest_file;
  auto begin = std::chrono::steady_clock::now();
  for (const fs::path& file : files) {
    auto start = std::chrono::steady_clock::now();
    try {
      auto module = ptxequiv::ptx::parse_file(file.string());
      double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (seconds > slowest) slowest = seconds, slowest_file = file;
      if (prints) std::fputs(ptxequiv::ptx::print(module).c_str(), stdout);
      if (round_trip) {
        std::string text = ptxequiv::ptx::print(module);
        std::string again =
            ptxequiv::ptx::print(ptxequiv::ptx::parse(text, file.string() + " (printed)"));
        if (again != text) {
          auto place = std::mismatch(text.begin(), text.end(), again.begin(), again.end());
          auto offset = static_cast<size_t>(place.first - text.begin());
          std::printf("%s: differs after a round trip:\n%s\n--\n%s\n", file.c_str(),
                      text.substr(offset - std::min<size_t>(offset, 80), 160).c_str(),
                      again.substr(offset - std::min<size_t>(offset, 80), 160).c_str());
        }
      }
      ++good;
      bytes += fs::file_size(file);
    } catch (const ptxequiv::base::Error& error) {
      if (!quiet) std::printf("%s\n", error.what());
    }
  }
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (prints) return good == files.size() ? 0 : 1;
  std::printf("%zu of %zu parsed, %.1f MB, %.2f s, peak memory %lu kB; slowest %.1f ms: %s\n", good,
              files.size(), static_cast<double>(bytes) / 1e6, seconds, peak_memory(), slowest * 1e3,
              slowest_file.c_str());
  return good == files.size() ? 0 : 1;
}
