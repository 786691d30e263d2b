// Instructions that the forms of the table allow, as text: to be shown to ptxas.
#pragma once
#include <string>
#include <vector>

#include "isa/table.h"

namespace ptxequiv::testing {

// A row's modifiers in all combinations if there are at most `limit`; else each choice once from
// the plainest combination, and others up to that number by a fixed rule.
std::vector<std::string> samples(const isa::Entry& entry, size_t limit);

// A module of one kernel with an instruction a line, the first on line `kFirstLine`.
inline constexpr unsigned kFirstLine = 11;
std::string sample_module(const std::vector<std::string>& instructions, unsigned version,
                          const std::string& target);

}  // namespace ptxequiv::testing
