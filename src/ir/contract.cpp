#include "ir/contract.h"

#include <algorithm>

namespace ptxequiv::ir {
namespace {

using op::Kind;
using op::Op;
using op::Rounding;

class Contraction {
 public:
  explicit Contraction(Function& function) : function_(function), uses_(function.values.size()) {
    for (const Block& block : function.blocks) {
      for (const InstId id : block.insts) {
        for (const ValueId src : function.insts[id].srcs) ++uses_[src];
      }
    }
  }

  size_t run() {
    for (BlockId block = 0; block < function_.blocks.size(); ++block) {
      // Negations come to stand before the sums that want them.
      std::vector<InstId> insts;
      for (const InstId id : function_.blocks[block].insts) {
        fuse(id, block, insts);
        insts.push_back(id);
      }
      function_.blocks[block].insts = std::move(insts);
    }
    return fused_;
  }

 private:
  const Inst* definition(ValueId value) const {
    const InstId def = function_.values[value].def;
    return def == kNone ? nullptr : &function_.insts[def];
  }

  // Where the bits of a value come from: halves of a packed register are looked through.
  ValueId origin(ValueId value) const {
    for (;;) {
      const Inst* inst = definition(value);
      if (inst == nullptr || inst->opcode != Opcode::kOp || inst->op.kind != Kind::kExtract) {
        return value;
      }
      const Inst* packed = definition(inst->srcs[0]);
      if (packed == nullptr || packed->opcode != Opcode::kOp || packed->op.kind != Kind::kConcat) {
        return value;
      }
      const unsigned half = function_.values[packed->srcs[1]].bits;
      if (function_.values[value].bits != half) return value;
      if (inst->immediate != 0 && inst->immediate != half) return value;
      value = packed->srcs[inst->immediate == 0 ? 1 : 0];
    }
  }

  // The product that `value` is, if it may be fused into `sum`.
  const Inst* product(ValueId value, Op sum) const {
    const Inst* inst = definition(origin(value));
    if (inst == nullptr || inst->opcode != Opcode::kOp) return nullptr;
    const Op op = inst->op;
    const bool fits = op.kind == Kind::kFMul && op.rounding == Rounding::kAny &&
                      op.type == sum.type && op.ftz == sum.ftz && !op.sat;
    return fits ? inst : nullptr;
  }

  ValueId negated(ValueId value, Op sum, const Inst& like, BlockId block,
                  std::vector<InstId>& insts) {
    Inst inst{.opcode = Opcode::kOp};
    inst.op = Op{.kind = Kind::kFNeg, .type = sum.type};
    inst.srcs = {value};
    inst.source = like.source;
    inst.block = block;
    const ValueId result = function_.add_value(function_.values[value].bits);
    const auto id = static_cast<InstId>(function_.insts.size());
    function_.values[result].def = id;
    inst.dests = {result};
    function_.insts.push_back(std::move(inst));
    insts.push_back(id);
    return result;
  }

  void fuse(InstId id, BlockId block, std::vector<InstId>& insts) {
    const Inst sum = function_.insts[id];  // a copy: the vector may grow
    if (sum.opcode != Opcode::kOp || sum.op.rounding != Rounding::kAny) return;
    const bool is_sub = sum.op.kind == Kind::kFSub;
    if (sum.op.kind != Kind::kFAdd && !is_sub) return;
    const Inst* products[2] = {product(sum.srcs[0], sum.op), product(sum.srcs[1], sum.op)};
    const bool second = prefers_second(products[0], products[1]);
    const size_t side = second ? 1 : 0;
    if (const Inst* found = products[side]; found != nullptr) {
      --uses_[found->dests[0]];
      ValueId a = found->srcs[0];
      const ValueId b = found->srcs[1];
      ValueId other = sum.srcs[1 - side];
      if (is_sub && side == 0) other = negated(other, sum.op, sum, block, insts);
      if (is_sub && side == 1) a = negated(a, sum.op, sum, block, insts);
      Inst& inst = function_.insts[id];
      inst.op.kind = Kind::kFFma;
      inst.op.rounding = Rounding::kRn;
      inst.srcs = {a, b, other};
      ++fused_;
    }
  }

  // Of two products: one that no other sum still wants, since its multiplication then goes; else
  // the first. (What ptxas 13.0 does in corpus/cuda/numeric/{complex_mul_3mult,fft8_*}.)
  bool prefers_second(const Inst* first, const Inst* second) const {
    if (first == nullptr || second == nullptr) return first == nullptr;
    return !is_single(first) && is_single(second);
  }
  bool is_single(const Inst* product) const { return uses_[product->dests[0]] == 1; }

  Function& function_;
  std::vector<uint32_t> uses_;
  size_t fused_ = 0;
};

}  // namespace

size_t contract(Function& function) {
  return Contraction(function).run();
}

}  // namespace ptxequiv::ir
