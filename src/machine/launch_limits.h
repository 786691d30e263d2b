// Whether a launch is possible at all: the limits of the target (CUDA programming guide, table of
// compute capabilities) and those that the kernel's own directives set (PTX 11.4).
#pragma once
#include <string>

#include "machine/machine.h"

namespace ptxequiv::machine {

// What the launch has and cannot have: "a block of 1056 threads, more than 1024"; empty: nothing.
std::string beyond_limits(const Launch& launch);

// CTAs in a cluster, by the launch or by the kernel's .reqnctapercluster.
uint64_t cluster_size(const Launch& launch);

}  // namespace ptxequiv::machine
