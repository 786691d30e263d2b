// SSA: what `isa` makes of an entry function and `machine` executes. Device functions are inlined,
// guards of pure instructions have become selects, and every PTX opcode has become a few
// operations.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/source.h"
#include "op/op.h"
#include "ptx/ast.h"

namespace ptxequiv::ir {

using ValueId = uint32_t;  // index into Function::values
using BlockId = uint32_t;
using InstId = uint32_t;    // index into Function::insts
using ObjectId = uint32_t;  // index into Function::objects
inline constexpr uint32_t kNone = 0xffffffffu;

enum class Opcode : uint8_t {
  // Pure; executed lane by lane.
  kOp,             // dest = Inst::op(srcs); for kExtract the position is Inst::immediate
  kUndef,          // a register read before it is written: poison
  kSpecial,        // dest = special register (detail: Special)
  kObjectAddress,  // dest = address of Inst::object + immediate, in its own space
  kPhi,            // srcs parallel to the block's predecessors
  // Spaces. cvta, cvta.to: identity on the value, which carries its provenance; see machine.
  kToGeneric,
  kFromGeneric,
  kIsSpace,  // detail: SpaceUse
  // Memory. srcs[0] is the address; immediate is added to it.
  kLoad,      // dests: one per vector element, each as wide as the access type
  kStore,     // srcs[1..]: one per vector element
  // One part for each vector element, two 64-bit ones for b128. dests: none (red) or one a part;
  // srcs[1..]: b, one a part, then those of c (detail: Atomic).
  kAtomic,
  kFence,     // detail: Fence
  kPrefetch,  // no effect (prefetch, applypriority, discard is NOT one of them)
  // Asynchronous copies (cp.async, non-bulk).
  kCpAsync,  // srcs: shared address, global address, [src-size | ignore-src] (detail)
  kCpAsyncCommit,
  kCpAsyncWait,  // wait: immediate = groups allowed to be pending; -1 = all
  // Programmatic dependent launch (PTX 9.7.13.13): the next one may start; the one before is over.
  kGridTrigger,
  kGridWait,
  // CTA and warp collectives.
  kBarrier,   // detail: Barrier; srcs: [barrier id, [thread count], [predicate]]
  kWarpSync,  // srcs: member mask
  kShuffle,   // dests: value[, predicate]; srcs: value, lane, clamp, member mask
  kVote,      // dests: 1; srcs: predicate, member mask (detail)
  kMatch,
  kRedux,  // detail
  kActiveMask,
  kElect,
  kPrint,  // vprintf: what it prints is not compared. dests: 1 of 32 bits that nobody knows
  // Matrices in the registers of a warp, all of whose lanes take part.
  kMma,              // dests: d; srcs: a, b, c[, metadata] (detail: Mma; ir/fragment.h)
  kMatrixLoad,       // ldmatrix. dests: one a matrix; srcs: address of a row (detail: MatrixMove)
  kMatrixStore,      // stmatrix. srcs: address of a row, then one value a matrix
  kMatrixTranspose,  // movmatrix. dests: 1; srcs: 1
  // Ends of blocks.
  kBranch,       // to successors[0]
  kCondBranch,   // srcs[0] ? successors[0] : successors[1]
  kIndexBranch,  // brx.idx: successors[srcs[0]]
  kExit,         // the thread ends: exit, ret of the entry, falling off the end
  kTrap,
  // Legal PTX that has no meaning here yet: an error only if executed.
  kUnsupported,  // dests as the instruction has; Inst::source names it
};

enum class SpecialRegister : uint8_t {
  kTidX,
  kTidY,
  kTidZ,
  kNtidX,
  kNtidY,
  kNtidZ,
  kCtaidX,
  kCtaidY,
  kCtaidZ,
  kNctaidX,
  kNctaidY,
  kNctaidZ,
  kLaneId,
  kWarpId,
  kNwarpId,
  kSmId,
  kNsmId,
  kGridId,
  kLanemaskEq,
  kLanemaskLt,
  kLanemaskLe,
  kLanemaskGt,
  kLanemaskGe,
  kClock,
  kClockHi,
  kClock64,
  kGlobalTimer,
  kGlobalTimerLo,
  kGlobalTimerHi,
  kDynamicSmemSize,
  kTotalSmemSize,
  kClusterCtaIdX,
  kClusterCtaIdY,
  kClusterCtaIdZ,
  kClusterNctaIdX,
  kClusterNctaIdY,
  kClusterNctaIdZ,
  kClusterCtaRank,
  kClusterNctaRank,
  kClusterIdX,
  kClusterIdY,
  kClusterIdZ,
  kNclusterIdX,
  kNclusterIdY,
  kNclusterIdZ,
  kIsExplicitCluster,
  kOther,  // known name, not modelled
};

struct MemoryAccess {
  ptx::Space space = ptx::Space::kGeneric;
  op::Type type = op::Type::kNone;  // of one element
  uint8_t count = 1;                // vector elements
  bool is_volatile = false;
  bool non_coherent = false;  // ld.global.nc
  enum class Order : uint8_t {
    kWeak,
    kRelaxed,
    kAcquire,
    kRelease,
    kMmio,
    kAcqRel
  } order = Order::kWeak;
  std::string scope;  // "cta", "gpu", "sys", "cluster" or empty
};
struct SpecialUse {
  SpecialRegister reg;
};
struct SpaceUse {
  ptx::Space space;
};
struct Barrier {
  enum class Action : uint8_t { kSync, kArrive, kRedPopc, kRedAnd, kRedOr } action = Action::kSync;
  bool aligned = true;  // bar.* and barrier.*.aligned
  bool has_count = false;
  bool negate_predicate = false;
};
struct Shuffle {
  enum class Mode : uint8_t { kUp, kDown, kBfly, kIdx } mode;
};
struct Vote {
  enum class Mode : uint8_t { kAll, kAny, kUni, kBallot } mode;
  bool negate = false;
};
struct Match {
  bool all = false;
};
struct Redux {
  op::Op op;
};  // kAdd, kMinS, kAnd, ...
struct Atomic {
  MemoryAccess access;
  enum class Rmw : uint8_t { kAdd, kMin, kMax, kInc, kDec, kAnd, kOr, kXor, kExch, kCas } rmw;
};
struct Fence {
  std::string semantics, scope;
  bool proxy = false;
};
// D = A * B + C, A of m rows and k columns, B of k rows and n columns (PTX 9.7.14).
struct Mma {
  enum class Element : uint8_t { kF16, kBF16, kTF32, kF64, kE4M3, kE5M2, kS8, kU8, kS4, kU4, kB1 };
  // Which lane holds what: mma.sync's own fragments; those of its m8n8k4 on f16, where each two
  // quads have a product of their own; wmma's.
  enum class Layout : uint8_t { kMma, kQuadPairs, kWmma };
  enum class BitOp : uint8_t { kProduct, kXor, kAnd };
  Layout layout = Layout::kMma;
  uint16_t m = 0, n = 0, k = 0;
  Element a = Element::kF16, b = Element::kF16;
  op::Type c = op::Type::kF32, d = op::Type::kF32;
  bool a_is_row = true, b_is_row = false;  // as the instruction says; moves elements in kQuadPairs
  bool satfinite = false;
  BitOp bit_op = BitOp::kProduct;             // kB1
  op::Rounding rounding = op::Rounding::kRn;  // kF64
  bool sparse = false;                        // A holds k / 2 columns, placed by metadata
  uint8_t selector = 0;                       // which lanes of a quad hold the metadata
  uint8_t a_registers = 0, b_registers = 0, c_registers = 0, d_registers = 0;
};
// 8x8 matrices of 16-bit elements. The address of a row comes from one lane, 16 bytes lie there.
struct MatrixMove {
  ptx::Space space = ptx::Space::kGeneric;
  uint8_t count = 1;
  bool transposed = false;
};
struct CpAsync {
  uint32_t bytes = 0;
  bool has_src_size = false;
  bool has_ignore = false;
};

using Detail = std::variant<std::monostate, MemoryAccess, SpecialUse, SpaceUse, Barrier, Shuffle,
                            Vote, Match, Redux, Atomic, Fence, CpAsync, Mma, MatrixMove>;

struct Inst {
  Opcode opcode;
  op::Op op{};  // kOp
  std::vector<ValueId> dests;
  std::vector<ValueId> srcs;
  // Only memory, collective and kTrap/kExit instructions keep a guard; a lane whose guard is false
  // does nothing and its dests are undefined (a select after it restores the old value).
  ValueId guard = kNone;
  bool guard_negated = false;
  int64_t immediate = 0;
  ObjectId object = kNone;
  Detail detail;
  const ptx::Instruction* source = nullptr;  // the PTX instruction it came from, for loc and name
  BlockId block = kNone;
};

struct Value {
  uint8_t bits = 0;  // 1, 8, 16, 32, 64 (128 is a pair of 64)
  bool is_const = false;
  uint64_t constant = 0;
  InstId def = kNone;                  // kNone for constants
  ptx::SymbolId reg = ptx::kNoSymbol;  // the PTX register it was a version of, for printing
};

struct Block {
  std::vector<InstId> insts;  // phis first; the last one ends the block
  std::vector<BlockId> successors;
  std::vector<BlockId> predecessors;
  std::string label;
};

// Something in memory that the code can name. Thread-private for kLocal and for call-scoped
// parameters, one per CTA for kShared, one per module for kGlobal and kConst, read-only kParam.
struct MemoryObject {
  std::string name;
  ptx::Space space;
  uint64_t bytes = 0;
  uint32_t align = 1;
  bool dynamic_shared = false;  // .extern .shared x[]: all of these are one and the same
  bool is_entry_param = false;
  uint32_t param_index = 0;  // position among the entry's parameters
  bool call_scoped = false;  // .param variable of a call: thread-private
  const ptx::Initializer* init = nullptr;
  ptx::SymbolId symbol = ptx::kNoSymbol;
  base::SourceLoc loc;
};

struct Function {
  std::string name;
  const ptx::Module* module = nullptr;  // outlives this
  const ptx::Function* source = nullptr;
  std::vector<Value> values;
  std::vector<Inst> insts;
  std::vector<Block> blocks;  // blocks[0] is the entry
  std::vector<MemoryObject> objects;
  std::vector<ObjectId> params;  // the entry's parameters in order

