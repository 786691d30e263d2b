// Guards: selects for what is pure, Inst::guard for what is not, branches for control.
#include "helpers.h"

namespace ptxequiv::testing {
namespace {

using ir::Opcode;

const ir::Inst& definition(const ir::Function& function, ir::ValueId value) {
  return function.insts.at(function.values.at(value).def);
}

TEST_CASE("a guarded operation is computed always and chosen by the guard") {
  const Lowered lowered = lower_body(
      "ld.param.u32 %r0, [in]; setp.lt.u32 %p0, %r0, 9; mov.u32 %r1, 3;\n"
      "@%p0 add.u32 %r1, %r0, %r0;\n"
      "ld.param.u64 %rd0, [out]; st.global.u32 [%rd0], %r1;");
  const ir::Function& function = lowered.function;
  const ir::Inst& select = definition(function, only(function, Opcode::kStore).srcs[1]);
  REQUIRE(select.op.kind == op::Kind::kSelect);
  CHECK(definition(function, select.srcs[1]).op.kind == op::Kind::kAdd);
  CHECK(function.values[select.srcs[2]].constant == 3);
  CHECK(definition(function, select.srcs[1]).guard == ir::kNone);
}

TEST_CASE("a negated guard keeps the old value where it holds") {
  const Lowered lowered = lower_body(
      "ld.param.u32 %r0, [in]; setp.lt.u32 %p0, %r0, 9; mov.u32 %r1, 3;\n"
      "@!%p0 mov.u32 %r1, %r0;\n"
      "ld.param.u64 %rd0, [out]; st.global.u32 [%rd0], %r1;");
  const ir::Function& function = lowered.function;
  const ir::Inst& select = definition(function, only(function, Opcode::kStore).srcs[1]);
  REQUIRE(select.op.kind == op::Kind::kSelect);
  CHECK(function.values[select.srcs[1]].constant == 3);
}

TEST_CASE("the old value of a register never written is poison") {
  const Lowered lowered = lower_body(
      "ld.param.u32 %r0, [in]; setp.lt.u32 %p0, %r0, 9; @%p0 mov.u32 %r1, %r0;\n"
      "ld.param.u64 %rd0, [out]; st.global.u32 [%rd0], %r1;");
  const ir::Function& function = lowered.function;
  const ir::Inst& select = definition(function, only(function, Opcode::kStore).srcs[1]);
  CHECK(definition(function, select.srcs[2]).opcode == Opcode::kUndef);
}

TEST_CASE("a guarded load keeps its guard and its destinations their old values") {
  const Lowered lowered = lower_body(
      "ld.param.u64 %rd1, [in]; setp.lt.u64 %p0, %rd1, 9; mov.u32 %r1, 3; mov.u32 %r2, 4;\n"
      "@!%p0 ld.shared.v2.b32 {%r1, %r2}, [sh];\n"
      "ld.param.u64 %rd0, [out]; st.global.v2.u32 [%rd0], {%r1, %r2};");
  const ir::Function& function = lowered.function;
  const ir::Inst& store = only(function, Opcode::kStore);
  for (unsigned i = 0; i < 2; ++i) {
    const ir::Inst& select = definition(function, store.srcs[1 + i]);
    REQUIRE(select.op.kind == op::Kind::kSelect);
    CHECK(function.values[select.srcs[1]].constant == 3 + i);
    const ir::Inst& load = definition(function, select.srcs[2]);
    CHECK(load.opcode == Opcode::kLoad);
    CHECK(load.guard_negated);
    CHECK(load.guard == select.srcs[0]);
    CHECK(load.dests[i] == select.srcs[2]);
  }
}

TEST_CASE("a guard that its own instruction overwrites is the old one") {
  const Lowered lowered = lower_body(
      "ld.param.u32 %r0, [in]; setp.lt.u32 %p0, %r0, 9; @%p0 setp.gt.u32 %p0, %r0, 3;\n"
      "ld.param.u64 %rd0, [out]; selp.u32 %r1, 1, 0, %p0; st.global.u32 [%rd0], %r1;");
  const ir::Function& function = lowered.function;
  const ir::Inst& selp = definition(function, only(function, Opcode::kStore).srcs[1]);
  const ir::Inst& select = definition(function, selp.srcs[0]);
  REQUIRE(select.op.kind == op::Kind::kSelect);
  CHECK(select.srcs[0] == select.srcs[2]);
}

TEST_CASE("stores and barriers keep their guards") {
  const Lowered lowered = lower_body(
      "setp.eq.u32 %p0, %r0, 3; @%p0 st.shared.u32 [sh], %r0;\n"
      "@!%p0 bar.sync 0;");
  CHECK(only(lowered.function, Opcode::kStore).guard != ir::kNone);
  CHECK(only(lowered.function, Opcode::kBarrier).guard_negated);
}

TEST_CASE("guarded ends split the block") {
  for (const std::string end : {"ret", "exit", "trap"}) {
    const Lowered lowered = lower_body("ld.param.u32 %r0, [in]; setp.eq.u32 %p0, %r0, 3;\n@%p0 " +
                                       end + "; st.shared.u32 [sh], %r0;");
    INFO(lowered.text());
    CHECK(count(lowered.function, Opcode::kCondBranch) == 1);
    CHECK(count(lowered.function, Opcode::kTrap) == (end == "trap" ? 1 : 0));
    CHECK(count(lowered.function, Opcode::kExit) == (end == "trap" ? 1 : 2));
    CHECK(only(lowered.function, Opcode::kStore).guard == ir::kNone);
  }
}

TEST_CASE("a negated branch swaps its successors") {
  const Lowered lowered = lower_body(
      "ld.param.u32 %r0, [in]; setp.eq.u32 %p0, %r0, 3;\n"
      "@!%p0 bra skip; st.shared.u32 [sh], %r0; skip: ret;");
  const ir::Function& function = lowered.function;
  const ir::Inst& branch = only(function, Opcode::kCondBranch);
  const ir::BlockId taken = function.blocks[branch.block].successors[0];
  CHECK(only(function, Opcode::kStore).block == taken);
}

}  // namespace
}  // namespace ptxequiv::testing
