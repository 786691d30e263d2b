// Parts of the check file that flags use too.
#pragma once
#include "spec/reader.h"

namespace ptxequiv::spec {

// One entry of "args". Names are looked up among the check's buffers and scalars.
Argument read_argument(const Reader& reader, const Node& node, const Check& check);
std::vector<Argument> read_arguments(const Reader& reader, const Node& node, const Check& check);
// One entry of "launches", a fill or a copy included. `folder` is what paths are relative to.
Step read_step(const Reader& reader, const Node& node, const Check& check,
               const std::string& folder);
// `expect` of a file that may be wrong elsewhere; empty if it has none that can be read.
std::string peek_expect(const std::string& path);

}  // namespace ptxequiv::spec
