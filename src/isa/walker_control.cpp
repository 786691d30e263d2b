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
      (parts.callee == nullptr ? parts.callee : parts.table) = &operand;
    } else if (parts.callee == nullptr) {
      parts.results = &list->elements;
    } else {
      parts.arguments = &list->elements;
    }
  }
  return parts;
}

// A forward declaration and the body may be two symbols of one name.
const ptx::Function* Walker::callee(std::string_view name, const CallParts& parts) const {
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

bool Walker::is_address_taken(const ptx::Function& function) const {
  const auto names_it = [&](SymbolId id) {
    const ptx::Symbol& symbol = module_.symbol(id);
    return symbol.kind == ptx::SymbolKind::kFunction && symbol.name == function.name;
  };
  for (const ptx::Symbol& symbol : module_.symbols) {
    if (!symbol.init) continue;
    for (const auto& address : symbol.init->addresses) {
      if (names_it(address.symbol)) return true;
    }
  }
  for (const ptx::Function& other : module_.functions) {
    for (const ptx::Statement& statement : other.body) {
      const auto* inst = std::get_if<ptx::Instruction>(&statement);
      if (inst == nullptr || inst->opcode == "call") continue;
      for (const Operand& operand : inst->operands) {
        const auto* symbol = std::get_if<ptx::SymbolRef>(&operand.value);
        if (symbol != nullptr && names_it(symbol->symbol)) return true;
      }
    }
  }
  return false;
}

std::vector<const ptx::Function*> Walker::callees(const CallParts& parts) const {
  std::vector<const ptx::Function*> result;
  const auto* named =
      parts.table == nullptr ? nullptr : std::get_if<ptx::SymbolRef>(&parts.table->value);
  if (named == nullptr) return result;
  const ptx::Symbol& table = module_.symbol(named->symbol);
  for (const SymbolId target : table.targets) {
    const ptx::Function* function = callee(module_.symbol(target).name, parts);
    if (function != nullptr) result.push_back(function);
  }
  if (table.prototype.empty()) return result;
  for (const ptx::Function& function : module_.functions) {
    if (function.is_declaration || function.is_entry || !is_address_taken(function)) continue;
    if (callee(function.name, parts) == &function) result.push_back(&function);
  }
  return result;
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
  if (parts.callee == nullptr || checking_) return context.unsupported();
  const auto* symbol = std::get_if<ptx::SymbolRef>(&parts.callee->value);
  if (symbol == nullptr) return indirect_call(context, parts);
  const std::string& name = module_.symbol(symbol->symbol).name;
  if (library_call(context, name, parts)) return;
  const ptx::Function* function = callee(name, parts);
  if (function == nullptr) return context.unsupported();
  const BlockId join = enter_guarded(context);
  inline_call(context, parts, *function, join);
}

void Walker::inline_call(Context& context, const CallParts& parts, const ptx::Function& function,
                         BlockId join) {
  Frame frame = make_frame(function);
  frame.call = &context.instruction();
  frame.join = join;
  bind(context, function.parameters, parts.arguments, frame, false);
  bind(context, function.returns, parts.results, frame, true);
  frame.entry = builder_.new_block();
  frame.after = builder_.new_block();
  builder_.branch(frame.entry);
  builder_.enter(frame.entry);
  frames_.push_back(std::move(frame));
}

// The address of a function is that of an object of no bytes: it can be kept in registers and
// memory and compared, and no access to it is within bounds.
void Walker::indirect_call(Context& context, const CallParts& parts) {
  Alternatives alternatives;
  alternatives.rest = callees(parts);
  if (alternatives.rest.empty()) return context.unsupported();
  const BlockId join = enter_guarded(context);
  const Type type = module_.address_size == 32 ? Type::kU32 : Type::kU64;
  alternatives.address = context.use_operand(*parts.callee, type);
  alternatives.done = builder_.new_block();
  try_next(context.instruction(), std::move(alternatives), join);
}

void Walker::try_next(const ptx::Instruction& call, Alternatives alternatives, BlockId join) {
  // The guard, if any, was passed.
  ptx::Instruction unguarded = call;
  unguarded.guard.reset();
  Context context(*this, unguarded, match(call));
  builder_.set_source(&call);
  if (alternatives.rest.empty()) {  // anything may happen, which is an error if it does
    context.unsupported();
    builder_.branch(alternatives.done);
    builder_.enter(alternatives.done);
    if (join != ir::kNone) {
      builder_.branch(join);
      builder_.enter(join);
    }
    return;
  }
  const ptx::Function& function = *alternatives.rest.front();
  alternatives.rest.erase(alternatives.rest.begin());
  const unsigned width = builder_.value_bits(alternatives.address);
  const ValueId here = context.address_of(function.symbol, 0, width);
  const ValueId is_it = context.op(Kind::kEq, width, {alternatives.address, here});
  const BlockId taken = builder_.new_block();
  alternatives.next = builder_.new_block();
  builder_.cond_branch(is_it, false, taken, alternatives.next);
  builder_.enter(taken);
  inline_call(context, split_call(call), function, join);
  frames_.back().call = &call;
  frames_.back().alternatives = std::move(alternatives);
}

bool Walker::library_call(Context& context, std::string_view name, const CallParts& parts) {
  if (name == "__assertfail" || name == "__assert_fail") {
    end(context, ir::Opcode::kTrap);
    return true;
  }
  if (name != "vprintf" || parts.results == nullptr || parts.results->size() != 1) return false;
  const SymbolId result = parameter_named(module_, parts.results->front());
  if (result == ptx::kNoSymbol || module_.symbol(result).bytes() != 4) return false;
  const ValueId printed = context.emit_guarded(ir::Opcode::kPrint, {32}, {}).dests[0];
  const ValueId address = context.address_of(result, 0, 64);
  ir::Inst& store = context.emit_guarded(ir::Opcode::kStore, {}, {address, printed});
  ir::MemoryAccess access;
  access.space = ptx::Space::kParam;
  access.type = Type::kB32;
  store.detail = access;
  return true;
}

}  // namespace ptxequiv::isa
