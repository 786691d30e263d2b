// The operations of the Dag on normal forms: quotients, roots, exponentials, logarithms, maxima,
// indicators, steps. Each uses sign reasoning to apply a law only where it holds.
#pragma once
#include <optional>
#include <vector>

#include "real/algebra.h"
#include "real/sign.h"

namespace ptxequiv::real {

class Forms {
 public:
  Forms(Algebra& algebra, Signs& signs) : algebra_(algebra), signs_(signs) {}

  // 1/p; nothing for p = 0.
  std::optional<Term> inverse(const Poly& p);
  std::optional<Poly> root(const Poly& p);  // nothing: negative for certain
  Poly exp2(const Poly& p);
  std::optional<Poly> log2(const Poly& p);  // nothing: never positive
  Poly sine(const Poly& p) { return odd(AtomKind::kSin, p); }
  Poly cosine(const Poly& p);
  Poly erf(const Poly& p) { return odd(AtomKind::kErf, p); }
  Poly tanh(const Poly& p);
  Poly floor(const Poly& p);
  Poly ceil(const Poly& p) { return algebra_.scale(floor(algebra_.scale(p, -1)), -1); }
  Poly rint(const Poly& p);
  Poly trunc(const Poly& p);

  Poly maximum(std::vector<Poly> operands, int depth = 0);
  Poly minimum(const Poly& a, const Poly& b);
  Poly absolute(const Poly& p) { return maximum({p, algebra_.scale(p, -1)}); }

  Poly positive(const Poly& p);  // [p > 0]
  Poly zero(const Poly& p);      // [p = 0]
  // where c is an indicator form.
  Poly complement(const Poly& c) { return algebra_.add(algebra_.constant(1), c, -1); }
  Poly choose(const Poly& c, const Poly& then_form, const Poly& else_form);

  Algebra& algebra() { return algebra_; }
  Signs& signs() { return signs_; }

 private:
  AtomId factor(const Poly& primitive);
  Poly odd(AtomKind kind, const Poly& p);
  Poly power(const Poly& p, int32_t units);
  Poly root_of_rational(const Coefficient& c);
  Poly log2_of_rational(const Coefficient& c);
  Poly log2_of_base(AtomId atom);
  std::vector<Poly> polys_of(const std::vector<PolyId>& ids) const;
  Monomial positive_content(const std::vector<Poly>& operands, bool among_others);
  // Whether the value exists at every point, whatever is selected: no inverse, root or logarithm in
  // it that facts do not protect.
  bool is_total(const Poly& p);
  Poly drop_irrelevant_factors(const Poly& p, bool keep_sign, bool& negative);

  Algebra& algebra_;
  Signs& signs_;
};

}  // namespace ptxequiv::real
