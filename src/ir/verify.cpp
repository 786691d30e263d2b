#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "ir/cfg.h"
#include "ir/ir.h"

namespace ptxequiv::ir {
namespace {

using op::Kind;
using op::Type;

class Verifier {
 public:
  explicit Verifier(const Function& function) : function_(function) {}

  void run() {
    require(!function_.blocks.empty(), "there is no entry block");
    check_graph();
    cfg_ = analyse(function_);
    position_.assign(function_.insts.size(), kNone);
    for (BlockId block = 0; block < function_.blocks.size(); ++block) check_block(block);
    for (BlockId block = 0; block < function_.blocks.size(); ++block) {
      for (const InstId inst : function_.blocks[block].insts) check_inst(inst);
    }
  }

 private:
  void require(bool condition, const std::string& what) const {
    if (!condition) throw base::InternalError("ir::verify: " + function_.name + ": " + what);
  }
  void require(bool condition, InstId inst, std::string_view what) const {
    if (condition) return;
    const Inst& bad = function_.insts[inst];
    std::string where = fmt::format("bb{}, instruction {} ({})", bad.block, inst, name(bad.opcode));
    if (bad.source != nullptr) where += fmt::format(", line {}", bad.source->loc.line);
    require(false, where + ": " + std::string(what));
  }

  void check_graph() const {
    const size_t count = function_.blocks.size();
    std::vector<std::vector<BlockId>> predecessors(count);
    for (BlockId block = 0; block < count; ++block) {
      std::vector<BlockId> targets = function_.blocks[block].successors;
      std::sort(targets.begin(), targets.end());
      targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
      for (const BlockId target : targets) {
        require(target < count, fmt::format("bb{} goes to a block that does not exist", block));
        predecessors[target].push_back(block);
      }
    }
    require(predecessors[0].empty(), "the entry block has a predecessor");
    for (BlockId block = 0; block < count; ++block) {
      std::vector<BlockId> listed = function_.blocks[block].predecessors;
      std::sort(listed.begin(), listed.end());
      require(listed == predecessors[block],
              fmt::format("bb{} does not list its predecessors, each once", block));
    }
  }

  void check_block(BlockId id) {
    const Block& block = function_.blocks[id];
    require(!block.insts.empty(), fmt::format("bb{} is empty", id));
    bool phis_over = false;
    for (size_t i = 0; i < block.insts.size(); ++i) {
      const InstId inst = block.insts[i];
      require(inst < function_.insts.size(), fmt::format("bb{} lists a missing instruction", id));
      const Inst& at = function_.insts[inst];
      require(position_[inst] == kNone, inst, "is listed twice");
      position_[inst] = static_cast<uint32_t>(i);
      require(at.block == id, inst, "does not know its block");
      if (at.opcode == Opcode::kPhi) {
        require(!phis_over, inst, "a phi stands after another instruction");
        require(at.srcs.size() == block.predecessors.size(), inst,
                "a phi needs one source per predecessor");
      } else {
        phis_over = true;
      }
      require(ends_block(at.opcode) == (i + 1 == block.insts.size()), inst,
              "a block has one end, at its end");
    }
    check_end(id, block.insts.back());
  }

  void check_end(BlockId id, InstId inst) const {
    const size_t successors = function_.blocks[id].successors.size();
    switch (function_.insts[inst].opcode) {
      case Opcode::kBranch:
        require(successors == 1, inst, "needs one successor");
        break;
      case Opcode::kCondBranch:
        require(successors == 2, inst, "needs two successors");
        break;
      case Opcode::kIndexBranch:
        require(successors >= 1, inst, "needs successors");
        break;
      default:
        require(successors == 0, inst, "has successors");
        break;
    }
  }

  unsigned bits(InstId inst, ValueId value) const {
    require(value < function_.values.size(), inst, "uses a value that does not exist");
    return function_.values[value].bits;
  }

