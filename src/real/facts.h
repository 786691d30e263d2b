// What is known of the leaves: declared ranges, finite ranges of types, `assume` relations.
#pragma once
#include <gmpxx.h>

#include <optional>
#include <span>
#include <vector>

#include "real/dag.h"

namespace ptxequiv::real {

struct Interval {
  std::optional<mpq_class> low, high;   // absent: unbounded
};

class Facts {
 public:
  // Range of a kLeaf from its term: declared, else the finite range of its type (|x| <= MAX_T for
  // floats, the type's limits for integers).
  virtual Interval range(RealId leaf, const Node& node) const = 0;
  // Boolean nodes that hold (`assume`), read into the same Dag.
  virtual std::span<const RealId> assumptions() const = 0;
  virtual ~Facts() = default;
};

}  // namespace ptxequiv::real
