// What Normalizer's operations share.
#pragma once
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "real/cases.h"
#include "real/context.h"
#include "real/normal.h"

namespace ptxequiv::real {

struct Normalizer::Impl {
  Impl(Dag& the_dag, const Facts& the_facts, NormalOptions options,
       const base::Deadline& the_deadline)
      : dag(the_dag),
        facts(the_facts),
        deadline(the_deadline),
        algebra(options.max_monomials, the_deadline),
        shape(the_dag) {}

  // The facts and forms of no particular case. Assumptions are taken in at first use.
  Context& base();
  Goal equality(Context& context, RealId a, RealId b, bool* vacuous = nullptr);
  // obligations.cpp
  std::vector<Obligation> obligations(RealId id);
  bool discharged(const Obligation& o);
  bool shown_before(const Obligation& o);
  // Every condition that the guard is made of is defined whatever the input.
  bool exists_everywhere(RealId guard);
  SignSet sign_of_node(RealId id);
  Goal demand(Context& context, const Obligation& o);
  bool implied(const Obligation& wanted, std::span<const Obligation> given);
  // Does `stronger` imply `weaker`? kNoReal is always true.
  bool guard_implies(RealId stronger, RealId weaker);
  RealId both(RealId guard, RealId condition, bool truth);
  RealId either(RealId a, RealId b);

  Dag& dag;
  const Facts& facts;
  const base::Deadline& deadline;
  Algebra algebra;
  Shape shape;
  std::unique_ptr<Context> base_context;
  // Obligations that were discharged, by their argument's form: the other side may write the same
  // argument in a way that hides its sign.
  struct Shown {
    Obligation::Kind kind;
    RealId guard;
  };
  std::unordered_map<FormId, std::vector<Shown>> shown;
  RealId shown_under = kNoReal;                          // the guard that the last discharge needed
  std::unordered_map<uint64_t, bool> discharged_always;  // unguarded, by kind and argument
  std::unordered_map<RealId, SignSet> node_signs;
  std::unordered_set<RealId> clean;  // nodes whose cone has no open obligation, unguarded
};

}  // namespace ptxequiv::real
