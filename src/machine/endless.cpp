#include "machine/endless.h"

#include <algorithm>

namespace ptxequiv::machine {
namespace {

using ir::Opcode;

// The values that decide which way a turn of a natural loop goes.
class Decision {
 public:
  Decision(const ir::Function& function, std::vector<bool> loop)
      : f_(function), loop_(std::move(loop)), decides_(function.values.size(), false) {}

  // False if something else than registers plays a part: memory, other threads, a clock.
  bool find() {
    for (ir::BlockId b = 0; b < loop_.size(); ++b) {
      if (!loop_[b]) continue;
      for (const ir::InstId id : f_.blocks[b].insts) {
        const ir::Inst& inst = f_.insts[id];
        if (inst.opcode == Opcode::kExit || inst.opcode == Opcode::kTrap) return false;
        if (inst.opcode == Opcode::kCondBranch || inst.opcode == Opcode::kIndexBranch) {
          add(inst.srcs[0]);
        }
      }
    }
    while (!work_.empty()) {
      const ir::Inst& inst = f_.insts[f_.values[work_.back()].def];
      work_.pop_back();
      if (!is_pure(inst.opcode)) return false;
      for (const ir::ValueId source : inst.srcs) add(source);
    }
    return true;
  }

  bool decides(ir::ValueId value) const { return decides_[value]; }

 private:
  static bool is_pure(Opcode opcode) {
    return opcode == Opcode::kOp || opcode == Opcode::kPhi || opcode == Opcode::kObjectAddress ||
           opcode == Opcode::kToGeneric || opcode == Opcode::kFromGeneric;
  }

  // What is computed outside stays as it is.
  void add(ir::ValueId value) {
    if (value == ir::kNone || decides_[value] || f_.values[value].def == ir::kNone) return;
    if (!loop_[f_.insts[f_.values[value].def].block]) return;
    decides_[value] = true;
    work_.push_back(value);
  }

  const ir::Function& f_;
  std::vector<bool> loop_;
  std::vector<bool> decides_;  // by value
  std::vector<ir::ValueId> work_;
};

}  // namespace

void find_turning_edges(Code& code) {
  const ir::Function& f = *code.function;
  for (const ir::BlockId tail : code.cfg.reverse_post_order) {
    for (size_t s = 0; s < f.blocks[tail].successors.size(); ++s) {
      const ir::BlockId header = f.blocks[tail].successors[s];
      if (!code.cfg.dominates(header, tail)) continue;
      Decision decision(f, code.loop(header, tail));
      if (!decision.find()) continue;
      CodeEdge& edge = code.blocks[tail].edges[s];
      edge.turns = true;
      const std::vector<uint32_t>& phis = code.blocks[header].phis;
      for (uint32_t i = 0; i < phis.size(); ++i) {
        if (decision.decides(phis[i])) edge.control.push_back(i);
      }
    }
  }
}

}  // namespace ptxequiv::machine
