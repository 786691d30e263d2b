#include "ptx/parser.h"

#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
#include <unordered_map>
#include <unordered_set>

#include "ptx/body.h"
#include "ptx/debug_section.h"
#include "ptx/legality.h"

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
    check_order(Kind::kEnd, {1, 1});
  }

 private:
  // 11.1: .version, .target and perhaps .address_size, then the rest.
  void check_order(Kind kind, SourceLoc loc) {
    if (items_ == 0 && kind != Kind::kVersion) fail_without_version(loc);
    if (items_ > 0 && kind == Kind::kVersion) context_.fail(loc, "`.version` stands twice");
    if (items_ == 1 && kind != Kind::kTarget)
      context_.fail(loc, "`.target` is missing", "It follows `.version`, as in `.target sm_90a`.");
    if (items_ > 1 && kind == Kind::kTarget) context_.fail(loc, "`.target` stands twice");
    if (items_ != 2 && kind == Kind::kAddressSize)
      context_.fail(loc, "`.address_size` stands once, right after `.target`");
    ++items_;
  }

  [[noreturn]] void fail_without_version(SourceLoc loc) {
    context_.fail(loc, "`.version` is missing", "A PTX file begins with `.version 8.5`.");
  }

  void item(Cursor children) {
    check_order(children.kind(), children.loc());
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
    context_.module.version_major = number(text.substr(0, dot));
    context_.module.version_minor = number(text.substr(dot + 1));
  }

  void target(Cursor children) {
    children.skip();
    constexpr std::string_view kVirtual = "compute_";
    std::string_view architecture = children.text();
    if (architecture.starts_with(kVirtual))
      context_.module.target = "sm_" + std::string(architecture.substr(kVirtual.size()));
    else if (architecture.starts_with("sm_"))
      context_.module.target = architecture;
    else
      context_.fail(children.loc(), fmt::format("`{}` is no architecture", architecture),
                    "`.target` names one first, as in `.target sm_90a`.");
    check_target(context_, children.loc());
    for (children.skip(); !children.done(); children.skip()) {
      if (!children.at(Kind::kId)) continue;
      std::string_view word = children.text();
      if (word != "debug" && word != "texmode_unified" && word != "texmode_independent")
        context_.fail(children.loc(), fmt::format("`{}` is no option of .target", word),
                      "Options are debug, texmode_unified and texmode_independent.");
      context_.module.target_options.emplace_back(word);
    }
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
    if (!file_indices_.insert(result.index).second)
      context_.fail(children.loc(), fmt::format("there is a .file {} already", result.index));
    children.skip();
    result.path = unquoted(children.text());
    context_.module.files.push_back(std::move(result));
  }

  void alias(Cursor children) {
    SourceLoc loc = children.loc();
    children.skip();
    SymbolId pair[2];
    for (SymbolId& id : pair) {
      id = operands_.resolve(children.text(), children.loc());
      if (context_.module.symbols[id].kind != SymbolKind::kFunction)
        context_.fail(children.loc(), fmt::format("`{}` is not a function", children.text()));
      children.skip();
      children.accept(",");
    }
    auto function = [&](SymbolId id) -> const Function& {
      return context_.module.functions[by_name_.at(context_.module.symbols[id].name)];
    };
    check_alias(context_, function(pair[0]), function(pair[1]), loc);
    if (!aliases_.insert(pair[0]).second)
      context_.fail(loc, fmt::format("`{}` is an alias already", function(pair[0]).name));
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
    check_head(context_, result);
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
    SourceLoc loc = children.loc();
    if (children.at(Kind::kPragma) && function.is_entry) {
      function.pragmas.push_back({Pragma::kInHead, pragma_text(context_.tree, children)});
      return;
    }
    if (!children.at(Kind::kDotId))
      context_.fail(loc, fmt::format("`{}` cannot stand here", children.text()),
                    "Only an .entry has a .pragma after its parameters, and .attribute stands "
                    "before a name.");
    std::pair<std::string, std::vector<uint64_t>> directive;
    directive.first = children.take().substr(1);
    for (; !children.done(); children.skip())
      if (children.at(Kind::kInt))
        directive.second.push_back(
            context_.integer(children, std::numeric_limits<uint64_t>::max()));
    check_directive(context_, function, directive.first, directive.second, loc);
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
    check_redeclaration(context_, earlier, function);
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
  std::unordered_set<uint32_t> file_indices_;
  std::unordered_set<SymbolId> aliases_;
  size_t items_ = 0;
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
