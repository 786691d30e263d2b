#include "ptx/parser.h"

#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
#include <unordered_map>

#include "ptx/body.h"
#include "ptx/debug_section.h"

namespace ptxequiv::ptx {
namespace {

std::string_view unquoted(std::string_view text) {
  return text.substr(1, text.size() - 2);
}

class ModuleBuilder {
 public:
  ModuleBuilder(SyntaxReader& reader, Module& module)
      : names_(module),
        context_{reader, reader.tree(), module, names_},
        operands_(context_),
        declarations_(context_, operands_) {}

  void build() {
    while (context_.reader.next() != Kind::kEnd) {
      context_.reader.item();
      item(Cursor::children_of(context_.tree, 0));
    }
    for (std::string_view section : context_.tree.list->debug_sections) {
      check_debug_section(*context_.tree.list, section, context_.module.path);
      context_.module.debug_sections.emplace_back(section);
    }
    sort_functions();
    if (!has_version_)
      context_.fail({1, 1}, "`.version` is missing", "A PTX file begins with `.version 8.5`.");
  }

 private:
  void item(Cursor children) {
    switch (children.kind()) {
      case Kind::kVersion:
        return version(children);
      case Kind::kTarget:
        return target(children);
      case Kind::kAddressSize:
        return address_size(children);
      case Kind::kFile:
        return file(children);
      case Kind::kAlias:
        return alias(children);
      case Kind::kPragma:
        context_.module.pragmas.push_back(pragma_text(context_.tree, children));
        return;
      default:
        break;
    }
    Linkage linkage = linkage_of(children);
    if (children.at(Kind::kFunction)) return function(children, linkage);
    size_t known = context_.module.symbols.size();
    for (SymbolId id : declarations_.variable(children, linkage))
      if (id >= known) context_.module.variables.push_back(id);
  }

  void version(Cursor children) {
    children.skip();
    std::string_view text = children.text();
    size_t dot = text.find('.');
    auto number = [&](std::string_view digits) {
      uint32_t value = 0;
      bool is_number = !digits.empty() && digits.size() < 6;
      for (char c : digits) {
        if (c < '0' || c > '9') is_number = false;
        value = value * 10 + static_cast<uint32_t>(c - '0');
      }
      if (!is_number) context_.fail(children.loc(), fmt::format("`{}` is not a version", text));
      return value;
    };
    if (dot == text.npos) context_.fail(children.loc(), fmt::format("`{}` is not a version", text));
    if (has_version_) context_.fail(children.loc(), "`.version` stands twice");
    has_version_ = true;
    context_.module.version_major = number(text.substr(0, dot));
    context_.module.version_minor = number(text.substr(dot + 1));
  }

  void target(Cursor children) {
    children.skip();
    context_.module.target = children.take();
    context_.module.target_options.clear();
    for (; !children.done(); children.skip())
      if (children.at(Kind::kId)) context_.module.target_options.emplace_back(children.text());
  }

  void address_size(Cursor children) {
    children.skip();
    uint64_t size = context_.integer(children, 64);
    if (size != 32 && size != 64) context_.fail(children.loc(), "the address size is 32 or 64");
    context_.module.address_size = static_cast<uint32_t>(size);
  }

  void file(Cursor children) {
    children.skip();
    SourceFile result;
    result.index =
        static_cast<uint32_t>(context_.integer(children, std::numeric_limits<uint32_t>::max()));
    children.skip();
    result.path = unquoted(children.text());
    context_.module.files.push_back(std::move(result));
  }

  void alias(Cursor children) {
    children.skip();
    SymbolId pair[2];
    for (SymbolId& id : pair) {
      id = operands_.resolve(children.text(), children.loc());
      if (context_.module.symbols[id].kind != SymbolKind::kFunction)
        context_.fail(children.loc(), fmt::format("`{}` is not a function", children.text()));
      children.skip();
      children.accept(",");
    }
    context_.module.aliases.emplace_back(pair[0], pair[1]);
  }