  // The ValueId of each constant, by width and bits.
  std::map<std::pair<unsigned, uint64_t>, ValueId> constants;

  ValueId add_value(unsigned bits);
  ValueId constant(unsigned bits, uint64_t value);  // one per (bits, value)
};

std::string_view name(Opcode opcode);        // "load", "condbranch"
std::string_view name(SpecialRegister reg);  // "%tid.x"
std::string_view name(ptx::Space space);     // "shared"; "generic" for none
// The special register that PTX calls `name` ("%tid.x"); kOther for a known one that is not
// modelled, nothing for an unknown name.
std::optional<SpecialRegister> special_register_named(std::string_view name);
unsigned special_register_bits(SpecialRegister reg);  // 32 or 64 (1 for is_explicit_cluster)
std::string_view name(Mma::Element element);          // "f16", "u4"
bool ends_block(Opcode opcode);
// No memory access, no synchronisation, no control: may be dropped when nothing uses it.
bool is_pure(Opcode opcode);
// Barrier, warp collective, fence or asynchronous operation. Not an atomic: what it orders is not
// followed, and threads need not come to it together.
bool synchronises(Opcode opcode);

// Throws base::InternalError naming what is wrong: operand widths, uses not dominated by
// definitions, phis that do not match predecessors, blocks without an end.
void verify(const Function& function);
std::string to_string(const Function& function);
// What the user wrote, for diagnostics: "ldmatrix.sync.aligned...", "call.uni vprintf".
std::string source_name(const Function& function, const Inst& inst);

}  // namespace ptxequiv::ir
