// What ptxas refuses of a function's head, beyond its syntax.
#pragma once
#include "ptx/build.h"

namespace ptxequiv::ptx {

// Whether the target exists, and in the module's PTX version; `loc` is its place.
void check_target(const BuildContext& context, SourceLoc loc);
// One performance-tuning directive (PTX manual, 11.4), read from `loc`.
void check_directive(const BuildContext& context, const Function& function, std::string_view name,
                     const std::vector<uint64_t>& values, SourceLoc loc);
// Directives that exclude or need each other; kinds of parameters.
void check_head(const BuildContext& context, const Function& function);
// A second declaration of a function, or its definition.
void check_redeclaration(const BuildContext& context, const Function& earlier,
                         const Function& function);
// .alias ALIAS, TARGET
void check_alias(const BuildContext& context, const Function& alias, const Function& target,
                 SourceLoc loc);

}  // namespace ptxequiv::ptx
