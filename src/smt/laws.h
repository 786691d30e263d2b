// What is cheap and sound to say of functions that Z3 does not know. One row per function.
#pragma once
#include <z3++.h>

#include <vector>

#include "real/dag.h"

namespace ptxequiv::smt {

// One application f(argument) = value that was replaced by the variable `value`.
struct Application {
  real::Kind kind;
  z3::expr argument, value;
};

// Facts that hold of all applications: bounds, special values, tangents, and (for few
// applications) monotonicity between pairs.
std::vector<z3::expr> laws(z3::context& context, const std::vector<Application>& applications);

}  // namespace ptxequiv::smt
