#include "isa/walker.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "isa/context.h"
#include "isa/lower.h"

namespace ptxequiv::isa {

using ptx::SymbolId;

namespace {

// Inlining multiplies text; a module that calls twice at each of thirty levels must not hang us.
constexpr uint64_t kMaxStatements = 4'000'000;

uint32_t natural_align(const ptx::Symbol& symbol) {
  const uint64_t bytes = uint64_t{(op::bits(symbol.type) + 7u) / 8u} * symbol.vector;
  return std::max<uint32_t>(1, static_cast<uint32_t>(bytes));
}

// Calls `visit` with every label that an operand names, directly or through a table.
template <typename Visit>
void for_each_target(const ptx::Module& module, const ptx::Instruction& inst, const Visit& visit) {
  for (const ptx::Operand& operand : inst.operands) {
    SymbolId id = ptx::kNoSymbol;
    if (const auto* label = std::get_if<ptx::LabelRef>(&operand.value)) id = label->symbol;
    if (const auto* symbol = std::get_if<ptx::SymbolRef>(&operand.value)) id = symbol->symbol;
    if (id == ptx::kNoSymbol) continue;
    if (module.symbol(id).kind == ptx::SymbolKind::kLabel) visit(id);
    if (module.symbol(id).kind == ptx::SymbolKind::kTable) {
      for (const SymbolId target : module.symbol(id).targets) visit(target);
    }
  }
}

bool is_wide_register(const ptx::Module& module, const ptx::Operand& operand) {
  if (const auto* reg = std::get_if<ptx::RegisterRef>(&operand.value)) {
    return op::bits(module.symbol(reg->symbol).type) > 64;
  }
  if (const auto* vector = std::get_if<ptx::Vector>(&operand.value)) {
    return std::any_of(vector->elements.begin(), vector->elements.end(), [&](const auto& element) {
      const auto* reg = std::get_if<ptx::RegisterRef>(&element.value);
      return reg != nullptr && op::bits(module.symbol(reg->symbol).type) > 64;
    });
  }
  return false;
}

// 128-bit values can be moved, loaded, stored and exchanged; what else takes them is not modelled.
bool is_wide(const ptx::Module& module, const ptx::Instruction& inst, const Match& match) {
  static constexpr std::string_view kMoves[] = {"mov", "ld", "ldu", "st", "atom"};
  if (std::find(std::begin(kMoves), std::end(kMoves), inst.opcode) != std::end(kMoves)) {
    return false;
  }
  return std::find(match.types.begin(), match.types.end(), "b128") != match.types.end() ||
         std::any_of(inst.operands.begin(), inst.operands.end(),
                     [&](const auto& operand) { return is_wide_register(module, operand); });
}

}  // namespace

const Table& table() {
  static const Table all;
  return all;
}

Walker::Walker(const ptx::Module& module, const ptx::Function& entry, ir::Function& function)
    : module_(module),
      entry_(entry),
      function_(function),
      table_(table()),
      builder_(function),
      carry_(builder_.new_var(1, ptx::kNoSymbol)) {}

void Walker::run() {
  frames_.push_back(make_frame(entry_));
  add_parameters();
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (frame.next == frame.function->body.size()) {
      leave_body();
      continue;
    }
    if (++statements_ > kMaxStatements) {
      throw base::LimitReached("expansion", fmt::format("inlining the calls of {} makes more than "
                                                        "{} instructions",
                                                        entry_.name, kMaxStatements));
    }
    step(frame.function->body[frame.next++]);
  }
  builder_.finish();
}

void Walker::add_parameters() {
  for (const SymbolId parameter : entry_.parameters) {
    const ir::ObjectId id = add_object(parameter);
    function_.objects[id].is_entry_param = true;
    function_.objects[id].call_scoped = false;
    function_.objects[id].param_index = static_cast<uint32_t>(function_.params.size());
    function_.params.push_back(id);
    frames_.back().objects[parameter] = id;
  }
}

void Walker::check(const Report& report) {
  checking_ = true;
  frames_.push_back(make_frame(entry_));
  for (const ptx::Statement& statement : entry_.body) {
    try {
      step(statement);
    } catch (const base::InputError& error) {
      report(error);
    }
  }
  try {
    leave_body();
  } catch (const base::InputError& error) {
    report(error);
  }
}

Walker::Frame Walker::make_frame(const ptx::Function& function) {
  Frame frame{.function = &function};
  for (const ptx::Statement& statement : function.body) {
    const auto* inst = std::get_if<ptx::Instruction>(&statement);
    if (inst == nullptr) continue;
    for_each_target(module_, *inst, [&](SymbolId label) { frame.labels[label] = ir::kNone; });
  }
  return frame;
}

void Walker::leave_body() {
  Frame& frame = frames_.back();
  builder_.set_source(frame.call);
  const bool is_entry = frame.after == ir::kNone;
  if (!builder_.terminated()) {
    if (is_entry)
      builder_.end(ir::Opcode::kExit);
    else
      builder_.branch(frame.after);
  }
  for (const auto& [label, block] : frame.labels) {
    const bool used = block != ir::kNone;
    const bool placed = used && !function_.blocks[block].insts.empty();
    if (used && !placed) {
      throw base::InputError(module_.path, module_.symbol(label).loc,
                             fmt::format("label '{}' is not in the body of {}",
                                         module_.symbol(label).name, frame.function->name));
    }
  }
  if (is_entry) {
    frames_.pop_back();
    return;
  }
  builder_.enter(frame.after);
  struct Result {
    const ptx::Operand* operand;
    ValueId value;
    Type type;
  };
  std::vector<Result> results;
  for (const auto& [operand, formal] : frame.results) {
    results.push_back({operand, builder_.read(variable(formal)), module_.symbol(formal).type});
  }
  const BlockId join = frame.join;
  const ptx::Instruction* call = frame.call;
  std::optional<Alternatives> alternatives = std::move(frame.alternatives);
  frames_.pop_back();
  // The guard decided whether the call was made: what it returns is written without one.
  ptx::Instruction unguarded = *call;
  unguarded.guard.reset();
  Context context(*this, unguarded, match(*call));
  for (const Result& result : results) {
    context.define_operand(*result.operand, result.value, result.type);
  }
  if (alternatives) {
    builder_.branch(alternatives->done);
    builder_.enter(alternatives->next);
    return try_next(*call, std::move(*alternatives), join);
  }
  if (join != ir::kNone) {
    builder_.branch(join);
    builder_.enter(join);
  }
}

