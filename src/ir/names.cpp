// Names and properties of opcodes, spaces and special registers: one row each.
#include <array>
#include <string>

#include "base/error.h"
#include "ir/ir.h"

namespace ptxequiv::ir {
namespace {

enum Property : uint8_t { kNothing = 0, kPure = 1, kSync = 2, kEnd = 4 };

struct OpcodeRow {
  Opcode opcode;
  std::string_view name;
  uint8_t properties;
};

constexpr OpcodeRow kOpcodes[] = {
    {Opcode::kOp, "op", kPure},
    {Opcode::kUndef, "undef", kPure},
    {Opcode::kSpecial, "special", kPure},
    {Opcode::kObjectAddress, "address", kPure},
    {Opcode::kPhi, "phi", kPure},
    {Opcode::kToGeneric, "togeneric", kPure},
    {Opcode::kFromGeneric, "fromgeneric", kPure},
    {Opcode::kIsSpace, "isspace", kPure},
    {Opcode::kLoad, "load", kNothing},
    {Opcode::kStore, "store", kNothing},
    {Opcode::kAtomic, "atomic", kNothing},
    {Opcode::kFence, "fence", kSync},
    {Opcode::kPrefetch, "prefetch", kNothing},
    {Opcode::kCpAsync, "cpasync", kSync},
    {Opcode::kCpAsyncCommit, "cpasync.commit", kSync},
    {Opcode::kCpAsyncWait, "cpasync.wait", kSync},
    {Opcode::kGridTrigger, "grid.trigger", kNothing},
    {Opcode::kGridWait, "grid.wait", kSync},
    {Opcode::kBarrier, "barrier", kSync},
    {Opcode::kWarpSync, "warpsync", kSync},
    {Opcode::kShuffle, "shuffle", kSync},
    {Opcode::kVote, "vote", kSync},
    {Opcode::kMatch, "match", kSync},
    {Opcode::kRedux, "redux", kSync},
    {Opcode::kActiveMask, "activemask", kNothing},
    {Opcode::kElect, "elect", kSync},
    {Opcode::kPrint, "print", kNothing},
    {Opcode::kMma, "mma", kSync},
    {Opcode::kMatrixLoad, "matrix.load", kSync},
    {Opcode::kMatrixStore, "matrix.store", kSync},
    {Opcode::kMatrixTranspose, "matrix.transpose", kSync},
    {Opcode::kBranch, "branch", kEnd},
    {Opcode::kCondBranch, "condbranch", kEnd},
    {Opcode::kIndexBranch, "indexbranch", kEnd},
    {Opcode::kExit, "exit", kEnd},
    {Opcode::kTrap, "trap", kEnd},
    {Opcode::kUnsupported, "unsupported", kNothing},
};

const OpcodeRow& row(Opcode opcode) {
  const OpcodeRow& found = kOpcodes[static_cast<size_t>(opcode)];
  PTXEQUIV_CHECK(found.opcode == opcode, "opcode table is out of order");
  return found;
}

struct SpecialRow {
  SpecialRegister reg;
  std::string_view name;
  uint8_t bits;
};

constexpr SpecialRow kSpecials[] = {
    {SpecialRegister::kTidX, "%tid.x", 32},
    {SpecialRegister::kTidY, "%tid.y", 32},
    {SpecialRegister::kTidZ, "%tid.z", 32},
    {SpecialRegister::kNtidX, "%ntid.x", 32},
    {SpecialRegister::kNtidY, "%ntid.y", 32},
    {SpecialRegister::kNtidZ, "%ntid.z", 32},
    {SpecialRegister::kCtaidX, "%ctaid.x", 32},
    {SpecialRegister::kCtaidY, "%ctaid.y", 32},
    {SpecialRegister::kCtaidZ, "%ctaid.z", 32},
    {SpecialRegister::kNctaidX, "%nctaid.x", 32},
    {SpecialRegister::kNctaidY, "%nctaid.y", 32},
    {SpecialRegister::kNctaidZ, "%nctaid.z", 32},
    {SpecialRegister::kLaneId, "%laneid", 32},
    {SpecialRegister::kWarpId, "%warpid", 32},
    {SpecialRegister::kNwarpId, "%nwarpid", 32},
    {SpecialRegister::kSmId, "%smid", 32},
    {SpecialRegister::kNsmId, "%nsmid", 32},
    {SpecialRegister::kGridId, "%gridid", 64},
    {SpecialRegister::kLanemaskEq, "%lanemask_eq", 32},
    {SpecialRegister::kLanemaskLt, "%lanemask_lt", 32},
    {SpecialRegister::kLanemaskLe, "%lanemask_le", 32},
    {SpecialRegister::kLanemaskGt, "%lanemask_gt", 32},
    {SpecialRegister::kLanemaskGe, "%lanemask_ge", 32},
    {SpecialRegister::kClock, "%clock", 32},
    {SpecialRegister::kClockHi, "%clock_hi", 32},
    {SpecialRegister::kClock64, "%clock64", 64},
    {SpecialRegister::kGlobalTimer, "%globaltimer", 64},
    {SpecialRegister::kGlobalTimerLo, "%globaltimer_lo", 32},
    {SpecialRegister::kGlobalTimerHi, "%globaltimer_hi", 32},
    {SpecialRegister::kDynamicSmemSize, "%dynamic_smem_size", 32},
    {SpecialRegister::kTotalSmemSize, "%total_smem_size", 32},
    {SpecialRegister::kClusterCtaIdX, "%cluster_ctaid.x", 32},
    {SpecialRegister::kClusterCtaIdY, "%cluster_ctaid.y", 32},
    {SpecialRegister::kClusterCtaIdZ, "%cluster_ctaid.z", 32},
    {SpecialRegister::kClusterNctaIdX, "%cluster_nctaid.x", 32},
    {SpecialRegister::kClusterNctaIdY, "%cluster_nctaid.y", 32},
    {SpecialRegister::kClusterNctaIdZ, "%cluster_nctaid.z", 32},
    {SpecialRegister::kClusterCtaRank, "%cluster_ctarank", 32},
    {SpecialRegister::kClusterNctaRank, "%cluster_nctarank", 32},
    {SpecialRegister::kClusterIdX, "%clusterid.x", 32},
    {SpecialRegister::kClusterIdY, "%clusterid.y", 32},
    {SpecialRegister::kClusterIdZ, "%clusterid.z", 32},
    {SpecialRegister::kNclusterIdX, "%nclusterid.x", 32},
    {SpecialRegister::kNclusterIdY, "%nclusterid.y", 32},
    {SpecialRegister::kNclusterIdZ, "%nclusterid.z", 32},
    {SpecialRegister::kIsExplicitCluster, "%is_explicit_cluster", 1},
    {SpecialRegister::kOther, "%other", 32},
};

// Known but not modelled; the last character may be followed by digits or by nothing.
constexpr std::string_view kOtherSpecials[] = {
    "%envreg", "%pm",    "%aggr_smem_size", "%reserved_smem_offset_", "%current_graph_exec", "%tid",
    "%ntid",   "%ctaid", "%nctaid",
};

}  // namespace

std::string_view name(Opcode opcode) {
  return row(opcode).name;
}
bool ends_block(Opcode opcode) {
  return (row(opcode).properties & kEnd) != 0;
}
bool is_pure(Opcode opcode) {
  return (row(opcode).properties & kPure) != 0;
}
bool synchronises(Opcode opcode) {
  return (row(opcode).properties & kSync) != 0;
}

std::string_view name(SpecialRegister reg) {
  const SpecialRow& found = kSpecials[static_cast<size_t>(reg)];
  PTXEQUIV_CHECK(found.reg == reg, "special register table is out of order");
  return found.name;
}

unsigned special_register_bits(SpecialRegister reg) {
  return kSpecials[static_cast<size_t>(reg)].bits;
}

std::optional<SpecialRegister> special_register_named(std::string_view name) {
  for (const SpecialRow& special : kSpecials) {
    if (special.name == name) return special.reg;
  }
  for (const std::string_view known : kOtherSpecials) {
    if (name.substr(0, known.size()) == known) return SpecialRegister::kOther;
  }
  return std::nullopt;
}

std::string_view name(Mma::Element element) {
  static constexpr std::string_view kNames[] = {"f16", "bf16", "tf32", "f64", "e4m3", "e5m2",
                                                "s8",  "u8",   "s4",   "u4",  "b1"};
  return kNames[static_cast<size_t>(element)];
}

std::string_view name(ptx::Space space) {
  switch (space) {
    case ptx::Space::kGeneric:
      return "generic";
    case ptx::Space::kReg:
      return "reg";
    case ptx::Space::kParam:
      return "param";
    case ptx::Space::kGlobal:
      return "global";
    case ptx::Space::kShared:
      return "shared";
    case ptx::Space::kLocal:
      return "local";
    case ptx::Space::kConst:
      return "const";
    case ptx::Space::kTex:
      return "tex";
  }
  return "?";
}

}  // namespace ptxequiv::ir