  void check_inst(InstId id) const {
    const Inst& inst = function_.insts[id];
    for (const ValueId dest : inst.dests) {
      bits(id, dest);
      require(!function_.values[dest].is_const, id, "defines a constant");
      require(function_.values[dest].def == id, id, "a destination names another definition");
    }
    for (size_t i = 0; i < inst.srcs.size(); ++i) check_use(id, inst.srcs[i], i);
    if (inst.guard != kNone) {
      check_use(id, inst.guard, 0);
      require(bits(id, inst.guard) == 1, id, "the guard is not a predicate");
      require(!is_pure(inst.opcode), id, "a pure instruction has a guard");
    }
    if (inst.opcode == Opcode::kOp) check_op(id);
    if (inst.opcode == Opcode::kPhi) {
      for (const ValueId source : inst.srcs) {
        require(bits(id, source) == bits(id, inst.dests[0]), id, "a source has another width");
      }
    }
    if (inst.opcode == Opcode::kCondBranch) {
      require(inst.srcs.size() == 1 && bits(id, inst.srcs[0]) == 1, id, "needs a predicate");
    }
    if (inst.opcode == Opcode::kObjectAddress) {
      require(inst.object < function_.objects.size(), id, "names no object");
    }
    if (inst.opcode == Opcode::kLoad || inst.opcode == Opcode::kStore) check_access(id);
    if (inst.opcode == Opcode::kMma) check_mma(id);
  }

  void check_op(InstId id) const {
    const Inst& inst = function_.insts[id];
    require(inst.srcs.size() == op::arity(inst.op.kind), id, "wrong number of operands");
    require(inst.dests.size() == 1, id, "an operation has one result");
    require(bits(id, inst.dests[0]) == op::result_bits(inst.op), id,
            "the result has another width: " + op::to_string(inst.op));
    for (unsigned i = 0; i < inst.srcs.size(); ++i) {
      const unsigned wanted = op::operand_bits(inst.op, i);  // 0: an extract takes any width
      require(wanted == 0 || bits(id, inst.srcs[i]) == wanted, id,
              fmt::format("operand {} of {} has {} bits", i, op::to_string(inst.op),
                          bits(id, inst.srcs[i])));
    }
    if (inst.op.kind == Kind::kExtract) {
      require(
          inst.immediate >= 0 && static_cast<uint64_t>(inst.immediate) + op::bits(inst.op.type) <=
                                     bits(id, inst.srcs[0]),
          id, "extracts bits that are not there");
    }
  }

  void check_access(InstId id) const {
    const Inst& inst = function_.insts[id];
    const auto* access = std::get_if<MemoryAccess>(&inst.detail);
    require(access != nullptr, id, "has no MemoryAccess");
    const bool is_load = inst.opcode == Opcode::kLoad;
    require(inst.srcs.size() == (is_load ? 1u : 1u + access->count), id, "wrong sources");
    require(inst.dests.size() == (is_load ? access->count : 0u), id, "wrong destinations");
    const auto elements =
        is_load ? inst.dests : std::vector<ValueId>(inst.srcs.begin() + 1, inst.srcs.end());
    for (const ValueId element : elements) {
      require(bits(id, element) == op::bits(access->type), id, "an element has another width");
    }
  }

  void check_mma(InstId id) const {
    const Inst& inst = function_.insts[id];
    const auto* mma = std::get_if<Mma>(&inst.detail);
    require(mma != nullptr, id, "has no Mma");
    const size_t sources = size_t{mma->a_registers} + mma->b_registers + mma->c_registers;
    require(inst.srcs.size() == sources + mma->sparse, id, "wrong sources");
    require(inst.dests.size() == mma->d_registers, id, "wrong destinations");
    const unsigned width = mma->a == Mma::Element::kF64 ? 64 : 32;
    for (size_t i = 0; i < sources; ++i) {
      require(bits(id, inst.srcs[i]) == width, id, "a fragment's register has another width");
    }
    for (const ValueId dest : inst.dests) {
      require(bits(id, dest) == width, id, "a fragment's register has another width");
    }
  }

  // The definition of `value` must come before this use on every path.
  void check_use(InstId id, ValueId value, size_t index) const {
    bits(id, value);
    const Value& used = function_.values[value];
    if (used.is_const) return;
    require(used.def != kNone && used.def < function_.insts.size(), id,
            fmt::format("%{} is never defined", value));
    const Inst& def = function_.insts[used.def];
    require(position_[used.def] != kNone, id, fmt::format("%{} is defined nowhere", value));
    const Inst& inst = function_.insts[id];
    bool dominated = false;
    if (inst.opcode == Opcode::kPhi) {
      dominated = cfg_.dominates(def.block, function_.blocks[inst.block].predecessors[index]);
    } else if (def.block == inst.block) {
      dominated = position_[used.def] < position_[id];
    } else {
      dominated = cfg_.dominates(def.block, inst.block);
    }
    require(dominated, id, fmt::format("%{} is not defined on every path to its use", value));
  }

  const Function& function_;
  Cfg cfg_;
  std::vector<uint32_t> position_;  // of each instruction in its block
};

}  // namespace

void verify(const Function& function) {
  Verifier(function).run();
}

}  // namespace ptxequiv::ir
