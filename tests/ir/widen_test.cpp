#include "ir/widen.h"

#include <catch2/catch.hpp>

#include "graph.h"

namespace ptxequiv::ir {
namespace {

using op::Kind;
using op::Op;
using op::Type;
using testing::finish;
using testing::operation;

Op b32(Kind kind) {
  return Op{.kind = kind, .type = Type::kB32};
}

// One block of 32-bit values; each operation has a PTX instruction of its own.
struct Graph {
  Graph() { function.blocks.resize(1); }
  ValueId input() {
    return operation(function, 0, Op{.kind = Kind::kPopc, .type = Type::kB32, .src = Type::kB32},
                     {function.constant(32, 7)}, 32);
  }
  ValueId add(Op op, std::vector<ValueId> srcs, unsigned bits = 32) {
    const ValueId result = operation(function, 0, op, std::move(srcs), bits);
    sources.push_back(std::make_unique<ptx::Instruction>());
    function.insts.back().source = sources.back().get();
    return result;
  }
  Function widened(const std::vector<const ptx::Instruction*>& which, bool is_signed) {
    finish(function, 0, {});
    Function out = widen(function, which, is_signed);
    verify(out);
    return out;
  }
  Function function;
  std::vector<std::unique_ptr<ptx::Instruction>> sources;
};

const Inst& definition(const Function& f, ValueId value) {
  return f.insts[f.values[value].def];
}

const Op kSext{.kind = Kind::kSext, .type = Type::kB64, .src = Type::kB32};

TEST_CASE("a sum that is extended keeps its 64 bits") {
  Graph g;
  const ValueId a = g.input(), b = g.input();
  const ValueId sum = g.add(b32(Kind::kAdd), {a, b});
  const ValueId index = g.add(kSext, {sum}, 64);
  const Function f = g.widened({g.sources[0].get()}, true);
  const Inst& now = definition(f, index);
  CHECK(now.op.kind == Kind::kAdd);
  const Inst& wide = definition(f, now.srcs[0]);
  CHECK(wide.op == (Op{.kind = Kind::kAdd, .type = Type::kB64}));
  CHECK(definition(f, wide.srcs[0]).op == kSext);
  CHECK(definition(f, sum).op.kind == Kind::kExtract);
}

TEST_CASE("operands are extended by the reading that is asked for") {
  Graph g;
  const ValueId a = g.input();
  const ValueId product = g.add(b32(Kind::kMul), {a, g.function.constant(32, 0x80000000u)});
  const ValueId index = g.add(kSext, {product}, 64);
  for (const bool is_signed : {true, false}) {
    Graph again;
    const ValueId x = again.input();
    again.add(b32(Kind::kMul), {x, again.function.constant(32, 0x80000000u)});
    again.add(kSext, {product}, 64);
    const Function f = again.widened({again.sources[0].get()}, is_signed);
    const Inst& wide = definition(f, definition(f, index).srcs[0]);
    CHECK(f.values[wide.srcs[1]].constant ==
          (is_signed ? 0xffffffff80000000u : uint64_t{0x80000000u}));
  }
}

TEST_CASE("only what depends on a chosen instruction changes") {
  Graph g;
  const ValueId a = g.input(), b = g.input();
  const ValueId first = g.add(b32(Kind::kAdd), {a, b});
  const ValueId second = g.add(b32(Kind::kSub), {a, b});
  const ValueId both = g.add(b32(Kind::kXor), {first, second});
  const Function f = g.widened({g.sources[0].get()}, true);
  CHECK(definition(f, second).op == b32(Kind::kSub));
  CHECK(definition(f, both).op == b32(Kind::kXor));
  CHECK(definition(f, first).op.kind == Kind::kExtract);
  CHECK(wrapping_instructions(g.function).size() == 2);
}

TEST_CASE("the high half of a product is a shift of the whole one") {
  Graph g;
  const ValueId sum = g.add(b32(Kind::kAdd), {g.input(), g.input()});
  const ValueId high = g.add(b32(Kind::kMulHiS), {sum, g.input()});
  const ValueId index = g.add(kSext, {high}, 64);
  const Function f = g.widened({g.sources[0].get()}, true);
  const Inst& shift = definition(f, definition(f, index).srcs[0]);
  CHECK(shift.op.kind == Kind::kShrS);
  CHECK(definition(f, shift.srcs[0]).op == (Op{.kind = Kind::kMul, .type = Type::kB64}));
}

TEST_CASE("a probe stores where a result does not fit") {
  Graph g;
  const ValueId sum = g.add(b32(Kind::kAdd), {g.input(), g.input()});
  finish(g.function, 0, {});
  const Function f = probe_wrap(g.function, g.sources[0].get(), true);
  verify(f);
  size_t stores = 0;
  for (const InstId id : f.blocks[0].insts) {
    const Inst& inst = f.insts[id];
    if (inst.opcode != Opcode::kStore) continue;
    ++stores;
    CHECK(inst.guard_negated);
    CHECK(inst.source == g.sources[0].get());
    const Inst& fits = definition(f, inst.guard);
    CHECK(fits.op == (Op{.kind = Kind::kOr, .type = Type::kPred}));
    const Inst& as_signed = definition(f, fits.srcs[0]);
    CHECK(as_signed.op == (Op{.kind = Kind::kEq, .type = Type::kB64}));
    CHECK(definition(f, as_signed.srcs[1]).srcs[0] == sum);
  }
  CHECK(stores == 1);
}

TEST_CASE("a product with a reciprocal is a division") {
  Graph g;
  const ValueId sum = g.add(b32(Kind::kAdd), {g.input(), g.input()});
  const ValueId high = g.add(b32(Kind::kMulHiS), {sum, g.function.constant(32, 715827883)});
  const ValueId index = g.add(kSext, {high}, 64);
  const Function f = g.widened({g.sources[0].get()}, true);
  const Inst& division = definition(f, definition(f, index).srcs[0]);
  CHECK(division.op.kind == Kind::kDivS);
  CHECK(f.values[division.srcs[1]].constant == 6);
}

}  // namespace
}  // namespace ptxequiv::ir
