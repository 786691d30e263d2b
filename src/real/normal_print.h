// Normal forms as text, for --dump real and tests.
#pragma once
#include <string>

#include "real/algebra.h"

namespace ptxequiv::real {

std::string print(const Algebra& algebra, const Dag& dag, const Poly& p);

}  // namespace ptxequiv::real
