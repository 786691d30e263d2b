#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <iterator>

#include "support.h"

using namespace ptxequiv;
using namespace ptxequiv::smt;
using namespace ptxequiv::smt::testing;
using op::Type;

TEST_CASE_METHOD(Fixture, "relu by select equals relu by max") {
  const RealId x = leaf(0);
  const RealId select = make(Kind::kIte, make(Kind::kLt, num(0), x), x, num(0));
  const Answer answer = ask({differ(select, make(Kind::kMax, x, num(0)))});
  REQUIRE(std::holds_alternative<Unsat>(answer));
  CHECK_FALSE(std::get<Unsat>(answer).nonlinear);
}

TEST_CASE_METHOD(Fixture, "the two orders of a clamp agree only under lo <= hi") {
  const RealId x = leaf(0), lo = leaf(1), hi = leaf(2);
  const RealId inner_min = make(Kind::kMax, make(Kind::kMin, x, hi), lo);
  const RealId inner_max = make(Kind::kMin, make(Kind::kMax, x, lo), hi);
  const RealId question = differ(inner_min, inner_max);
  const Answer open = ask({question});
  REQUIRE(std::holds_alternative<Model>(open));
  CHECK(evaluate(dag, question, std::get<Model>(open)) == 1);
  facts.assumed.push_back(make(Kind::kLe, lo, hi));
  CHECK(std::holds_alternative<Unsat>(ask({question})));
}

TEST_CASE_METHOD(Fixture, "quadratic identities") {
  const RealId x = leaf(0), y = leaf(1);
  const RealId square = make(Kind::kMul, make(Kind::kAdd, x, y), make(Kind::kAdd, x, y));
  const RealId xy = make(Kind::kMul, x, y);
  const RealId expanded =
      make(Kind::kAdd, make(Kind::kAdd, make(Kind::kMul, x, x), make(Kind::kMul, num(2), xy)),
           make(Kind::kMul, y, y));
  const Answer answer = ask({differ(square, expanded)});
  REQUIRE(std::holds_alternative<Unsat>(answer));
  CHECK(std::get<Unsat>(answer).nonlinear);
  const RealId wrong = differ(square, make(Kind::kAdd, expanded, xy));
  const Answer refuted = ask({wrong});
  REQUIRE(std::holds_alternative<Model>(refuted));
  CHECK(evaluate(dag, wrong, std::get<Model>(refuted)) == 1);
  // x^2 + y^2 >= 2xy, as a strict inequality the other way.
  const RealId sum = make(Kind::kAdd, make(Kind::kMul, x, x), make(Kind::kMul, y, y));
  CHECK(std::holds_alternative<Unsat>(ask({make(Kind::kLt, sum, make(Kind::kMul, num(2), xy))})));
}

TEST_CASE_METHOD(Fixture, "division says nothing where the divisor is zero") {
  const RealId x = leaf(0), y = leaf(1);
  const RealId back = make(Kind::kMul, make(Kind::kDiv, x, y), y);
  const RealId nonzero = make(Kind::kNot, make(Kind::kEq, y, num(0)));
  CHECK(std::holds_alternative<Unsat>(ask({differ(back, x), nonzero})));
  CHECK(std::holds_alternative<Model>(ask({differ(back, x)})));
  CHECK(proves_equal(make(Kind::kDiv, x, num(4)), make(Kind::kMul, x, num(1, 4))));
}

TEST_CASE_METHOD(Fixture, "square roots are the non-negative ones, on their domain only") {
  const RealId x = leaf(0);
  const RealId root = make(Kind::kSqrt, make(Kind::kMul, x, x));
  CHECK(proves_equal(root, make(Kind::kAbs, x)));
  CHECK(std::holds_alternative<Model>(ask({differ(root, x)})));
  const RealId of_x = make(Kind::kSqrt, x);
  CHECK(std::holds_alternative<Model>(ask({make(Kind::kLt, of_x, num(0))})));
  CHECK(std::holds_alternative<Unsat>(
      ask({make(Kind::kLt, of_x, num(0)), make(Kind::kLe, num(0), x)})));
}

TEST_CASE_METHOD(Fixture, "exp is positive, increasing and above its tangent") {
  const RealId x = leaf(0), y = leaf(1);
  const RealId ex = make(Kind::kExp, x), ey = make(Kind::kExp, y);
  CHECK(std::holds_alternative<Unsat>(ask({make(Kind::kLe, ex, num(0))})));
  CHECK(std::holds_alternative<Unsat>(ask({make(Kind::kLt, x, y), make(Kind::kLe, ey, ex)})));
  CHECK(std::holds_alternative<Unsat>(ask({make(Kind::kLt, num(0), x),
                                           make(Kind::kLe, ex, num(1))})));
  CHECK(std::holds_alternative<Unsat>(ask({make(Kind::kLt, ex, x)})));
  CHECK(std::holds_alternative<Model>(ask({make(Kind::kLt, ex, num(1, 1000))})));
  // Different functions of one argument are not confused.
  CHECK(std::holds_alternative<Model>(ask({differ(ex, make(Kind::kExp2, x))})));
}

