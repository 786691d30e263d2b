#include "isa/context.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "isa/walker.h"

namespace ptxequiv::isa {

using ptx::Operand;

Context::Context(Walker& walker, const ptx::Instruction& inst, const Match& match)
    : walker_(walker), builder_(walker.builder()), inst_(inst), match_(match) {
  bindings_ = bind(match.entry->form, inst);
  if (inst.guard) {
    guard_ = builder_.read(walker.variable(inst.guard->predicate));
    guard_negated_ = inst.guard->negated;
    if (bits(guard_) != 1) fail("the guard is not a predicate register");
  }
}

bool Context::has(std::string_view modifier) const {
  return std::find(inst_.modifiers.begin(), inst_.modifiers.end(), modifier) !=
         inst_.modifiers.end();
}

std::string_view Context::which(std::initializer_list<std::string_view> names) const {
  for (const std::string& modifier : inst_.modifiers) {
    for (const std::string_view name : names) {
      if (modifier == name) return name;
    }
  }
  return {};
}

Type Context::type(size_t index) const {
  PTXEQUIV_CHECK(index < match_.types.size(), "the form has that many types");
  return op::type_named(match_.types[index]);
}

op::Rounding Context::rounding(op::Rounding if_none) const {
  struct Name {
    std::string_view name;
    op::Rounding rounding;
  };
  static constexpr Name kNames[] = {
      {"rn", op::Rounding::kRn},       {"rz", op::Rounding::kRz},
      {"rm", op::Rounding::kRm},       {"rp", op::Rounding::kRp},
      {"rna", op::Rounding::kRna},     {"rni", op::Rounding::kRn},
      {"rzi", op::Rounding::kRz},      {"rmi", op::Rounding::kRm},
      {"rpi", op::Rounding::kRp},      {"approx", op::Rounding::kApprox},
      {"full", op::Rounding::kApprox},
  };
  for (const Name& name : kNames) {
    if (has(name.name)) return name.rounding;
  }
  return if_none;
}

const OperandForm* Context::form_of(std::string_view name) const {
  for (const Binding& binding : bindings_) {
    if (binding.form->name == name) return binding.form;
  }
  return nullptr;
}

const Operand* Context::find(std::string_view name) const {
  for (const Binding& binding : bindings_) {
    if (binding.form->name == name) return binding.operand;
  }
  return nullptr;
}

const Operand& Context::operand(std::string_view name) const {
  const Operand* found = find(name);
  PTXEQUIV_CHECK(found != nullptr, "the form has that operand");
  return *found;
}

Type Context::type_of(const OperandForm& form) const {
  return kind_type(form.kinds.front(), match_);
}

ValueId Context::use(std::string_view name, Type as, Fit fit) {
  const Operand& source = operand(name);
  const OperandForm& form = *form_of(name);
  return use_operand(source, as == Type::kNone ? type_of(form) : as, fit);
}

ValueId Context::use_operand(const Operand& source, Type as, Fit fit) {
  const unsigned width = op::bits(as);
  const auto from_register = [&](ptx::SymbolId id, unsigned element, bool negated) {
    const ptx::Symbol& symbol = walker_.module().symbol(id);
    if (const std::string problem = register_problem(symbol.type, as, fit); !problem.empty()) {
      fail(source, problem);
    }
    if (negated && as != Type::kPred) fail(source, "'!' is not allowed here");
    ValueId value = builder_.read(walker_.variable(id, element));
    if (bits(value) > width) value = extract(value, 0, width);
    return negated ? logic_not(value) : value;
  };
  if (const auto* reg = std::get_if<ptx::RegisterRef>(&source.value)) {
    return from_register(reg->symbol, 0, reg->negated);
  }
  if (const auto* element = std::get_if<ptx::RegisterElement>(&source.value)) {
    return from_register(element->symbol, element->index, false);
  }
  if (const auto* literal = std::get_if<ptx::Immediate>(&source.value)) {
    std::string problem;
    const uint64_t value = immediate_bits(*literal, as, problem);
    if (!problem.empty()) fail(source, problem);
    return constant(width, value);
  }
  if (const auto* reg = std::get_if<ptx::SpecialRegister>(&source.value)) {
    return special(source, *reg, as);
  }
  if (const auto* symbol = std::get_if<ptx::SymbolRef>(&source.value);
      symbol != nullptr && (inst_.opcode == "mov" || inst_.opcode == "cvta")) {
    const auto kind = walker_.module().symbol(symbol->symbol).kind;
    if (kind != ptx::SymbolKind::kVariable && kind != ptx::SymbolKind::kParameter) {
      fail(source, "this name has no value here");
    }
    if (width != 32 && width != 64) fail(source, "an address has 32 or 64 bits");
    return address_of(symbol->symbol, symbol->addend, width);
  }
  fail(source, fmt::format("a register or a literal is needed here, usable as .{}", op::name(as)));
}

ValueId Context::special(const Operand& source, const ptx::SpecialRegister& reg, Type as) {
  const unsigned width = op::bits(as);
  if (reg.name == "WARP_SZ") return constant(width, 32);
  if (inst_.opcode != "mov" && inst_.opcode != "cvt") {
    fail(source, fmt::format("{} may only be read by mov", reg.name));
  }
  const auto known = ir::special_register_named(reg.name);
  if (!known) fail(source, fmt::format("unknown special register {}", reg.name));
  const unsigned own = ir::special_register_bits(*known);
  ir::Inst& inst = builder_.emit(ir::Opcode::kSpecial, {own}, {});
  inst.detail = ir::SpecialUse{*known};
  return resize(inst.dests[0], width, false);
}

ValueId Context::use_predicate(std::string_view name) {
  return given(name) ? use(name, Type::kPred) : constant(1, 1);
}

void Context::write(Var var, ValueId value) {
  if (guard_ != ir::kNone) {
    const ValueId old = builder_.read(var);
    value = guard_negated_ ? select(guard_, old, value) : select(guard_, value, old);
  }
  builder_.write(var, value);
}

void Context::define(std::string_view name, ValueId value, Type as) {
  if (std::holds_alternative<ptx::Sink>(operand(name).value) && inst_.opcode != "atom") {
    fail(operand(name), "the destination must be a register");
  }
  define_operand(operand(name), value, as == Type::kNone ? type_of(*form_of(name)) : as);
}

void Context::define_extended(std::string_view name, ValueId value, Type as) {
  define_operand(operand(name), value, as, Fit::kRelaxed);
}

void Context::define_operand(const Operand& dest, ValueId value, Type as, Fit fit) {
  ptx::SymbolId id = ptx::kNoSymbol;
  unsigned element = 0;
  if (std::holds_alternative<ptx::Sink>(dest.value)) return;
  if (const auto* reg = std::get_if<ptx::RegisterRef>(&dest.value)) {
    if (reg->negated) fail(dest, "a destination cannot be negated");
    id = reg->symbol;
  } else if (const auto* part = std::get_if<ptx::RegisterElement>(&dest.value)) {
    id = part->symbol;
    element = part->index;
  } else {
    fail(dest, "the destination must be a register");
  }
  const ptx::Symbol& symbol = walker_.module().symbol(id);
  if (const std::string problem = register_problem(symbol.type, as, fit); !problem.empty()) {
    fail(dest, problem);
  }
  const Var var = walker_.variable(id, element);
  write(var, resize(value, builder_.bits(var), op::is_signed(as)));
}

std::vector<Operand> Context::elements(std::string_view name) const {
  const Operand& whole = operand(name);
  if (const auto* vector = std::get_if<ptx::Vector>(&whole.value)) return vector->elements;
  const auto* reg = std::get_if<ptx::RegisterRef>(&whole.value);
  if (reg == nullptr || walker_.module().symbol(reg->symbol).vector == 1) return {whole};
  std::vector<Operand> parts;
  for (uint8_t i = 0; i < walker_.module().symbol(reg->symbol).vector; ++i) {
    parts.push_back({ptx::RegisterElement{reg->symbol, i}, whole.loc});
  }
  return parts;
}

unsigned Context::register_bits(std::string_view name) const {
  const Operand& whole = operand(name);
  const auto* reg = std::get_if<ptx::RegisterRef>(&whole.value);
  return reg == nullptr ? 0 : op::bits(walker_.module().symbol(reg->symbol).type);
}

const Operand* Context::first_of(std::string_view name) const {
  const Operand& whole = operand(name);
  const auto* pair = std::get_if<ptx::Pair>(&whole.value);
  return pair != nullptr ? &pair->elements.at(0) : &whole;
}

const Operand* Context::second_of(std::string_view name) const {
  const Operand& whole = operand(name);
  const auto* pair = std::get_if<ptx::Pair>(&whole.value);
  if (pair == nullptr) {
    if (form_of(name)->pair_required) fail(whole, "a pair p|q is needed here");
    return nullptr;
  }
  if (form_of(name)->second.empty()) fail(whole, "a single register is needed here");
  return &pair->elements.at(1);
}

ValueId Context::address_of(ptx::SymbolId symbol, int64_t addend, unsigned width) {
  const ir::ObjectId object = walker_.object(symbol);
  ir::Inst& inst = builder_.emit(ir::Opcode::kObjectAddress, {width}, {});
  inst.object = object;
  inst.immediate = addend;
  return inst.dests[0];
}

Context::Place Context::place(std::string_view name, ptx::Space space) {
  const Operand& where = operand(name);
  ptx::Address address;
  if (const auto* given_address = std::get_if<ptx::Address>(&where.value)) {
    address = *given_address;
  } else if (const auto* symbol = std::get_if<ptx::SymbolRef>(&where.value)) {
    address.base = ptx::Address::Base::kSymbol;  // sh[4], or a bare name
    address.symbol = symbol->symbol;
    address.offset = symbol->addend;
  } else {
    fail(where, "an address [base + offset] is needed here");
  }
  if (!address.extra.empty()) fail(where, "this address takes no coordinates");
  if (address.base == ptx::Address::Base::kAbsolute) {
    return {constant(64, static_cast<uint64_t>(address.offset)), 0, ptx::Space::kGeneric, true};
  }
  const ptx::Symbol& symbol = walker_.module().symbol(address.symbol);
  if (address.base == ptx::Address::Base::kSymbol && symbol.kind != ptx::SymbolKind::kRegister) {
    if (symbol.kind != ptx::SymbolKind::kVariable && symbol.kind != ptx::SymbolKind::kParameter) {
      fail(where, fmt::format("'{}' is not in memory", symbol.name));
    }
    const bool own_space = space == ptx::Space::kGeneric || space == symbol.space;
    if (!own_space) {
      fail(where, fmt::format("'{}' lies in .{} space, not in .{}", symbol.name,
                              ir::name(symbol.space), ir::name(space)));
    }
    return {address_of(address.symbol, 0, 64), address.offset, symbol.space, true};
  }
  const unsigned width = op::bits(symbol.type);
  const bool needs_64 = (space == ptx::Space::kGlobal || space == ptx::Space::kGeneric) &&
                        walker_.module().address_size == 64;
  if (op::is_float(symbol.type) || (width != 64 && (width != 32 || needs_64))) {
    fail(where,
         fmt::format("a .{} register cannot be an address in .{} space: it must have {} bits",
                     op::name(symbol.type), ir::name(space), needs_64 ? "64" : "32 or 64"));
  }
  return {builder_.read(walker_.variable(address.symbol)), address.offset, ptx::Space::kGeneric,
          width == 64};
}

ir::Inst& Context::emit_guarded(ir::Opcode opcode, std::vector<unsigned> dest_bits,
                                std::vector<ValueId> srcs) {
  ir::Inst& inst = builder_.emit(opcode, std::move(dest_bits), std::move(srcs));
  inst.guard = guard_;
  inst.guard_negated = guard_negated_;
  return inst;
}

void Context::fail(const Operand& at, const std::string& message, const std::string& hint) const {
  throw base::InputError(walker_.module().path, at.loc.line != 0 ? at.loc : inst_.loc,
                         fmt::format("{}: {}", inst_.full_name(), message), hint);
}

void Context::fail(const std::string& message, const std::string& hint) const {
  throw base::InputError(walker_.module().path, inst_.loc,
                         fmt::format("{}: {}", inst_.full_name(), message), hint);
}

}  // namespace ptxequiv::isa
