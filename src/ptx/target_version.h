// Which version of PTX has a target.
#pragma once
#include <cstdint>
#include <string_view>

namespace ptxequiv::ptx {

// The PTX version, times ten, in which a target ("sm_90a") first appears; 0 if there is no such
// target.
uint16_t first_version(std::string_view target);

}  // namespace ptxequiv::ptx
