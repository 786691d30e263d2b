// What Builder::finish does once all phis have their sources.
#include <algorithm>

#include "base/error.h"
#include "ir/cfg.h"
#include "isa/builder.h"

namespace ptxequiv::isa {

using ir::Inst;
using ir::InstId;
using ir::kNone;
using ir::Opcode;

namespace {

// Follows replacements to the value that stands in the end, shortening the path.
ValueId resolve(std::vector<ValueId>& replacement, ValueId value) {
  ValueId root = value;
  while (replacement[root] != kNone) root = replacement[root];
  while (replacement[value] != kNone) {
    const ValueId next = replacement[value];
    replacement[value] = root;
    value = next;
  }
  return root;
}

// The one value that a phi merges, or kNone if there are several (or none but itself).
ValueId only_source(const Inst& phi, std::vector<ValueId>& replacement) {
  ValueId only = kNone;
  for (const ValueId source : phi.srcs) {
    const ValueId value = resolve(replacement, source);
    if (value == phi.dests[0] || value == only) continue;
    if (only != kNone) return kNone;
    only = value;
  }
  return only;
}

void erase_dead(ir::Function& function, const std::vector<bool>& dead) {
  for (ir::Block& block : function.blocks) {
    std::erase_if(block.insts, [&](InstId inst) { return dead[inst]; });
  }
}

}  // namespace

void remove_trivial_phis(ir::Function& function) {
  std::vector<ValueId> replacement(function.values.size(), kNone);
  std::vector<std::vector<InstId>> users(function.values.size());  // phis only
  std::vector<InstId> worklist;
  std::vector<bool> dead(function.insts.size());
  for (InstId id = 0; id < function.insts.size(); ++id) {
    if (function.insts[id].opcode != Opcode::kPhi) continue;
    worklist.push_back(id);
    for (const ValueId source : function.insts[id].srcs) users[source].push_back(id);
  }
  while (!worklist.empty()) {
    const InstId id = worklist.back();
    worklist.pop_back();
    if (dead[id] || function.insts[id].srcs.empty()) continue;
    const ValueId only = only_source(function.insts[id], replacement);
    if (only == kNone) continue;
    const ValueId phi = function.insts[id].dests[0];
    dead[id] = true;
    replacement[phi] = only;
    worklist.insert(worklist.end(), users[phi].begin(), users[phi].end());
    users[only].insert(users[only].end(), users[phi].begin(), users[phi].end());
  }
  for (Inst& inst : function.insts) {
    for (ValueId& source : inst.srcs) source = resolve(replacement, source);
    if (inst.guard != kNone) inst.guard = resolve(replacement, inst.guard);
  }
  erase_dead(function, dead);
}

void remove_unused(ir::Function& function) {
  std::vector<bool> dead(function.insts.size(), true);
  std::vector<InstId> worklist;
  const auto keep = [&](InstId inst) {
    if (!dead[inst]) return;
    dead[inst] = false;
    worklist.push_back(inst);
  };
  for (const ir::Block& block : function.blocks) {
    for (const InstId inst : block.insts) {
      if (!ir::is_pure(function.insts[inst].opcode)) keep(inst);
    }
  }
  while (!worklist.empty()) {
    const Inst& inst = function.insts[worklist.back()];
    worklist.pop_back();
    const auto use = [&](ValueId value) {
      if (value != kNone && function.values[value].def != kNone) keep(function.values[value].def);
    };
    for (const ValueId source : inst.srcs) use(source);
    use(inst.guard);
  }
  erase_dead(function, dead);
}

void merge_chains(ir::Function& function) {
  for (BlockId id = 0; id < function.blocks.size(); ++id) {
    for (;;) {
      ir::Block& block = function.blocks[id];
      if (block.insts.empty() || block.successors.size() != 1 ||
          function.insts[block.insts.back()].opcode != Opcode::kBranch) {
        break;
      }
      const BlockId next = block.successors[0];
      ir::Block& tail = function.blocks[next];
      if (next == id || next == 0 || tail.predecessors.size() != 1 || tail.insts.empty() ||
          function.insts[tail.insts.front()].opcode == Opcode::kPhi) {
        break;
      }
      block.insts.pop_back();
      for (const InstId inst : tail.insts) function.insts[inst].block = id;
      block.insts.insert(block.insts.end(), tail.insts.begin(), tail.insts.end());
      block.successors = std::move(tail.successors);
      tail = {};
      for (const BlockId target : block.successors) {
        for (BlockId& from : function.blocks[target].predecessors) {
          if (from == next) from = id;
        }
      }
    }
  }
}

void renumber(ir::Function& function) {
  const std::vector<BlockId> order = ir::analyse(function).reverse_post_order;
  std::vector<BlockId> new_block(function.blocks.size(), kNone);
  for (size_t i = 0; i < order.size(); ++i) new_block[order[i]] = static_cast<BlockId>(i);

  ir::Function old = std::move(function);
  function = {};
  function.name = std::move(old.name);
  function.module = old.module;
  function.source = old.source;
  function.objects = std::move(old.objects);
  function.params = std::move(old.params);
  function.blocks.resize(order.size());

  std::vector<ValueId> new_value(old.values.size(), kNone);
  const auto value = [&](ValueId id) {
    if (new_value[id] != kNone) return new_value[id];
    const ir::Value& was = old.values[id];
    if (was.is_const) return new_value[id] = function.constant(was.bits, was.constant);
    new_value[id] = function.add_value(was.bits);
    function.values.back().reg = was.reg;
    return new_value[id];
  };
  for (BlockId id = 0; id < order.size(); ++id) {
    ir::Block& was = old.blocks[order[id]];
    ir::Block& block = function.blocks[id];
    block.label = std::move(was.label);
    for (const BlockId target : was.successors) block.successors.push_back(new_block[target]);
    for (const BlockId from : was.predecessors) block.predecessors.push_back(new_block[from]);
    for (const InstId inst_id : was.insts) {
      Inst inst = std::move(old.insts[inst_id]);
      const InstId made = static_cast<InstId>(function.insts.size());
      inst.block = id;
      for (ValueId& source : inst.srcs) source = value(source);
      if (inst.guard != kNone) inst.guard = value(inst.guard);
      for (ValueId& dest : inst.dests) {
        dest = value(dest);
        function.values[dest].def = made;
      }
      block.insts.push_back(made);
      function.insts.push_back(std::move(inst));
    }
  }
}

}  // namespace ptxequiv::isa
