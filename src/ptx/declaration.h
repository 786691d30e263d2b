// Declarations: registers, variables, parameters, and the bytes of initialisers.
#pragma once
#include <string>
#include <vector>

#include "ptx/operand.h"

namespace ptxequiv::ptx {

class Declarations {
 public:
  Declarations(BuildContext& context, Operands& operands)
      : context_(context), operands_(operands) {}

  // `node` stands at a `variable`. Returns what it declares, registers of ranges excepted.
  std::vector<SymbolId> variable(Cursor node, Linkage linkage);
  // `node` stands at a `parameters`; declares them in the innermost scope.
  std::vector<SymbolId> parameters(Cursor node);

 private:
  struct Words {
    SourceLoc loc;
    bool has_type = false;
    std::string attribute;
  };
  Words words(Cursor& children, Symbol& symbol);
  void check_place(const Symbol& symbol, const Words& seen, SourceLoc loc) const;
  uint64_t extent(Cursor token, uint64_t most);
  uint32_t alignment(Cursor token);
  void word(std::string_view text, SourceLoc loc, Symbol& symbol, Words& seen);
  std::vector<uint64_t> dimensions(Cursor& children, Symbol& symbol);
  void set_elements(Symbol& symbol, const std::vector<uint64_t>& sizes, SourceLoc loc);
  void declare_register(Cursor declarator, Symbol symbol, std::vector<SymbolId>& result);
  void declare_variable(Cursor declarator, Symbol symbol, const Words& seen,
                        std::vector<SymbolId>& result);
  SymbolId declare_merged(Symbol symbol);

  BuildContext& context_;
  Operands& operands_;
};

// What stands in a `pragma` or `attribute`, at which `node` stands.
std::string pragma_text(const SyntaxTree& tree, Cursor node);
std::string attribute_text(const SyntaxTree& tree, Cursor node);

}  // namespace ptxequiv::ptx
