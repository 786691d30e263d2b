// Text of a function, for --dump ir and for tests:
//
//   function saxpy
//     @0 param n [4]
//   bb0:
//     %3 = special %tid.x
//     %4:64 = mul.b64 %2, 4                    ; %rd5 line 17
#include <fmt/format.h>

#include <iterator>

#include "ir/ir.h"

namespace ptxequiv::ir {
namespace {

std::string value_text(const Function& function, ValueId id) {
  if (id == kNone) return "-";
  if (id >= function.values.size()) return fmt::format("%{}?", id);
  const Value& value = function.values[id];
  if (!value.is_const) return fmt::format("%{}", id);
  if (value.bits == 1) return value.constant != 0 ? "true" : "false";
  if (value.constant < 4096) return fmt::format("{}", value.constant);
  return fmt::format("0x{:x}", value.constant);
}

std::string_view name(MemoryAccess::Order order) {
  switch (order) {
    case MemoryAccess::Order::kWeak:
      return "";
    case MemoryAccess::Order::kRelaxed:
      return ".relaxed";
    case MemoryAccess::Order::kAcquire:
      return ".acquire";
    case MemoryAccess::Order::kRelease:
      return ".release";
    case MemoryAccess::Order::kMmio:
      return ".mmio";
    case MemoryAccess::Order::kAcqRel:
      return ".acq_rel";
  }
  return "";
}

std::string access_text(const MemoryAccess& access) {
  std::string text = fmt::format(".{}", ir::name(access.space));
  if (access.is_volatile) text += ".volatile";
  if (access.non_coherent) text += ".nc";
  text += name(access.order);
  if (!access.scope.empty()) text += "." + access.scope;
  if (access.count > 1) text += fmt::format(".v{}", access.count);
  return text + fmt::format(".{}", op::name(access.type));
}

// The part of an instruction's name that its detail adds.
struct DetailText {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const MemoryAccess& access) const { return access_text(access); }
  std::string operator()(const SpecialUse& use) const {
    return fmt::format(" {}", ir::name(use.reg));
  }
  std::string operator()(const SpaceUse& use) const {
    return fmt::format(".{}", ir::name(use.space));
  }
  std::string operator()(const Barrier& barrier) const {
    static constexpr std::string_view kActions[] = {"sync", "arrive", "red.popc", "red.and",
                                                    "red.or"};
    return fmt::format(".{}{}{}", kActions[static_cast<size_t>(barrier.action)],
                       barrier.aligned ? "" : ".unaligned", barrier.negate_predicate ? ".not" : "");
  }
  std::string operator()(const Shuffle& shuffle) const {
    static constexpr std::string_view kModes[] = {"up", "down", "bfly", "idx"};
    return fmt::format(".{}", kModes[static_cast<size_t>(shuffle.mode)]);
  }
  std::string operator()(const Vote& vote) const {
    static constexpr std::string_view kModes[] = {"all", "any", "uni", "ballot"};
    return fmt::format(".{}{}", kModes[static_cast<size_t>(vote.mode)], vote.negate ? ".not" : "");
  }
  std::string operator()(const Match& match) const { return match.all ? ".all" : ".any"; }
  std::string operator()(const Redux& redux) const {
    return fmt::format(".{}", op::to_string(redux.op));
  }
  std::string operator()(const Atomic& atomic) const {
    static constexpr std::string_view kRmw[] = {"add", "min", "max", "inc",  "dec",
                                                "and", "or",  "xor", "exch", "cas"};
    return fmt::format(".{}{}", kRmw[static_cast<size_t>(atomic.rmw)], access_text(atomic.access));
  }
  std::string operator()(const Fence& fence) const {
    return fmt::format(".{}{}{}", fence.proxy ? "proxy." : "", fence.semantics,
                       fence.scope.empty() ? "" : "." + fence.scope);
  }
  std::string operator()(const Mma& mma) const {
    static constexpr std::string_view kLayouts[] = {"", ".quadpairs", ".wmma"};
    static constexpr std::string_view kBitOps[] = {"", ".xor.popc", ".and.popc"};
    static constexpr std::string_view kRoundings[] = {"", "", ".rz", ".rm", ".rp"};
    return fmt::format(
        "{}{}.m{}n{}k{}.{}.{}{}{}.{}.{}.{}.{}{}", kLayouts[static_cast<size_t>(mma.layout)],
        mma.sparse ? fmt::format(".sp{}", mma.selector) : "", mma.m, mma.n, mma.k,
        mma.a_is_row ? "row" : "col", mma.b_is_row ? "row" : "col",
        mma.satfinite ? ".satfinite" : "", kRoundings[static_cast<size_t>(mma.rounding)],
        op::name(mma.d), ir::name(mma.a), ir::name(mma.b), op::name(mma.c),
        kBitOps[static_cast<size_t>(mma.bit_op)]);
  }
  std::string operator()(const MatrixMove& move) const {
    return fmt::format(".x{}{}.{}", move.count, move.transposed ? ".trans" : "",
                       ir::name(move.space));
  }
  std::string operator()(const CpAsync& copy) const {
    return fmt::format(".{}{}{}", copy.bytes, copy.has_src_size ? ".src_size" : "",
                       copy.has_ignore ? ".ignore_src" : "");
  }
};

std::string inst_text(const Function& function, const Inst& inst) {
  std::string text;
  for (size_t i = 0; i < inst.dests.size(); ++i) {
    const ValueId dest = inst.dests[i];
    const unsigned bits = dest < function.values.size() ? function.values[dest].bits : 0;
    text += fmt::format("{}%{}", i == 0 ? "" : ", ", dest);
    if (bits != 32) text += fmt::format(":{}", bits);
  }
  if (!inst.dests.empty()) text += " = ";
  if (inst.guard != kNone) {
    text += fmt::format("@{}{} ", inst.guard_negated ? "!" : "", value_text(function, inst.guard));
  }
  if (inst.opcode == Opcode::kOp) {
    text += op::to_string(inst.op);
  } else {
    text += std::string(name(inst.opcode)) + std::visit(DetailText{}, inst.detail);
  }
  if (inst.opcode == Opcode::kUnsupported) text += " " + source_name(function, inst);
  if (inst.object != kNone) text += fmt::format(" @{}", inst.object);
  for (size_t i = 0; i < inst.srcs.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? " " : ", ", value_text(function, inst.srcs[i]));
    if (inst.opcode == Opcode::kPhi && i < function.blocks[inst.block].predecessors.size()) {
      text += fmt::format(" [bb{}]", function.blocks[inst.block].predecessors[i]);
    }
  }
  if (inst.immediate != 0) text += fmt::format(" +{}", inst.immediate);
  const auto& successors = function.blocks[inst.block].successors;
  if (ends_block(inst.opcode) && !successors.empty()) {
    text += " ->";
    for (const BlockId successor : successors) text += fmt::format(" bb{}", successor);
  }
  return text;
}

