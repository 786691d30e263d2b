// Which declaration a name means at a place: nested scopes over the module's symbols.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/ast.h"

namespace ptxequiv::ptx {

class Names {
 public:
  // `module` must outlive this; its `path` is set.
  explicit Names(Module& module);

  void open() { scopes_.emplace_back(); }
  void close() { scopes_.pop_back(); }
  bool at_module_level() const { return scopes_.size() == 1; }

  // Adds a symbol to the innermost scope. Throws base::InputError if that has the name already.
  SymbolId declare(Symbol symbol);
  SymbolId declare_in_module(Symbol symbol);
  // `%r<100>`: `pattern` with the names %r0 to %r99. They become symbols when used, since a range
  // may be huge and mostly idle.
  void declare_range(Symbol pattern, uint64_t count);
  // A symbol without a name in any scope, such as the parameter `_` of a prototype.
  SymbolId add_unnamed(Symbol symbol);

  // kNoSymbol if nothing visible has the name.
  SymbolId find(std::string_view name);
  SymbolId find_here(std::string_view name);
  // A hint for a name that was not found: the range it misses, or the nearest name.
  std::string suggest(std::string_view name) const;

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  template <typename Value>
  using Map = std::unordered_map<std::string, Value, Hash, std::equal_to<>>;
  struct Range {
    Symbol pattern;
    uint64_t count;
  };
  struct Scope {
    Map<SymbolId> names;
    std::map<std::string, Range, std::less<>> ranges;  // by prefix
    // Of the names, those that were declared one by one and end in a digit: what a range can clash
    // with. Sorted, so that finding what begins with its prefix does not take a walk over all.
    std::set<std::string, std::less<>> numbered;
  };

  SymbolId declare_in(Scope& scope, Symbol symbol);
  SymbolId find_in(Scope& scope, std::string_view name);
  static const Range* range_of(const Scope& scope, std::string_view name);
  [[noreturn]] void fail_twice(const Symbol& symbol, SourceLoc first) const;

  Module& module_;
  std::vector<Scope> scopes_;
};

}  // namespace ptxequiv::ptx
