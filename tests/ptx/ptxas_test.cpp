// ptxas as an oracle: it must make the same machine code of a file and of what we print for it. Its
// output does not depend on names or blanks. Skipped where there is no ptxas.
#include <unistd.h>

#include <cstdlib>

#include "legality_cases.h"

using namespace ptxequiv::ptx;
using namespace ptxequiv::ptx::testing;
namespace fs = std::filesystem;

namespace {

bool run(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

// Contents of the sections of a 64-bit ELF file whose names begin with .text. or .nv.global.init,
// by name.
std::string code_of(const std::string& elf) {
  auto number = [&](size_t at, size_t width) {
    uint64_t value = 0;
    for (size_t i = 0; i < width; ++i)
      value |= uint64_t{static_cast<uint8_t>(elf.at(at + i))} << (8 * i);
    return value;
  };
  uint64_t table = number(0x28, 8), entry = number(0x3a, 2), count = number(0x3c, 2);
  uint64_t strings = number(table + number(0x3e, 2) * entry + 0x18, 8);
  std::vector<std::string> parts;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t header = table + i * entry;
    std::string name = elf.c_str() + strings + number(header, 4);
    if (name.rfind(".text.", 0) != 0 && name.rfind(".nv.global.init", 0) != 0) continue;
    parts.push_back(name + "=" + elf.substr(number(header + 0x18, 8), number(header + 0x20, 8)));
  }
  std::sort(parts.begin(), parts.end());
  std::string all;
  for (const std::string& part : parts) all += part;
  return all;
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

TEST_CASE("ptxas agrees on what is legal", "[ptxas]") {
  if (!run("ptxas --version")) {
    WARN("no ptxas: skipped");
    return;
  }
  fs::path folder = fs::temp_directory_path() / ("ptxequiv_legal_" + std::to_string(getpid()));
  fs::create_directories(folder);
  auto takes = [&](const std::string& text, const std::string& target) {
    write(folder / "t.ptx", text);
    return run("ptxas -c -arch=" + target + " " + (folder / "t.ptx").string() + " -o /dev/null");
  };
  for (const LegalityCase& one : kLegalityCases) {
    CAPTURE(one.text);
    std::string text = whole_text(one);
    size_t at = text.find("sm_");
    std::string target =
        at == text.npos ? "sm_90a" : text.substr(at, text.find_first_of(",\n ", at) - at);
    CHECK(takes(text, target) == one.is_legal);
  }
  fs::remove_all(folder);
}

TEST_CASE("ptxas makes the same code of what is printed", "[ptxas]") {
  if (!run("ptxas --version")) {
    WARN("no ptxas: skipped");
    return;
  }
  fs::path folder = fs::temp_directory_path() / ("ptxequiv_ptxas_" + std::to_string(getpid()));
  fs::create_directories(folder);
  auto assemble = [&](const std::string& text, const std::string& target) -> std::string {
    write(folder / "t.ptx", text);
    if (!run("ptxas -c -arch=" + target + " " + (folder / "t.ptx").string() + " -o " +
             (folder / "t.cubin").string()))
      return {};
    return code_of(read(folder / "t.cubin"));
  };
  for (const auto& file : data_files()) {
    CAPTURE(file.string());
    Module module = parse_file(file.string());
    std::string original = assemble(read(file), module.target);
    if (original.empty()) {
      WARN("this ptxas does not take " << file);
      continue;
    }
    bool is_same = assemble(print(module), module.target) == original;
    CHECK(is_same);
  }
  fs::remove_all(folder);
}
