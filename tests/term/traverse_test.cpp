#include <catch2/catch.hpp>

#include "op/evaluate.h"
#include "term/arena.h"

using namespace ptxequiv;
using op::Kind;
using op::Op;
using op::Rounding;
using op::Type;
using term::Arena;
using term::TermId;

namespace {

constexpr Op kMul{.kind = Kind::kFMul, .type = Type::kF32, .rounding = Rounding::kRn};

}  // namespace

TEST_CASE("a cone holds what its roots need, children first") {
  Arena arena;
  const TermId x = arena.leaf(Kind::kInput, Type::kF32, 0, 0);
  const TermId y = arena.leaf(Kind::kInput, Type::kF32, 0, 1);
  const TermId unused = arena.make(kMul, x, y);
  const TermId square = arena.make(kMul, y, y);
  const TermId part = arena.extract(square, 16, 16);
  const TermId roots[] = {part, part};
  CHECK(term::cone(arena, roots) == std::vector<TermId>{y, square, part});
  const std::vector<bool> seen = term::reachable(arena, roots);
  REQUIRE(seen.size() == arena.size());
  CHECK(seen[y]);
  CHECK_FALSE(seen[x]);
  CHECK_FALSE(seen[unused]);
  CHECK(term::cone(arena, {}).empty());
}

TEST_CASE("payloads that are not terms are not followed") {
  Arena arena;
  const TermId first = arena.constant(32, 5);
  const TermId leaf = arena.leaf(Kind::kInput, Type::kF32, 0, 0);  // payload 0 is no term
  const TermId roots[] = {leaf};
  CHECK(term::cone(arena, roots) == std::vector<TermId>{leaf});
  CHECK(first != leaf);
}

TEST_CASE("a chain of a million terms is walked without recursion") {
  Arena arena;
  const TermId x = arena.leaf(Kind::kInput, Type::kF32, 0, 0);
  TermId chain = x;
  for (int i = 0; i < 1000000; ++i) chain = arena.make(kMul, chain, x);
  const TermId roots[] = {chain};
  CHECK(term::cone(arena, roots).size() == 1000001);
}

TEST_CASE("terms print one a line") {
  Arena arena;
  const TermId x = arena.leaf(Kind::kInput, Type::kF32, 2, 7);
  const TermId tenth = arena.constant(32, op::from_double(Type::kF32, 0.1));
  const TermId square = arena.make(kMul, tenth, tenth);
  const TermId product = arena.make(kMul, x, square);
  const TermId roots[] = {arena.extract(product, 16, 16)};
  CHECK(term::to_string(arena, roots) ==
        "%0 = input.f32 2[7]\n"
        "%1 = const.b32 0x3dcccccd\n"
        "%2 = fmul.rn.f32 %1 %1  ; 0x3c23d70b\n"
        "%3 = fmul.rn.f32 %0 %2\n"
        "%4 = extract.b16 %3 @16\n");
  const TermId address[] = {arena.leaf(Kind::kAddress, Type::kB64, 3, 0xfffffff8, 0xffffffff)};
  CHECK(term::to_string(arena, address) == "%5 = address 3-8\n");
}
