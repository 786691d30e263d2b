#include "ir/widen.h"

#include <algorithm>
#include <set>

namespace ptxequiv::ir {
namespace {

using op::Kind;
using op::Op;
using op::Type;

bool may_wrap(const Inst& inst) {
  if (inst.opcode != Opcode::kOp || inst.source == nullptr) return false;
  if (inst.op.type != Type::kB32) return false;
  const Kind kind = inst.op.kind;
  return kind == Kind::kAdd || kind == Kind::kSub || kind == Kind::kMul || kind == Kind::kShl;
}

// How an operation on 32 bits is done on 64.
struct WideRow {
  Kind kind;
  bool as_signed, as_unsigned;  // in which reading of the operands it has a wide meaning
};
constexpr WideRow kRows[] = {
    {Kind::kAdd, true, true},   {Kind::kSub, true, true},     {Kind::kMul, true, true},
    {Kind::kShl, true, true},   {Kind::kSelect, true, true},  {Kind::kShrS, true, false},
    {Kind::kShrU, false, true}, {Kind::kMulHiS, true, false}, {Kind::kMulHiU, false, true},
    {Kind::kMinS, true, false}, {Kind::kMinU, false, true},   {Kind::kMaxS, true, false},
    {Kind::kMaxU, false, true}, {Kind::kDivS, true, false},   {Kind::kDivU, false, true},
    {Kind::kRemS, true, false}, {Kind::kRemU, false, true},
};

bool is_comparison(Kind kind) {
  return kind == Kind::kEq || kind == Kind::kLtU || kind == Kind::kLtS;
}

// reciprocal / 2^32 stands for 2^shift / divisor.
struct Quotient {
  unsigned shift;
  uint64_t divisor;
};

// Granlund, Montgomery 1994: n * m >> (32 + shift) is n / d for n below 2^31 if m * d exceeds
// 2^(32 + shift) by at most 2^(shift + 1).
std::optional<Quotient> quotient_of(uint64_t reciprocal) {
  if (reciprocal < 3) return std::nullopt;
  for (unsigned shift = 0; shift < 16; ++shift) {
    const uint64_t power = uint64_t{1} << (32 + shift);
    const uint64_t divisor = power / reciprocal + (power % reciprocal * 2 > reciprocal);
    const uint64_t product = divisor * reciprocal;
    if (divisor > 1 && product > power && product - power <= uint64_t{2} << shift) {
      return Quotient{shift, divisor};
    }
  }
  return std::nullopt;
}

class Widening {
 public:
  Widening(const Function& function, const std::vector<const ptx::Instruction*>& instructions,
           bool is_signed)
      : out_(function), chosen_(instructions.begin(), instructions.end()), signed_(is_signed) {}

  Function probe() {
    is_wide_.assign(out_.values.size(), false);
    wide_.assign(out_.values.size(), kNone);
    for (BlockId block = 0; block < out_.blocks.size(); ++block) {
      std::vector<InstId> insts;
      for (const InstId id : std::vector<InstId>(out_.blocks[block].insts)) {
        insts.push_back(id);
        const Inst inst = out_.insts[id];
        if (may_wrap(inst) && chosen_.contains(inst.source)) watch(inst, insts, block);
      }
      out_.blocks[block].insts = std::move(insts);
    }
    return std::move(out_);
  }

  Function run() {
    find_wide();
    // Wide phis may be asked for before their block is rewritten.
    for (ValueId v = 0; v < is_wide_.size(); ++v) {
      if (is_wide_[v]) wide_[v] = out_.add_value(64);
    }
    for (BlockId block = 0; block < out_.blocks.size(); ++block) rewrite(block);
    return std::move(out_);
  }

 private:
  bool has_wide_meaning(Op op) const {
    if (op.type != Type::kB32) return false;
    const auto* row = std::find_if(std::begin(kRows), std::end(kRows),
                                   [&](const WideRow& r) { return r.kind == op.kind; });
    return row != std::end(kRows) && (signed_ ? row->as_signed : row->as_unsigned);
  }

