// Packed test data: see data/.
#pragma once
#include <string>
#include <vector>

namespace ptxequiv::testing {

// The lines of a gzip-compressed file in tests/isa/data.
std::vector<std::string> unpacked_lines(const std::string& name);

struct Mutant {
  std::string name;  // "rej_sem/m00026"
  std::string text;
  bool expected() const { return name.compare(0, 4, "acc/") == 0; }  // does ptxas accept it?
};
std::vector<Mutant> mutants();

// "accepted", or the front end's first diagnostic.
std::string verdict(const std::string& text);

}  // namespace ptxequiv::testing