TEST_CASE_METHOD(Fixture, "tanh and log keep order, sign and domain") {
  const RealId x = leaf(0);
  const RealId t = make(Kind::kTanh, x), l = make(Kind::kLog, x);
  CHECK(std::holds_alternative<Unsat>(ask({make(Kind::kLe, num(1), t)})));
  CHECK(std::holds_alternative<Unsat>(ask({make(Kind::kLt, x, num(0)),
                                           make(Kind::kLe, num(0), t)})));
  CHECK(std::holds_alternative<Unsat>(ask({make(Kind::kLt, num(1), x),
                                           make(Kind::kLe, l, num(0))})));
  CHECK(std::holds_alternative<Model>(ask({make(Kind::kLt, x, num(-1)),
                                           make(Kind::kLt, num(5), l)})));
}

TEST_CASE_METHOD(Fixture, "log2 e is enclosed, not approximated") {
  const RealId log2e = dag.make(Kind::kLog2E, real::kNoReal);
  const auto literal = [&](const char* text) { return dag.rational(mpq_class(text)); };
  const RealId below = literal("14426950408889634/10000000000000000");
  CHECK(std::holds_alternative<Unsat>(ask({make(Kind::kLt, log2e, below)})));
  const RealId float_constant = literal("12102203/8388608");   // 0f3FB8AA3B
  CHECK(std::holds_alternative<Unsat>(ask({make(Kind::kEq, log2e, float_constant)})));
}

TEST_CASE_METHOD(Fixture, "steps are exact, rint with ties to even") {
  const RealId x = leaf(0);
  const RealId rint = make(Kind::kRint, x), floor = make(Kind::kFloor, x);
  const auto at = [&](RealId f, long n, long d, long value) {
    return std::holds_alternative<Unsat>(
        ask({make(Kind::kEq, x, num(n, d)), differ(f, num(value))}));
  };
  CHECK(at(rint, 5, 2, 2));
  CHECK(at(rint, 7, 2, 4));
  CHECK(at(rint, -5, 2, -2));
  CHECK(at(rint, -3, 2, -2));
  CHECK(at(rint, 26, 10, 3));
  CHECK(at(floor, -1, 2, -1));
  CHECK(at(make(Kind::kCeil, x), -1, 2, 0));
  CHECK(at(make(Kind::kTrunc, x), -7, 2, -3));
  CHECK(at(make(Kind::kTrunc, x), 7, 2, 3));
  // rint(x) and floor(x + 1/2) part at ties only.
  const RealId other = make(Kind::kFloor, make(Kind::kAdd, x, num(1, 2)));
  CHECK(std::holds_alternative<Model>(ask({differ(rint, other)})));
}

TEST_CASE_METHOD(Fixture, "integer leaves are whole and within their type") {
  const RealId i = leaf(3, Type::kS32);
  CHECK(std::holds_alternative<Unsat>(ask({make(Kind::kEq, i, num(1, 2))})));
  CHECK(std::holds_alternative<Unsat>(ask({make(Kind::kLt, num(2147483647), i)})));
  CHECK(std::holds_alternative<Unsat>(ask({make(Kind::kLt, i, num(-2147483648L))})));
  const Answer answer = ask({make(Kind::kLt, num(5, 2), i), make(Kind::kLt, i, num(7, 2))});
  REQUIRE(std::holds_alternative<Model>(answer));
  CHECK(std::get<Model>(answer).reals.at(i) == 3);
}

TEST_CASE_METHOD(Fixture, "ranges bind, wide ones too") {
  const RealId x = leaf(0);
  facts.ranges[x] = {mpq_class(-1), mpq_class(1)};
  CHECK(std::holds_alternative<Unsat>(ask({make(Kind::kLt, num(1), x)})));
  mpz_class huge = mpz_class(1) << 127;
  facts.ranges[x] = {mpq_class(-huge), mpq_class(huge)};
  CHECK(std::holds_alternative<Unsat>(
      ask({make(Kind::kLt, dag.rational(mpq_class(mpz_class(huge * 2))), x)})));
  CHECK(std::holds_alternative<Model>(
      ask({make(Kind::kLt, dag.rational(mpq_class(mpz_class(huge - 5))), x)})));
}

