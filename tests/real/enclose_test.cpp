#include "real/enclose.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <map>

namespace ptxequiv::real {
namespace {

using State = Enclosure::State;

struct Fixture {
  Dag dag;
  std::map<RealId, mpq_class> point;
  LeafValue leaf = [this](RealId id, const Node&) -> std::optional<mpq_class> {
    const auto it = point.find(id);
    if (it == point.end()) return {};
    return it->second;
  };

  RealId variable(uint32_t n, const mpq_class& value) {
    const RealId id = dag.leaf(n, op::Type::kF32);
    point[id] = value;
    return id;
  }
  Enclosure at(RealId id, unsigned precision = 64) {
    return enclose(dag, std::vector<RealId>{id}, leaf, precision).front();
  }
  RealId make(Kind k, RealId a, RealId b = kNoReal, RealId c = kNoReal) {
    return dag.make(k, a, b, c);
  }
};

TEST_CASE_METHOD(Fixture, "rational arithmetic is exact") {
  const RealId x = variable(0, mpq_class(1, 3)), y = variable(1, 2);
  const Enclosure e = at(make(Kind::kAdd, make(Kind::kMul, x, y), make(Kind::kDiv, x, y)));
  CHECK(e.state == State::kFinite);
  CHECK(e.low == mpq_class(5, 6));
  CHECK(e.low == e.high);
}

TEST_CASE_METHOD(Fixture, "transcendental functions are enclosed") {
  const RealId x = variable(0, 1);
  struct Row {
    Kind kind;
    double value;
  };
  const RealId half = variable(1, mpq_class(1, 2));
  for (const Row& row :
       {Row{Kind::kExp, std::exp(0.5)}, Row{Kind::kExp2, std::exp2(0.5)},
        Row{Kind::kLog, std::log(0.5)}, Row{Kind::kLog2, -1}, Row{Kind::kSin, std::sin(0.5)},
        Row{Kind::kCos, std::cos(0.5)}, Row{Kind::kTanh, std::tanh(0.5)},
        Row{Kind::kErf, std::erf(0.5)}, Row{Kind::kSqrt, std::sqrt(0.5)}}) {
    const Enclosure e = at(make(row.kind, half));
    INFO(info(row.kind).name);
    CHECK(e.state == State::kFinite);
    CHECK(e.low <= e.high);
    CHECK(e.high - e.low < mpq_class(1, 1000000000));
    CHECK(e.midpoint == Approx(row.value).epsilon(1e-14));
  }
  const RealId log2e = make(Kind::kLog2E, kNoReal);
  // 2^(x log2 e) is e^x.
  const RealId power = make(Kind::kExp2, make(Kind::kMul, x, log2e));
  CHECK(compare_at(dag, power, make(Kind::kExp, x), leaf, 256).result == Comparison::kOverlap);
}

TEST_CASE_METHOD(Fixture, "domains") {
  const RealId zero = variable(0, 0), minus = variable(1, -1), one = variable(2, 1);
  CHECK(at(make(Kind::kDiv, one, zero)).state == State::kUndefined);
  CHECK(at(make(Kind::kSqrt, minus)).state == State::kUndefined);
  CHECK(at(make(Kind::kSqrt, zero)).state == State::kFinite);
  CHECK(at(make(Kind::kLog, zero)).state == State::kUndefined);
  // A difference that is zero, but not exactly known: never settled.
  const RealId e = make(Kind::kExp, one);
  const RealId nothing =
      make(Kind::kSub, make(Kind::kMul, e, e), make(Kind::kExp, make(Kind::kAdd, one, one)));
  CHECK(at(make(Kind::kDiv, one, nothing)).state == State::kUnknown);
  CHECK(compare_at(dag, one, make(Kind::kDiv, one, nothing), leaf, 256).result ==
        Comparison::kUnknown);
}

TEST_CASE_METHOD(Fixture, "only the selected arm counts") {
  const RealId x = variable(0, 0), one = variable(1, 1);
  const RealId positive = make(Kind::kLt, x, one);
  const RealId bad = make(Kind::kDiv, one, x);
  CHECK(at(make(Kind::kIte, positive, one, bad)).state == State::kFinite);
  CHECK(at(make(Kind::kIte, make(Kind::kLt, one, x), one, bad)).state == State::kUndefined);
  // The condition always does.
  CHECK(at(make(Kind::kIte, make(Kind::kLt, bad, one), one, x)).state == State::kUndefined);
  const RealId both = make(Kind::kAnd, make(Kind::kLt, one, x), make(Kind::kLt, bad, one));
  CHECK(at(make(Kind::kIte, both, one, x)).state == State::kUndefined);
}

TEST_CASE_METHOD(Fixture, "infinities are constants") {
  const RealId x = variable(0, 3), minus_infinity = dag.infinity(true);
  CHECK(at(make(Kind::kMax, x, minus_infinity)).low == 3);
  CHECK(at(make(Kind::kMin, x, minus_infinity)).state == State::kMinusInfinity);
  CHECK(at(make(Kind::kExp, make(Kind::kSub, minus_infinity, x))).high == 0);
  CHECK(at(make(Kind::kSub, minus_infinity, minus_infinity)).state == State::kUndefined);
  CHECK(at(make(Kind::kMul, minus_infinity, variable(1, 0))).state == State::kUndefined);
  CHECK(at(make(Kind::kMul, minus_infinity, variable(2, -2))).state == State::kPlusInfinity);
  CHECK(at(make(Kind::kDiv, x, minus_infinity)).low == 0);
  CHECK(compare_at(dag, minus_infinity, x, leaf).result == Comparison::kDisjoint);
  CHECK(at(make(Kind::kIte, make(Kind::kLt, minus_infinity, x), x, minus_infinity)).low == 3);
}

TEST_CASE_METHOD(Fixture, "unknown leaves and huge values") {
  const RealId opaque = dag.opaque(7, op::Type::kF32);
  const RealId x = variable(0, 3);
  CHECK(at(make(Kind::kAdd, opaque, x)).state == State::kUnknown);
  const RealId tower = make(Kind::kExp, make(Kind::kExp, make(Kind::kExp, variable(1, 10))));
  CHECK(at(tower).state == State::kUnknown);
  const Enclosure tiny = at(make(Kind::kExp, make(Kind::kNeg, make(Kind::kExp, variable(1, 20)))));
  CHECK(tiny.state == State::kFinite);
  CHECK(tiny.low >= 0);
  CHECK(tiny.high > 0);
}

TEST_CASE_METHOD(Fixture, "precision grows until the values part") {
  const RealId x = variable(0, 1);
  const mpq_class tiny(1, mpz_class(1) << 600);
  const RealId e = make(Kind::kExp, x);
  const RealId moved = make(Kind::kAdd, e, dag.rational(tiny));
  const PointComparison c = compare_at(dag, e, moved, leaf);
  CHECK(c.result == Comparison::kDisjoint);
  CHECK(c.precision > 512);
  CHECK(compare_at(dag, e, moved, leaf, 256).result == Comparison::kOverlap);
  const PointComparison equal = compare_at(dag, x, make(Kind::kAdd, x, dag.integer(0)), leaf);
  CHECK(equal.result == Comparison::kOverlap);
  CHECK(equal.precision == 64);
  const RealId zero = variable(1, 0);
  const RealId undefined = make(Kind::kDiv, x, zero);
  CHECK(compare_at(dag, x, undefined, leaf).result == Comparison::kCandidateUndefined);
  CHECK(compare_at(dag, undefined, x, leaf).result == Comparison::kReferenceUndefined);
}

TEST_CASE_METHOD(Fixture, "steps") {
  const RealId x = variable(0, mpq_class(5, 2));
  CHECK(at(make(Kind::kRint, x)).low == 2);
  CHECK(at(make(Kind::kCeil, x)).low == 3);
  const RealId e = make(Kind::kExp, variable(1, 1));  // 2.718...
  CHECK(at(make(Kind::kFloor, e)).low == 2);
  CHECK(at(make(Kind::kFloor, e)).high == 2);
  // A step that the enclosure straddles is enclosed by both sides of it.
  const RealId two =
      make(Kind::kMul, make(Kind::kSqrt, variable(2, 2)), make(Kind::kSqrt, variable(2, 2)));
  const Enclosure both = at(make(Kind::kFloor, two));
  CHECK(both.state == State::kFinite);
  CHECK(both.low <= 1);
  CHECK(both.high >= 2);
}

}  // namespace
}  // namespace ptxequiv::real
