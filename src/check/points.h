// Concrete inputs: one choice of bits for every leaf, representable and inside the declared ranges.
#pragma once
#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "check/facts.h"
#include "real/dag.h"
#include "term/arena.h"

namespace ptxequiv::check {

// How default values of leaves are drawn. Each is tried in turn.
enum class Draw : uint8_t {
  kSmall,      // multiples of 1/2 between -4 and 4; small integers
  kUniform,    // multiples of 1/256 between -3 and 3; small integers
  kPositive,   // multiples of 1/64 in (0, 4]
  kZero,
  kOne,
  kTies,       // k + 1/2
  kWide,       // either sign, magnitudes 2^-12 .. 2^12; integers over the whole type
  kSparse,     // zero but for one leaf in eight
  kExtreme,    // ends of the declared range, or large magnitudes
  kNegative,   // all below zero, of one size: -(1 .. 2) 2^k with k from the seed
  kMasked,     // integers zero, floats as kPositive: nothing is kept
  kDense,      // full significands between 1/16 and 16: sums and products round
};
inline constexpr unsigned kDrawCount = 12;

class Point {
 public:
  Point(const term::Arena& arena, const SpecFacts& facts, Draw draw, uint64_t seed)
      : arena_(&arena), facts_(&facts), draw_(draw), seed_(seed) {}

  // Bits of a leaf term: an explicit choice, else drawn from (seed, leaf), always the same.
  uint64_t bits(term::TermId leaf) const;
  // Is the leaf an input, or something else with a value that a run may give it? What an unwritten
  // byte or an address holds is nobody's choice.
  bool is_given(term::TermId leaf) const;
  void set(term::TermId leaf, uint64_t bits) { chosen_[leaf] = bits; }
  void clear(term::TermId leaf) { chosen_.erase(leaf); }
  const std::unordered_map<term::TermId, uint64_t>& chosen() const { return chosen_; }
  // The leaf's value read as a type (kLeaf nodes carry the type they are read as).
  std::optional<mpq_class> value(const real::Node& leaf) const;
  Draw draw() const { return draw_; }
  uint64_t seed() const { return seed_; }

 private:
  uint64_t drawn(const term::Node& leaf) const;

  const term::Arena* arena_;
  const SpecFacts* facts_;
  Draw draw_;
  uint64_t seed_;
  std::unordered_map<term::TermId, uint64_t> chosen_;
};

}  // namespace ptxequiv::check