  // Results that become wide: a fixed point, since loops go round.
  void find_wide() {
    is_wide_.assign(out_.values.size(), false);
    wide_.assign(out_.values.size(), kNone);
    for (bool changed = true; changed;) {
      changed = false;
      for (const Block& block : out_.blocks) {
        for (const InstId id : block.insts) {
          const Inst& inst = out_.insts[id];
          if (inst.dests.size() != 1 || inst.dests[0] == kNone || is_wide_[inst.dests[0]]) continue;
          if (!becomes_wide(inst)) continue;
          is_wide_[inst.dests[0]] = changed = true;
        }
      }
    }
  }

  bool becomes_wide(const Inst& inst) const {
    if (out_.values[inst.dests[0]].bits != 32) return false;
    const bool is_chosen = may_wrap(inst) && chosen_.contains(inst.source);
    const bool takes_wide =
        std::any_of(inst.srcs.begin(), inst.srcs.end(), [&](ValueId v) { return is_wide_[v]; });
    if (inst.opcode == Opcode::kPhi) return takes_wide;
    return inst.opcode == Opcode::kOp && (is_chosen || (takes_wide && has_wide_meaning(inst.op)));
  }

  ValueId emit(std::vector<InstId>& insts, BlockId block, const Inst& like, Op op,
               std::vector<ValueId> srcs, ValueId dest, int64_t immediate = 0) {
    Inst inst{.opcode = Opcode::kOp};
    inst.op = op;
    inst.dests = {dest};
    inst.srcs = std::move(srcs);
    inst.immediate = immediate;
    inst.source = like.source;
    inst.block = block;
    out_.values[dest].def = static_cast<InstId>(out_.insts.size());
    insts.push_back(static_cast<InstId>(out_.insts.size()));
    out_.insts.push_back(std::move(inst));
    return dest;
  }

  static Op wide_op(Kind kind) { return Op{.kind = kind, .type = Type::kB64}; }

  // The value in 64 bits.
  ValueId widened(ValueId value, std::vector<InstId>& insts, BlockId block, const Inst& like) {
    if (value < wide_.size() && wide_[value] != kNone) return wide_[value];
    const Value& known = out_.values[value];
    if (known.is_const) {
      const uint64_t bits = known.constant;
      // Adding a large constant is how compilers subtract, also from unsigned numbers.
      const bool adds = like.op.kind == Kind::kAdd || like.op.kind == Kind::kSub;
      const bool fill = (signed_ || adds) && (bits >> 31 & 1) != 0;
      return out_.constant(64, fill ? bits | ~op::mask(32) : bits);
    }
    const Op extend{
        .kind = signed_ ? Kind::kSext : Kind::kZext, .type = Type::kB64, .src = Type::kB32};
    return emit(insts, block, like, extend, {value}, out_.add_value(64));
  }

  void narrow(ValueId value, std::vector<InstId>& insts, BlockId block, const Inst& like) {
    const Op low{.kind = Kind::kExtract, .type = Type::kB32, .src = Type::kB64};
    emit(insts, block, like, low, {wide_[value]}, value);
  }

