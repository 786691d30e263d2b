// `symbols` of a check file: contents of __constant__ and __device__ variables.
#pragma once
#include <vector>

#include "check/prepare.h"

namespace ptxequiv::check {

// The bytes of each named variable in these modules. Adds to `found`, as long as spec.symbols,
// which names were there. Throws base::InputError for contents that do not fit.
std::vector<machine::Variable> given_variables(const spec::Check& check,
                                               const std::vector<const ptx::Module*>& modules,
                                               std::vector<bool>& found);

// Throws base::InputError for a name that no module has, with the nearest one.
void require_found(const spec::Check& check, const std::vector<const ptx::Module*>& modules,
                   const std::vector<bool>& found);

}  // namespace ptxequiv::check
