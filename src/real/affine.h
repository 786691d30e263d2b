// A number as a multiple of one leaf and a rest between bounds: what intervals alone lose when a
// leaf occurs twice, as in x - 7 * (x / 7).
#pragma once
#include <gmpxx.h>

#include "term/arena.h"

namespace ptxequiv::real {

struct Affine {
  term::TermId base = term::kNoTerm;  // kNoTerm: only the rest
  mpq_class factor;
  mpq_class low, high;  // of the rest
  // The leaf's own range.
  mpq_class base_low, base_high;

  mpq_class least() const;
  mpq_class greatest() const;
};

Affine scaled(Affine a, const mpq_class& by);
// a + b; of two different leaves the one with the larger share stays.
Affine sum(const Affine& a, const Affine& b);
// Of a number that differs from this one by something between `low` and `high`.
Affine widened(Affine a, const mpq_class& low, const mpq_class& high);

}  // namespace ptxequiv::real
