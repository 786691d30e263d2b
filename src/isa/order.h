// Modifiers whose place matters. ptxas takes most of them in any order, but not types, words of an
// instruction's name, layouts and the two spaces of a copy.
#pragma once
#include <cstdint>
#include <string_view>

namespace ptxequiv::isa {

enum class ModifierOrder : uint8_t { kAny, kType, kName, kLayout, kSpace, kFormat };
inline constexpr unsigned kModifierOrders = 6;

ModifierOrder order_of(std::string_view opcode, std::string_view modifier);

}  // namespace ptxequiv::isa
