#include "ptx/declaration.h"

#include <algorithm>
#include <bit>

#include "ptx/initializer.h"
#include "ptx/special_register.h"

namespace ptxequiv::ptx {
namespace {

struct SpaceRow {
  std::string_view name;
  Space space;
};

constexpr SpaceRow kSpaces[] = {
    {"reg", Space::kReg},       {"param", Space::kParam}, {"global", Space::kGlobal},
    {"shared", Space::kShared}, {"local", Space::kLocal}, {"const", Space::kConst},
    {"tex", Space::kTex},
};

// Keeps Symbol::bytes() within 64 bits.
constexpr uint64_t kMostElements = uint64_t{1} << 48;
constexpr uint64_t kMostRange = uint64_t{1} << 31;

struct OpaqueRow {
  std::string_view name;
  Opaque type;
};

constexpr OpaqueRow kOpaqueTypes[] = {
    {"texref", Opaque::kTexref},
    {"samplerref", Opaque::kSamplerref},
    {"surfref", Opaque::kSurfref},
};

Opaque opaque_named(std::string_view word) {
  for (const OpaqueRow& row : kOpaqueTypes)
    if (row.name == word) return row.type;
  return Opaque::kNone;
}

}  // namespace

Space space_named(std::string_view word) {
  if (word.starts_with('.')) word.remove_prefix(1);
  for (const SpaceRow& row : kSpaces)
    if (row.name == word) return row.space;
  return Space::kGeneric;
}

std::string_view opaque_name(Opaque type) {
  for (const OpaqueRow& row : kOpaqueTypes)
    if (row.type == type) return row.name;
  return {};
}

std::string_view space_name(Space space) {
  for (const SpaceRow& row : kSpaces)
    if (row.space == space) return row.name;
  return "generic";
}

std::string pragma_text(const SyntaxTree& tree, Cursor node) {
  Cursor children = node.enter();
  children.accept(Kind::kPragmaWord);
  uint32_t begin = children.index();
  while (!children.done() && !children.at(";")) children.skip();
  return tree.spelt(begin, children.index());
}

std::string attribute_text(const SyntaxTree& tree, Cursor node) {
  Cursor children = node.enter();
  children.accept(Kind::kAttributeWord);
  children.accept("(");
  uint32_t begin = children.index();
  while (!children.done() && !children.at(")")) children.skip();
  return tree.spelt(begin, children.index());
}

namespace {

// 5.2.3: the alternate formats are types of instructions; registers hold them as bits.
bool is_declarable(op::Type type) {
  using op::Type;
  if (type == Type::kBF16 || type == Type::kTF32) return false;
  return type <= Type::kF64 || type == Type::kF16x2;
}

}  // namespace

uint32_t Declarations::alignment(Cursor token) {
  uint64_t value = context_.integer(token, uint64_t{1} << 30);
  if (!std::has_single_bit(value)) context_.fail(token.loc(), "an alignment is a power of two");
  return static_cast<uint32_t>(value);
}

// Of a dimension or a range: an integer or WARP_SZ.
uint64_t Declarations::extent(Cursor token, uint64_t most) {
  constexpr uint64_t kWarpSize = 32;
  if (token.at(Kind::kInt)) return context_.integer(token, most);
  if (token.text() == "WARP_SZ") return kWarpSize;
  context_.fail(token.loc(), "a size is an integer or WARP_SZ");
}

void Declarations::word(std::string_view text, SourceLoc loc, Symbol& symbol, Words& seen) {
  if (text == "ptr") {
    symbol.is_pointer = true;
  } else if (text == "v2" || text == "v4") {
    if (seen.has_type || symbol.vector > 1)
      context_.fail(loc, fmt::format("`.{}` stands once, before the type", text));
    symbol.vector = static_cast<uint32_t>(text[1] - '0');
  } else if (op::Type type = op::type_named(text);
             type != op::Type::kNone || opaque_named(text) != Opaque::kNone) {
    if (seen.has_type) context_.fail(loc, "two types in one declaration");
    seen.has_type = true;
    if (!is_declarable(type) && opaque_named(text) == Opaque::kNone)
      context_.fail(loc, fmt::format("`.{}` is a type of instructions only", text),
                    fmt::format("Use .b{}.", std::max(op::bits(type), 8u)));
    constexpr uint32_t kMostVectorBits = 128;
    if (symbol.vector > 1 && symbol.vector * op::bits(type) > kMostVectorBits)
      context_.fail(loc, "a vector has at most 128 bits");
    if (symbol.vector > 1 && type == op::Type::kPred)
      context_.fail(loc, "a predicate is no vector");
    symbol.opaque = opaque_named(text);
    symbol.type = type;
  } else {
    context_.fail(loc, fmt::format("`.{}` is not a type", text),
                  "Types are .b8 to .b128, .u8 to .u64, .s8 to .s64, .f16, .f32, .f64, .pred, ...");
  }
}

// Everything between the state space and the name.
Declarations::Words Declarations::words(Cursor& children, Symbol& symbol) {
  Words seen;
  seen.loc = children.loc();
  for (; children.at(Kind::kDeclarationWord); children.skip()) {
    Cursor inside = Cursor(children).enter();
    if (inside.accept(Kind::kAlign)) {
      bool is_late = symbol.kind == SymbolKind::kVariable && (seen.has_type || symbol.vector > 1);
      if (is_late) context_.fail(seen.loc, "`.align` stands before the type");
      (symbol.is_pointer ? symbol.pointer_align : symbol.align) = alignment(inside);
    } else if (inside.at(Kind::kSpace)) {
      if (!symbol.is_pointer || symbol.pointer_space != Space::kGeneric)
        context_.fail(inside.loc(), fmt::format("unexpected `{}`", inside.text()),
                      "A second state space only follows .ptr.");
      symbol.pointer_space = space_named(inside.text());
    } else if (inside.at(Kind::kDotId)) {
      word(inside.text().substr(1), inside.loc(), symbol, seen);
    } else if (inside.at(Kind::kAttribute)) {
      seen.attribute = attribute_text(context_.tree, inside);
    }
  }
  return seen;
}

std::vector<uint64_t> Declarations::dimensions(Cursor& children, Symbol& symbol) {
  std::vector<uint64_t> sizes;
  SourceLoc loc = children.loc();
  while (children.accept("[")) {
    symbol.is_array = true;
    bool is_open = children.at("]");
    if (is_open && !sizes.empty())
      context_.fail(children.loc(), "only the outermost dimension may be left open");
    uint64_t size = is_open ? 0 : extent(children, kMostElements);
    if (!is_open && size == 0) context_.fail(children.loc(), "an array has at least one element");
    sizes.push_back(size);
    if (!is_open) children.skip();
    children.accept("]");
  }
  set_elements(symbol, sizes, loc);
  return sizes;
}

void Declarations::set_elements(Symbol& symbol, const std::vector<uint64_t>& sizes, SourceLoc loc) {
  symbol.elements = 1;
  symbol.is_unsized = !sizes.empty() && sizes[0] == 0;
  for (uint64_t size : sizes) {
    if (size != 0 && symbol.elements > kMostElements / size)
      context_.fail(loc, "the array is too large");
    symbol.elements *= std::max<uint64_t>(size, 1);
  }
  if (symbol.is_unsized) symbol.elements = 0;
}

// Which kinds of variables stand where.
void Declarations::check_place(const Symbol& symbol, const Words& seen, SourceLoc loc) const {
  bool is_outside = context_.names.at_module_level();
  if (symbol.space == Space::kTex)
    context_.fail(loc, "`.tex` is gone since PTX 1.5", "Declare a `.global .texref`.");
  if (symbol.opaque != Opaque::kNone && (!is_outside || symbol.space != Space::kGlobal))
    context_.fail(loc, fmt::format("a .{} is declared in .global, outside functions",
                                   opaque_name(symbol.opaque)));
  const auto& options = context_.module.target_options;
  if (symbol.opaque == Opaque::kSamplerref &&
      std::find(options.begin(), options.end(), "texmode_independent") == options.end())
    context_.fail(loc, "a .samplerref needs `.target ..., texmode_independent`");
  if (symbol.linkage == Linkage::kCommon && symbol.space != Space::kGlobal)
    context_.fail(loc, "a .common variable is in .global");
  if (!seen.attribute.empty() && symbol.space != Space::kGlobal)
    context_.fail(loc, "only a .global variable has an attribute");
}

std::vector<SymbolId> Declarations::variable(Cursor node, Linkage linkage) {
  Cursor children = node.enter();
  Symbol symbol;
  symbol.kind = SymbolKind::kVariable;
  symbol.linkage = linkage;
  symbol.is_extern = linkage == Linkage::kExtern;
  if (children.accept(Kind::kAlign)) {
    symbol.align = alignment(children);
    children.skip();
  }
  SourceLoc loc = children.loc();
  symbol.space = space_named(children.take());
  Words seen = words(children, symbol);
  if (!seen.has_type) context_.fail(loc, "this declaration has no type");
  if (context_.names.at_module_level() &&
      (symbol.space == Space::kReg || symbol.space == Space::kParam ||
       symbol.space == Space::kLocal))
    context_.fail(loc, fmt::format("a .{} variable cannot stand outside a function",
                                   space_name(symbol.space)));
  check_place(symbol, seen, loc);
  std::vector<SymbolId> result;
  for (; !children.done(); children.skip()) {
    if (!children.at(Kind::kDeclarator)) continue;
    Cursor declarator = Cursor(children).enter();
    symbol.loc = declarator.loc();
    symbol.name = declarator.take();
    if (symbol.name == "_") context_.fail(symbol.loc, "`_` cannot be declared");
    if (context_.names.at_module_level() && special_register(symbol.name) != SpecialShape::kNone)
      context_.fail(symbol.loc, fmt::format("`{}` is a special register", symbol.name));
    if (symbol.space == Space::kReg)
      declare_register(declarator, symbol, result);
    else
      declare_variable(declarator, symbol, seen, result);
  }
  return result;
}

void Declarations::declare_register(Cursor declarator, Symbol symbol,
                                    std::vector<SymbolId>& result) {
  symbol.kind = SymbolKind::kRegister;
  if (declarator.accept("<")) {
    uint64_t count = extent(declarator, kMostRange);
    declarator.skip();
    declarator.accept(">");
    if (!declarator.done())
      context_.fail(declarator.loc(), "a register is no array and has no value");
    context_.names.declare_range(std::move(symbol), count);
    return;
  }
  if (!declarator.done())
    context_.fail(declarator.loc(), "a register is no array and has no value");
  result.push_back(context_.names.declare(std::move(symbol)));
}

void Declarations::declare_variable(Cursor declarator, Symbol symbol, const Words& seen,
                                    std::vector<SymbolId>& result) {
  uint64_t copies = 0;
  if (declarator.accept("<")) {
    constexpr uint64_t kMostCopies = 1 << 16;
    copies = extent(declarator, kMostCopies);
    declarator.skip();
    declarator.accept(">");
  }
  std::vector<uint64_t> sizes = dimensions(declarator, symbol);
  if (symbol.type == op::Type::kPred)
    context_.fail(symbol.loc, "a predicate can only be a register");
  bool has_initializer = declarator.accept("=");
  if (has_initializer) {
    if (symbol.opaque != Opaque::kNone)
      throw base::Unsupported("an initialised .texref, .samplerref or .surfref",
                              context_.module.path, symbol.loc);
    if (symbol.is_extern || (symbol.space != Space::kGlobal && symbol.space != Space::kConst))
      context_.fail(symbol.loc, fmt::format("`{}` cannot have an initial value", symbol.name),
                    "Only .global and .const variables that are not .extern can.");
    symbol.init = build_initializer(context_, operands_, symbol, sizes, declarator);
  }
  if (has_initializer) set_elements(symbol, sizes, symbol.loc);
  if (symbol.is_unsized && !symbol.is_extern && symbol.space != Space::kParam)
    context_.fail(symbol.loc, fmt::format("`{}` has no size", symbol.name),
                  "Only an .extern array may leave its size open.");
  if (copies == 0) {
    result.push_back(declare_merged(std::move(symbol)));
    if (!seen.attribute.empty())
      context_.module.attributes.emplace_back(result.back(), seen.attribute);
    return;
  }
  for (uint64_t i = 0; i < copies; ++i) {
    Symbol one = symbol;
    one.name += std::to_string(i);
    result.push_back(context_.names.declare(std::move(one)));
  }
}

// An .extern declaration may be repeated, and followed by the definition.
SymbolId Declarations::declare_merged(Symbol symbol) {
  SymbolId id =
      context_.names.at_module_level() ? context_.names.find_here(symbol.name) : kNoSymbol;
  if (id == kNoSymbol) return context_.names.declare(std::move(symbol));
  Symbol& known = context_.module.symbols[id];
  bool is_same = known.kind == symbol.kind && known.space == symbol.space &&
                 known.type == symbol.type && known.vector == symbol.vector &&
                 known.is_array == symbol.is_array &&
                 (known.elements == symbol.elements || known.is_unsized || symbol.is_unsized);
  bool hides_it = known.is_extern && symbol.linkage == Linkage::kNone;  // a definition in this file
  if (!is_same || hides_it || (!known.is_extern && !symbol.is_extern))
    return context_.names.declare(std::move(symbol));  // says that it is declared twice
  if (!symbol.is_extern) known = std::move(symbol);
  return id;
}

std::vector<SymbolId> Declarations::parameters(Cursor node) {
  std::vector<SymbolId> result;
  Cursor children = node.enter();
  for (; !children.done(); children.skip()) {
    if (!children.at(Kind::kParameter)) continue;
    Cursor inside = Cursor(children).enter();
    Symbol symbol;
    symbol.loc = inside.loc();
    symbol.space = space_named(inside.take());
    bool is_register = symbol.space == Space::kReg;
    symbol.kind = is_register ? SymbolKind::kRegister : SymbolKind::kParameter;
    Words seen = words(inside, symbol);
    if (!seen.has_type) context_.fail(symbol.loc, "this parameter has no type");
    if (symbol.type == op::Type::kPred && !is_register)
      context_.fail(symbol.loc, "a predicate can only be a register");
    if (inside.done()) context_.fail(symbol.loc, "this parameter has no name");
    Cursor declarator = inside.enter();
    symbol.loc = declarator.loc();
    symbol.name = declarator.take();
    dimensions(declarator, symbol);
    if (!declarator.done())
      context_.fail(declarator.loc(),
                    fmt::format("unexpected `{}` in a parameter", declarator.text()));
    if (is_register && symbol.is_array) context_.fail(symbol.loc, "a register is no array");
    if (symbol.name == "_") {
      symbol.name.clear();
      result.push_back(context_.names.add_unnamed(std::move(symbol)));
    } else {
      result.push_back(context_.names.declare(std::move(symbol)));
    }
  }
  return result;
}

}  // namespace ptxequiv::ptx
