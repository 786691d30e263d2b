#include "machine/code.h"

#include <algorithm>

#include "base/error.h"
#include "machine/endless.h"
#include "machine/spin.h"

namespace ptxequiv::machine {

using ir::Opcode;

Code::Code(const ir::Function& f, SiteId first_site) : function(&f), cfg(ir::analyse(f)) {
  blocks.resize(f.blocks.size());
  for (ir::BlockId id = 0; id < f.blocks.size(); ++id) add_block(id, first_site);
  for (ir::BlockId id = 0; id < f.blocks.size(); ++id) add_edges(id);
  for (ir::ValueId v = 0; v < f.values.size(); ++v) {
    if (f.values[v].is_const) constants.push_back(v);
  }
  find_short_ends();
  find_reachable();
  find_spin_loops(*this);
  find_turning_edges(*this);
  find_followed();
}

void Code::find_followed() {
  used.assign(function->values.size(), false);
  for (const CodeInst& inst : insts) {
    for (const ir::ValueId v : inst.inst->srcs) used[v] = true;
    if (inst.guard != ir::kNone) used[inst.guard] = true;
  }
  for (const CodeInst& inst : insts) {
    if (inst.opcode == Opcode::kFence) {
      follows = follows || !std::get<ir::Fence>(inst.inst->detail).proxy;
    } else if (inst.opcode == Opcode::kLoad) {
      waits = waits || is_strong(std::get<ir::MemoryAccess>(inst.inst->detail));
      follows = follows || waits;
    } else if (inst.opcode == Opcode::kAtomic) {
      waits = waits || inst.spins;
      for (const ir::ValueId dest : inst.inst->dests) {
        follows = follows || (dest != ir::kNone && used[dest]);
      }
    }
  }
}

void Code::add_block(ir::BlockId id, SiteId first_site) {
  const ir::Function& f = *function;
  CodeBlock& block = blocks[id];
  block.join = cfg.immediate_post_dominator[id];
  block.synchronises = cfg.region_synchronises[id];
  block.first = static_cast<uint32_t>(insts.size());
  for (const ir::InstId inst_id : f.blocks[id].insts) {
    const ir::Inst& inst = f.insts[inst_id];
    if (inst.opcode == Opcode::kPhi) {
      block.phis.push_back(inst.dests[0]);
      block.phi_bits.push_back(f.values[inst.dests[0]].bits);
      continue;
    }
    CodeInst out;
    out.opcode = inst.opcode;
    out.op = inst.op;
    out.inst = &inst;
    out.site = first_site + inst_id;
    out.immediate = inst.immediate;
    out.guard = inst.guard;
    out.guard_negated = inst.guard_negated;
    if (!inst.dests.empty()) {
      out.dest = inst.dests[0];
      if (out.dest != ir::kNone) out.dest_bits = f.values[out.dest].bits;
    }
    for (size_t i = 0; i < inst.srcs.size() && i < 3; ++i) {
      out.src[i] = inst.srcs[i];
      out.src_bits[i] = f.values[inst.srcs[i]].bits;
    }
    out.arity = static_cast<uint8_t>(inst.opcode == Opcode::kOp ? op::arity(inst.op.kind)
                                                                : inst.srcs.size());
    insts.push_back(out);
  }
}

void Code::add_edges(ir::BlockId id) {
  const ir::Function& f = *function;
  const ir::Block& from = f.blocks[id];
  for (size_t s = 0; s < from.successors.size(); ++s) {
    CodeEdge edge;
    edge.target = from.successors[s];
    const ir::Block& to = f.blocks[edge.target];
    // Of several edges between two blocks, the n-th uses the n-th place among the predecessors.
    const auto nth = std::count(from.successors.begin(),
                                from.successors.begin() + static_cast<ptrdiff_t>(s), edge.target);
    ptrdiff_t seen = 0;
    size_t position = to.predecessors.size();
    for (size_t p = 0; p < to.predecessors.size(); ++p) {
      if (to.predecessors[p] != id) continue;
      position = p;
      if (seen++ == nth) break;
    }
    PTXEQUIV_CHECK(position < to.predecessors.size(), "an edge that its target does not know");
    const std::vector<uint32_t>& phis = blocks[edge.target].phis;
    for (size_t i = 0; i < phis.size(); ++i) {
      const ir::Inst& phi = f.insts[to.insts[i]];
      PTXEQUIV_CHECK(phi.opcode == Opcode::kPhi, "phis first");
      const uint32_t source = phi.srcs[position];
      edge.sources.push_back(source);
      if (source != phis[i] && std::find(phis.begin(), phis.end(), source) != phis.end()) {
        edge.overlapping = true;
      }
    }
    blocks[id].edges.push_back(std::move(edge));
  }
}

void Code::find_short_ends() {
  // Chains are short; a block per round suffices.
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t id = 0; id < blocks.size(); ++id) {
      CodeBlock& block = blocks[id];
      if (block.only_traps || block.only_exits || function->blocks[id].insts.empty()) continue;
      const CodeInst& first = insts[block.first];
      if (first.guard != ir::kNone) continue;
      bool traps = first.opcode == Opcode::kTrap;
      bool exits = first.opcode == Opcode::kExit;
      if (first.opcode == Opcode::kBranch) {
        traps = blocks[block.edges[0].target].only_traps;
        exits = blocks[block.edges[0].target].only_exits;
      }
      block.only_traps = traps;
      block.only_exits = exits;
      changed = changed || traps || exits;
    }
  }
}

