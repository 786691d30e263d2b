// What a row's lowering function works with: one instruction, matched and checked, and the SSA
// under construction. Operands are asked for by their names in the row's form.
#pragma once
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/builder.h"
#include "isa/operand.h"
#include "isa/table.h"

namespace ptxequiv::isa {

class Walker;  // walker.h: blocks, calls and names

class Context {
 public:
  Context(Walker& walker, const ptx::Instruction& inst, const Match& match);

  const ptx::Instruction& instruction() const { return inst_; }
  Walker& walker() { return walker_; }
  Builder& builder() { return builder_; }

  // ---- Modifiers
  bool has(std::string_view modifier) const;
  // The first of `names` among the modifiers, else the empty string.
  std::string_view which(std::initializer_list<std::string_view> names) const;
  Type type(size_t index = 0) const;  // of the type modifiers
  size_t type_count() const { return match_.types.size(); }
  op::Rounding rounding(op::Rounding if_none) const;

  // ---- Operands
  bool given(std::string_view name) const { return find(name) != nullptr; }
  const ptx::Operand& operand(std::string_view name) const;
  // A source, at the width of the type that the form gives it. `as` overrides that type.
  ValueId use(std::string_view name, Type as = Type::kNone, Fit fit = Fit::kExact);
  // A source that may be a wider register, of which the low bits count (st, cvt).
  ValueId use_low(std::string_view name, Type as) { return use(name, as, Fit::kRelaxed); }
  ValueId use_operand(const ptx::Operand& operand, Type as, Fit fit = Fit::kExact);
  // A predicate source, with its negation applied; true if the operand is not given.
  ValueId use_predicate(std::string_view name);

  // Writes a destination, which keeps its old value where the guard is false.
  void define(std::string_view name, ValueId value, Type as = Type::kNone);
  // Writes a register that may be wider than `as`, extended by the type's sign (ld, cvt).
  void define_extended(std::string_view name, ValueId value, Type as);
  void define_operand(const ptx::Operand& operand, ValueId value, Type as, Fit fit = Fit::kExact);
  // 128-bit registers: two values of 64 bits, the low half first.
  struct Halves {
    ValueId low, high;
  };
  Halves use_halves(const ptx::Operand& operand);
  void define_halves(const ptx::Operand& operand, Halves value);
  // The elements of {a, b}, of a vector register, or the operand itself.
  std::vector<ptx::Operand> elements(std::string_view name) const;
  // Bits of the register that an operand is; 0 for anything else.
  unsigned register_bits(std::string_view name) const;
  // The halves of p|q or of p{|q}; the second is null if it is not given.
  const ptx::Operand* first_of(std::string_view name) const;
  const ptx::Operand* second_of(std::string_view name) const;

  // ---- Addresses
  struct Place {
    ValueId address;
    int64_t offset = 0;
    ptx::Space space;  // that of the symbol, else kGeneric
    bool wide = true;  // 64 bits
  };
  Place place(std::string_view name, ptx::Space space);
  ValueId address_of(ptx::SymbolId symbol, int64_t addend, unsigned bits);

  // ---- Operations
  ValueId op(Op op, std::initializer_list<ValueId> srcs) { return builder_.op(op, srcs); }
  ValueId op(Kind kind, unsigned width, std::initializer_list<ValueId> srcs);  // on typeless bits
  ValueId constant(unsigned width, uint64_t value);
  ValueId extract(ValueId value, unsigned position, unsigned width);
  ValueId concat(ValueId high, ValueId low);
  // `value` at `width` bits: truncated, or extended.
  ValueId resize(ValueId value, unsigned width, bool is_signed);
  ValueId select(ValueId predicate, ValueId if_true, ValueId if_false);
  ValueId logic_not(ValueId value);
  unsigned bits(ValueId value) const { return builder_.value_bits(value); }
  // Applies `function` to each lane of a packed type (to the whole of a scalar one).
  using LaneFunction = std::function<ValueId(Type lane, const std::vector<ValueId>&)>;
  ValueId lanewise(Type type, const std::vector<ValueId>& srcs, const LaneFunction& function);
  // All sources a, b, c that the form has, at the first type.
  std::vector<ValueId> sources();

  // An instruction that keeps the guard (memory, collectives).
  ir::Inst& emit_guarded(ir::Opcode opcode, std::vector<unsigned> dest_bits,
                         std::vector<ValueId> srcs);
  ValueId guard() const { return guard_; }
  bool guard_negated() const { return guard_negated_; }
  void unsupported();  // this instruction becomes kUnsupported

  [[noreturn]] void fail(const ptx::Operand& operand, const std::string& message,
                         const std::string& hint = {}) const;
  [[noreturn]] void fail(const std::string& message, const std::string& hint = {}) const;

 private:
  const ptx::Operand* find(std::string_view name) const;
  ptx::SymbolId wide_register(const ptx::Operand& operand) const;
  const OperandForm* form_of(std::string_view name) const;
  Type type_of(const OperandForm& form) const;
  void write(Var var, ValueId value);
  ValueId special(const ptx::Operand& operand, const ptx::SpecialRegister& reg, Type as);

  Walker& walker_;
  Builder& builder_;
  const ptx::Instruction& inst_;
  const Match& match_;
  std::vector<Binding> bindings_;
  ValueId guard_ = ir::kNone;
  bool guard_negated_ = false;
};

// The scalar type of one lane, and how many there are: f16x2 is two f16, f32 is one f32.
Type lane_type(Type type);
unsigned lane_count(Type type);
// "global" and the like as a modifier; generic for none of them.
ptx::Space space_named(std::string_view modifier);

}  // namespace ptxequiv::isa
