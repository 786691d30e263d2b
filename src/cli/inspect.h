// `ptxequiv inspect`: what a PTX file says about its kernels, and a check file to fill in.
#pragma once
#include <string>
#include <vector>

#include "ptx/ast.h"

namespace ptxequiv::cli {

// Text for people on the module's entries, or on the one named `entry`.
// Throws base::InputError if there is no such entry.
std::string describe_module(const ptx::Module& module, const std::string& entry);

// A check file whose sizes and grids are "?": reading it back names each place to fill in. The
// candidate may be the reference itself.
std::string check_file_for(const ptx::Module& reference, const ptx::Module& candidate,
                           const std::string& entry);

}  // namespace ptxequiv::cli
