#include "ptx/body.h"

#include <limits>

namespace ptxequiv::ptx {

Linkage linkage_of(Cursor& children) {
  if (children.accept(Kind::kExtern)) return Linkage::kExtern;
  if (children.accept(Kind::kVisible)) return Linkage::kVisible;
  if (children.accept(Kind::kWeak)) return Linkage::kWeak;
  if (children.accept(Kind::kCommon)) return Linkage::kCommon;
  return Linkage::kNone;
}

void Body::build() {
  Labels labels(*context_.tree.list, context_.reader.position());
  function_.body.reserve(labels.statements());
  open_block(labels);
  for (size_t depth = 1; depth > 0;) {
    context_.reader.statement();
    Cursor children = Cursor::children_of(context_.tree, 0);
    if (children.at("{")) {
      ++depth;
      context_.names.open();
      open_block(labels);
    } else if (children.at("}")) {
      --depth;
      // The outermost scope is the parameters' too, and the caller's to close.
      if (depth > 0) context_.names.close();
      function_.end = children.loc();
    } else {
      statement(children);
    }
  }
}

// Labels are visible in the whole of their block, and in the blocks inside it (PTX manual, 4.3.1).
void Body::open_block(Labels& labels) {
  const TokenList& list = *context_.tree.list;
  for (uint32_t token : labels.of_next_block()) {
    Symbol label;
    label.kind = SymbolKind::kLabel;
    label.loc = list.loc_of(list.tokens[token]);
    label.name = list.text_of(list.tokens[token]);
    if (label.name == "_") context_.fail(label.loc, "`_` cannot be a label");
    context_.names.declare(std::move(label));
  }
}

void Body::statement(Cursor children) {
  switch (children.kind()) {
    case Kind::kId: {
      Cursor after = children;
      SourceLoc loc = children.loc();
      std::string_view name = after.take();
      if (!after.accept(":")) return instruction(children, std::nullopt);
      if (after.at(Kind::kTable)) return table(after.enter(), name, loc);
      function_.body.emplace_back(LabelMark{context_.names.find_here(name)});
      return;
    }
    case Kind::kLoc:
      return location(children);
    case Kind::kPragma:
      function_.pragmas.push_back({function_.body.size(), pragma_text(context_.tree, children)});
      return;
    default:
      break;
  }
  if (children.at("@")) {
    auto condition = guard(children);
    return instruction(children, condition);
  }
  for (SymbolId id : declarations_.variable(children, Linkage::kNone))
    if (context_.module.symbols[id].kind != SymbolKind::kRegister) function_.locals.push_back(id);
}

std::optional<Guard> Body::guard(Cursor& children) {
  children.accept("@");
  Guard result;
  result.negated = children.accept("!");
  SourceLoc loc = children.loc();
  std::string_view name = children.take();
  result.predicate = operands_.resolve(name, loc);
  const Symbol& symbol = context_.module.symbols[result.predicate];
  if (symbol.kind != SymbolKind::kRegister || symbol.type != op::Type::kPred || symbol.vector != 1)
    context_.fail(
        loc, fmt::format("`{}` is not a predicate register", name),
        symbol.kind == SymbolKind::kRegister
            ? fmt::format("Line {} declares it as .{}.", symbol.loc.line, op::name(symbol.type))
            : "A guard is a register of type .pred.");
  return result;
}

void Body::instruction(Cursor children, std::optional<Guard> condition) {
  Instruction result;
  result.guard = condition;
  result.loc = children.loc();
  result.debug = debug_;
  result.opcode = children.take();
  if (result.opcode[0] == '%' || result.opcode[0] == '_' || result.opcode[0] == '$')
    context_.fail(result.loc, fmt::format("`{}` is not an instruction", result.opcode),
                  "A statement begins with a label, a guard, a directive or an opcode.");
  for (Cursor parts = children.enter(); !parts.done(); parts.skip()) {
    if (parts.at(Kind::kOperand))
      result.operands.push_back(operands_.operand(parts, result.opcode));
    else if (parts.kind() != Kind::kPunctuation)
      result.modifiers.emplace_back(parts.text().substr(1));
  }
  function_.body.emplace_back(std::move(result));
}

void Body::table(Cursor children, std::string_view name, SourceLoc loc) {
  Symbol symbol;
  symbol.kind = SymbolKind::kTable;
  symbol.name = name;
  symbol.loc = loc;
  if (children.at(Kind::kCallPrototype)) {
    // Kept as text: calls through a register are not modelled, only printed.
    uint32_t first = children.index(), last = first;
    for (; !children.done() && !children.at(";"); children.skip()) last = children.node().next;
    symbol.prototype = context_.tree.spelt(first, last);
    check_prototype(Cursor(context_.tree, first, last));
    function_.tables.emplace_back(function_.body.size(), context_.names.declare(std::move(symbol)));
    return;
  }
  bool is_branch = children.accept(Kind::kBranchTargets);
  SymbolKind wanted = is_branch ? SymbolKind::kLabel : SymbolKind::kFunction;
  if (!is_branch) children.skip();
  for (; !children.done(); children.skip()) {
    if (!children.at(Kind::kId)) continue;
    SymbolId target = operands_.resolve(children.text(), children.loc());
    if (context_.module.symbols[target].kind != wanted)
      context_.fail(children.loc(), fmt::format("`{}` is not a {}", children.text(),
                                                is_branch ? "label" : "function"));
    symbol.targets.push_back(target);
  }
  function_.tables.emplace_back(function_.body.size(), context_.names.declare(std::move(symbol)));
}

// 11.2.3: `_` stands for the name; parameters have one, which may be `_` too.
void Body::check_prototype(Cursor children) {
  for (; !children.done(); children.skip()) {
    if (children.at(Kind::kId) && children.text() != "_")
      context_.fail(children.loc(), "a .callprototype has `_` in place of a name");
    if (!children.at(Kind::kParameters)) continue;
    for (Cursor list = Cursor(children).enter(); !list.done(); list.skip()) {
      if (!list.at(Kind::kParameter)) continue;
      SourceLoc loc = list.loc();
      bool has_name = false;
      for (Cursor inside = Cursor(list).enter(); !inside.done(); inside.skip())
        has_name |= inside.at(Kind::kDeclarator);
      if (!has_name) context_.fail(loc, "this parameter has no name", "Name it `_`.");
    }
  }
}

// 11.5.3. In the inlined form the first triple is the place of the code itself.
void Body::location(Cursor children) {
  children.accept(Kind::kLoc);
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  for (uint32_t* field : {&debug_.file, &debug_.line, &debug_.column}) {
    *field = static_cast<uint32_t>(context_.integer(children, kMost));
    children.skip();
  }
  auto& inlined = function_.inlined;
  if (!inlined.empty() && inlined.back().first == function_.body.size()) inlined.pop_back();
  if (!children.accept(",")) return;
  uint32_t begin = children.index();
  while (!children.done()) children.skip();
  inlined.emplace_back(function_.body.size(), context_.tree.spelt(begin, children.index()));
}

}  // namespace ptxequiv::ptx
