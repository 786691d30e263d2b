// Accesses to memory with the modifiers of the instruction in hand.
#pragma once
#include "isa/context.h"

namespace ptxequiv::isa {

// The address of operand `name` and the access made there; the caller adds `type` and `count`.
struct AccessPlace {
  Context::Place place;
  ir::MemoryAccess access;
};
AccessPlace access_place(Context& context, std::string_view name);

}  // namespace ptxequiv::isa