  void function(Cursor node, Linkage linkage) {
    Cursor children = node.enter();
    Function result;
    result.linkage = linkage;
    result.is_entry = children.at(Kind::kEntry);
    children.skip();
    std::string attribute;
    if (children.at(Kind::kAttribute)) {
      attribute = attribute_text(context_.tree, children);
      children.skip();
    }
    context_.names.open();
    if (children.at(Kind::kParameters)) {
      result.returns = declarations_.parameters(children);
      children.skip();
    }
    result.loc = children.loc();
    result.name = children.take();
    if (children.at(Kind::kParameters)) {
      result.parameters = declarations_.parameters(children);
      children.skip();
    }
    for (; children.at(Kind::kTuning); children.skip()) tuning(Cursor(children).enter(), result);
    result.is_declaration = !children.at("{");
    // The name belongs to the module, and must be known in its own body.
    bool is_first = declare(result);
    if (!attribute.empty()) context_.module.attributes.emplace_back(result.symbol, attribute);
    if (!result.is_declaration) Body(context_, operands_, declarations_, result).build();
    context_.names.close();
    if (!is_first && result.is_declaration) return;
    by_name_[result.name] = context_.module.functions.size();
    context_.module.functions.push_back(std::move(result));
  }

  // What is only declared, then definitions in their order. A declaration that a definition has
  // followed goes.
  void sort_functions() {
    std::vector<Function> sorted;
    auto& functions = context_.module.functions;
    for (bool wants_declaration : {true, false})
      for (size_t i = 0; i < functions.size(); ++i)
        if (functions[i].is_declaration == wants_declaration && by_name_[functions[i].name] == i)
          sorted.push_back(std::move(functions[i]));
    functions = std::move(sorted);
  }

  void tuning(Cursor children, Function& function) {
    if (children.at(Kind::kPragma))
      function.pragmas.push_back({Pragma::kInHead, pragma_text(context_.tree, children)});
    if (!children.at(Kind::kDotId)) return;  // .attribute after the parameters does nothing
    std::pair<std::string, std::vector<uint64_t>> directive;
    directive.first = children.take().substr(1);
    for (; !children.done(); children.skip())
      if (children.at(Kind::kInt))
        directive.second.push_back(
            context_.integer(children, std::numeric_limits<uint64_t>::max()));
    function.directives.push_back(std::move(directive));
  }

  // Gives the function its symbol. False if it has been declared before.
  bool declare(Function& function) {
    auto& functions = context_.module.functions;
    auto known = by_name_.find(function.name);
    if (known == by_name_.end()) {
      Symbol symbol;
      symbol.kind = SymbolKind::kFunction;
      symbol.name = function.name;
      symbol.loc = function.loc;
      symbol.space = Space::kGeneric;
      symbol.linkage = function.linkage;
      symbol.is_extern = function.linkage == Linkage::kExtern;
      function.symbol = names_.declare_in_module(std::move(symbol));
      return true;
    }
    const Function& earlier = functions[known->second];
    if (!earlier.is_declaration && !function.is_declaration)
      context_.fail(function.loc, fmt::format("`{}` is defined twice", function.name),
                    fmt::format("The first definition is at line {}.", earlier.loc.line));
    if (earlier.is_entry != function.is_entry ||
        earlier.parameters.size() != function.parameters.size() ||
        earlier.returns.size() != function.returns.size())
      context_.fail(function.loc,
                    fmt::format("`{}` differs from its earlier declaration", function.name),
                    fmt::format("That is at line {}.", earlier.loc.line));
    function.symbol = earlier.symbol;
    if (!function.is_declaration) {
      Symbol& symbol = context_.module.symbols[function.symbol];
      symbol.linkage = function.linkage;
      symbol.is_extern = false;
      symbol.loc = function.loc;
    }
    return false;
  }

  Names names_;
  BuildContext context_;
  Operands operands_;
  Declarations declarations_;
  std::unordered_map<std::string, size_t> by_name_;  // the definition's place, or the declaration's
  bool has_version_ = false;
};

}  // namespace

Module parse(std::string_view text, const std::string& path) {
  // A text taken from a binary ends in zero bytes.
  while (text.ends_with('\0')) text.remove_suffix(1);
  TokenList list = tokenize(text, path);
  SyntaxReader reader(list, path);
  Module module;
  module.path = path;
  ModuleBuilder(reader, module).build();
  return module;
}

Module parse_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw base::InputError(path, {}, "this is a directory, not a file", "Name a PTX file.");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw base::InputError(path, {}, "the file cannot be opened", "Check the path.");
  std::string text;
  constexpr size_t kChunk = 1 << 16;
  while (file) {
    size_t size = text.size();
    text.resize(size + kChunk);
    file.read(text.data() + size, kChunk);
    text.resize(size + static_cast<size_t>(file.gcount()));
  }
  if (file.bad()) throw base::InputError(path, {}, "the file cannot be read");
  return parse(text, path);
}

}  // namespace ptxequiv::ptx
