// Which PTX versions and targets an instruction needs (PTX manual, 11.1.2).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace ptxequiv::isa {

// Targets, written as in a row of the table: a number is that target and all later ones; else
// alternatives separated by `|`:
//   90    sm_90 and later      90a   sm_90a alone
//   100f  sm_100f, sm_100a and what follows them in their family (sm_103a, sm_103f)
//   30-62 from sm_30 to sm_62
//   <64   any, in modules before PTX 6.4
class Targets {
 public:
  constexpr Targets(int from) : from_(static_cast<uint16_t>(from)) {}  // NOLINT: rows write 80
  constexpr Targets(const char* text) : text_(text) {}                 // NOLINT
  constexpr explicit Targets(std::string_view text) : text_(text) {}
  // "sm_90a", in a module of PTX `version` (times ten).
  bool contain(std::string_view target, uint32_t version) const;
  std::string to_string() const;  // "sm_90a or sm_100f"

 private:
  uint16_t from_ = 0;
  std::string_view text_;
};

// A version and targets, of a form or of one of its modifiers.
struct Floor {
  uint16_t ptx = 10;  // PTX ISA version, times ten (70 is 7.0)
  Targets targets = 10;
};

}  // namespace ptxequiv::isa