  void rewrite(BlockId block) {
    const std::vector<InstId> before = out_.blocks[block].insts;
    std::vector<InstId> insts;
    size_t i = 0;
    std::vector<Inst> phis;
    for (; i < before.size() && out_.insts[before[i]].opcode == Opcode::kPhi; ++i) {
      const Inst phi = out_.insts[before[i]];
      insts.push_back(before[i]);
      if (phi.dests[0] >= is_wide_.size() || !is_wide_[phi.dests[0]]) continue;
      phis.push_back(phi);
      Inst& now = out_.insts[before[i]];
      now.dests = {wide_[phi.dests[0]]};
      out_.values[wide_[phi.dests[0]]].def = before[i];
      for (size_t p = 0; p < phi.srcs.size(); ++p) {
        const ValueId in = incoming(phi.srcs[p], out_.blocks[block].predecessors[p], block);
        out_.insts[before[i]].srcs[p] = in;
      }
    }
    for (const Inst& phi : phis) narrow(phi.dests[0], insts, block, phi);
    for (; i < before.size(); ++i) {
      const Inst inst = out_.insts[before[i]];  // a copy: the list grows
      if (!rewrite_op(inst, insts, block)) insts.push_back(before[i]);
    }
    // What other blocks' phis have put before the end stays there.
    auto& added = ends_[block];
    insts.insert(insts.end() - (ends_block(out_.insts[insts.back()].opcode) ? 1 : 0), added.begin(),
                 added.end());
    added.clear();
    out_.blocks[block].insts = std::move(insts);
    done_.insert(block);
  }

  // A phi's operand in 64 bits, extended at the end of the block that it comes from.
  ValueId incoming(ValueId value, BlockId from, BlockId here) {
    if (value < wide_.size() && wide_[value] != kNone) return wide_[value];
    std::vector<InstId> extension;
    const Inst& end = out_.insts[out_.blocks[from].insts.back()];
    const Inst like = end;
    const ValueId result = widened(value, extension, from, like);
    if (extension.empty()) return result;
    if (done_.contains(from) && from != here) {
      auto& list = out_.blocks[from].insts;
      list.insert(list.end() - 1, extension.begin(), extension.end());
    } else {
      auto& list = ends_[from];
      list.insert(list.end(), extension.begin(), extension.end());
    }
    return result;
  }

  // A store under the condition that 64 bits hold more than 32.
  void watch(const Inst& inst, std::vector<InstId>& insts, BlockId block) {
    const ValueId left = widened(inst.srcs[0], insts, block, inst);
    const ValueId right =
        inst.op.kind == Kind::kShl ? inst.srcs[1] : widened(inst.srcs[1], insts, block, inst);
    const ValueId exact =
        emit(insts, block, inst, wide_op(inst.op.kind), {left, right}, out_.add_value(64));
    // Nothing is lost where the low half, extended, is the whole. Of unsigned numbers a negative
    // difference is one that is still known.
    const auto is_kept = [&](Kind extend) {
      const Op op{.kind = extend, .type = Type::kB64, .src = Type::kB32};
      const ValueId kept = emit(insts, block, inst, op, {inst.dests[0]}, out_.add_value(64));
      return emit(insts, block, inst, wide_op(Kind::kEq), {exact, kept}, out_.add_value(1));
    };
    const ValueId as_signed = is_kept(Kind::kSext);
    const ValueId as_unsigned = signed_ ? as_signed : is_kept(Kind::kZext);
    Inst store{.opcode = Opcode::kStore};
    store.guard = emit(insts, block, inst, Op{.kind = Kind::kOr, .type = Type::kPred},
                       {as_signed, as_unsigned}, out_.add_value(1));
    store.guard_negated = true;
    store.srcs = {out_.constant(64, kProbe), out_.constant(32, 0)};
    store.detail = MemoryAccess{.type = Type::kB32};
    store.source = inst.source;
    store.block = block;
    insts.push_back(static_cast<InstId>(out_.insts.size()));
    out_.insts.push_back(std::move(store));
  }

  // A division by multiplying with a rounded reciprocal is exact for 32 bits only: the division
  // itself is meant.
  bool divides(const Inst& inst, ValueId wide, std::vector<InstId>& insts, BlockId block) {
    const size_t at = out_.values[inst.srcs[1]].is_const ? 1 : 0;
    const Value& constant = out_.values[inst.srcs[at]];
    if (!constant.is_const) return false;
    const auto quotient = quotient_of(constant.constant);
    if (!quotient) return false;
    ValueId number = widened(inst.srcs[1 - at], insts, block, inst);
    if (quotient->shift != 0) {
      number = emit(insts, block, inst, wide_op(Kind::kShl),
                    {number, out_.constant(32, quotient->shift)}, out_.add_value(64));
    }
    emit(insts, block, inst, wide_op(signed_ ? Kind::kDivS : Kind::kDivU),
         {number, out_.constant(64, quotient->divisor)}, wide);
    return true;
  }

