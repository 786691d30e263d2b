// The part of Operands that computes expressions.
#include "ptx/operand.h"
#include "ptx/special_register.h"

namespace ptxequiv::ptx {
namespace {

constexpr uint64_t kWarpSize = 32;
constexpr std::string_view kWarpSizeName = "WARP_SZ";

template <typename Kind>
bool holds(const Value& value) {
  return !value.is_constant && std::holds_alternative<Kind>(value.operand.value);
}

// RegisterElement::index; -1 if it is none.
int element_index(std::string_view suffix) {
  if (suffix.size() == 3 && suffix[1] == 'b' && suffix[2] >= '0' && suffix[2] <= '3')
    return RegisterElement::kByteSelector + (suffix[2] - '0');
  if (suffix == ".h0" || suffix == ".h1") return RegisterElement::kHalfSelector + (suffix[2] - '0');
  if (suffix.size() != 2) return -1;
  size_t place = std::string_view("xyzwrgba").find(suffix[1]);
  return place == std::string_view::npos ? -1 : static_cast<int>(place % 4);
}

Value constant_value(const Constant& constant, SourceLoc loc) {
  Value value;
  value.is_constant = true;
  value.constant = constant;
  value.operand.loc = loc;
  return value;
}

}  // namespace

// Precedence by the two-stack method: the grammar gives a flat list.
Value Operands::value(Cursor node) {
  Cursor children = node.enter();
  SourceLoc loc = children.loc();
  Value first = unary(children.enter(), loc);
  if (children.done()) return first;

  struct Pending {
    std::string_view operation;
    SourceLoc loc;
  };
  std::vector<Value> values;
  std::vector<Pending> operations;
  values.push_back(std::move(first));
  auto reduce = [&] {
    Value right = std::move(values.back());
    values.pop_back();
    values.back() = combined(operations.back().operation, operations.back().loc,
                             std::move(values.back()), std::move(right));
    operations.pop_back();
  };
  while (!children.done() && !children.at("?")) {
    Pending next{children.text(), children.loc()};
    children.skip();
    while (!operations.empty() &&
           precedence(operations.back().operation) >= precedence(next.operation))
      reduce();
    operations.push_back(next);
    SourceLoc place = children.loc();
    values.push_back(unary(children.enter(), place));
  }
  while (!operations.empty()) reduce();
  Value result = std::move(values.back());
  if (!children.accept("?")) return result;
  Value yes = value(children);
  children.skip();
  children.accept(":");
  Value no = value(children);
  for (Value* part : {&result, &yes, &no}) {
    use_warp_size(*part);
    if (!part->is_constant) context_.fail(part->operand.loc, "`?:` is for constants only");
  }
  return constant_value(
      context_.require(loc, apply_conditional(result.constant, yes.constant, no.constant)), loc);
}

void Operands::use_warp_size(Value& value) {
  if (!holds<SpecialRegister>(value)) return;
  if (std::get<SpecialRegister>(value.operand.value).name != kWarpSizeName) return;
  value = constant_value({Constant::Kind::kSigned, kWarpSize}, value.operand.loc);
}

Value Operands::unary(Cursor children, SourceLoc loc) {
  Cursor prefixes = children;
  size_t prefix_count = 0;
  while (children.kind() == Kind::kPunctuation && !children.at("(")) {
    children.skip();
    ++prefix_count;
  }
  Value result;
  SourceLoc place = children.loc();
  switch (children.kind()) {
    case Kind::kInt: {
      Constant number = context_.require(place, parse_integer(children.take()));
      if (children.accept("(")) {
        result = value(children);
        result.mask = number.bits;
        if (result.is_constant) context_.fail(place, "a mask selects a byte of a symbol's address");
      } else {
        result = constant_value(number, place);
      }
      break;
    }
    case Kind::kFloat:
      result = constant_value(context_.require(place, parse_decimal(children.take())), place);
      break;
    case Kind::kF32:
    case Kind::kF64:
      result = constant_value(parse_bits(children.take()), place);
      break;
    case Kind::kId:
      result = named(children);
      break;
    default:
      result = parenthesised(children);
      break;
  }
  // The innermost sign is the last.
  std::vector<std::string_view> operations;
  for (size_t i = 0; i < prefix_count; ++i) operations.push_back(prefixes.take());
  for (size_t i = prefix_count; i-- > 0;) result = prefixed(operations[i], std::move(result));
  result.operand.loc = loc;
  return result;
}

Value Operands::named(Cursor& children) {
  SourceLoc loc = children.loc();
  std::string_view name = children.take();
  Value result;
  if (children.at(Kind::kDotId)) {
    std::string_view suffix = children.take();
    int index = element_index(suffix);
    SymbolId id = context_.names.find(name);
    if (id == kNoSymbol && special_register(name) == SpecialShape::kVector && index >= 0 &&
        index < 4) {
      result.operand.value = SpecialRegister{std::string(name) + std::string(suffix)};
      return result;
    }
    if (id == kNoSymbol) id = resolve(name, loc);
    const Symbol& symbol = context_.module.symbols[id];
    bool is_selector = index >= RegisterElement::kByteSelector;
    if (symbol.kind != SymbolKind::kRegister || (symbol.vector < 2) != is_selector)
      context_.fail(loc, fmt::format("`{}` has no element `{}`", name, suffix),
                    "Only a register declared with .v2 or .v4 has .x, .y, ...");
    if (index < 0 || (!is_selector && static_cast<unsigned>(index) >= symbol.vector))
      context_.fail(loc, fmt::format("`{}` has no element `{}`", name, suffix));
    result.operand.value = RegisterElement{id, static_cast<uint8_t>(index)};
    return result;
  }
  if (children.accept("(")) {
    if (name != "generic")
      context_.fail(loc, fmt::format("`{}` is not a function of constants", name));
    result = value(children);
    if (!holds<SymbolRef>(result)) context_.fail(loc, "generic() takes the name of a variable");
    result.is_generic = true;
    return result;
  }
  result.operand = plain_name(name, loc);
  if (!children.accept("[")) return result;
  Value index = value(children);
  use_warp_size(index);
  if (!holds<SymbolRef>(result)) context_.fail(loc, fmt::format("`{}` is not an array", name));
  if (!index.is_constant)
    throw base::Unsupported(fmt::format("{}[register]", name), context_.module.path, loc,
                            "an array indexed by a register; write the address with brackets");
  if (!index.constant.is_integer()) context_.fail(loc, "an array index is an integer");
  const Symbol& array = context_.module.symbols[std::get<SymbolRef>(result.operand.value).symbol];
  uint64_t element_bytes = array.vector * ((op::bits(array.type) + 7) / 8);
  result.addend = static_cast<int64_t>(index.constant.bits * element_bytes);
  result.is_element = true;
  return result;
}

Value Operands::parenthesised(Cursor& children) {
  SourceLoc loc = children.loc();
  children.accept("(");
  if (children.at(Kind::kDotId)) {
    std::string_view type = children.take().substr(1);
    children.accept(")");
    Value inner = unary(children.enter(), loc);
    use_warp_size(inner);
    if (!inner.is_constant) context_.fail(loc, "only a constant can be cast");
    return constant_value(context_.require(loc, apply_cast(type, inner.constant)), loc);
  }
  Cursor inside = children;
  if (!inside.at(Kind::kOperand)) context_.fail(loc, "nothing stands between these parentheses");
  Cursor only = inside.enter();
  if (!inside.at(")") || !only.at(Kind::kExpression))
    context_.fail(loc, "a list in parentheses is for calls only");
  Value result = value(only);
  use_warp_size(result);
  if (!result.is_constant) context_.fail(loc, "only constants stand in parentheses");
  return result;
}

Value Operands::prefixed(std::string_view operation, Value inner) {
  use_warp_size(inner);
  if (inner.is_constant)
    return constant_value(
        context_.require(inner.operand.loc, apply_unary(operation[0], inner.constant)),
        inner.operand.loc);
  auto* ref = std::get_if<RegisterRef>(&inner.operand.value);
  if (operation == "!" && ref != nullptr && !ref->negated && !inner.has_offset()) {
    ref->negated = true;
    return inner;
  }
  context_.fail(inner.operand.loc, fmt::format("`{}` cannot stand before this operand", operation),
                "Only constants take signs, and only predicates `!`.");
}

Value Operands::pair(SourceLoc loc, Value a, Value b) {
  for (const Value* part : {&a, &b})
    if ((!holds<RegisterRef>(*part) && !holds<Sink>(*part)) || part->has_offset())
      context_.fail(loc, "`|` joins two destination registers, or two constants");
  Value result;
  result.operand.loc = a.operand.loc;
  Pair both;
  both.elements.push_back(std::move(a.operand));
  both.elements.push_back(std::move(b.operand));
  result.operand.value = std::move(both);
  return result;
}

Value Operands::combined(std::string_view operation, SourceLoc loc, Value a, Value b) {
  use_warp_size(a);
  use_warp_size(b);
  SourceLoc begin = a.operand.loc;
  if (a.is_constant && b.is_constant)
    return constant_value(context_.require(loc, apply_binary(operation, a.constant, b.constant)),
                          begin);
  if (operation == "|") return pair(loc, std::move(a), std::move(b));
  bool is_base = holds<RegisterRef>(a) || holds<SymbolRef>(a);
  if (operation == "+" && is_base && b.is_constant && b.constant.is_integer()) {
    uint64_t sum = static_cast<uint64_t>(a.addend) + b.constant.bits;
    a.addend = static_cast<int64_t>(sum);
    a.has_addend = true;
    return a;
  }
  if (operation == "-" && is_base && b.is_constant)
    context_.fail(loc, "an offset is added, not subtracted", "Write `+-4` for `-4`.");
  if (is_base && !b.is_constant)
    context_.fail(loc, "two registers or variables cannot be added in an operand",
                  "Add them with an instruction first.");
  context_.fail(loc, fmt::format("`{}` is for constants only", operation));
}

}  // namespace ptxequiv::ptx
