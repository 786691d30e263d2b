#include <catch2/catch.hpp>

#include "base/error.h"
#include "graph.h"

namespace ptxequiv::ir {
namespace {

using op::Kind;
using op::Op;
using op::Type;
using testing::append;
using testing::finish;
using testing::operation;

constexpr Op kAdd{.kind = Kind::kAdd, .type = Type::kB32};

// bb0 branches to bb1 or bb2, which meet in bb3; each defines a value, bb3 merges them.
struct Diamond {
  Function function;
  ValueId left, right, merged;
  InstId phi, left_inst, use;
  Diamond() {
    function.name = "diamond";
    function.blocks.resize(4);
    const ValueId one = function.constant(32, 1);
    finish(function, 0, {1, 2});
    left = operation(function, 1, kAdd, {one, one}, 32);
    left_inst = function.values[left].def;
    finish(function, 1, {3});
    right = operation(function, 2, kAdd, {one, one}, 32);
    finish(function, 2, {3});
    merged = function.add_value(32);
    phi = append(function, 3, {.opcode = Opcode::kPhi, .dests = {merged}, .srcs = {left, right}});
    use = append(function, 3,
                 {.opcode = Opcode::kStore,
                  .srcs = {function.constant(64, 0), merged},
                  .detail = MemoryAccess{.space = ptx::Space::kGlobal, .type = Type::kB32}});
    finish(function, 3, {});
  }
  std::string complaint() const {
    try {
      verify(function);
    } catch (const base::InternalError& error) {
      return error.what();
    }
    return "";
  }
};

void require_complaint(const Diamond& diamond, const std::string& text) {
  INFO(diamond.complaint());
  CHECK(diamond.complaint().find(text) != std::string::npos);
}

TEST_CASE("a sound function passes") {
  CHECK(Diamond().complaint() == "");
}

TEST_CASE("operands of the wrong width") {
  Diamond diamond;
  diamond.function.insts[diamond.left_inst].srcs[0] = diamond.function.constant(64, 1);
  require_complaint(diamond, "operand 0 of");
}

TEST_CASE("a result of the wrong width") {
  Diamond diamond;
  diamond.function.insts[diamond.left_inst].op.type = Type::kB64;
  require_complaint(diamond, "the result has another width");
}

TEST_CASE("a missing operand") {
  Diamond diamond;
  diamond.function.insts[diamond.left_inst].srcs.pop_back();
  require_complaint(diamond, "wrong number of operands");
}

TEST_CASE("a use that its definition does not dominate") {
  Diamond diamond;
  diamond.function.insts[diamond.use].srcs[1] = diamond.left;
  require_complaint(diamond, "is not defined on every path");
}

TEST_CASE("a use before its definition in one block") {
  Diamond diamond;
  auto& insts = diamond.function.blocks[1].insts;
  const ValueId late =
      operation(diamond.function, 1, kAdd, {diamond.function.constant(32, 1), diamond.left}, 32);
  diamond.function.insts[diamond.left_inst].srcs[0] = late;
  std::rotate(insts.end() - 2, insts.end() - 1, insts.end());
  require_complaint(diamond, "is not defined on every path");
}

TEST_CASE("a phi that takes a value from the wrong side") {
  Diamond diamond;
  std::swap(diamond.function.insts[diamond.phi].srcs[0],
            diamond.function.insts[diamond.phi].srcs[1]);
  require_complaint(diamond, "is not defined on every path");
}

TEST_CASE("a phi without a source for each predecessor") {
  Diamond diamond;
  diamond.function.insts[diamond.phi].srcs.pop_back();
  require_complaint(diamond, "one source per predecessor");
}

TEST_CASE("a phi after another instruction") {
  Diamond diamond;
  auto& insts = diamond.function.blocks[3].insts;
  std::swap(insts[0], insts[1]);
  require_complaint(diamond, "a phi stands after another instruction");
}

TEST_CASE("a block without an end, and one with two") {
  Diamond open;
  open.function.blocks[3].insts.pop_back();
  require_complaint(open, "a block has one end");
  Diamond twice;
  append(twice.function, 3, {.opcode = Opcode::kExit});
  require_complaint(twice, "a block has one end");
}

TEST_CASE("successors that the end does not have") {
  Diamond diamond;
  diamond.function.blocks[0].successors.pop_back();
  diamond.function.blocks[2].predecessors.clear();
  require_complaint(diamond, "needs two successors");
}

TEST_CASE("predecessors that do not match") {
  Diamond diamond;
  diamond.function.blocks[3].predecessors.pop_back();
  require_complaint(diamond, "does not list its predecessors");
  Diamond entry;
  entry.function.blocks[3].insts.pop_back();
  finish(entry.function, 3, {0});
  require_complaint(entry, "the entry block has a predecessor");
}

TEST_CASE("guards are predicates, on instructions that may have one") {
  Diamond wide;
  wide.function.insts[wide.use].guard = wide.merged;
  require_complaint(wide, "the guard is not a predicate");
  Diamond pure;
  pure.function.insts[pure.left_inst].guard = pure.function.constant(1, 1);
  require_complaint(pure, "a pure instruction has a guard");
}

TEST_CASE("a store of an element of another width") {
  Diamond diamond;
  std::get<MemoryAccess>(diamond.function.insts[diamond.use].detail).type = Type::kB16;
  require_complaint(diamond, "an element has another width");
}

TEST_CASE("an extract past the end of its operand") {
  Diamond diamond;
  Inst& inst = diamond.function.insts[diamond.left_inst];
  inst.op = Op{.kind = Kind::kExtract, .type = Type::kB32, .src = Type::kB64};
  inst.srcs = {diamond.function.constant(64, 5)};
  inst.immediate = 33;
  require_complaint(diamond, "extracts bits that are not there");
}

TEST_CASE("a value that no instruction defines") {
  Diamond diamond;
  diamond.function.insts[diamond.use].srcs[1] = diamond.function.add_value(32);
  require_complaint(diamond, "is never defined");
}

}  // namespace
}  // namespace ptxequiv::ir
