// Whole numbers, and fractions of them, as Z3's integers. As reals with conversions around every
// step function the same queries do not end. Included only in src/smt.
#pragma once
#include <gmpxx.h>
#include <z3++.h>

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "real/dag.h"

namespace ptxequiv::smt {

// numerator / denominator, where the numerator has sort Int.
struct IntegerForm {
  z3::expr numerator;
  mpz_class denominator;
};

class IntegerForms {
 public:
  // Facts about the unknowns that step functions bring in go to `facts`.
  IntegerForms(z3::context& context, const real::Dag& dag, std::vector<z3::expr>& facts)
      : context_(context), dag_(dag), facts_(facts) {}

  void set(real::RealId id, IntegerForm form) { forms_.emplace(id, std::move(form)); }
  const IntegerForm* find(real::RealId id) const;
  // Gives `id` a form where its operation and operands allow it; `parts` are the operands of a sum.
  // Conditions of choices are `condition`'s.
  bool add(real::RealId id, const real::Node& node, std::span<const real::RealId> parts,
           const z3::expr* condition);
  // A comparison of two forms; nothing if one has none.
  std::optional<z3::expr> compare(const real::Node& node) const;
  z3::expr as_real(const IntegerForm& form) const;

 private:
  std::optional<IntegerForm> make(real::RealId id, const real::Node& node,
                                  std::span<const real::RealId> parts, const z3::expr* condition);
  z3::expr number(const mpz_class& value) const;
  z3::expr scaled(const IntegerForm& form, const mpz_class& denominator) const;
  IntegerForm sum(std::span<const real::RealId> parts) const;
  z3::expr floored(real::RealId id, const char* name, const z3::expr& numerator,
                   const mpz_class& denominator);

  z3::context& context_;
  const real::Dag& dag_;
  std::vector<z3::expr>& facts_;
  std::map<real::RealId, IntegerForm> forms_;
};

}  // namespace ptxequiv::smt
