#include "ir/ir.h"

#include "base/error.h"
#include "op/type.h"

namespace ptxequiv::ir {

ValueId Function::add_value(unsigned bits) {
  PTXEQUIV_CHECK(bits >= 1 && bits <= 64, "a value has 1 to 64 bits");
  values.push_back({.bits = static_cast<uint8_t>(bits)});
  return static_cast<ValueId>(values.size() - 1);
}

ValueId Function::constant(unsigned bits, uint64_t value) {
  value &= op::mask(bits);
  const auto [entry, is_new] = constants.try_emplace({bits, value}, kNone);
  if (is_new) {
    entry->second = add_value(bits);
    values.back().is_const = true;
    values.back().constant = value;
  }
  return entry->second;
}

}  // namespace ptxequiv::ir
