// Values of real expressions at a point: in ball arithmetic (Arb), which confirms refutations, and
// in doubles, which only filter.
#pragma once
#include <gmpxx.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "real/dag.h"

namespace ptxequiv::real {

// A closed interval with dyadic ends that contains the exact value, or why there is none.
struct Enclosure {
  enum class State : uint8_t {
    kFinite,        // low <= value <= high
    kPlusInfinity,  // exactly an infinity
    kMinusInfinity,
    kUndefined,     // certainly outside a partial operation's domain on the selected path
    kUnknown,       // opaque, or the precision did not settle a comparison or a domain
  } state = State::kUnknown;
  mpq_class low, high;
  double midpoint = 0;
};

// Exact rational value of a kLeaf; for kOpaque/kOpaqueBool leaves the caller may know the value
// (evaluated bits) or not (nullopt -> kUnknown).
using LeafValue = std::function<std::optional<mpq_class>(RealId, const Node&)>;

// Encloses `roots` at the point, with `precision` bits. Each node below is computed once.
std::vector<Enclosure> enclose(const Dag& dag, std::span<const RealId> roots, const LeafValue& leaf,
                               unsigned precision);

enum class Comparison : uint8_t { kDisjoint, kOverlap, kReferenceUndefined, kCandidateUndefined,
                                  kUnknown };
// Compares two roots at growing precision (64 .. max_precision) until their enclosures are disjoint
// or one side's definedness settles. kCandidateUndefined: the reference is defined there.
struct PointComparison {
  Comparison result = Comparison::kUnknown;
  Enclosure reference, candidate;
  unsigned precision = 0;
};
PointComparison compare_at(const Dag& dag, RealId reference, RealId candidate, const LeafValue& leaf,
                           unsigned max_precision = 4096);

// Double values of `roots` at a point; NaN where undefined or unknown. A filter, never a proof.
std::vector<double> sample(const Dag& dag, std::span<const RealId> roots,
                           const std::function<double(RealId, const Node&)>& leaf);

}  // namespace ptxequiv::real
