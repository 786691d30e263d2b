// Walks an entry's statements and those of the functions it calls, which are inlined, and keeps
// what a name means in each of these bodies.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "isa/builder.h"
#include "isa/table.h"
#include "ptx/ast.h"

namespace ptxequiv::isa {

class Context;

class Walker {
 public:
  using Report = std::function<void(const base::InputError&)>;
  Walker(const ptx::Module& module, const ptx::Function& entry, ir::Function& function);
  void run();
  // Every instruction of `entry` by itself, calls not followed: reports each that is ill-formed.
  void check(const Report& report);

  const ptx::Module& module() const { return module_; }
  Builder& builder() { return builder_; }

  // The variable of a register, or of an element of a vector register, in the current body.
  Var variable(ptx::SymbolId symbol, unsigned element = 0);
  ir::ObjectId object(ptx::SymbolId symbol);
  ir::ObjectId add_stack_object(uint64_t bytes, uint32_t align);
  // Could the statement in hand run twice in one call of its function?
  bool may_repeat() const;
  Var carry() const { return carry_; }  // CC.CF; set where an addition carried

  // Control, for the instruction in hand.
  void branch(Context& context, ptx::SymbolId label);
  void index_branch(Context& context, ValueId index, const std::vector<ptx::SymbolId>& labels);
  void end(Context& context, ir::Opcode opcode);
  void ret(Context& context);
  void call(Context& context);

 private:
  // An indirect call compares its address with one function after the other.
  struct Alternatives {
    ValueId address = ir::kNone;
    std::vector<const ptx::Function*> rest;
    BlockId next = 0;  // where the address was none of those before
    BlockId done = 0;
  };
  struct Frame {
    const ptx::Function* function;
    size_t next = 0;  // statement
    BlockId entry = 0;
    BlockId after = ir::kNone;  // where `ret` goes; kNone in the entry
    BlockId join = ir::kNone;   // of a guarded call
    const ptx::Instruction* call = nullptr;
    std::unordered_map<ptx::SymbolId, BlockId> labels;
    std::map<std::pair<ptx::SymbolId, unsigned>, Var> variables;
    std::unordered_map<ptx::SymbolId, ir::ObjectId> objects;  // local and param
    // Returns in registers: written when the body is left. (caller's operand, callee's register)
    std::vector<std::pair<const ptx::Operand*, ptx::SymbolId>> results;
    std::optional<Alternatives> alternatives;  // of the call, if it is indirect
  };
  struct CallParts {
    const ptx::Operand* callee = nullptr;
    const ptx::Operand* table = nullptr;  // of targets, or the prototype
    const std::vector<ptx::Operand>* results = nullptr;
    const std::vector<ptx::Operand>* arguments = nullptr;
  };

  void add_parameters();
  Frame make_frame(const ptx::Function& function);
  void leave_body();
  void step(const ptx::Statement& statement);
  void lower(const ptx::Instruction& inst);
  const Match& match(const ptx::Instruction& inst);  // throws base::InputError
  BlockId label_block(ptx::SymbolId label);
  // Splits the block so that what follows happens only where the guard holds; the block to go on
  // in is returned (kNone: no guard).
  BlockId enter_guarded(Context& context);
  ir::ObjectId add_object(ptx::SymbolId symbol);
  static CallParts split_call(const ptx::Instruction& inst);
  // The function of that name to inline; null if that cannot be done (external, recursive,
  // arguments that do not fit).
  const ptx::Function* callee(std::string_view name, const CallParts& parts) const;
  // Those whose address a call through a register may have.
  std::vector<const ptx::Function*> callees(const CallParts& parts) const;
  bool is_address_taken(const ptx::Function& function) const;
  void inline_call(Context& context, const CallParts& parts, const ptx::Function& function,
                   BlockId join);
  void indirect_call(Context& context, const CallParts& parts);
  // Compares the address with the next function and inlines it, or ends the call.
  void try_next(const ptx::Instruction& call, Alternatives alternatives, BlockId join);
  // Of functions that the CUDA run-time has; true if this is one.
  bool library_call(Context& context, std::string_view name, const CallParts& parts);
  bool fits(const std::vector<ptx::SymbolId>& formal,
            const std::vector<ptx::Operand>* actual) const;
  void bind(Context& context, const std::vector<ptx::SymbolId>& formal,
            const std::vector<ptx::Operand>* actual, Frame& frame, bool is_result);

  const ptx::Module& module_;
  const ptx::Function& entry_;
  ir::Function& function_;
  const Table& table_;
  Builder builder_;
  Var carry_;
  std::vector<Frame> frames_;
  std::unordered_map<ptx::SymbolId, ir::ObjectId> shared_objects_;  // one each, whatever the body
  std::unordered_map<std::string, std::vector<Match>> matches_;
  uint64_t statements_ = 0;
  bool checking_ = false;  // calls are not followed
};

const Table& table();

}  // namespace ptxequiv::isa
