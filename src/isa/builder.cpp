#include "isa/builder.h"

#include <algorithm>

#include "base/error.h"

namespace ptxequiv::isa {

using ir::Inst;
using ir::InstId;
using ir::kNone;
using ir::Opcode;

Builder::Builder(ir::Function& function) : function_(function) {
  enter(new_block());
}

Var Builder::new_var(unsigned bits, ptx::SymbolId reg) {
  vars_.push_back({.bits = bits, .reg = reg});
  return static_cast<Var>(vars_.size() - 1);
}

ValueId Builder::read(Var var) {
  const auto known = definitions_[current_].find(var);
  if (known != definitions_[current_].end()) return known->second;
  const ValueId value = current_ == 0 ? undef(var) : open_phi(var, current_);
  definitions_[current_][var] = value;
  return value;
}

void Builder::write(Var var, ValueId value) {
  PTXEQUIV_CHECK(value_bits(value) == vars_[var].bits, "a register is written at its own width");
  definitions_[current_][var] = value;
  ir::Value& made = function_.values[value];
  if (!made.is_const && made.reg == ptx::kNoSymbol) made.reg = vars_[var].reg;
}

void Builder::start_undefined(Var var, BlockId block) {
  definitions_[block].try_emplace(var, undef(var));
}

Inst& Builder::emit(Opcode opcode, std::vector<unsigned> dest_bits, std::vector<ValueId> srcs) {
  const InstId id = static_cast<InstId>(function_.insts.size());
  Inst inst{.opcode = opcode, .srcs = std::move(srcs), .source = source_, .block = current_};
  for (const unsigned bits : dest_bits) {
    inst.dests.push_back(function_.add_value(bits));
    function_.values.back().def = id;
  }
  function_.insts.push_back(std::move(inst));
  function_.blocks[current_].insts.push_back(id);
  return function_.insts.back();
}

ValueId Builder::emit_value(Opcode opcode, unsigned bits, std::vector<ValueId> srcs) {
  return emit(opcode, {bits}, std::move(srcs)).dests[0];
}

ValueId Builder::op(Op operation, std::initializer_list<ValueId> srcs, int64_t immediate) {
  Inst& inst = emit(Opcode::kOp, {op::result_bits(operation)}, srcs);
  inst.op = operation;
  inst.immediate = immediate;
  return inst.dests[0];
}

BlockId Builder::new_block(std::string label) {
  function_.blocks.push_back({.label = std::move(label)});
  definitions_.emplace_back();
  phis_.emplace_back();
  return static_cast<BlockId>(function_.blocks.size() - 1);
}

bool Builder::terminated() const {
  const auto& insts = function_.blocks[current_].insts;
  return !insts.empty() && ir::ends_block(function_.insts[insts.back()].opcode);
}

void Builder::branch(BlockId target) {
  emit(Opcode::kBranch, {}, {});
  function_.blocks[current_].successors = {target};
}

void Builder::cond_branch(ValueId predicate, bool negated, BlockId if_true, BlockId if_false) {
  if (if_true == if_false) return branch(if_true);
  emit(Opcode::kCondBranch, {}, {predicate});
  if (negated) std::swap(if_true, if_false);
  function_.blocks[current_].successors = {if_true, if_false};
}

void Builder::index_branch(ValueId index, std::vector<BlockId> targets) {
  emit(Opcode::kIndexBranch, {}, {index});
  function_.blocks[current_].successors = std::move(targets);
}

void Builder::end(Opcode opcode) {
  emit(opcode, {}, {});
}

// One poison a variable, made at the entry so that it dominates all uses.
ValueId Builder::undef(Var var) {
  VarInfo& info = vars_[var];
  if (info.undef != kNone) return info.undef;
  const InstId id = static_cast<InstId>(function_.insts.size());
  info.undef = function_.add_value(info.bits);
  function_.values.back().def = id;
  function_.values.back().reg = info.reg;
  function_.insts.push_back({.opcode = Opcode::kUndef, .dests = {info.undef}, .block = 0});
  undefs_.push_back(id);
  return info.undef;
}

ValueId Builder::open_phi(Var var, BlockId block) {
  const InstId id = static_cast<InstId>(function_.insts.size());
  const ValueId value = function_.add_value(vars_[var].bits);
  function_.values.back().def = id;
  function_.values.back().reg = vars_[var].reg;
  function_.insts.push_back({.opcode = Opcode::kPhi, .dests = {value}, .block = block});
  phis_[block].push_back(id);
  open_.push_back({id, var, block});
  return value;
}

ValueId Builder::value_at_end(Var var, BlockId block) {
  const auto known = definitions_[block].find(var);
  if (known != definitions_[block].end()) return known->second;
  const ValueId value =
      function_.blocks[block].predecessors.empty() ? undef(var) : open_phi(var, block);
  definitions_[block][var] = value;
  return value;
}

void Builder::find_predecessors() {
  std::vector<bool> reached(function_.blocks.size());
  std::vector<BlockId> worklist{0};
  reached[0] = true;
  while (!worklist.empty()) {
    const BlockId block = worklist.back();
    worklist.pop_back();
    for (const BlockId target : function_.blocks[block].successors) {
      auto& from = function_.blocks[target].predecessors;
      if (std::find(from.begin(), from.end(), block) == from.end()) from.push_back(block);
      if (!reached[target]) {
        reached[target] = true;
        worklist.push_back(target);
      }
    }
  }
  for (BlockId block = 0; block < function_.blocks.size(); ++block) {
    // Predecessors in the order of the text, whatever the order of the walk was.
    auto& from = function_.blocks[block].predecessors;
    std::sort(from.begin(), from.end());
    if (reached[block]) continue;
    function_.blocks[block] = {};
    phis_[block].clear();
  }
  std::erase_if(open_, [&](const OpenPhi& phi) { return !reached[phi.block]; });
}

void Builder::complete_phis() {
  while (!open_.empty()) {
    const OpenPhi phi = open_.back();
    open_.pop_back();
    std::vector<ValueId> srcs;
    for (const BlockId from : function_.blocks[phi.block].predecessors) {
      srcs.push_back(value_at_end(phi.var, from));
    }
    function_.insts[phi.inst].srcs = std::move(srcs);
  }
  for (BlockId block = 0; block < function_.blocks.size(); ++block) {
    auto& insts = function_.blocks[block].insts;
    insts.insert(insts.begin(), phis_[block].begin(), phis_[block].end());
  }
  auto& entry = function_.blocks[0].insts;
  entry.insert(entry.begin(), undefs_.begin(), undefs_.end());
}

void Builder::finish() {
  find_predecessors();
  complete_phis();
  remove_trivial_phis(function_);
  remove_unused(function_);
  merge_chains(function_);
  renumber(function_);
}

}  // namespace ptxequiv::isa
