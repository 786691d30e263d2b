// Whether a form is zero although it is not written as nothing: over a common denominator.
#pragma once
#include "real/forms.h"

namespace ptxequiv::real {

bool is_zero(Forms& forms, Poly difference);

}  // namespace ptxequiv::real
