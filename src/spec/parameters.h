// What a kernel does with its parameters, as far as its text shows without executing it: for
// inference of arguments and for `ptxequiv inspect`. A guess for people; no proof rests on it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ptx/ast.h"
#include "spec/spec.h"

namespace ptxequiv::spec {

// Some bytes of a parameter that the kernel reads: a whole scalar, or a member of a struct.
struct ParameterSlot {
  uint32_t offset = 0, bytes = 0;
  op::Type type = op::Type::kNone;  // of the load
  bool pointer = false;
  bool loaded = false, stored = false;  // memory, through the pointer
  bool escapes = false;                 // given to a call, stored, or used in a way not followed
  std::vector<op::Type> accesses;       // types of those loads and stores
};

struct ParameterUse {
  ptx::SymbolId symbol = ptx::kNoSymbol;
  std::string name;
  op::Type type = op::Type::kNone;
  uint64_t bytes = 0;
  uint32_t align = 0;
  bool is_array = false;          // a struct by value, or a tensor map
  bool declared_pointer = false;  // .ptr
  bool address_taken = false;
  std::vector<ParameterSlot> slots;  // by offset; empty if it is never read
};

std::vector<ParameterUse> parameter_uses(const ptx::Module& module, const ptx::Function& kernel);

// The role that the uses through a pointer suggest.
Role suggested_role(const ParameterSlot& slot);

}  // namespace ptxequiv::spec
