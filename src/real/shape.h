// What one sweep over the Dag tells of each node, before any form is built.
#pragma once
#include <cstdint>
#include <vector>

#include "real/dag.h"

namespace ptxequiv::real {

class Shape {
 public:
  explicit Shape(const Dag& dag) : dag_(dag) {}

  void update();  // takes in nodes that are new in the Dag

  // Products and quotients of leaves and functions: their form is one monomial.
  bool is_monomial(RealId id) const { return (flags_[id] & kMonomial) != 0; }
  // An infinity may reach the value. Everything else is finite wherever it is defined.
  bool may_be_infinite(RealId id) const { return (flags_[id] & (kPlus | kMinus)) != 0; }
  // A partial operation, or one that may meet infinities, lies in the cone.
  bool may_be_undefined(RealId id) const { return (flags_[id] & kPartial) != 0; }
  bool has_several_uses(RealId id) const { return (flags_[id] & kUsedTwice) != 0; }

 private:
  enum : uint8_t {
    kMonomial = 1,
    kPlus = 2,
    kMinus = 4,
    kPartial = 8,
    kUsed = 16,
    kUsedTwice = 32
  };
  uint8_t infinities(const Node& node) const;
  const Dag& dag_;
  std::vector<uint8_t> flags_;
};

// Leaves of sort Real that are one atom or a number.
inline bool is_simple(Kind kind) {
  return kind == Kind::kRational || kind == Kind::kLog2E || kind == Kind::kLeaf ||
         kind == Kind::kOpaque;
}
// Sums and products: taken apart from above rather than built one by one.
inline bool is_additive(Kind kind) {
  return kind == Kind::kAdd || kind == Kind::kSub || kind == Kind::kNeg || kind == Kind::kMul ||
         kind == Kind::kDiv;
}

}  // namespace ptxequiv::real
