// Bounds on differences: what must be proved, what must not, and that every model encloses.
#include "real/bound.h"

#include <catch2/catch.hpp>

#include <random>

#include "normal_support.h"
#include "real/box_model.h"
#include "real/enclose.h"

namespace ptxequiv::real {
namespace {

using test::TestFacts;

struct Fixture {
  Dag dag;
  TestFacts facts;

  RealId leaf(uint32_t n) { return dag.leaf(n, op::Type::kF32); }
  RealId leaf(uint32_t n, const mpq_class& low, const mpq_class& high) {
    const RealId id = leaf(n);
    facts.ranges[id] = {low, high};
    return id;
  }
  RealId num(const mpq_class& value) { return dag.rational(value); }
  RealId make(Kind k, RealId a, RealId b = kNoReal, RealId c = kNoReal) {
    return dag.make(k, a, b, c);
  }
  RealId softplus(RealId x) {
    return make(Kind::kLog, make(Kind::kAdd, num(1), make(Kind::kExp, x)));
  }
  BoundAnswer ask(RealId r, RealId c, const mpq_class& atol, const mpq_class& rtol = 0,
                  uint64_t boxes = 60000) {
    BoundQuestion question{r, c, atol, rtol};
    BoundOptions options;
    options.max_boxes = boxes;
    return bound_difference(dag, facts, question, options, base::Deadline::in(60), {});
  }
};

const mpq_class kMillionth(1, 1000000);

}  // namespace

TEST_CASE_METHOD(Fixture, "softplus with a threshold is near the one without for every float") {
  const RealId x = leaf(0);
  const auto with = [&](long threshold) {
    return make(Kind::kIte, make(Kind::kLt, num(threshold), x), x, softplus(x));
  };
  CHECK(ask(with(20), softplus(x), kMillionth).proved);
  CHECK(ask(softplus(x), with(20), kMillionth).proved);
  // log(1 + e^-20) = 2.06e-9
  CHECK(ask(with(20), softplus(x), mpq_class(21, 10000000000)).proved);
  CHECK_FALSE(ask(with(20), softplus(x), mpq_class(20, 10000000000), 0, 4000).proved);
  CHECK_FALSE(ask(with(13), softplus(x), kMillionth, 0, 4000).proved);
}

TEST_CASE_METHOD(Fixture, "a bound is met or not on either side of the largest difference") {
  // x (1 - x) on [0, 1] is at most 1/4.
  const RealId x = leaf(0, 0, 1);
  const RealId y = make(Kind::kMul, x, make(Kind::kSub, num(1), x));
  CHECK(ask(y, num(0), mpq_class(2501, 10000)).proved);
  CHECK(ask(y, num(0), mpq_class(251, 1000)).proved);
  CHECK_FALSE(ask(y, num(0), mpq_class(2499, 10000), 0, 4000).proved);
}

TEST_CASE_METHOD(Fixture, "a relative bound holds down to zero") {
  const RealId x = leaf(0);
  const RealId r = make(Kind::kMul, x, num(mpq_class(1, 10)));
  const RealId c = make(Kind::kMul, x, num(mpq_class(100001, 1000000)));
  CHECK(ask(r, c, 0, mpq_class(11, 1000000)).proved);
  CHECK_FALSE(ask(r, c, 0, mpq_class(9, 1000000), 2000).proved);
}

TEST_CASE_METHOD(Fixture, "where the candidate may be undefined nothing is proved") {
  const RealId x = leaf(0, -1, 1);
  const RealId root = make(Kind::kSqrt, x);
  CHECK_FALSE(ask(num(0), root, 2, 0, 2000).proved);
  CHECK(ask(root, root, 0).proved);
  // As defined as the reference, and no more is demanded.
  CHECK(ask(make(Kind::kAdd, root, num(0)), make(Kind::kMul, root, num(mpq_class(11, 10))),
            mpq_class(11, 100)).proved);
  CHECK_FALSE(ask(make(Kind::kAdd, root, num(0)), make(Kind::kMul, root, num(mpq_class(11, 10))),
                  mpq_class(9, 100), 0, 2000).proved);
  CHECK_FALSE(ask(num(1), make(Kind::kDiv, x, x), 0, 0, 2000).proved);
  CHECK_FALSE(ask(num(0), dag.undefined(), 5, 0, 100).proved);
}

TEST_CASE_METHOD(Fixture, "an operation on an arm that is not taken does no harm") {
  const RealId x = leaf(0, -1, 1);
  const RealId positive = make(Kind::kLt, num(mpq_class(1, 100)), x);
  const RealId guarded = make(Kind::kIte, positive, make(Kind::kSqrt, x), num(0));
  CHECK(ask(num(0), guarded, 1).proved);
  const RealId other = make(Kind::kIte, positive, num(0), make(Kind::kSqrt, x));
  CHECK_FALSE(ask(num(0), other, 1, 0, 2000).proved);
}

TEST_CASE_METHOD(Fixture, "what both sides share is taken out") {
  const RealId x = leaf(0), y = leaf(1, -1, 1), z = leaf(2);
  const RealId big = make(Kind::kMul, make(Kind::kMul, x, x), z);
  const RealId small = make(Kind::kMul, y, num(mpq_class(1, 1000)));
  const RealId other = make(Kind::kMul, y, num(mpq_class(1, 500)));
  CHECK(ask(make(Kind::kAdd, big, small), make(Kind::kAdd, other, big), mpq_class(2, 1000)).proved);
  CHECK_FALSE(ask(make(Kind::kAdd, big, small), make(Kind::kAdd, other, big),
                  mpq_class(9, 10000), 0, 2000).proved);
  const RealId e = make(Kind::kExp, y);
  CHECK(ask(make(Kind::kDiv, small, e), make(Kind::kDiv, other, e), mpq_class(3, 1000)).proved);
}

TEST_CASE_METHOD(Fixture, "assumptions narrow the box") {
  const RealId x = leaf(0, -10, 10), y = leaf(1, -10, 10);
  const RealId r = make(Kind::kMax, x, y);
  CHECK_FALSE(ask(r, y, 0, 0, 2000).proved);
  facts.assumed = {make(Kind::kLe, x, num(-5)), make(Kind::kLe, num(-5), y)};
  CHECK(ask(r, y, 0).proved);
}

TEST_CASE_METHOD(Fixture, "jumps are seen") {
  const RealId x = leaf(0, 0, 2);
  const RealId step = make(Kind::kFloor, x);
  CHECK(ask(step, x, 1).proved);
  CHECK_FALSE(ask(step, x, mpq_class(9, 10), 0, 4000).proved);
  const RealId jump = make(Kind::kIte, make(Kind::kLt, x, num(1)), x,
                           make(Kind::kAdd, x, num(mpq_class(1, 1000))));
  CHECK_FALSE(ask(x, jump, mpq_class(1, 2000), 0, 4000).proved);
  CHECK(ask(x, jump, mpq_class(1001, 1000000)).proved);
}

TEST_CASE_METHOD(Fixture, "infinities are constants only") {
  const RealId x = leaf(0, 0, 1);
  CHECK(ask(make(Kind::kMax, dag.infinity(true), x), x, 0).proved);
  CHECK_FALSE(ask(make(Kind::kMax, dag.infinity(false), x), x, 100, 0, 50).proved);
  CHECK_FALSE(ask(x, make(Kind::kAdd, dag.infinity(false), x), 100, 0, 50).proved);
}

// At random points of random boxes of random expressions the exact value lies in every model.
TEST_CASE_METHOD(Fixture, "models enclose what ball arithmetic finds at points") {
  std::mt19937 random(7);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  constexpr Kind kUnary[] = {Kind::kNeg,  Kind::kSqrt, Kind::kExp2, Kind::kExp,   Kind::kLog2,
                             Kind::kLog,  Kind::kSin,  Kind::kCos,  Kind::kTanh,  Kind::kErf,
                             Kind::kAbs,  Kind::kRint, Kind::kFloor, Kind::kCeil, Kind::kTrunc};
  constexpr Kind kBinary[] = {Kind::kAdd, Kind::kSub, Kind::kMul, Kind::kDiv, Kind::kMin,
                              Kind::kMax};
  size_t compared = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<RealId> nodes{leaf(0), leaf(1), num(mpq_class(pick(9) - 4, 1 + pick(3)))};
    for (int i = 0; i < 8; ++i) {
      const auto any = [&] { return nodes[random() % nodes.size()]; };
      RealId made;
      if (pick(10) < 4) {
        made = make(kUnary[pick(15)], any());
      } else if (pick(10) < 2) {
        made = make(Kind::kIte, make(pick(2) ? Kind::kLt : Kind::kLe, any(), any()), any(), any());
      } else if (pick(10) < 2) {
        made = softplus(any());
      } else {
        made = make(kBinary[pick(6)], any(), any());
      }
      nodes.push_back(made);
    }
    const bounding::Scope scope = bounding::make_scope(dag, nodes);
    bounding::Box box;
    std::vector<std::pair<mpq_class, mpq_class>> ends;
    for (size_t v = 0; v < scope.variables.size(); ++v) {
      const mpq_class low(pick(65) - 32, 8), width(pick(17), pick(3) ? 64 : 2);
      ends.emplace_back(low, low + width);
      box.spans.push_back({Dyadic(ends[v].first, false, 64), Dyadic(ends[v].second, true, 64)});
    }
    bounding::BoxModels models(dag, scope, box, 90);
    models.evaluate();
    for (int sample = 0; sample < 5; ++sample) {
      std::map<RealId, mpq_class> point;
      for (size_t v = 0; v < scope.variables.size(); ++v) {
        const mpq_class share(pick(5), 4);
        point[scope.variables[v]] = ends[v].first + share * (ends[v].second - ends[v].first);
      }
      const LeafValue value = [&](RealId id, const Node&) -> std::optional<mpq_class> {
        return point.at(id);
      };
      const std::vector<Enclosure> exact = enclose(dag, nodes, value, 200);
      for (size_t i = 1; i < nodes.size(); ++i) {
        const Enclosure &p = exact[i - 1], &q = exact[i];
        const bounding::Model gap = models.difference_of(nodes[i - 1], nodes[i]);
        if (p.state != Enclosure::State::kFinite || q.state != p.state || gap.broken) continue;
        CHECK(Dyadic(p.low - q.high, false, 300) <= gap.range.high);
        CHECK(gap.range.low <= Dyadic(p.high - q.low, true, 300));
      }
      for (size_t i = 0; i < nodes.size(); ++i) {
        const bounding::Model& m = models.at(nodes[i]);
        if (exact[i].state == Enclosure::State::kUndefined) {
          // What is outside of its domain is owned up to, here or below.
          const bounding::BoxModels::Path path = models.path(nodes[i]);
          CHECK(!path.possible.empty());
          continue;
        }
        if (exact[i].state != Enclosure::State::kFinite || m.broken || m.infinite != 0) continue;
        ++compared;
        const Dyadic low(exact[i].low, false, 300), high(exact[i].high, true, 300);
        CHECK(low <= m.range.high);
        CHECK(m.range.low <= high);
        const SpanArithmetic arithmetic(300);
        Span sum = m.rest;
        for (const auto& [variable, factor] : m.linear) {
          sum = arithmetic.add(
              sum, arithmetic.mul(factor, arithmetic.rational(point[scope.variables[variable]])));
        }
        CHECK(low <= sum.high);
        CHECK(sum.low <= high);
      }
    }
  }
  CHECK(compared > 5000);
}

}  // namespace ptxequiv::real
