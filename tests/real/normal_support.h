// Expressions written in C++, for the tests of the normal form.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "real/dag.h"
#include "real/facts.h"
#include "real/normal.h"

namespace ptxequiv::real::test {

class TestFacts : public Facts {
 public:
  Interval range(RealId leaf, const Node& node) const override {
    const auto found = ranges.find(leaf);
    if (found != ranges.end()) return found->second;
    if (static_cast<op::Type>(node.b) == op::Type::kS32) {
      return {mpq_class(-2147483648L), mpq_class(2147483647L)};
    }
    const mpq_class max("340282346638528859811704183484516925440");  // largest f32
    return {mpq_class(-max), max};
  }
  std::span<const RealId> assumptions() const override { return assumed; }

  std::map<RealId, Interval> ranges;
  std::vector<RealId> assumed;
};

struct World;

// A Real or Bool node with operators.
struct Ex {
  World* world = nullptr;
  RealId id = kNoReal;
};

struct World {
  Dag dag;
  TestFacts facts;
  base::Deadline deadline = base::Deadline::in(60);
  Normalizer normalizer{dag, facts, {}, deadline};
  uint32_t next = 0;

  Ex wrap(RealId id) { return {this, id}; }
  Ex x() { return wrap(dag.leaf(next++, op::Type::kF32)); }
  Ex integer() { return wrap(dag.leaf(next++, op::Type::kS32)); }
  std::vector<Ex> xs(size_t n) {
    std::vector<Ex> result;
    for (size_t i = 0; i < n; ++i) result.push_back(x());
    return result;
  }
  Ex c(long n, long d = 1) {
    mpq_class q(n, d);
    q.canonicalize();
    return wrap(dag.rational(q));
  }
  Ex condition() { return wrap(dag.opaque_bool(next++)); }
  Ex minus_infinity() { return wrap(dag.infinity(true)); }

  bool equal(Ex a, Ex b) { return normalizer.equal(a.id, b.id) == Proof::kProved; }
  bool same(Ex a, Ex b) { return normalizer.normalize(a.id) == normalizer.normalize(b.id); }
  std::string text(Ex a) { return normalizer.to_string(normalizer.normalize(a.id)); }
};

inline Ex make(Kind kind, Ex a) {
  return a.world->wrap(a.world->dag.make(kind, a.id));
}
inline Ex make(Kind kind, Ex a, Ex b) {
  return a.world->wrap(a.world->dag.make(kind, a.id, b.id));
}
inline Ex operator+(Ex a, Ex b) {
  return make(Kind::kAdd, a, b);
}
inline Ex operator-(Ex a, Ex b) {
  return make(Kind::kSub, a, b);
}
inline Ex operator-(Ex a) {
  return make(Kind::kNeg, a);
}
inline Ex operator*(Ex a, Ex b) {
  return make(Kind::kMul, a, b);
}
inline Ex operator/(Ex a, Ex b) {
  return make(Kind::kDiv, a, b);
}
inline Ex operator+(Ex a, long n) {
  return a + a.world->c(n);
}
inline Ex operator-(Ex a, long n) {
  return a - a.world->c(n);
}
inline Ex operator*(Ex a, long n) {
  return a * a.world->c(n);
}
inline Ex operator/(Ex a, long n) {
  return a / a.world->c(n);
}
inline Ex operator<(Ex a, Ex b) {
  return make(Kind::kLt, a, b);
}
inline Ex operator>(Ex a, Ex b) {
  return make(Kind::kLt, b, a);
}
inline Ex operator<=(Ex a, Ex b) {
  return make(Kind::kLe, a, b);
}
inline Ex operator>=(Ex a, Ex b) {
  return make(Kind::kLe, b, a);
}
inline Ex eq(Ex a, Ex b) {
  return make(Kind::kEq, a, b);
}
inline Ex exp(Ex a) {
  return make(Kind::kExp, a);
}
inline Ex exp2(Ex a) {
  return make(Kind::kExp2, a);
}
inline Ex log(Ex a) {
  return make(Kind::kLog, a);
}
inline Ex log2(Ex a) {
  return make(Kind::kLog2, a);
}
inline Ex sqrt(Ex a) {
  return make(Kind::kSqrt, a);
}
inline Ex sin(Ex a) {
  return make(Kind::kSin, a);
}
inline Ex cos(Ex a) {
  return make(Kind::kCos, a);
}
inline Ex tanh(Ex a) {
  return make(Kind::kTanh, a);
}
inline Ex erf(Ex a) {
  return make(Kind::kErf, a);
}
inline Ex abs(Ex a) {
  return make(Kind::kAbs, a);
}
inline Ex max(Ex a, Ex b) {
  return make(Kind::kMax, a, b);
}
inline Ex min(Ex a, Ex b) {
  return make(Kind::kMin, a, b);
}
inline Ex ite(Ex c, Ex a, Ex b) {
  return a.world->wrap(a.world->dag.make(Kind::kIte, c.id, a.id, b.id));
}

inline Ex sum(const std::vector<Ex>& all) {
  Ex s = all[0];
  for (size_t i = 1; i < all.size(); ++i) s = s + all[i];
  return s;
}
inline Ex tree_sum(std::vector<Ex> all) {
  for (; all.size() > 1; all.resize((all.size() + 1) / 2)) {
    const size_t half = (all.size() + 1) / 2;
    for (size_t i = 0; i + half < all.size(); ++i) all[i] = all[i] + all[i + half];
  }
  return all[0];
}

}  // namespace ptxequiv::real::test
