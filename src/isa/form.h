// The forms of the instruction table, written nearly as the PTX manual writes them:
//
//   {.rn|.rz|.rm|.rp}{.ftz}{.sat}.f32 d, a, b{, !c:pred}
//
// Modifiers
//   .name  .(x|y)         one that must stand there: one of the names
//   {.name}  {.x|.y}      one that may
//   {.(x|y).(z|w)}        all of these or none
//   .name<74,80>  {.x|.y}<74,80>  .(x|y<74,80>)   with its own least PTX version (times ten) and
//                         targets (target.h), of a name or of all names of a group
//   .*                    any further modifiers
// Operands
//   d, a, b{, c}          named as in the manual; {, c} may be missing
//   !c                    a predicate, which may be negated (any predicate source may)
//   p|q:pred  p{|q}:pred  a pair
//   [a]  [a, c:s32]       an address, and what follows it in the brackets
//   [a:32]                an address of that width
//   a:kind  a:kind|kind   what it is, where that is not the first type modifier:
//     u32 ...             that type
//     t2 t3 ...           the type modifier of that number (before the last dot)
//     wide                twice as wide as the first type
//     u32+ t1+            a register may also be wider (ld, st, cvt)
//     u32!                no literal
//     u32*                a byte or half of a register may be selected: %a.b0 (video)
//     v2:f32  vN:t1       a vector of 2, or of as many as .v2, .v4, .v8 say (one without); also
//                         vG, vX, vI, vL, vW, vT: see kind_lanes in operand_check.cpp
//     mem                 an address in brackets
//     imm  imm(4,8,16)  imm(0..255)  imm(8..64..8)   a literal, with the values that it may
//                         have: some, a range, a range in steps
//     _                   the sink
//     any                 not checked here
//   {, c:b64 if name}     there where the modifier is, and only there
//   ...                   any operands at all
//
// Type modifiers match in order, as do those of order.h; all others match as a set.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/order.h"
#include "isa/target.h"
#include "op/type.h"

namespace ptxequiv::isa {

struct ModifierGroup {
  std::vector<std::string> choices;
  std::vector<Floor> floors;  // one a choice
  bool required = true;
  unsigned unit = 0;  // groups of one unit, if it is not 0, stand there together or not at all
  bool is_type = false;
  ModifierOrder order = ModifierOrder::kAny;  // set by the table, which knows the opcode
};

struct OperandKind {
  enum class Rule : uint8_t { kType, kWide, kFixed, kAddress, kLiteral, kSink, kAny };
  Rule rule = Rule::kType;
  uint8_t type = 0;  // kType: which type modifier, from 0
  op::Type fixed = op::Type::kNone;
  bool relaxed = false;         // u32+
  bool selectable = false;      // u32*
  bool only_register = false;   // u32!
  char lanes_by = 0;            // N, G, ...: how many elements a vector has is computed
  uint16_t lanes = 0;           // of a vector; 0: no vector
  std::vector<int64_t> values;  // of a literal; empty: any
  bool is_range = false;        // values are the least, the greatest, the step
};

struct OperandForm {
  std::string name;
  std::vector<OperandKind> kinds;  // one of them; never empty
  bool optional = false;
  std::string condition;  // the modifier that an optional operand comes with
  bool address = false;
  unsigned address_bits = 0;       // [a:32]
  std::vector<OperandForm> extra;  // what follows an address in its brackets
  std::string second;              // p|q: the second half's name
  bool pair_required = false;
};

struct Form {
  std::vector<ModifierGroup> groups;
  std::vector<OperandForm> operands;
  bool any_modifiers = false;  // .*
  bool any_operands = false;   // ...
  size_t required_operands() const;
  struct Count {
    size_t least = 0, most = 0;
  };
  Count operand_count(const std::vector<std::string>& modifiers) const;
};

// Throws base::InternalError if the text is not a form: the table is ours.
Form parse_form(std::string_view text);

// Is this modifier a type (also one that no operation here knows: "e2m1x2", "b4")?
bool is_type_name(std::string_view modifier);

}  // namespace ptxequiv::isa
