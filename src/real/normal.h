// Normal form over the reals: exact, deterministic, no floating point. Equal forms are equal reals
// wherever both expressions are defined; definedness is kept apart as obligations.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "real/dag.h"
#include "real/facts.h"

namespace ptxequiv::real {

using FormId = uint32_t;

struct NormalOptions {
  size_t max_monomials = 200000;   // of one polynomial; larger products stay factored
};

// A domain condition of a partial operation, with the path on which it matters.
struct Obligation {
  enum class Kind : uint8_t { kNonZero, kNonNegative, kPositive, kDefined } kind;
  RealId argument = kNoReal;       // of which it is demanded; kDefined: that it is not kUndefined
  RealId guard = kNoReal;          // Bool under which the operation is on the selected path
};

enum class Proof : uint8_t {
  kProved,
  kOpen,      // not decided here
};

class Normalizer {
 public:
  Normalizer(Dag& dag, const Facts& facts, NormalOptions options, const base::Deadline& deadline);
  ~Normalizer();

  // Interned normal form of a Real node.
  FormId normalize(RealId id);
  // Equality of two Real nodes, cheapest first: same form; zero test of the difference over a
  // common denominator; case splits on the conditions and lattice operands that occur.
  Proof equal(RealId a, RealId b);
  // A Bool node holds for all inputs that satisfy the facts (sign reasoning, normal forms).
  Proof holds(RealId condition, std::span<const RealId> under = {});
  // Domain conditions met when evaluating `id`. Those that hold by sign reasoning are left out.
  std::vector<Obligation> obligations(RealId id);
  // Is `wanted` implied by `given` (the same condition on an equal argument under a weaker guard)?
  Proof implied(const Obligation& wanted, std::span<const Obligation> given);

  std::string to_string(FormId form) const;   // for --dump real and tests

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ptxequiv::real
