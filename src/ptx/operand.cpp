#include "ptx/operand.h"

#include "ptx/labels.h"
#include "ptx/special_register.h"

namespace ptxequiv::ptx {
namespace {

Immediate immediate(const Constant& constant) {
  switch (constant.kind) {
    case Constant::Kind::kDouble:
      return {Immediate::Form::kDecimalFloat, constant.bits};
    case Constant::Kind::kF32Bits:
      return {Immediate::Form::kF32Bits, constant.bits};
    case Constant::Kind::kF64Bits:
      return {Immediate::Form::kF64Bits, constant.bits};
    default:
      return {Immediate::Form::kInteger, constant.bits};
  }
}

}  // namespace

SymbolId Operands::resolve(std::string_view name, SourceLoc loc) {
  SymbolId id = context_.names.find(name);
  if (id != kNoSymbol) return id;
  // A label of an inner block is not visible outside it (a common slip of hand-written PTX).
  const TokenList& list = *context_.tree.list;
  for (size_t i = 0; i + 1 < list.tokens.size(); ++i)
    if (is_label(list, i) && list.text_of(list.tokens[i]) == name)
      context_.fail(loc, fmt::format("the label `{}` is not in scope here", name),
                    fmt::format("The one at line {} belongs to another function or {{ }} block.",
                                list.loc_of(list.tokens[i]).line));
  context_.fail(loc, fmt::format("`{}` is not declared", name), context_.names.suggest(name));
}

Operand Operands::plain_name(std::string_view name, SourceLoc loc) {
  if (name == "_") return {Sink{}, loc};
  SymbolId id = context_.names.find(name);
  if (id == kNoSymbol && special_register(name) != SpecialShape::kNone)
    return {SpecialRegister{std::string(name)}, loc};
  if (id == kNoSymbol) id = resolve(name, loc);
  switch (context_.module.symbols[id].kind) {
    case SymbolKind::kRegister:
      return {RegisterRef{id}, loc};
    case SymbolKind::kLabel:
      return {LabelRef{id}, loc};
    default:
      return {SymbolRef{id}, loc};
  }
}

Operand Operands::operand(Cursor node, std::string_view opcode) {
  SourceLoc loc = node.loc();
  Cursor children = node.enter();
  if (children.accept("[")) return address(children, loc);
  if (children.accept("{")) {
    Vector vector;
    while (!children.done()) {
      if (!children.at(Kind::kOperand)) {
        children.skip();
        continue;
      }
      vector.elements.push_back(operand(children, opcode));
      const auto& element = vector.elements.back();
      if (std::holds_alternative<Vector>(element.value) ||
          std::holds_alternative<Address>(element.value) ||
          std::holds_alternative<Pair>(element.value))
        context_.fail(element.loc, "a vector's elements are registers or constants");
      children.skip();
    }
    return {std::move(vector), loc};
  }
  if (opcode == "call" && is_argument_list(children)) return argument_list(children);
  return scalar(value(children), opcode);
}

// `(a, b)` and nothing else around it.
bool Operands::is_argument_list(Cursor expression) const {
  Cursor units = expression.enter();
  if (!units.at(Kind::kUnary)) return false;
  Cursor first = units.enter();
  return units.done() && first.accept("(") && !first.at(Kind::kDotId);
}

Operand Operands::argument_list(Cursor expression) {
  SourceLoc loc = expression.loc();
  ArgumentList list;
  Cursor children = expression.enter().enter();
  for (; !children.done(); children.skip()) {
    if (!children.at(Kind::kOperand)) continue;
    list.elements.push_back(operand(children, {}));
    if (std::holds_alternative<Address>(list.elements.back().value))
      context_.fail(list.elements.back().loc, "an address cannot be passed: name the parameter");
  }
  return {std::move(list), loc};
}

Operand Operands::scalar(Value value, std::string_view opcode) {
  SourceLoc loc = value.operand.loc;
  if (value.is_constant) return {immediate(value.constant), loc};
  if (!value.has_offset()) return std::move(value.operand);
  auto* symbol = std::get_if<SymbolRef>(&value.operand.value);
  if (value.is_generic || value.is_masked())
    context_.fail(loc, "generic() and masks belong to initialisers",
                  "Use cvta for a generic address.");
  if (symbol == nullptr)
    context_.fail(loc, "only a variable can have an offset here",
                  "Write an address as [%register+offset].");
  // s[4] is a's own bracket in a load or store, and the address itself in a mov (6.4.2).
  if (value.is_element && opcode != "mov")
    return {Address{Address::Base::kSymbol, symbol->symbol, value.addend, {}, false}, loc};
  symbol->addend = value.addend;
  return std::move(value.operand);
}

Operand Operands::address(Cursor children, SourceLoc loc) {
  Address result;
  Cursor inside = children.enter();
  if (!inside.at(Kind::kExpression))
    context_.fail(loc, "an address begins with a register, a variable or a number");
  Value base = value(inside);
  result.offset = base.addend;
  result.has_offset = base.has_addend;
  if (base.is_element || base.is_generic || base.is_masked())
    context_.fail(loc, "this form of address is not PTX", "Write [name+offset].");
  if (base.is_constant) {
    if (!base.constant.is_integer()) context_.fail(loc, "an address is an integer");
    result.offset = static_cast<int64_t>(base.constant.bits);
  } else if (const auto* ref = std::get_if<RegisterRef>(&base.operand.value);
             ref && !ref->negated) {
    result.base = Address::Base::kRegister;
    result.symbol = ref->symbol;
  } else if (const auto* symbol = std::get_if<SymbolRef>(&base.operand.value)) {
    result.base = Address::Base::kSymbol;
    result.symbol = symbol->symbol;
  } else {
    context_.fail(loc, "an address begins with a register, a variable or a number");
  }
  while (children.accept(",")) {
    result.extra.push_back(operand(children, {}));
    children.skip();
  }
  children.accept("]");
  if (!children.done()) {
    if (children.text() != ".unified")
      context_.fail(children.loc(),
                    fmt::format("unexpected `{}` after an address", children.text()));
    result.unified = true;
  }
  return {std::move(result), loc};
}

}  // namespace ptxequiv::ptx
