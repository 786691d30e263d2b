// The typed syntax tree of a PTX module: what the text says, names resolved to declarations,
// nothing interpreted. Opcodes and modifiers stay as written; `isa` gives them a meaning.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/source.h"
#include "op/type.h"

namespace ptxequiv::ptx {

using base::DebugLoc;
using base::SourceLoc;

enum class Space : uint8_t { kGeneric, kReg, kParam, kGlobal, kShared, kLocal, kConst, kTex };

// A declared name: register, variable in memory, parameter, label, function. Indices are unique in
// a module; identity is the index, so scoping and shadowing are settled here once.
using SymbolId = uint32_t;
inline constexpr SymbolId kNoSymbol = 0xffffffffu;

// Initialiser of a memory variable: bytes, with holes for addresses of symbols.
struct Initializer {
  std::vector<uint8_t> bytes;  // may be shorter than the variable: the rest is zero
  struct AddressOf {
    uint32_t byte_offset;
    SymbolId symbol;
    int64_t addend;
    bool generic;              // generic(sym)
    uint64_t mask;             // mask initialiser 0xFF(sym); all ones if absent
  };
  std::vector<AddressOf> addresses;
};

enum class Linkage : uint8_t { kNone, kExtern, kVisible, kWeak, kCommon };

// The types without a size, which op::Type does not know: such a symbol has type kNone.
enum class Opaque : uint8_t { kNone, kTexref, kSamplerref, kSurfref };

enum class SymbolKind : uint8_t { kRegister, kVariable, kParameter, kLabel, kFunction, kTable };

struct Symbol {
  SymbolKind kind;
  std::string name;            // as written, "%r7" for an expanded range
  SourceLoc loc;
  Space space = Space::kReg;   // variables and parameters
  op::Type type = op::Type::kNone;
  Opaque opaque = Opaque::kNone;
  uint32_t vector = 1;         // 2 or 4 for .v2/.v4 declarations
  uint64_t elements = 1;       // array length, 1 for a scalar
  bool is_array = false;
  bool is_unsized = false;     // extern .shared x[]
  bool is_extern = false;
  Linkage linkage = Linkage::kNone;  // variables and functions
  uint32_t align = 0;          // bytes, 0 = natural
  bool is_pointer = false;     // .ptr on a parameter
  Space pointer_space = Space::kGeneric;
  uint32_t pointer_align = 0;
  std::optional<Initializer> init;
  std::vector<SymbolId> targets;  // kTable: .branchtargets/.calltargets
  std::string prototype;          // kTable: `.callprototype ...` as written, else empty
  uint64_t bytes() const { return elements * vector * ((op::bits(type) + 7) / 8); }
};

struct Operand;

// An immediate keeps its 64 raw bits and how it was written; the use decides.
struct Immediate {
  enum class Form : uint8_t { kInteger, kF32Bits, kF64Bits, kDecimalFloat };
  Form form = Form::kInteger;
  uint64_t bits = 0;      // integer (two's complement), the 32 or 64 bits, or an f64's bits
};
struct RegisterRef { SymbolId symbol; bool negated = false; };   // !p
struct SpecialRegister { std::string name; };                    // "%tid.x", "%laneid", "WARP_SZ"
struct SymbolRef { SymbolId symbol; int64_t addend = 0; };       // address of a variable/function
struct LabelRef { SymbolId symbol; };
struct Sink {};                                                  // _
struct Vector { std::vector<Operand> elements; };                // {a, b}
struct Pair { std::vector<Operand> elements; };                  // p|q
// [base + offset]; `base` is a register, a variable or absolute. Texture and tensor coordinates
// follow in `extra`.
struct Address {
  enum class Base : uint8_t { kRegister, kSymbol, kAbsolute };
  Base base = Base::kAbsolute;
  SymbolId symbol = kNoSymbol;
  int64_t offset = 0;
  std::vector<Operand> extra;
  bool unified = false;            // `[a].unified`, a hint
  bool has_offset = false;         // also `+0`, which the assembler of debug code tells from none
};
struct ArgumentList { std::vector<Operand> elements; };          // (a, b) of a call
// .x .y .z .w .r .g .b .a of a vector register: index 0 to 3. The selectors of the video
// instructions (9.7.17), %a.b0 to .b3 and %a.h0, .h1 of a scalar register, are kByteSelector + n
// and kHalfSelector + n.
struct RegisterElement {
  static constexpr uint8_t kByteSelector = 0x10, kHalfSelector = 0x20;
  SymbolId symbol;
  uint8_t index;
};

struct Operand {
  std::variant<RegisterRef, RegisterElement, Immediate, SpecialRegister, SymbolRef, LabelRef, Sink,
               Vector, Pair, Address, ArgumentList>
      value;
  SourceLoc loc;
};

struct Guard { SymbolId predicate; bool negated = false; };

struct Instruction {
  std::optional<Guard> guard;
  std::string opcode;                   // "ld", "add", "bra", "call"
  std::vector<std::string> modifiers;   // without dots, in source order: "global", "v4", "f32"
  std::vector<Operand> operands;        // in source order; for call: ret list, callee, arg list
  SourceLoc loc;
  DebugLoc debug;
  // "ld.global.v4.f32", as written, for diagnostics.
  std::string full_name() const;
};

struct LabelMark { SymbolId symbol; };  // "L:" in a body
// Body items in order; scopes are flattened since symbols are already resolved.
using Statement = std::variant<Instruction, LabelMark>;

// A hint to the assembler.
struct Pragma {
  static constexpr size_t kInHead = ~size_t{0};  // between a function's name and its body
  size_t before;                                 // index of the next statement of the body
  std::string text;                              // with its quotes: "nounroll"
};

struct Function {
  std::string name;
  SymbolId symbol = kNoSymbol;
  bool is_entry = false;
  bool is_declaration = false;            // no body
  Linkage linkage = Linkage::kNone;
  SourceLoc loc;
  std::vector<SymbolId> returns;          // .func return parameters
  std::vector<SymbolId> parameters;
  std::vector<SymbolId> locals;           // variables declared in the body (not registers)
  std::vector<Statement> body;
  SourceLoc end;                          // of the closing brace
  // Performance-tuning directives: reqntid, maxntid, reqnctapercluster, ... as written.
  std::vector<std::pair<std::string, std::vector<uint64_t>>> directives;
  std::vector<std::pair<size_t, SymbolId>> tables;  // by the index of the next statement
  std::vector<Pragma> pragmas;
  // What a .loc says of inlining, as written after its three numbers, by the index of the next
  // statement: "function_name X , inlined_at 1 2 3".
  std::vector<std::pair<size_t, std::string>> inlined;
};

struct SourceFile { uint32_t index; std::string path; };  // .file

struct Module {
  std::string path;                       // of the PTX text, for diagnostics
  uint32_t version_major = 0, version_minor = 0;
  std::string target;                     // "sm_90a"
  std::vector<std::string> target_options;
  uint32_t address_size = 64;
  std::vector<SourceFile> files;
  std::vector<Symbol> symbols;            // indexed by SymbolId
  std::vector<SymbolId> variables;        // module-level
  // What is only declared, then definitions in their order. Each function stands once.
  std::vector<Function> functions;
  std::vector<std::pair<SymbolId, SymbolId>> aliases;  // .alias NAME, FUNCTION
  std::vector<std::string> pragmas;       // outside functions
  std::vector<std::string> debug_sections;  // .section .debug_... { ... }, as written
  // What .attribute(...) says of a variable or function, as written: ".managed".
  std::vector<std::pair<SymbolId, std::string>> attributes;

  const Symbol& symbol(SymbolId id) const { return symbols[id]; }
  const Function* find_function(std::string_view name) const;
  // The `.file` of that number, which DebugLoc::file holds; null if there is none.
  const SourceFile* find_file(uint32_t index) const;
  std::vector<const Function*> entries() const;
};

}  // namespace ptxequiv::ptx