std::string comment(const Function& function, const Inst& inst) {
  std::string text;
  if (!inst.dests.empty() && inst.dests[0] < function.values.size()) {
    const ptx::SymbolId reg = function.values[inst.dests[0]].reg;
    if (reg != ptx::kNoSymbol && function.module != nullptr) {
      text += " " + function.module->symbol(reg).name;
    }
  }
  if (inst.source != nullptr) text += fmt::format(" line {}", inst.source->loc.line);
  return text;
}

}  // namespace

std::string source_name(const Function& function, const Inst& inst) {
  if (inst.source == nullptr) return std::string(name(inst.opcode));
  std::string text = inst.source->full_name();
  if (inst.source->opcode != "call" || function.module == nullptr) return text;
  for (const ptx::Operand& operand : inst.source->operands) {
    if (const auto* callee = std::get_if<ptx::SymbolRef>(&operand.value)) {
      return text + " " + function.module->symbol(callee->symbol).name;
    }
  }
  return text;
}

std::string to_string(const Function& function) {
  std::string text = fmt::format("function {}\n", function.name);
  auto out = std::back_inserter(text);
  for (ObjectId id = 0; id < function.objects.size(); ++id) {
    const MemoryObject& object = function.objects[id];
    fmt::format_to(out, "  @{} {} {}[{}] align {}{}{}\n", id, name(object.space), object.name,
                   object.bytes, object.align, object.dynamic_shared ? " dynamic" : "",
                   object.call_scoped ? " call" : "");
  }
  for (BlockId id = 0; id < function.blocks.size(); ++id) {
    const Block& block = function.blocks[id];
    fmt::format_to(out, "bb{}:", id);
    if (!block.label.empty()) fmt::format_to(out, " {}", block.label);
    if (!block.predecessors.empty()) {
      text += "  ; from";
      for (const BlockId from : block.predecessors) fmt::format_to(out, " bb{}", from);
    }
    text += "\n";
    for (const InstId inst : block.insts) {
      const std::string line = inst_text(function, function.insts[inst]);
      const std::string note = comment(function, function.insts[inst]);
      if (note.empty()) {
        fmt::format_to(out, "  {}\n", line);
      } else {
        fmt::format_to(out, "  {:<60} ;{}\n", line, note);
      }
    }
  }
  return text;
}

}  // namespace ptxequiv::ir