void Walker::step(const ptx::Statement& statement) {
  if (const auto* mark = std::get_if<ptx::LabelMark>(&statement)) {
    if (frames_.back().labels.count(mark->symbol) == 0) return;  // nothing jumps there
    const BlockId block = label_block(mark->symbol);
    if (!builder_.terminated()) builder_.branch(block);
    builder_.enter(block);
    return;
  }
  // What follows a jump and has no label is never reached, but is checked all the same.
  if (builder_.terminated()) builder_.enter(builder_.new_block());
  lower(std::get<ptx::Instruction>(statement));
}

void Walker::lower(const ptx::Instruction& inst) {
  builder_.set_source(&inst);
  const Match& found = match(inst);
  Context context(*this, inst, found);
  if (is_wide(module_, inst, found)) {
    context.unsupported();
  } else {
    found.entry->row->lower(context);
  }
  builder_.set_source(nullptr);
}

const Match& Walker::match(const ptx::Instruction& inst) {
  std::string key = inst.opcode;
  for (const std::string& modifier : inst.modifiers) key += "." + modifier;
  key += fmt::format(" {}", inst.operands.size());
  auto known = matches_.find(key);
  if (known == matches_.end()) {
    known = matches_.emplace(std::move(key), table_.matches(inst, module_)).first;
  }
  return Table::choose(known->second, inst, module_);
}

Var Walker::variable(SymbolId symbol, unsigned element) {
  Frame& frame = frames_.back();
  const auto [entry, is_new] = frame.variables.try_emplace({symbol, element}, Var{});
  if (is_new) {
    // Of a 128-bit register, elements 0 and 1 are its halves.
    const unsigned bits = std::min(64u, op::bits(module_.symbol(symbol).type));
    entry->second = builder_.new_var(bits, symbol);
    if (frame.after != ir::kNone) builder_.start_undefined(entry->second, frame.entry);
  }
  return entry->second;
}

ir::ObjectId Walker::add_object(SymbolId id) {
  const ptx::Symbol& symbol = module_.symbol(id);
  ir::MemoryObject object{
      .name = symbol.name, .space = symbol.space, .symbol = id, .loc = symbol.loc};
  const bool is_code = symbol.kind == ptx::SymbolKind::kFunction;
  if (is_code) object.space = ptx::Space::kConst;
  object.bytes = symbol.is_unsized || is_code ? 0 : symbol.bytes();
  object.align = symbol.align != 0 ? symbol.align : natural_align(symbol);
  object.dynamic_shared = symbol.space == ptx::Space::kShared && symbol.is_unsized;
  object.call_scoped = symbol.space == ptx::Space::kParam;
  if (symbol.init) object.init = &*symbol.init;
  function_.objects.push_back(std::move(object));
  return static_cast<ir::ObjectId>(function_.objects.size() - 1);
}

ir::ObjectId Walker::add_stack_object(uint64_t bytes, uint32_t align) {
  ir::MemoryObject object{.name = "alloca", .space = ptx::Space::kLocal};
  object.bytes = bytes;
  object.align = align;
  function_.objects.push_back(std::move(object));
  return static_cast<ir::ObjectId>(function_.objects.size() - 1);
}

// It could if something at or after it jumps to something at or before it.
bool Walker::may_repeat() const {
  const Frame& frame = frames_.back();
  const auto& body = frame.function->body;
  std::unordered_set<SymbolId> before;
  for (size_t i = 0; i < frame.next; ++i) {
    if (const auto* mark = std::get_if<ptx::LabelMark>(&body[i])) before.insert(mark->symbol);
  }
  bool repeats = false;
  for (size_t i = frame.next; i < body.size(); ++i) {
    const auto* inst = std::get_if<ptx::Instruction>(&body[i]);
    if (inst == nullptr) continue;
    for_each_target(module_, *inst,
                    [&](SymbolId label) { repeats = repeats || before.count(label) == 1; });
  }
  return repeats;
}

ir::ObjectId Walker::object(SymbolId id) {
  const ptx::Symbol& symbol = module_.symbol(id);
  const bool per_body = symbol.space == ptx::Space::kLocal || symbol.space == ptx::Space::kParam;
  auto& objects = per_body ? frames_.back().objects : shared_objects_;
  if (const auto known = objects.find(id); known != objects.end()) return known->second;
  const ir::ObjectId made = add_object(id);
  objects[id] = made;
  // Pointers in initialisers lead to further variables.
  if (symbol.init) {
    for (size_t i = 0; i < symbol.init->addresses.size(); ++i) {
      const SymbolId target = symbol.init->addresses[i].symbol;
      const ptx::Symbol& named = module_.symbol(target);
      if (named.kind == ptx::SymbolKind::kVariable && shared_objects_.count(target) == 0) {
        shared_objects_[target] = add_object(target);
      }
    }
  }
  return made;
}

}  // namespace ptxequiv::isa
