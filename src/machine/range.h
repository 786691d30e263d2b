// Intervals of integer terms: enough to bound indices that were masked, clamped, narrowed or
// guarded. Sound, cheap, incomplete; the caller's oracle knows the rest.
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "machine/worlds.h"
#include "term/arena.h"

namespace ptxequiv::machine {

// Bounds of a value of a given width, read both ways, and how many low bits are zero.
struct Range {
  uint64_t low = 0, high = ~uint64_t{0};  // unsigned
  int64_t signed_low = INT64_MIN, signed_high = INT64_MAX;
  unsigned zeros = 0;

  static Range full(unsigned width);
  static Range constant(unsigned width, uint64_t value);
  // Each reading from the other, where they agree on the sign.
  void tighten(unsigned width);
};

// Conditions that hold, as a list of 1-bit terms and their values.
using Facts = std::vector<Decision>;

class Ranges {
 public:
  explicit Ranges(const Context& context) : context_(context), arena_(context.arena) {}

  Range of(term::TermId id, const Facts& facts);
  // Is it a comparison, or made of some, so that `truth` may know?
  bool decidable(term::TermId condition) const;
  // A condition that the bounds settle.
  std::optional<bool> truth(term::TermId condition, const Facts& facts);

 private:
  using Known = std::unordered_map<term::TermId, Range>;
  Range compute(const term::Node& node, const Known& known) const;
  Range of_leaf(const term::Node& node) const;
  // A difference's range, less what being x - min(x, y) excludes.
  Range above(const term::Node& difference, const Known& known, Range r) const;
  // The nodes that bound `root`, children before parents.
  std::vector<term::TermId> below(term::TermId root) const;
  Range of_select(const term::Node& node, const Known& known) const;
  std::optional<bool> compare(term::TermId condition, const Known& known) const;
  std::optional<bool> truth_of_comparison(term::TermId condition, const Facts& facts);
  // Narrows what is known of the operands of `fact`.
  void assume(Known& known, term::TermId fact, bool value) const;
  void narrow(Known& known, const term::Node& comparison, bool value) const;
  void store(Known& known, term::TermId id, Range r) const;
  Range lookup(const Known& known, term::TermId id) const;

  const Context& context_;
  const term::Arena& arena_;
  Known cache_;  // without facts
};

}  // namespace ptxequiv::machine
