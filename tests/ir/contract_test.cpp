#include "ir/contract.h"

#include <catch2/catch.hpp>

#include "graph.h"

namespace ptxequiv::ir {
namespace {

using op::Kind;
using op::Op;
using op::Rounding;
using op::Type;
using testing::finish;
using testing::operation;

Op f32(Kind kind, Rounding rounding = Rounding::kAny) {
  return Op{.kind = kind, .type = Type::kF32, .rounding = rounding};
}

struct Graph {
  Graph() { function.blocks.resize(1); }
  ValueId constant(uint64_t bits) { return function.constant(32, bits); }
  ValueId add(Op op, std::vector<ValueId> srcs) { return operation(function, 0, op, srcs, 32); }
  size_t contract() {
    finish(function, 0, {});
    const size_t fused = ir::contract(function);
    verify(function);
    return fused;
  }
  const Inst& definition(ValueId value) { return function.insts[function.values[value].def]; }
  Function function;
};

TEST_CASE("an un-suffixed product and sum become one fma") {
  Graph g;
  const ValueId product = g.add(f32(Kind::kFMul), {g.constant(1), g.constant(2)});
  const ValueId sum = g.add(f32(Kind::kFAdd), {g.constant(3), product});
  CHECK(g.contract() == 1);
  CHECK(g.definition(sum).op == f32(Kind::kFFma, Rounding::kRn));
  CHECK(g.definition(sum).srcs ==
        std::vector<ValueId>{g.constant(1), g.constant(2), g.constant(3)});
}

TEST_CASE("a rounding modifier on either keeps them apart") {
  Graph g;
  const ValueId rounded = g.add(f32(Kind::kFMul, Rounding::kRn), {g.constant(1), g.constant(2)});
  g.add(f32(Kind::kFAdd), {rounded, g.constant(3)});
  const ValueId product = g.add(f32(Kind::kFMul), {g.constant(1), g.constant(2)});
  g.add(f32(Kind::kFAdd, Rounding::kRn), {product, g.constant(3)});
  Op flushed = f32(Kind::kFAdd);
  flushed.ftz = 1;
  g.add(flushed, {product, g.constant(3)});
  CHECK(g.contract() == 0);
}

TEST_CASE("a difference negates the addend, or a factor") {
  Graph g;
  const ValueId product = g.add(f32(Kind::kFMul), {g.constant(1), g.constant(2)});
  const ValueId minus = g.add(f32(Kind::kFSub), {product, g.constant(3)});
  const ValueId from = g.add(f32(Kind::kFSub), {g.constant(3), product});
  CHECK(g.contract() == 2);
  const Inst& first = g.definition(minus);
  CHECK(first.srcs[0] == g.constant(1));
  CHECK(g.definition(first.srcs[2]).op.kind == Kind::kFNeg);
  const Inst& second = g.definition(from);
  CHECK(g.definition(second.srcs[0]).op.kind == Kind::kFNeg);
  CHECK(second.srcs[2] == g.constant(3));
}

TEST_CASE("of two products the one whose multiplication then goes is fused") {
  Graph g;
  const ValueId shared = g.add(f32(Kind::kFMul), {g.constant(1), g.constant(2)});
  const ValueId own = g.add(f32(Kind::kFMul), {g.constant(3), g.constant(4)});
  const ValueId sum = g.add(f32(Kind::kFAdd), {shared, own});
  g.add(f32(Kind::kFAbs, Rounding::kNone), {shared});
  CHECK(g.contract() == 1);
  CHECK(g.definition(sum).srcs == std::vector<ValueId>{g.constant(3), g.constant(4), shared});
}

TEST_CASE("a sum and a difference of the same products fuse the same one") {
  Graph g;
  const ValueId p = g.add(f32(Kind::kFMul), {g.constant(1), g.constant(2)});
  const ValueId q = g.add(f32(Kind::kFMul), {g.constant(3), g.constant(4)});
  const ValueId sum = g.add(f32(Kind::kFAdd), {p, q});
  const ValueId difference = g.add(f32(Kind::kFSub), {q, p});
  CHECK(g.contract() == 2);
  CHECK(g.definition(sum).srcs[2] == q);
  CHECK(g.definition(difference).srcs[2] == q);
}

TEST_CASE("the halves of packed registers fuse like scalars") {
  Graph g;
  Op mul = f32(Kind::kFMul), add = f32(Kind::kFAdd);
  mul.type = add.type = Type::kF16;
  const auto half = [&](uint64_t bits) { return g.function.constant(16, bits); };
  const ValueId low = operation(g.function, 0, mul, {half(1), half(2)}, 16);
  const ValueId high = operation(g.function, 0, mul, {half(3), half(4)}, 16);
  const ValueId packed =
      operation(g.function, 0, Op{.kind = Kind::kConcat, .type = Type::kB32}, {high, low}, 32);
  const ValueId part =
      operation(g.function, 0, Op{.kind = Kind::kExtract, .type = Type::kB16}, {packed}, 16);
  g.function.insts[g.function.values[part].def].immediate = 16;
  const ValueId sum = operation(g.function, 0, add, {part, half(5)}, 16);
  CHECK(g.contract() == 1);
  CHECK(g.definition(sum).srcs == std::vector<ValueId>{half(3), half(4), half(5)});
}

}  // namespace
}  // namespace ptxequiv::ir
