// The proving half of the ladder: equal ids, one of each kind, normal form, case splits, Z3; and
// for each proof that the candidate is defined wherever the reference is.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "check/elements.h"
#include "check/facts.h"
#include "real/normal.h"
#include "real/reading.h"
#include "smt/solver.h"

namespace ptxequiv::check {

struct ProofLog {
  std::map<std::string, uint64_t> steps;         // rung -> elements
  uint64_t reference_domain = 0;                 // domain conditions of the reference kept as given
  uint64_t nonlinear_unsat = 0;                  // proofs that rest on nlsat alone
  // Models of failed queries: points worth trying as witnesses, by element.
  std::vector<std::pair<size_t, smt::Model>> models;
};

class Prover {
 public:
  Prover(term::Arena& arena, real::Reading& reading, const SpecFacts& facts,
         real::Normalizer& normalizer, smt::Solver& solver, const base::Deadline& deadline);

  // kForms: equal normal forms only. kFull: case splits, then Z3 for the rest.
  enum class Effort : uint8_t { kForms, kFull };

  // Proves what it can of the open elements and says why the others stay open. Stops early, with
  // reason "timeout", when the deadline passes. `progress` may be empty.
  void prove(std::vector<Element>& elements, ProofLog& log, Effort effort,
             const std::function<void(uint64_t, uint64_t)>& progress);

  // What the two sides store in an element that both write under the same condition; else nothing,
  // and why.
  std::optional<std::pair<TermId, TermId>> stored_values(const Element& element, std::string& why);

  // An unwritten byte lies below this term: no real reading applies (design: Poison).
  bool poisoned(TermId id);

 private:
  struct Decision {
    bool proved = false;
    std::string step;      // rung that proved it
    std::string why_open;
    uint64_t reference_domain = 0;
    bool nonlinear = false;
    std::optional<smt::Model> model;
    std::optional<smt::Model> model_of_bits = std::nullopt;  // where both were asked
  };
  Decision decide(const Element& element);
  Decision decide_stores(const Element& element);
  // Both sides write the element under the same condition; then the values that they store.
  Decision same_coverage(const Element& element, TermId& reference, TermId& candidate);
  bool keeps_own_contents(const Element& element) const;
  Decision decide_value(TermId reference, TermId candidate, op::Type type);
  Decision compare(TermId reference, TermId candidate, op::Type type);
  // Definedness of `candidate` wherever `reference` is defined.
  void settle_definedness(real::RealId reference, real::RealId candidate, Decision& decision);
  void record(const Element& element);
  Decision ask_for_bits(TermId reference, TermId candidate);
  // prover_order.cpp: as values that are only compared and chosen. A model only if the bits of the
  // two differ there.
  Decision by_order(TermId reference, TermId candidate, op::Type type);
  bool sees_opaque(real::RealId id) const;
  bool decided_by_bits(real::RealId left, real::RealId right, op::Type type) const;
  bool equal_for_all_inputs(term::TermId a, term::TermId b, uint64_t most_work) const;
  Decision ask_solver(real::RealId reference, real::RealId candidate);
  real::RealId condition_of(const real::Obligation& obligation);
  real::RealId guarded(const real::Obligation& obligation);

  term::Arena& arena_;
  real::Reading& reading_;
  const SpecFacts& facts_;
  real::Normalizer& normalizer_;
  smt::Solver& solver_;
  const base::Deadline& deadline_;
  std::vector<bool> poison_;  // by term
  Effort effort_ = Effort::kFull;
};

}  // namespace ptxequiv::check
