// Every law that the normal form uses over the functions, one row each: proved by Z3, or, where it
// cannot, held to enclosures at many points. A law must be used (the two sides have one normal
// form), and every function of the Dag must have one, so that none comes in without a proof.
#include <catch2/catch.hpp>

#include <random>
#include <set>

#include "../real/normal_support.h"
#include "base/log.h"
#include "real/enclose.h"
#include "smt/solver.h"

namespace ptxequiv::smt {
namespace {

using namespace real::test;
using real::Kind;
using real::RealId;

enum class Proof : uint8_t { kZ3, kEnclosures };
enum class Domain : uint8_t { kAll, kPositive };  // of the leaves
struct Sides {
  Ex left, right;
};
struct Law {
  const char* name;
  Kind function;
  Proof proof;
  Domain domain;
  Sides (*make)(World& w, Ex x, Ex y, Ex n);  // n is whole
};

Ex floor_of(Ex a) {
  return real::test::make(Kind::kFloor, a);
}
Ex ceil_of(Ex a) {
  return real::test::make(Kind::kCeil, a);
}
Ex rint_of(Ex a) {
  return real::test::make(Kind::kRint, a);
}
Ex trunc_of(Ex a) {
  return real::test::make(Kind::kTrunc, a);
}

constexpr auto kZ3 = Proof::kZ3;
constexpr auto kPoints = Proof::kEnclosures;
constexpr auto kAll = Domain::kAll;
constexpr auto kPositive = Domain::kPositive;
#define SIDES(left, right)                                         \
  [](World& w, Ex x, Ex y, Ex n) -> Sides {                        \
    return (void)w, (void)x, (void)y, (void)n, Sides{left, right}; \
  }

const Law kLaws[] = {
    {"exp of a sum", Kind::kExp, kPoints, kAll, SIDES(exp(x + y), exp(x) * exp(y))},
    {"exp of a difference", Kind::kExp, kPoints, kAll, SIDES(exp(x - y), exp(x) / exp(y))},
    {"exp of a double", Kind::kExp, kPoints, kAll, SIDES(exp(x * 2), exp(x) * exp(x))},
    {"exp of a half", Kind::kExp, kPoints, kAll, SIDES(sqrt(exp(x)), exp(x / 2))},
    {"exp of a logarithm", Kind::kExp, kPoints, kPositive, SIDES(exp(log(x)), x)},
    {"exp2 of a sum", Kind::kExp2, kPoints, kAll, SIDES(exp2(x + y), exp2(x) * exp2(y))},
    {"exp2 of a whole shift", Kind::kExp2, kPoints, kAll, SIDES(exp2(x + 3), exp2(x) * 8)},
    {"exp2 of a logarithm", Kind::kExp2, kPoints, kPositive, SIDES(exp2(log2(x) * 3), x* x* x)},
    {"a root as a power", Kind::kExp2, kPoints, kPositive, SIDES(exp2(log2(x) / 2), sqrt(x))},
    {"log of a product", Kind::kLog, kPoints, kPositive, SIDES(log(x* y), log(x) + log(y))},
    {"log of a quotient", Kind::kLog, kPoints, kPositive, SIDES(log(x / y), log(x) - log(y))},
    {"log of exp", Kind::kLog, kPoints, kAll, SIDES(log(exp(x)), x)},
    {"log of a root", Kind::kLog, kPoints, kPositive, SIDES(log(sqrt(x)), log(x) / 2)},
    {"log2 of a product", Kind::kLog2, kPoints, kPositive, SIDES(log2(x * 8), log2(x) + 3)},
    {"log2 of a power", Kind::kLog2, kPoints, kPositive, SIDES(log2(x* x), log2(x) * 2)},
    {"log2 of exp2", Kind::kLog2, kPoints, kAll, SIDES(log2(exp2(x)), x)},
    {"a square of a root", Kind::kSqrt, kZ3, kPositive, SIDES(sqrt(x) * sqrt(x), x)},
    {"a root of a square", Kind::kSqrt, kZ3, kAll, SIDES(sqrt(x* x), abs(x))},
    {"a root of a product", Kind::kSqrt, kZ3, kPositive, SIDES(sqrt(x* y), sqrt(x) * sqrt(y))},
    {"a root of a quotient", Kind::kSqrt, kZ3, kPositive, SIDES(x / sqrt(x), sqrt(x))},
    {"whole squares leave a root", Kind::kSqrt, kZ3, kPositive, SIDES(sqrt(x * 4), sqrt(x) * 2)},
    {"sine is odd", Kind::kSin, kPoints, kAll, SIDES(sin(-x), -sin(x))},
    {"cosine is even", Kind::kCos, kPoints, kAll, SIDES(cos(y - x), cos(x - y))},
    {"squares of sine and cosine", Kind::kSin, kPoints, kAll,
     SIDES(sin(x) * sin(x) + cos(x) * cos(x), w.c(1))},
    {"tanh through exp", Kind::kTanh, kPoints, kAll,
     SIDES(tanh(x), w.c(1) - w.c(2) / (exp(x * 2) + 1))},
    {"tanh is odd", Kind::kTanh, kPoints, kAll, SIDES(tanh(-x), -tanh(x))},
    {"sigmoid through tanh", Kind::kTanh, kPoints, kAll,
     SIDES(w.c(1) / (exp(-x) + 1), (tanh(x / 2) + 1) / 2)},
    {"erf is odd", Kind::kErf, kPoints, kAll, SIDES(erf(-x), -erf(x))},
    {"a quotient of products", Kind::kDiv, kZ3, kPositive, SIDES((x * y) / (y * y), x / y)},
    {"a sum of quotients", Kind::kDiv, kZ3, kPositive,
     SIDES(x / y + y / x, (x * x + y * y) / (x * y))},
    {"products distribute", Kind::kMul, kZ3, kAll, SIDES((x + y) * (x - y), x* x - y * y)},
    {"sums commute", Kind::kAdd, kZ3, kAll, SIDES((x + y) + n, n + (y + x))},
    {"differences", Kind::kSub, kZ3, kAll, SIDES(x - (y - n), x - y + n)},
    {"negation", Kind::kNeg, kZ3, kAll, SIDES(-(x - y), y - x)},
    {"abs is a maximum", Kind::kAbs, kZ3, kAll, SIDES(abs(x - y), max(x - y, y - x))},
    {"abs of a product", Kind::kAbs, kZ3, kAll, SIDES(abs(x * -3), abs(x) * 3)},
    {"a maximum moves with a sum", Kind::kMax, kZ3, kAll, SIDES(max(x + n, y + n), max(x, y) + n)},
    {"a maximum scales", Kind::kMax, kZ3, kAll, SIDES(max(x * 5, y * 5), max(x, y) * 5)},
    {"a maximum nests", Kind::kMax, kZ3, kAll, SIDES(max(x, max(y, x)), max(y, x))},
    {"a maximum by comparison", Kind::kIte, kZ3, kAll, SIDES(ite(x < y, y, x), max(y, x))},
    {"a minimum is a maximum", Kind::kMin, kZ3, kAll, SIDES(min(x, y), -max(-x, -y))},
    {"the sum of both ends", Kind::kMin, kZ3, kAll, SIDES(min(x, y) + max(x, y), x + y)},
    {"a whole number leaves floor", Kind::kFloor, kZ3, kAll,
     SIDES(floor_of(x + n), floor_of(x) + n)},
    {"ceil is floor upside down", Kind::kCeil, kZ3, kAll, SIDES(ceil_of(x), -floor_of(-x))},
    {"a whole number leaves ceil", Kind::kCeil, kZ3, kAll, SIDES(ceil_of(x + n), ceil_of(x) + n)},
    {"rint is odd", Kind::kRint, kZ3, kAll, SIDES(rint_of(-x), -rint_of(x))},
    {"rint of a whole number", Kind::kRint, kZ3, kAll, SIDES(rint_of(n * 3), n * 3)},
    {"trunc is odd", Kind::kTrunc, kZ3, kAll, SIDES(trunc_of(-x), -trunc_of(x))},
    {"trunc of a whole number", Kind::kTrunc, kZ3, kAll, SIDES(trunc_of(n - 7), n - 7)},
    {"trunc above zero", Kind::kTrunc, kZ3, kPositive, SIDES(trunc_of(x), floor_of(x))},
};

struct Setting {
  World w;
  Ex x = w.x(), y = w.x(), n = w.integer();
  Sides sides;
  explicit Setting(const Law& law) {
    const auto limit = [&](Ex leaf, mpq_class low, mpq_class high) {
      w.facts.ranges[leaf.id] = {low, high};
    };
    const bool all = law.domain == kAll;
    for (const Ex leaf : {x, y}) limit(leaf, all ? mpq_class(-50) : mpq_class(1, 1000), 50);
    limit(n, all ? -9 : 1, 9);
    sides = law.make(w, x, y, n);
  }
};

TEST_CASE("every law is used, and proved or held to enclosures") {
  base::Log log{base::LogLevel::kOff};
  std::mt19937 random(11);
  for (const Law& law : kLaws) {
    INFO(law.name);
    Setting s(law);
    CHECK(s.w.equal(s.sides.left, s.sides.right));
    const RealId left = s.sides.left.id, right = s.sides.right.id;
    real::Dag& dag = s.w.dag;
    if (law.proof == kZ3) {
      Solver solver({}, log);
      const RealId query[] = {dag.make(Kind::kNot, dag.make(Kind::kEq, left, right))};
      CHECK(std::holds_alternative<Unsat>(
          solver.check(dag, query, s.w.facts, base::Deadline::never())));
    }
    // At many points either way: Z3's reading of a function is ours too.
    unsigned sharp = 0;
    for (int point = 0; point < 200; ++point) {
      const auto value = [&](RealId leaf, const real::Node&) -> std::optional<mpq_class> {
        std::mt19937 own(static_cast<unsigned>(point) * 977 + leaf);
        const real::Interval range = s.w.facts.range(leaf, dag[leaf]);
        const long denominator = leaf == s.n.id ? 1 : 1 << (own() % 8);
        mpz_class low, high;
        mpz_cdiv_q(low.get_mpz_t(), mpz_class(range.low->get_num() * denominator).get_mpz_t(),
                   range.low->get_den_mpz_t());
        mpz_fdiv_q(high.get_mpz_t(), mpz_class(range.high->get_num() * denominator).get_mpz_t(),
                   range.high->get_den_mpz_t());
        const long span = mpz_class(high - low).get_si() + 1;
        mpq_class result(low + static_cast<long>(own() % static_cast<unsigned long>(span)),
                         denominator);
        result.canonicalize();
        return result;
      };
      const RealId both[] = {left, right};
      const auto found = real::enclose(dag, both, value, 512);
      if (found[0].state != real::Enclosure::State::kFinite) continue;
      REQUIRE(found[1].state == real::Enclosure::State::kFinite);
      CHECK(found[0].low <= found[1].high);
      CHECK(found[1].low <= found[0].high);
      const mpq_class size = ::abs(found[0].low) + 1, eps(1, mpz_class(1) << 200);
      sharp +=
          found[0].high - found[0].low < eps * size && found[1].high - found[1].low < eps * size;
    }
    CHECK(sharp > 150);
  }
}

TEST_CASE("every function of the reals has a law") {
  std::set<Kind> have;
  for (const Law& law : kLaws) have.insert(law.function);
  for (unsigned i = 0; i < static_cast<unsigned>(Kind::kCount); ++i) {
    const auto kind = static_cast<Kind>(i);
    INFO(real::info(kind).name);
    if (real::info(kind).arity > 0 && !real::info(kind).is_bool) CHECK(have.contains(kind));
  }
}

// What laws.cpp tells Z3 of a function must be true of it: an argument with its enclosed value, and
// two of them, can never contradict it.
TEST_CASE("what Z3 is told of functions holds at many points") {
  base::Log log{base::LogLevel::kOff};
  const mpq_class points[] = {mpq_class(-20),   mpq_class(-3, 2),  mpq_class(-1, 64),
                              mpq_class(0),     mpq_class(1, 100), mpq_class(1),
                              mpq_class(13, 8), mpq_class(31)};
  for (const Kind f : {Kind::kExp, Kind::kExp2, Kind::kLog, Kind::kLog2, Kind::kSin, Kind::kCos,
                       Kind::kTanh, Kind::kErf, Kind::kSqrt}) {
    INFO(real::info(f).name);
    const bool positive = f == Kind::kLog || f == Kind::kLog2 || f == Kind::kSqrt;
    unsigned asked = 0;
    for (const mpq_class& first : points) {
      for (const mpq_class& second : points) {
        if (first > second || (positive && first <= 0)) continue;
        World w;
        const Ex x = w.x(), y = w.x();
        const Ex fx = real::test::make(f, x), fy = real::test::make(f, y);
        const auto at = [&](RealId leaf, const real::Node&) -> std::optional<mpq_class> {
          return leaf == x.id ? first : second;
        };
        const RealId both[] = {fx.id, fy.id};
        const auto found = real::enclose(w.dag, both, at, 256);
        const auto number = [&](const mpq_class& q) { return w.wrap(w.dag.rational(q)); };
        const RealId query[] = {eq(x, number(first)).id,         eq(y, number(second)).id,
                                (number(found[0].low) <= fx).id, (fx <= number(found[0].high)).id,
                                (number(found[1].low) <= fy).id, (fy <= number(found[1].high)).id};
        Solver solver({}, log);
        const Answer answer = solver.check(w.dag, query, w.facts, base::Deadline::never());
        INFO(first << " and " << second);
        CHECK_FALSE(std::holds_alternative<Unsat>(answer));
        ++asked;
      }
    }
    CHECK(asked >= 10);
  }
}

}  // namespace
}  // namespace ptxequiv::smt
