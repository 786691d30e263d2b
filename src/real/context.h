// One case of a proof: facts about signs, and the forms that hold under them.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "real/evaluator.h"

namespace ptxequiv::real {

struct Context {
  Context(const Dag& dag, Shape& shape, Algebra& algebra, const Signs& base, bool dense = false)
      : signs(base), forms(algebra, signs), evaluator(dag, shape, forms, dense) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  Signs signs;
  Forms forms;
  Evaluator evaluator;
};

// What a case adds to the facts.
struct Decision {
  enum class Kind : uint8_t { kPositive, kNonNegative, kZero, kNonZero, kBool } kind;
  Poly poly;              // all but kBool
  RealId node = kNoReal;  // kBool: an opaque condition, and what it is
  bool truth = false;
  friend bool operator==(const Decision&, const Decision&) = default;
};

// Applies it to the context's facts and leaves; before anything is evaluated there.
void apply(Context& context, const Decision& decision);

// The decisions that a Bool node implies, taken apart through its connectives as far as they go,
// with comparisons evaluated in `where`. What is not understood is left out. Appends to `out`;
// false if the condition is plainly false.
bool imply(Context& where, const Dag& dag, RealId condition, bool truth,
           std::vector<Decision>& out);

// Atoms that occur in p, at any depth, ascending (so inner ones first).
std::vector<AtomId> atoms_within(const Algebra& algebra, const Poly& p);

}  // namespace ptxequiv::real
