// Makes an ir::Function in SSA form as its instructions come. A read in a block that has not
// written the variable makes a phi without sources; `finish` completes them once all edges are
// known (Braun et al.: Simple and Efficient Construction of SSA Form, with every block unsealed).
#pragma once
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/ir.h"

namespace ptxequiv::isa {

using ir::BlockId;
using ir::ValueId;
using op::Kind;
using op::Op;
using op::Type;

using Var =
    uint32_t;  // a register of one inlined function body, or an element of a vector register

class Builder {
 public:
  explicit Builder(ir::Function& function);

  Var new_var(unsigned bits, ptx::SymbolId reg);
  unsigned bits(Var var) const { return vars_[var].bits; }
  ValueId read(Var var);
  void write(Var var, ValueId value);
  // The variable, new and not yet used, holds nothing at the start of `block`, whatever an earlier
  // turn of a loop around that block left in it.
  void start_undefined(Var var, BlockId block);

  // Appends to the current block.
  ir::Inst& emit(ir::Opcode opcode, std::vector<unsigned> dest_bits, std::vector<ValueId> srcs);
  ValueId emit_value(ir::Opcode opcode, unsigned bits, std::vector<ValueId> srcs);
  ValueId op(Op op, std::initializer_list<ValueId> srcs, int64_t immediate = 0);

  BlockId new_block(std::string label = {});
  void enter(BlockId block) { current_ = block; }
  BlockId current() const { return current_; }
  bool terminated() const;
  void branch(BlockId target);
  void cond_branch(ValueId predicate, bool negated, BlockId if_true, BlockId if_false);
  void index_branch(ValueId index, std::vector<BlockId> targets);
  void end(ir::Opcode opcode);  // kExit, kTrap

  unsigned value_bits(ValueId value) const { return function_.values[value].bits; }
  ir::Function& function() { return function_; }
  void set_source(const ptx::Instruction* source) { source_ = source; }

  // Drops unreachable blocks, completes phis, removes what is trivial or unused, merges chains of
  // blocks and renumbers.
  void finish();

 private:
  struct VarInfo {
    unsigned bits;
    ptx::SymbolId reg;
    ValueId undef = ir::kNone;
  };
  struct OpenPhi {
    ir::InstId inst;
    Var var;
    BlockId block;
  };
  ValueId undef(Var var);
  ValueId open_phi(Var var, BlockId block);
  ValueId value_at_end(Var var, BlockId block);
  void find_predecessors();
  void complete_phis();

  ir::Function& function_;
  BlockId current_ = 0;
  const ptx::Instruction* source_ = nullptr;
  std::vector<VarInfo> vars_;
  std::vector<std::unordered_map<Var, ValueId>> definitions_;  // per block
  std::vector<std::vector<ir::InstId>> phis_;                  // per block
  std::vector<ir::InstId> undefs_;                             // at the start of the entry
  std::vector<OpenPhi> open_;
};

// The passes of `finish` that need no variables (cleanup.cpp).
void remove_trivial_phis(ir::Function& function);
void remove_unused(ir::Function& function);
void merge_chains(ir::Function& function);
// Drops unreachable blocks, dead instructions and unused values; numbers the rest in order.
void renumber(ir::Function& function);

}  // namespace ptxequiv::isa
