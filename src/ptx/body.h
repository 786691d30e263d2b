// The statements of a function's body.
#pragma once
#include "ptx/declaration.h"

namespace ptxequiv::ptx {

class Body {
 public:
  Body(BuildContext& context, Operands& operands, Declarations& declarations, Function& function)
      : context_(context), operands_(operands), declarations_(declarations), function_(function) {}

  // `node` stands at the function's outermost block, whose scope is open.
  void build(Cursor node);

 private:
  void block(Cursor children);
  void declare_labels(Cursor children);
  void statement(Cursor children);
  void instruction(Cursor children, std::optional<Guard> guard);
  void table(Cursor children, std::string_view name, SourceLoc loc);
  void location(Cursor children);
  std::optional<Guard> guard(Cursor& children);

  BuildContext& context_;
  Operands& operands_;
  Declarations& declarations_;
  Function& function_;
  DebugLoc debug_;
};

Linkage linkage_of(Cursor& children);  // and moves past it

}  // namespace ptxequiv::ptx
