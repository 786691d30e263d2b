// Reads tests/vectors/instructions.jsonl.gz: what hardware gave for one instruction
// (vectors/make.py).
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ptxequiv::op {

struct Recorded {
  std::string family;
  std::string instruction;                     // "add.rn.f32 %d, %a, %b;"
  std::vector<std::vector<uint64_t>> inputs;   // by operand a, b, c, ...: one value per thread
  std::vector<std::vector<uint64_t>> outputs;  // by destination d, q, ...
  std::vector<unsigned> input_bits, output_bits;
  bool exact = true;
  double ulp = 0;  // recorded error of an approximate instruction
  bool unspecified = false;
};

// Calls visit for each run, in the file's order.
void for_each_recorded(const std::function<void(const Recorded&)>& visit);

}  // namespace ptxequiv::op