TEST_CASE_METHOD(Fixture, "infinite and undefined constants are left open") {
  const RealId question = make(Kind::kLt, leaf(0), dag.infinity(false));
  const Answer answer = ask({question});
  REQUIRE(std::holds_alternative<Unknown>(answer));
  CHECK(std::get<Unknown>(answer).reason == "infinity");
  const Answer other = ask({make(Kind::kLt, leaf(0), dag.undefined())});
  REQUIRE(std::holds_alternative<Unknown>(other));
  CHECK(std::get<Unknown>(other).reason == "undefined");
}

TEST_CASE_METHOD(Fixture, "an algebraic model value comes back as a rational near it") {
  const RealId x = leaf(0);
  const Answer answer = ask({make(Kind::kEq, make(Kind::kMul, x, x), num(2)),
                             make(Kind::kLt, num(0), x)});
  REQUIRE(std::holds_alternative<Model>(answer));
  CHECK(std::get<Model>(answer).reals.at(x).get_d() == Approx(1.41421356237));
}

TEST_CASE_METHOD(Fixture, "a long sum in two orders") {
  RealId up = num(0), down = num(0);
  for (unsigned i = 0; i < 3000; ++i) up = make(Kind::kAdd, up, leaf(i));
  for (unsigned i = 3000; i-- > 0;) down = make(Kind::kAdd, leaf(i), down);
  CHECK(proves_equal(up, down));
}

TEST_CASE_METHOD(Fixture, "equal queries give equal answers and equal dumps") {
  const auto folder = std::filesystem::temp_directory_path() / "ptxequiv_test_smt_dump";
  std::filesystem::remove_all(folder);
  options.dump_directory = folder.string();
  const RealId x = leaf(0), y = leaf(1);
  const std::vector<RealId> question{
      make(Kind::kLt, make(Kind::kMul, x, y), make(Kind::kAdd, x, y)),
      make(Kind::kLt, num(1), make(Kind::kMul, x, x))};
  const Answer first = ask(question), second = ask(question);
  REQUIRE(std::holds_alternative<Model>(first));
  REQUIRE(std::holds_alternative<Model>(second));
  CHECK(std::get<Model>(first).reals == std::get<Model>(second).reals);
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
  Solver solver(options, log);
  CHECK(solver.to_smt2(dag, question, facts).find("(check-sat)") != std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST_CASE_METHOD(Fixture, "a hard query ends with its time") {
  // x^3 + y^3 = z^3 in positive whole numbers.
  const auto cube = [&](RealId v) { return make(Kind::kMul, v, make(Kind::kMul, v, v)); };
  const RealId x = leaf(0, Type::kU64), y = leaf(1, Type::kU64), z = leaf(2, Type::kU64);
  options.timeout_seconds = 1;
  const auto start = std::chrono::steady_clock::now();
  const Answer answer = ask({make(Kind::kEq, make(Kind::kAdd, cube(x), cube(y)), cube(z)),
                             make(Kind::kLt, num(0), x), make(Kind::kLt, num(0), y)});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  REQUIRE(std::holds_alternative<Unknown>(answer));
  CHECK(taken.count() < 5);
}

TEST_CASE_METHOD(Fixture, "a solver without memory to work in leaves the query open") {
  options.memory_megabytes = 48;
  std::vector<RealId> question;
  RealId sum = num(0);
  for (unsigned i = 0; i < 400; ++i) {
    for (unsigned j = 0; j < 40; ++j) {
      sum = make(Kind::kAdd, sum, make(Kind::kMul, leaf(i), leaf(1000 + i + j)));
    }
  }
  const Answer answer = ask({make(Kind::kLt, make(Kind::kMul, sum, sum), num(-1))});
  REQUIRE(std::holds_alternative<Unknown>(answer));
  // Z3 mostly notices by itself; where it does not, the child crashes alone.
  const std::string& reason = std::get<Unknown>(answer).reason;
  CHECK((reason == "memory" || reason == "crash"));
}

TEST_CASE_METHOD(Fixture, "a deadline that has passed asks nothing") {
  Solver solver(options, log);
  const std::vector<RealId> question{dag.truth(true)};
  const Answer answer = solver.check(dag, question, facts, base::Deadline::in(-1));
  REQUIRE(std::holds_alternative<Unknown>(answer));
  CHECK(std::get<Unknown>(answer).reason == "timeout");
}

TEST_CASE("the pinned Z3 is the one that runs") {
  CHECK(std::stoi(Solver::version()) >= 5);
}
