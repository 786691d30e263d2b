// The instruction table: one row per form of a PTX instruction, with its one meaning.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
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
  Targets targets;           // a number: that target and later ones
  Lower lower;               // its meaning
  std::string_view section;  // of the PTX manual
};

struct Entry {
  const Row* row;
  Form form;
};

// What an instruction may be, by its modifiers and the number of its operands.
struct Match {
  const Entry* entry = nullptr;
  std::vector<std::string_view> types;  // its type modifiers, in order
  std::string too_new;                  // why the module's version or target forbids it, or empty
};

// What is wrong with an operand.
struct OperandProblem {
  const ptx::Operand* operand = nullptr;
  std::string message;
};

class Table {
 public:
  Table();  // of all chapters
  // All forms that fit. Throws base::InputError if there is none: unknown opcode (with the
  // nearest), modifier, operand count; with what is allowed.
  std::vector<Match> matches(const ptx::Instruction& inst, const ptx::Module& module) const;
  // The one of `matches` that fits the operands. Throws base::InputError if there is none, or if
  // the module's version or target does not have it.
  static const Match& choose(const std::vector<Match>& matches, const ptx::Instruction& inst,
                             const ptx::Module& module);
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
  std::map<std::string_view, std::vector<const Entry*>> by_opcode_;
};

// The operands that a form's names stand for.
struct Binding {
  const OperandForm* form;
  const ptx::Operand* operand;
};
// Operands that may be missing are filled from the left.
std::vector<Binding> bind(const Form& form, const ptx::Instruction& inst);

// The first operand that is not what the form says (operand_check.cpp).
std::optional<OperandProblem> operand_problem(const Match& match, const ptx::Instruction& inst,
                                              const ptx::Module& module);
// "f32": the type that a kind names in a match; kNone for a type that no operation here knows.
op::Type kind_type(const OperandKind& kind, const Match& match);
// Its width in bits, known for exotic types too; 0 where it has none.
unsigned kind_bits(const OperandKind& kind, const Match& match);
// How many elements a vector operand has; 0: it is none.
unsigned kind_lanes(const OperandKind& kind, const Match& match, const ptx::Instruction& inst);

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
std::span<const Row> mma_rows();
std::span<const Row> wmma_rows();
std::span<const Row> texture_rows();
std::span<const Row> bulk_copy_rows();
std::span<const Row> mbarrier_rows();
std::span<const Row> wgmma_rows();
std::span<const Row> tcgen05_rows();
std::span<const Row> video_rows();
std::span<const Row> stack_rows();
std::span<const Row> unsupported_rows();

}  // namespace ptxequiv::isa
