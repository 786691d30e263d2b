// Executes a program's launches over concrete and symbolic values, and says what every byte of the
// buffers holds at the end, what faults there are, and on what the schedule argument rests.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/deadline.h"
#include "base/log.h"
#include "ir/ir.h"
#include "machine/paged.h"
#include "term/arena.h"

namespace ptxequiv::machine {

using term::TermId;

// ---- What goes in --------------------------------------------------------------------------

enum class Role : uint8_t { kInput, kOutput, kInout, kScratch };

// Declared bounds of an integer element or scalar, inclusive, as numbers of its type.
struct IntegerRange {
  int64_t low = 0;
  int64_t high = 0;
};

struct Buffer {
  std::string name;
  op::Type type = op::Type::kNone;  // element type
  uint64_t elements = 0;
  Role role = Role::kInput;
  uint32_t align = 256;
  // Buffers with the same group share memory from byte 0 (check file: alias); -1: own memory.
  int alias_group = -1;
  // Of every element of an integer buffer. Lets the machine bound indices without asking.
  std::optional<IntegerRange> range;
  // Contents before the first step, whatever the role; without them bytes are symbols.
  std::optional<std::vector<uint8_t>> data;
  uint64_t bytes() const { return elements * op::bits(type) / 8; }
};

struct Scalar {
  std::string name;
  op::Type type = op::Type::kNone;
  std::optional<uint64_t> value;      // bits; absent: a kScalar term
  std::optional<IntegerRange> range;  // of an integer scalar without a value
};

// One kernel argument, flattened: where its bytes come from.
struct Argument {
  struct Part {
    uint32_t offset = 0;  // within the parameter
    struct BufferAddress {
      uint32_t buffer;
      int64_t offset_bytes;
    };
    struct ScalarValue {
      uint32_t scalar;
    };
    struct Literal {
      op::Type type;
      uint64_t bits;
    };  // "null" is a b64 zero
    std::variant<BufferAddress, ScalarValue, Literal> value;
  };
  std::vector<Part> parts;  // one for a plain argument, several for a struct
};

struct Launch {
  const ir::Function* function = nullptr;
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  uint32_t shared_bytes = 0;  // dynamic
  std::vector<Argument> arguments;
  std::array<uint32_t, 3> cluster{1, 1, 1};
  // May start before the launch before it is over (programmatic dependent launch).
  bool dependent = false;
  uint32_t registers = 0;  // of a thread, as ptxas allots them; 0: not known
};
struct Fill {
  uint32_t buffer;
  uint64_t value_bits;
};
struct Copy {
  uint32_t from, to;
};
using Step = std::variant<Launch, Fill, Copy>;

// What a module variable holds before the first launch, where that is given (check file: symbols).
struct Variable {
  const ptx::Module* module = nullptr;
  ptx::SymbolId symbol = 0;
  std::vector<uint8_t> data;  // all of its bytes
};

struct Program {
  std::vector<Step> steps;
  std::vector<Variable> variables;
};

// Which of the schedules is executed, where nothing orders CTAs, warps and lanes. The last one has
// every second CTA and warp first, then the others.
enum class Schedule : uint8_t { kForward, kBackward, kInterleaved };

struct Limits {
  uint64_t max_loop_iterations = 4096;  // of a loop whose exit depends on data
  uint32_t max_worlds = 64;             // per CTA
  uint64_t max_instructions = 0;        // thread-instructions, 0 = no limit
  size_t max_bytes = 0;                 // of terms and memory, 0 = no limit
  // Float operations on known bits are computed though they round: concrete execution
  // (ptxequiv run). A proof never sets it.
  bool evaluate = false;
  // With `evaluate`: approximate operations stay terms, so that their error can be followed.
  bool keep_approximate = false;
  // With `evaluate`: so does every operation that rounds; the machine still follows their bits.
  bool keep_rounding = false;
  Schedule schedule = Schedule::kForward;
  // Off: for measuring what it costs. A proof never does without.
  bool races = true;
};

// Settled by the caller with whatever it knows (ranges, solver): may `condition` (1 bit) be true?
// Used to prune branches and to decide bounds. A machine without one treats all as possible.
enum class Possibility : uint8_t { kNever, kPossible, kUnknown };
class Oracle {
 public:
  virtual ~Oracle() = default;
  // Is there an input with all of `path` and `condition` true?
  virtual Possibility possible(TermId path, TermId condition) = 0;
};

// ---- What comes out ------------------------------------------------------------------------

// A place in the program's execution. `inst` is null for host steps.
struct Site {
  uint32_t step = 0;  // index into Program::steps
  const ir::Function* function = nullptr;
  const ptx::Instruction* inst = nullptr;
};

struct ThreadRef {
  std::array<uint32_t, 3> cta{};
  std::array<uint32_t, 3> thread{};
};

// Names of the categories of design.md, section 1. The strings are in fault.cpp, one table.
enum class Category : uint8_t {
  kValue,
  kCoverage,
  kInputModified,
  kUninitRead,
  kOutOfBounds,
  kMisaligned,
  kRaceShared,
  kRaceGlobal,
  kBarrierDivergence,
  kDeadlock,
  kShuffleMask,
  kAsyncOrder,
  kTrap,
  kState,
  kLaunchLimit,
  kNondeterministic,
  kIntOverflow,
  kFpSpecial,
};
std::string_view name(Category category);

// Something wrong, or possibly wrong, with an execution.
struct Fault {
  Category category;
  // kCertain: happens for every input satisfying `condition` (a 1-bit term; the constant true if
  // always) and `condition` is known satisfiable or still to be shown so by the caller.
  // kPossible: the machine could not exclude it: not a proof, not a refutation.
  enum class Strength : uint8_t { kCertain, kPossible } strength = Strength::kCertain;
  TermId condition = term::kNoTerm;
  std::string message;  // one sentence: "red[32]: written by thread 64, read by thread 0, nothing
                        // between them"
  struct Access {
    Site site;
    ThreadRef thread;
    bool is_write = false;
  };
  std::vector<Access> accesses;  // one or two
  std::string location;          // "x[3]", "red+128 (shared)"
  std::string remedy;            // what would mend it, or empty
  // Instead of `message` once an input is known under which it happens; empty: `message`.
  std::string when_certain = {};
};

// A reason why the schedule argument, or the execution itself, is incomplete: the verdict cannot be
// `equivalent`. Reasons have stable ids: "volatile", "fence", "address-bits", ...
struct Gap {
  std::string id;
  std::string message;
  Site site;
  bool unsupported = false;  // verdict `unsupported` rather than `unknown`
};

// Final contents of one buffer element, as one value of the element's width.
struct Cell {
  TermId value = term::kNoTerm;    // kNoTerm: never written by this program
  TermId written = term::kNoTerm;  // 1-bit guard under which it was written; true term if always
  Site writer;                     // of the last store (first of several under guards)
};

struct Note {
  std::string id;
  std::string message;
  Site site;
  uint64_t count = 1;
};

// A value that the schedule chooses (a clock, a processor number, a ticket): a kFresh term.
struct ScheduleInput {
  // What hardware can give. Proofs hold for every value; a witness shows possible ones.
  enum class Nature : uint8_t {
    kAny,      // any value, independently of the others
    kNumber,   // a small number, the same for all
    kCounter,  // counts up: later readings are larger
    kMask,     // lanes that come along: a witness has none of them, or all of `mask`
    kState,    // what an earlier run left in a module variable: any value
    kTicket,   // modulo `total` each number once, among the inputs of one place
  };
  TermId leaf = term::kNoTerm;
  std::string what;  // "what %clock gives thread 3"
  Site site;
  Nature nature = Nature::kAny;
  uint64_t mask = 0;
  // kTicket: its number in the order that was executed, and whether any order may be.
  uint64_t position = 0, total = 1;
  bool any_order = false;
};

// What a warp operation gives a lane that reads from one which takes no part: a kPoison term.
struct LanePoison {
  TermId leaf = term::kNoTerm;
  std::string message;  // "thread 3 reads lane 20, which takes no part in the operation"
  Site site;
  ThreadRef thread;
};

struct Outcome {
  // Per buffer, per element. Scratch buffers are left out; inputs too, unless something wrote them
  // that no output or inout buffer of their alias group allows.
  std::vector<Paged<Cell>> buffers;
  std::vector<Fault> faults;
  std::vector<Gap> gaps;
  std::vector<Note> notes;  // same-value writes, uses of base alignment, ...
  // Sums of floats by atomics of threads that nothing orders: one of the values that the order
  // may bring about by rounding. Noted as "commutative-atomics".
  std::vector<TermId> unordered_sums;
  // What the execution took for arbitrary though only the schedule decides it. An output that
  // depends on one is nondeterministic; a proof holds for all their values.
  std::vector<ScheduleInput> schedule_inputs;
  std::vector<LanePoison> lane_poison;
  // Of every function that was launched: its blocks that were executed, in any of its launches.
  std::map<const ir::Function*, std::vector<bool>> blocks_executed;
  uint64_t thread_instructions = 0;
  std::vector<Site> origins;  // indexed by Arena::origin of the terms this run made first,
  uint32_t origin_base = 0;   // less origin_base
};

// Runs `program`. Terms go to `arena`, shared by both sides so that equal values have equal ids.
// Throws base::Unsupported when an instruction without a meaning is executed, base::LimitReached
// when a bound is hit.
Outcome execute(const Program& program, const std::vector<Buffer>& buffers,
                const std::vector<Scalar>& scalars, term::Arena& arena, const Limits& limits,
                const base::Deadline& deadline, Oracle* oracle, base::Log& log);

}  // namespace ptxequiv::machine
