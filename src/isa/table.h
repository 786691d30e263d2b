// The instruction table: one row per form of a PTX instruction, with its one meaning.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "isa/form.h"
#include "ptx/ast.h"

namespace ptxequiv::isa {

class Context;
using Lower = void (*)(Context&);

// Of a form without a meaning here.
void lower_unsupported(Context& context);

struct Row {
  std::string_view opcode;   // the first word: "add", "ld", "cp"
  std::string_view form;     // form.h
  uint16_t ptx;              // first PTX ISA version, times ten (70 is 7.0)
  uint16_t sm;               // first target
  Lower lower;               // its meaning
  std::string_view section;  // of the PTX manual
};

struct Entry {
  const Row* row;
  Form form;
};

// What an instruction turned out to be.
struct Match {
  const Entry* entry = nullptr;
  std::vector<std::string_view> types;  // its type modifiers, in order
};

class Table {
 public:
  Table();  // of all chapters
  // Throws base::InputError if no row fits: unknown opcode (with the nearest), modifier, operand
  // count; with what is allowed. `path` is the module's.
  Match match(const ptx::Instruction& inst, const std::string& path) const;
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
  std::map<std::string_view, std::vector<const Entry*>> by_opcode_;
};

// Chapters of the table, each in the file of that name.
std::span<const Row> integer_rows();
std::span<const Row> bit_rows();
std::span<const Row> carry_rows();
std::span<const Row> floating_rows();
std::span<const Row> comparison_rows();
std::span<const Row> logic_rows();
std::span<const Row> convert_rows();
std::span<const Row> move_rows();
std::span<const Row> memory_rows();
std::span<const Row> control_rows();
std::span<const Row> synchronisation_rows();
std::span<const Row> atomic_rows();
std::span<const Row> warp_rows();
std::span<const Row> async_rows();
std::span<const Row> matrix_rows();
std::span<const Row> unsupported_rows();

}  // namespace ptxequiv::isa