std::vector<bool> Code::loop(ir::BlockId header, ir::BlockId tail) const {
  std::vector<bool> in(function->blocks.size(), false);
  in[header] = true;
  std::vector<ir::BlockId> work{tail};
  while (!work.empty()) {
    const ir::BlockId b = work.back();
    work.pop_back();
    if (in[b]) continue;
    in[b] = true;
    for (const ir::BlockId p : function->blocks[b].predecessors) work.push_back(p);
  }
  return in;
}

void Code::find_reachable() {
  const size_t n = blocks.size();
  reachable_.assign(n, std::vector<bool>(n, false));
  for (size_t from = 0; from < n; ++from) {
    std::vector<ir::BlockId> work;
    std::vector<bool>& seen = reachable_[from];
    for (const CodeEdge& e : blocks[from].edges) work.push_back(e.target);
    while (!work.empty()) {
      const ir::BlockId b = work.back();
      work.pop_back();
      if (seen[b]) continue;
      seen[b] = true;
      for (const CodeEdge& e : blocks[b].edges) work.push_back(e.target);
    }
  }
}

std::vector<bool> Code::live_after(ir::BlockId block) const {
  std::vector<bool> live(function->values.size(), false);
  for (const CodeEdge& edge : blocks[block].edges) {
    const std::vector<bool>& next = live_[edge.target];
    for (size_t v = 0; v < live.size(); ++v) {
      if (next[v]) live[v] = true;
    }
    for (const uint32_t source : edge.sources) live[source] = true;
  }
  return live;
}

void Code::find_live() const {
  const ir::Function& f = *function;
  live_.assign(blocks.size(), std::vector<bool>(f.values.size(), false));
  for (bool changed = true; changed;) {
    changed = false;
    for (auto id = cfg.reverse_post_order.rbegin(); id != cfg.reverse_post_order.rend(); ++id) {
      std::vector<bool> live = live_after(*id);
      const ir::Block& block = f.blocks[*id];
      for (auto i = block.insts.rbegin(); i != block.insts.rend(); ++i) {
        const ir::Inst& inst = f.insts[*i];
        for (const ir::ValueId dest : inst.dests) {
          if (dest != ir::kNone) live[dest] = false;
        }
        if (inst.opcode == Opcode::kPhi) continue;
        for (const ir::ValueId src : inst.srcs) live[src] = true;
        if (inst.guard != ir::kNone) live[inst.guard] = true;
      }
      if (live == live_[*id]) continue;
      live_[*id] = std::move(live);
      changed = true;
    }
  }
}

const Carried& Code::carried(ir::BlockId branch) const {
  if (carried_.empty()) carried_.resize(blocks.size());
  std::unique_ptr<Carried>& result = carried_[branch];
  if (result != nullptr) return *result;
  result = std::make_unique<Carried>();
  const ir::BlockId join = blocks[branch].join;
  std::vector<bool> region(blocks.size(), false);
  std::vector<ir::BlockId> work;
  for (const CodeEdge& edge : blocks[branch].edges) work.push_back(edge.target);
  while (!work.empty()) {
    const ir::BlockId b = work.back();
    work.pop_back();
    if (b == join || region[b]) continue;
    region[b] = true;
    for (const CodeEdge& edge : blocks[b].edges) work.push_back(edge.target);
  }
  // What dominates no block of the region is not run again there.
  bool again = false;
  for (ir::BlockId b = 0; b < blocks.size(); ++b) {
    again = again || (region[b] && (b == branch || cfg.dominates(b, branch)));
  }
  if (!again) return *result;
  if (live_.empty()) find_live();
  const std::vector<bool> after = live_after(branch);
  const ir::Function& f = *function;
  for (const ir::Inst& inst : f.insts) {
    if (inst.block == ir::kNone || inst.block >= blocks.size() || !region[inst.block]) continue;
    for (const ir::ValueId dest : inst.dests) {
      if (dest == ir::kNone) continue;
      if (after[dest]) result->saved.push_back(dest);
      if (join != ir::kNone && live_[join][dest]) {
        result->merged.push_back(dest);
        result->merged_bits.push_back(f.values[dest].bits);
      }
    }
  }
  return *result;
}

}  // namespace ptxequiv::machine
