// Linear reasoning (Farkas): a target follows from facts if it is a nonnegative combination of
// them.
#pragma once
#include <gmpxx.h>

#include <utility>
#include <vector>

#include "base/deadline.h"

namespace ptxequiv::real {

// constant + sum of coefficients * variables, with variables named by small integers.
struct LinearForm {
  mpq_class constant;
  std::vector<std::pair<int, mpq_class>> terms;  // distinct variables
};

struct LinearFact {
  LinearForm form;  // form >= 0, or > 0
  bool strict = false;
};

// Whether target >= 0 (or > 0) follows from `facts`. False means "not shown".
bool follows(const LinearForm& target, bool strict, const std::vector<LinearFact>& facts,
             int variables, const base::Deadline& deadline);

}  // namespace ptxequiv::real
