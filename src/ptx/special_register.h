// The predefined read-only registers (PTX manual, chapter 10) and WARP_SZ.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ptxequiv::ptx {

enum class SpecialShape { kNone, kScalar, kVector };
// kNone if there is no special register of that name; `name` is without `.x`.
SpecialShape special_register(std::string_view name);
std::vector<std::string> special_register_names();

}  // namespace ptxequiv::ptx