  bool rewrite_op(const Inst& inst, std::vector<InstId>& insts, BlockId block) {
    if (inst.opcode != Opcode::kOp || inst.dests.size() != 1) return false;
    const ValueId dest = inst.dests[0];
    const auto is_wide = [&](ValueId v) { return v < is_wide_.size() && is_wide_[v]; };
    const bool takes_wide = std::any_of(inst.srcs.begin(), inst.srcs.end(), is_wide);
    const Kind kind = inst.op.kind;
    const auto wide_source = [&](size_t i) { return widened(inst.srcs[i], insts, block, inst); };
    if (is_wide(dest)) {
      const ValueId wide = wide_[dest];
      switch (kind) {
        case Kind::kSelect:
          emit(insts, block, inst, wide_op(kind), {inst.srcs[0], wide_source(1), wide_source(2)},
               wide);
          break;
        case Kind::kShl:
        case Kind::kShrS:
        case Kind::kShrU:
          emit(insts, block, inst, wide_op(kind), {wide_source(0), inst.srcs[1]}, wide);
          break;
        case Kind::kMulHiS:
        case Kind::kMulHiU: {
          if (divides(inst, wide, insts, block)) break;
          const ValueId product = emit(insts, block, inst, wide_op(Kind::kMul),
                                       {wide_source(0), wide_source(1)}, out_.add_value(64));
          emit(insts, block, inst, wide_op(kind == Kind::kMulHiS ? Kind::kShrS : Kind::kShrU),
               {product, out_.constant(32, 32)}, wide);
          break;
        }
        default:
          emit(insts, block, inst, wide_op(kind), {wide_source(0), wide_source(1)}, wide);
          break;
      }
      narrow(dest, insts, block, inst);
      return true;
    }
    if (!takes_wide) return false;
    const bool extends = (kind == Kind::kSext || kind == Kind::kZext) &&
                         inst.op.type == Type::kB64 && inst.op.src == Type::kB32;
    if (extends) {
      emit(insts, block, inst, wide_op(Kind::kAdd), {wide_source(0), out_.constant(64, 0)}, dest);
      return true;
    }
    if (is_comparison(kind) && inst.op.type == Type::kB32) {
      const Kind compare = kind == Kind::kEq ? kind : signed_ ? Kind::kLtS : Kind::kLtU;
      emit(insts, block, inst, wide_op(compare), {wide_source(0), wide_source(1)}, dest);
      return true;
    }
    return false;
  }

  Function out_;
  std::set<const ptx::Instruction*> chosen_;
  bool signed_;
  std::vector<bool> is_wide_;                    // by value of the original
  std::vector<ValueId> wide_;                    // its 64 bits
  std::map<BlockId, std::vector<InstId>> ends_;  // extensions for phis of other blocks
  std::set<BlockId> done_;
};

}  // namespace

std::vector<const ptx::Instruction*> wrapping_instructions(const Function& function) {
  std::vector<const ptx::Instruction*> out;
  for (const Block& block : function.blocks) {
    for (const InstId id : block.insts) {
      const Inst& inst = function.insts[id];
      if (may_wrap(inst) && std::find(out.begin(), out.end(), inst.source) == out.end()) {
        out.push_back(inst.source);
      }
    }
  }
  return out;
}

Function widen(const Function& function, const std::vector<const ptx::Instruction*>& instructions,
               bool is_signed) {
  return Widening(function, instructions, is_signed).run();
}

Function probe_wrap(const Function& function, const ptx::Instruction* instruction, bool is_signed) {
  return Widening(function, {instruction}, is_signed).probe();
}

}  // namespace ptxequiv::ir
