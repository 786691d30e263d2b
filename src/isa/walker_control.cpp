// Walker: branches, and calls by inlining.
#include <algorithm>

#include "base/error.h"
#include "isa/context.h"
#include "isa/walker.h"

namespace ptxequiv::isa {

using ptx::Operand;
using ptx::SymbolId;

namespace {

// The .param variable that an argument names, or kNoSymbol if it is a register or a literal.
SymbolId parameter_named(const ptx::Module& module, const Operand& operand) {
  SymbolId id = ptx::kNoSymbol;
  if (const auto* symbol = std::get_if<ptx::SymbolRef>(&operand.value)) id = symbol->symbol;
  if (const auto* address = std::get_if<ptx::Address>(&operand.value)) id = address->symbol;
  if (id == ptx::kNoSymbol || module.symbol(id).space != ptx::Space::kParam) return ptx::kNoSymbol;
  return id;
}

}  // namespace

BlockId Walker::label_block(SymbolId label) {
  const auto found = frames_.back().labels.find(label);
  PTXEQUIV_CHECK(found != frames_.back().labels.end(), "targets were collected beforehand");
  if (found->second == ir::kNone) found->second = builder_.new_block(module_.symbol(label).name);
  return found->second;
}

BlockId Walker::enter_guarded(Context& context) {
  if (context.guard() == ir::kNone) return ir::kNone;
  const BlockId taken = builder_.new_block(), join = builder_.new_block();
  builder_.cond_branch(context.guard(), context.guard_negated(), taken, join);
  builder_.enter(taken);
  return join;
}

void Walker::branch(Context& context, SymbolId label) {
  const BlockId target = label_block(label);
  if (context.guard() == ir::kNone) return builder_.branch(target);
  const BlockId next = builder_.new_block();
  builder_.cond_branch(context.guard(), context.guard_negated(), target, next);
  builder_.enter(next);
}

void Walker::index_branch(Context& context, ValueId index, const std::vector<SymbolId>& labels) {
  const BlockId join = enter_guarded(context);
  std::vector<BlockId> targets;
  for (const SymbolId label : labels) targets.push_back(label_block(label));
  builder_.index_branch(index, std::move(targets));
  if (join != ir::kNone) builder_.enter(join);
}

void Walker::end(Context& context, ir::Opcode opcode) {
  const BlockId join = enter_guarded(context);
  builder_.end(opcode);
  if (join != ir::kNone) builder_.enter(join);
}

void Walker::ret(Context& context) {
  const BlockId after = frames_.back().after;
  if (after == ir::kNone) return end(context, ir::Opcode::kExit);
  const BlockId join = enter_guarded(context);
  builder_.branch(after);
  if (join != ir::kNone) builder_.enter(join);
}

// call{.uni} (results), callee, (arguments){, table or prototype}; both lists may be missing.
Walker::CallParts Walker::split_call(const ptx::Instruction& inst) {
  CallParts parts;
  for (const Operand& operand : inst.operands) {
    const auto* list = std::get_if<ptx::ArgumentList>(&operand.value);
    if (list == nullptr) {
      if (parts.callee == nullptr) parts.callee = &operand;
    } else if (parts.callee == nullptr) {
      parts.results = &list->elements;
    } else {
      parts.arguments = &list->elements;
    }
  }
  return parts;
}

const ptx::Function* Walker::callee(const CallParts& parts) const {
  if (parts.callee == nullptr) return nullptr;
  const auto* symbol = std::get_if<ptx::SymbolRef>(&parts.callee->value);
  if (symbol == nullptr) return nullptr;
  // A forward declaration and the body may be two symbols of one name.
  const std::string& name = module_.symbol(symbol->symbol).name;
  for (const ptx::Function& function : module_.functions) {
    if (function.name != name || function.is_declaration || function.is_entry) continue;
    const bool is_active = std::any_of(frames_.begin(), frames_.end(), [&](const Frame& frame) {
      return frame.function == &function;
    });
    if (is_active || !fits(function.parameters, parts.arguments) ||
        !fits(function.returns, parts.results)) {
      return nullptr;
    }
    return &function;
  }
  return nullptr;
}

bool Walker::fits(const std::vector<SymbolId>& formal, const std::vector<Operand>* actual) const {
  if (formal.size() != (actual == nullptr ? 0 : actual->size())) return false;
  for (size_t i = 0; i < formal.size(); ++i) {
    const ptx::Symbol& wanted = module_.symbol(formal[i]);
    const SymbolId given = parameter_named(module_, (*actual)[i]);
    const bool in_memory = wanted.space == ptx::Space::kParam;
    if (in_memory != (given != ptx::kNoSymbol)) return false;
    if (in_memory && module_.symbol(given).bytes() < wanted.bytes()) return false;
  }
  return true;
}

void Walker::bind(Context& context, const std::vector<SymbolId>& formal,
                  const std::vector<Operand>* actual, Frame& frame, bool is_result) {
  for (size_t i = 0; i < formal.size(); ++i) {
    const Operand& operand = (*actual)[i];
    const ptx::Symbol& wanted = module_.symbol(formal[i]);
    if (wanted.space == ptx::Space::kParam) {
      // The formal is another name of the caller's variable.
      frame.objects[formal[i]] = object(parameter_named(module_, operand));
    } else if (is_result) {
      frame.results.push_back({&operand, formal[i]});
    } else {
      const Var var = builder_.new_var(op::bits(wanted.type), formal[i]);
      builder_.write(var, context.use_operand(operand, wanted.type));
      frame.variables[{formal[i], 0}] = var;
    }
  }
}

void Walker::call(Context& context) {
  const CallParts parts = split_call(context.instruction());
  const ptx::Function* function = callee(parts);
  if (function == nullptr || checking_) return context.unsupported();
  Frame frame = make_frame(*function);
  frame.call = &context.instruction();
  frame.join = enter_guarded(context);
  bind(context, function->parameters, parts.arguments, frame, false);
  bind(context, function->returns, parts.results, frame, true);
  frame.entry = builder_.new_block();
  frame.after = builder_.new_block();
  builder_.branch(frame.entry);
  builder_.enter(frame.entry);
  frames_.push_back(std::move(frame));
}

}  // namespace ptxequiv::isa
