// The forms of the instruction table, written nearly as the PTX manual writes them:
//
//   {.rn|.rz|.rm|.rp}{.ftz}{.sat}.f32 d, a, b{, !c:pred}
//
//   .name  .(x|y)         a modifier that must stand there: one of the names
//   {.name}  {.x|.y}      one that may
//   .*                    any further modifiers (instructions without a meaning here)
//   d, a, b               operands, named as in the manual; {, c} may be missing
//   !c                    may be negated, as predicates may;  [a] an address;  p|q a pair;  p{|q}
//   perhaps a pair a:u32                 the operand's type where it is not the first type
//   modifier: a type's name,
//                         t2 (second type modifier), wide (twice as wide), any (no check here)
//
// Type modifiers match in order; all others match as a set (ptxas takes them in any order).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "op/type.h"

namespace ptxequiv::isa {

struct ModifierGroup {
  std::vector<std::string> choices;
  bool required = true;
  bool is_type = false;
};

struct OperandForm {
  enum class Rule : uint8_t { kFirstType, kSecondType, kWide, kFixed, kAny };
  std::string name;
  Rule rule = Rule::kFirstType;
  op::Type fixed = op::Type::kNone;
  bool optional = false;
  bool address = false;
  std::string second;  // p|q: the second half's name
  bool pair_required = false;
};

struct Form {
  std::vector<ModifierGroup> groups;
  std::vector<OperandForm> operands;
  bool any_modifiers = false;  // .*
  bool any_operands = false;   // ...
  size_t required_operands() const;
};

// Throws base::InternalError if the text is not a form: the table is ours.
Form parse_form(std::string_view text);

// Is this modifier a type (also one that no operation here knows: "e2m1x2", "b4")?
bool is_type_name(std::string_view modifier);

}  // namespace ptxequiv::isa
