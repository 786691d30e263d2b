// A small reading of PTX instruction text as compositions of op::evaluate, for the test against
// hardware only. It knows the forms whose meaning is one or two operations; `isa` knows all.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "op/op.h"

namespace ptxequiv::op {

struct Instruction {
  std::string opcode;
  std::vector<std::string> modifiers;
  std::vector<std::string> destinations, sources;  // "%d", "%a", "!%c", "0x80"

  bool has(std::string_view modifier) const;
};

Instruction parse_instruction(const std::string& text);

// The results (one per destination) on the operands a, b, c, ...; nothing if the form is not known.
// With two destinations the second is the complement of the first (setp) or the high half's (x2).
std::optional<std::vector<uint64_t>> run_instruction(const Instruction& instruction,
                                                     const std::vector<uint64_t>& operands);

// The operation, where the instruction is a single scalar one.
std::optional<Op> single_op(const Instruction& instruction);

}  // namespace ptxequiv::op
