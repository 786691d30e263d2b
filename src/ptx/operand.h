// Operands and the expressions in them.
#pragma once
#include "ptx/build.h"

namespace ptxequiv::ptx {

// What an expression stands for: a constant, or something named, perhaps with a byte offset.
struct Value {
  bool is_constant = false;
  Constant constant;
  Operand operand;  // if not a constant
  int64_t addend = 0;
  bool has_addend = false;       // also of 0
  bool is_element = false;       // s[4]
  bool is_generic = false;       // generic(s)
  uint64_t mask = ~uint64_t{0};  // 0xFF00(s)
  bool is_masked() const { return mask != ~uint64_t{0}; }
  // Whether it is more than its operand.
  bool has_offset() const { return addend != 0 || is_element || is_generic || is_masked(); }
};

class Operands {
 public:
  explicit Operands(BuildContext& context) : context_(context) {}

  // `node` stands at an operand. `opcode` is the instruction's.
  Operand operand(Cursor node, std::string_view opcode);
  // `node` stands at an expression.
  Value value(Cursor node);
  // The symbol of a name; fails with a hint if there is none.
  SymbolId resolve(std::string_view name, SourceLoc loc);

 private:
  Value unary(Cursor children, SourceLoc loc);
  Value named(Cursor& children);
  Value parenthesised(Cursor& children);
  Value prefixed(std::string_view operation, Value value);
  Value combined(std::string_view operation, SourceLoc loc, Value a, Value b);
  Value pair(SourceLoc loc, Value a, Value b);
  void use_warp_size(Value& value);
  Operand address(Cursor children, SourceLoc loc);
  Operand scalar(Value value, std::string_view opcode);
  bool is_argument_list(Cursor expression) const;
  Operand argument_list(Cursor expression);
  Operand plain_name(std::string_view name, SourceLoc loc);

  BuildContext& context_;
};

}  // namespace ptxequiv::ptx
