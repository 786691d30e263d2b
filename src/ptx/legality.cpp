#include "ptx/legality.h"

#include <algorithm>

#include "ptx/target_version.h"

namespace ptxequiv::ptx {
namespace {

struct DirectiveRow {
  std::string_view name;
  bool is_for_entry;   // else for a .func
  size_t least, most;  // how many values
  bool is_positive;
  uint32_t version;  // of PTX, times ten, that has it
};

constexpr DirectiveRow kDirectives[] = {
    {"maxntid", true, 1, 3, true, 13},
    {"reqntid", true, 1, 3, true, 21},
    {"minnctapersm", true, 1, 1, true, 20},
    {"maxnctapersm", true, 1, 1, true, 13},
    {"maxnreg", true, 1, 1, true, 13},
    {"explicitcluster", true, 0, 0, false, 78},
    {"reqnctapercluster", true, 1, 3, false, 78},
    {"maxclusterrank", true, 1, 1, false, 78},
    {"blocksareclusters", true, 0, 0, false, 90},
    {"noreturn", false, 0, 0, false, 64},
    {"abi_preserve", false, 1, 1, false, 90},
    {"abi_preserve_control", false, 1, 1, false, 90},
};

struct ExclusionRow {
  std::string_view first, second;
};
constexpr ExclusionRow kExclusions[] = {
    {"maxntid", "reqntid"},
    {"reqnctapercluster", "maxclusterrank"},
};

constexpr std::string_view kClusters = "blocksareclusters";
constexpr std::string_view kClustersNeed[] = {"reqntid", "reqnctapercluster"};

// Newer versions may have directives that are not known here.
bool is_known_version(const Module& module) {
  constexpr uint32_t kMajor = 9;
  return module.version_major < kMajor ||
         (module.version_major == kMajor && module.version_minor == 0);
}

bool has(const Function& function, std::string_view directive) {
  return std::any_of(function.directives.begin(), function.directives.end(),
                     [&](const auto& each) { return each.first == directive; });
}

bool is_same_parameter(const Symbol& a, const Symbol& b) {
  return a.space == b.space && a.type == b.type && a.vector == b.vector &&
         a.elements == b.elements && a.is_array == b.is_array && a.align == b.align;
}

bool is_same_list(const Module& module, const std::vector<SymbolId>& a,
                  const std::vector<SymbolId>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](SymbolId x, SymbolId y) {
    return is_same_parameter(module.symbol(x), module.symbol(y));
  });
}

void require_version(const BuildContext& context, SourceLoc loc, std::string_view what,
                     uint32_t version) {
  const Module& module = context.module;
  if (module.version_major * 10 + module.version_minor < version)
    context.fail(
        loc, fmt::format("`{}` needs PTX {}.{} or later", what, version / 10, version % 10),
        fmt::format("The module is .version {}.{}.", module.version_major, module.version_minor));
}

}  // namespace

void check_target(const BuildContext& context, SourceLoc loc) {
  const Module& module = context.module;
  uint32_t version = first_version(module.target);
  if (version == 0) {
    if (is_known_version(module))
      context.fail(loc,
                   fmt::format("there is no target `{}` in PTX {}.{}", module.target,
                               module.version_major, module.version_minor),
                   "Targets are sm_75, sm_80, sm_86, sm_89, sm_90, sm_90a, sm_100a, ...");
    return;
  }
  require_version(context, loc, module.target, version);
}

void check_directive(const BuildContext& context, const Function& function, std::string_view name,
                     const std::vector<uint64_t>& values, SourceLoc loc) {
  const DirectiveRow* row = nullptr;
  for (const DirectiveRow& each : kDirectives)
    if (each.name == name) row = &each;
  if (row == nullptr) {
    if (is_known_version(context.module))
      context.fail(loc, fmt::format("`.{}` is no directive of a function", name),
                   "Directives are .maxntid, .reqntid, .minnctapersm, .maxnreg, .noreturn, ...");
    return;
  }
  if (row->is_for_entry != function.is_entry)
    context.fail(loc, fmt::format("`.{}` is for {} only", name,
                                  row->is_for_entry ? "an .entry" : "a .func"));
  require_version(context, loc, fmt::format(".{}", name), row->version);
  if (values.size() < row->least || values.size() > row->most)
    context.fail(loc,
                 row->least == row->most
                     ? fmt::format("`.{}` takes {} values", name, row->least)
                     : fmt::format("`.{}` takes {} to {} values", name, row->least, row->most),
                 fmt::format("Here are {}.", values.size()));
  if (row->is_positive && std::find(values.begin(), values.end(), 0) != values.end())
    context.fail(loc, fmt::format("the values of `.{}` are not zero", name));
}

