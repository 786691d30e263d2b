#include "real/library.h"

#include <catch2/catch.hpp>

#include "real/reading.h"
#include "terms.h"

namespace ptxequiv::real {
namespace {

using op::Type;
using testing::TermId;
using testing::Terms;

RealId exp(Dag& dag, std::span<const RealId> a) {
  return dag.make(Kind::kExp, a[0]);
}
RealId exp_negated(Dag& dag, std::span<const RealId> a) {
  return dag.make(Kind::kExp, dag.make(Kind::kNeg, a[0]));
}
RealId tanh(Dag& dag, std::span<const RealId> a) {
  return dag.make(Kind::kTanh, a[0]);
}

Template exp_template(bool negated) {
  auto terms = std::make_shared<Terms>();
  const TermId hole = terms->arena.leaf(op::Kind::kHole, Type::kF32, 0);
  Template result;
  result.function = "exp";
  result.meaning = negated ? exp_negated : exp;
  result.root = terms->exp(hole, {.negated = negated});
  result.arena = std::shared_ptr<const term::Arena>(terms, &terms->arena);
  return result;
}

Library exp_library() {
  Library library;
  library.add(exp_template(false));
  library.add(exp_template(true));
  return library;
}

TEST_CASE("an inlined expf is recognised, up to ftz") {
  const Library library = exp_library();
  Terms terms;
  const TermId x = terms.f(op::Kind::kFSub, terms.input(0), terms.input(1));
  for (const bool ftz : {false, true}) {
    const auto match = library.match(terms.arena, terms.exp(x, {.ftz = ftz}));
    REQUIRE(match);
    CHECK(match->arguments[0] == x);
    CHECK(match->which->meaning == exp);
  }
  const auto match = library.match(terms.arena, terms.exp(x, {.negated = true}));
  REQUIRE(match);
  CHECK(match->which->meaning == exp_negated);
}

TEST_CASE("any constant changed is not recognised") {
  const Library library = exp_library();
  for (uint32_t n = 1; n <= 8; ++n) {
    Terms terms;
    const TermId root = terms.exp(terms.input(0), {.wrong_constant = n});
    INFO("constant " << n);
    CHECK_FALSE(library.match(terms.arena, root));
  }
}

TEST_CASE("all holes must be one term") {
  const Library library = exp_library();
  Terms terms;
  const auto one = terms.exp_factors(terms.input(0), {});
  const auto two = terms.exp_factors(terms.input(1), {});
  CHECK_FALSE(library.match(terms.arena, terms.f(op::Kind::kFMul, one.power, two.scale)));
  CHECK(library.match(terms.arena, terms.f(op::Kind::kFMul, one.scale, one.power)));
  CHECK(library.match_product(terms.arena, one.scale, one.power));
  CHECK_FALSE(library.match_product(terms.arena, one.power, two.scale));
}

TEST_CASE("a select is recognised in either polarity, its arms not swapped") {
  auto pattern = std::make_shared<Terms>();
  const TermId hole = pattern->arena.leaf(op::Kind::kHole, Type::kF32, 0);
  const auto build = [](Terms& t, TermId x, bool negate, bool swap) {
    const TermId one = t.f32(1), sine = t.f(op::Kind::kFSin, x);
    TermId c = t.make(op::Kind::kFLt, Type::kF32, x, one);
    if (negate) c = t.arena.logic_not(c);
    return t.arena.select(c, swap ? one : sine, swap ? sine : one);
  };
  Template t;
  t.meaning = tanh;
  t.root = build(*pattern, hole, false, false);
  t.arena = std::shared_ptr<const term::Arena>(pattern, &pattern->arena);
  Library library;
  library.add(t);
  Terms terms;
  CHECK(library.match(terms.arena, build(terms, terms.input(0), false, false)));
  CHECK(library.match(terms.arena, build(terms, terms.input(0), true, true)));
  CHECK_FALSE(library.match(terms.arena, build(terms, terms.input(0), true, false)));
  CHECK_FALSE(library.match(terms.arena, build(terms, terms.input(0), false, true)));
}

TEST_CASE("operations with constants may be moved into the arms of the last select") {
  auto pattern = std::make_shared<Terms>();
  const TermId hole = pattern->arena.leaf(op::Kind::kHole, Type::kF32, 0);
  const auto parts = [](Terms& t, TermId x) {
    return std::pair{t.make(op::Kind::kFLt, Type::kF32, x, t.f32(1)), t.f(op::Kind::kFSin, x)};
  };
  const auto [condition, sine] = parts(*pattern, hole);
  Template made;
  made.meaning = tanh;
  made.root = pattern->arena.select(condition, pattern->f32(3), sine);
  made.arena = std::shared_ptr<const term::Arena>(pattern, &pattern->arena);
  Library library;
  library.add(made);
  Terms terms;
  const TermId x = terms.input(0);
  const auto [c, s] = parts(terms, x);
  const auto read = [&](TermId root) {
    Reading reading(terms.arena, &library, {});
    Dag& dag = reading.dag();
    const RealId value = dag.make(Kind::kTanh, dag.leaf(x, Type::kF32));
    return std::tuple{reading.read(root, Type::kF32), dag.make(Kind::kSub, dag.integer(1), value),
                      dag.make(Kind::kMul, dag.make(Kind::kNeg, value), dag.integer(2))};
  };
  const TermId rest = terms.f(op::Kind::kFSub, terms.f32(1), s);
  const TermId scaled = terms.f(op::Kind::kFMul, terms.f(op::Kind::kFNeg, s), terms.f32(2));
  {
    const auto [value, wanted, other] = read(terms.arena.select(c, terms.f32(-2), rest));
    CHECK(value == wanted);
  }
  {
    const auto [value, other, wanted] = read(terms.arena.select(c, terms.f32(-6), scaled));
    CHECK(value == wanted);
  }
  // The other arm must be what the operations make of the function's.
  CHECK_FALSE(library.match(terms.arena, terms.arena.select(c, terms.f32(2), rest)));
  CHECK_FALSE(library.match(terms.arena, terms.arena.select(c, rest, terms.f32(-2))));
  CHECK_FALSE(library.match(terms.arena, terms.arena.select(c, terms.f32(6), scaled)));
  CHECK_FALSE(library.match(
      terms.arena,
      terms.arena.select(c, terms.f32(-2), terms.f(op::Kind::kFSub, s, terms.f32(1)))));
}

TEST_CASE("an exponential reads as one, also fused into a sum") {
  const Library library = exp_library();
  Terms terms;
  const TermId x = terms.input(0);
  const auto e = terms.exp_factors(x, {});
  const TermId plain = terms.exp(x, {});
  const TermId fused = terms.f(op::Kind::kFFma, e.power, e.scale, terms.f32(1));
  const TermId minus =
      terms.f(op::Kind::kFFma, terms.f(op::Kind::kFNeg, e.power), e.scale, terms.f32(1));
  Reading reading(terms.arena, &library, {});
  Dag& dag = reading.dag();
  const RealId exp = dag.make(Kind::kExp, dag.leaf(x, Type::kF32));
  CHECK(reading.read(plain, Type::kF32) == exp);
  CHECK(reading.read(fused, Type::kF32) == dag.make(Kind::kAdd, exp, dag.integer(1)));
  CHECK(reading.read(minus, Type::kF32) ==
        dag.make(Kind::kAdd, dag.make(Kind::kNeg, exp), dag.integer(1)));
  const std::pair<TermId, Type> root{plain, Type::kF32};
  const Assumptions used = reading.assumptions({&root, 1});
  CHECK(used.at("libm").count == 1);
}

TEST_CASE("without a library an exponential has opaque parts") {
  Terms terms;
  const TermId x = terms.input(0);
  const auto e = terms.exp_factors(x, {});
  Reading reading(terms.arena, nullptr, {});
  const RealId scale = reading.read(e.scale, Type::kF32);
  CHECK(reading.dag()[scale].kind == Kind::kOpaque);
  // The magic sum that reduces the range is opaque too: a real one would lose its floor.
  const RealId power = reading.read(e.power, Type::kF32);
  bool found = false;
  for (const RealId id : cone(reading.dag(), std::vector<RealId>{power})) {
    found = found || reading.dag()[id].kind == Kind::kOpaque;
  }
  CHECK(found);
}

}  // namespace
}  // namespace ptxequiv::real
