// The refuting half of the ladder: points as a filter, enclosures as the confirmation, and a
// smaller witness (design: section 5).
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/deadline.h"
#include "check/elements.h"
#include "check/facts.h"
#include "check/points.h"
#include "real/enclose.h"
#include "real/reading.h"
#include "smt/solver.h"

namespace ptxequiv::check {

struct Refutation {
  size_t element = 0;
  Point point;
  real::PointComparison comparison;   // the confirmed difference
  bool by_bits = false;               // exact bits decide (integers, level bitwise)
  uint64_t reference_bits = 0, candidate_bits = 0;   // as hardware would leave them, uncontracted
};

class Refuter {
 public:
  Refuter(const term::Arena& arena, real::Reading& reading, const SpecFacts& facts,
          const base::Deadline& deadline, uint64_t seed)
      : arena_(arena), reading_(reading), facts_(facts), deadline_(deadline), seed_(seed) {}

  // From here on a difference counts only beyond atol + rtol * |reference|.
  void set_tolerance(const mpq_class& atol, const mpq_class& rtol) { tolerance_ = {atol, rtol}; }

  const SpecFacts& facts() const { return facts_; }
  // A point that satisfies every `assume` relation; nullopt if none was found.
  std::optional<Point> feasible_point();

  // Is the point an input: inside the ranges, and as every assumption demands?
  bool admits(const Point& point) { return assumptions_hold(point); }

  // Tries a point of each draw on these elements and returns the first confirmed difference.
  std::optional<Refutation> search(const std::vector<Element>& elements,
                                   const std::vector<size_t>& which);
  // Tries to confirm a difference of one element at one point (say, a solver's model).
  std::optional<Refutation> confirm(const std::vector<Element>& elements, size_t index,
                                    const Point& point);
  // A point made of a solver's model: each value rounded to the leaf's type.
  Point point_of(const smt::Model& model);
  // Fewest non-zero inputs, simple values; stays confirmed.
  Refutation minimise(const std::vector<Element>& elements, Refutation refutation);
  // Is this 1-bit term true at some point, by exact evaluation?
  std::optional<Point> find_true(term::TermId condition);
  // The point, if it is an input at which the term is true.
  std::optional<Point> confirm_true(term::TermId condition, const Point& point);
  // Bits of both sides at the point, every operation rounded as written.
  void fill_bits(const Element& element, Refutation& refutation);

  // Points at which an input is one of the numbers that it is compared with, or a neighbour.
  std::vector<Point> thresholds(const Element& element);

  // Leaves that are inputs, in the cones of these terms.
  std::vector<term::TermId> leaves(std::initializer_list<term::TermId> roots) const;

 private:
  bool within_ranges(const Point& point) const;
  bool assumptions_hold(const Point& point);
  real::LeafValue leaf_values(const Point& point, std::span<const real::RealId> roots);
  std::vector<size_t> suspicious(const std::vector<Element>& elements,
                                 const std::vector<size_t>& open, const Point& point);
  // For each of `open`: large whole numbers may differ by less than doubles show.
  std::vector<bool> different_wholes(const std::vector<Element>& elements,
                                     const std::vector<size_t>& open, const Point& point) const;
  bool puts_bits_together(const Element& element);
  bool is_put_together(term::TermId side, op::Type type);
  // Is the difference more than what reading library functions and literals as reals can make?
  bool exceeds_idealisation(const Element& element, const Refutation& found);
  // A cheap look at one element: do the two sides seem to differ at this point?
  bool seems_different(const Element& element, const Point& point);

  std::optional<Refutation> search_sizes(const std::vector<Element>& elements,
                                         const std::vector<size_t>& which);
  bool exceeds_tolerance(real::PointComparison& found, real::RealId reference,
                         real::RealId candidate, const real::LeafValue& leaf) const;

  const term::Arena& arena_;
  real::Reading& reading_;
  const SpecFacts& facts_;
  const base::Deadline& deadline_;
  uint64_t seed_;
  std::optional<std::pair<mpq_class, mpq_class>> tolerance_;
};

}  // namespace ptxequiv::check