void check_head(const BuildContext& context, const Function& function) {
  for (const ExclusionRow& row : kExclusions)
    if (has(function, row.first) && has(function, row.second))
      context.fail(function.loc,
                   fmt::format("`.{}` and `.{}` exclude each other", row.first, row.second));
  if (has(function, kClusters))
    for (std::string_view needed : kClustersNeed)
      if (!has(function, needed))
        context.fail(function.loc, fmt::format("`.{}` needs `.{}`", kClusters, needed));
  const Module& module = context.module;
  for (SymbolId id : function.parameters) {
    const Symbol& symbol = module.symbol(id);
    if (function.is_entry && symbol.space != Space::kParam)
      context.fail(symbol.loc, "a parameter of an .entry is in .param");
    if (function.is_entry && symbol.is_unsized)
      context.fail(symbol.loc, "a parameter of an .entry has a size");
    if (symbol.space == Space::kParam && symbol.vector > 1)
      context.fail(symbol.loc, "a vector cannot be in .param", "Use an array: .b8 name[16].");
    if (symbol.name.empty() && !function.is_entry)
      context.fail(symbol.loc, "a parameter of a .func has a name", "`_` is for .callprototype.");
  }
  if (function.returns.size() > 1)
    for (SymbolId id : function.returns)
      if (module.symbol(id).space != Space::kReg)
        context.fail(module.symbol(id).loc, "several return values are in .reg");
  for (const auto* list : {&function.parameters, &function.returns})
    for (SymbolId id : *list)
      if (module.symbol(id).type == op::Type::kPred && module.symbol(id).space != Space::kReg)
        context.fail(module.symbol(id).loc, "a predicate that is a parameter is in .reg");
  if (function.linkage == Linkage::kExtern && !function.is_declaration)
    context.fail(function.loc, fmt::format("`{}` is .extern and has a body", function.name));
  if (function.linkage == Linkage::kCommon) context.fail(function.loc, "a function is not .common");
}

void check_redeclaration(const BuildContext& context, const Function& earlier,
                         const Function& function) {
  if (!earlier.is_declaration)
    context.fail(function.loc,
                 fmt::format("`{}` is {} twice", function.name,
                             function.is_declaration ? "declared" : "defined"),
                 fmt::format("The definition is at line {}.", earlier.loc.line));
  bool is_same = earlier.is_entry == function.is_entry &&
                 is_same_list(context.module, earlier.parameters, function.parameters) &&
                 is_same_list(context.module, earlier.returns, function.returns);
  bool is_extern = earlier.linkage == Linkage::kExtern;
  if (!is_same || (is_extern && function.linkage != Linkage::kExtern))
    context.fail(
        function.loc, fmt::format("`{}` differs from its earlier declaration", function.name),
        fmt::format("That is at line {}{}.", earlier.loc.line, is_same ? " and .extern" : ""));
}

void check_alias(const BuildContext& context, const Function& alias, const Function& target,
                 SourceLoc loc) {
  if (alias.symbol == target.symbol) context.fail(loc, "a function cannot be its own alias");
  if (!alias.is_declaration)
    context.fail(loc, fmt::format("`{}` has a body and cannot be an alias", alias.name));
  if (target.linkage == Linkage::kWeak)
    context.fail(loc, fmt::format("`{}` is .weak and cannot have an alias", target.name));
  if (alias.parameters.size() != target.parameters.size() ||
      alias.returns.size() != target.returns.size())
    context.fail(loc, fmt::format("`{}` and its alias differ in their parameters", target.name));
}

}  // namespace ptxequiv::ptx
