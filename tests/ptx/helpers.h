// What the tests of the front end share.
#pragma once
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/error.h"
#include "ptx/parser.h"

namespace ptxequiv::ptx::testing {

inline constexpr const char* kHeader = ".version 8.5\n.target sm_90a\n.address_size 64\n";

// A kernel `k` with a few registers of each class declared on its first line, line 5 of the text;
// `body` begins at line 6.
inline std::string kernel(const std::string& body, const std::string& module_level = "") {
  return std::string(kHeader) + module_level + ".visible .entry k(.param .u64 p0) {\n" +
         ".reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .f32 %f<10>; .reg .pred %p<4>; .shared .b32 "
         "sh[16];\n" +
         body + "\n}\n";
}

inline Module parsed(const std::string& text) {
  return parse(text, "t.ptx");
}

// The kernel's instructions.
inline std::vector<Instruction> instructions(const Module& module) {
  std::vector<Instruction> result;
  for (const Statement& statement : module.find_function("k")->body)
    if (const auto* instruction = std::get_if<Instruction>(&statement))
      result.push_back(*instruction);
  return result;
}

inline Instruction only_instruction(const std::string& body) {
  auto all = instructions(parsed(kernel(body)));
  REQUIRE(all.size() == 1);
  return all[0];
}

// The diagnostic for a text that must be refused.
inline base::InputError refusal(const std::string& text) {
  try {
    parsed(text);
  } catch (const base::InputError& error) {
    return error;
  }
  FAIL("accepted: " << text);
  throw 0;
}

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::vector<std::filesystem::path> data_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(PTXEQUIV_PTX_DATA))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace ptxequiv::ptx::testing
