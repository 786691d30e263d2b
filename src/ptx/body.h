// The statements of a function's body.
#pragma once
#include "ptx/declaration.h"
#include "ptx/labels.h"

namespace ptxequiv::ptx {

class Body {
 public:
  Body(BuildContext& context, Operands& operands, Declarations& declarations, Function& function)
      : context_(context), operands_(operands), declarations_(declarations), function_(function) {}

  // The reader stands behind the `{`, and the function's outermost scope is open. Reads to the `}`.
  void build();

 private:
  void open_block(Labels& labels);
  void statement(Cursor children);
  void instruction(Cursor children, std::optional<Guard> guard);
  void table(Cursor children, std::string_view name, SourceLoc loc);
  void check_prototype(Cursor children);
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
