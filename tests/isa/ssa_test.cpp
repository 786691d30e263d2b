// Construction of SSA: what becomes of registers, labels and jumps.
#include "helpers.h"
#include "interpreter.h"
#include "ir/cfg.h"

namespace ptxequiv::testing {
namespace {

using ir::Opcode;

constexpr const char* kLoop =
    "ld.param.u32 %r0, [in];\n"
    "mov.u32 %r1, 0;\n"
    "mov.u32 %r2, 0;\n"
    "loop:\n"
    "add.u32 %r2, %r2, %r1;\n"
    "add.u32 %r1, %r1, 1;\n"
    "setp.lt.u32 %p0, %r1, %r0;\n"
    "@%p0 bra loop;\n"
    "ld.param.u64 %rd0, [out];\n"
    "st.global.u32 [%rd0], %r2;\n"
    "ret;\n";

TEST_CASE("a loop gets one phi for each value it carries") {
  const Lowered lowered = lower_body(kLoop);
  CHECK(count(lowered.function, Opcode::kPhi) == 2);
  CHECK(lowered.function.blocks.size() == 3);
  CHECK(ir::analyse(lowered.function).is_loop_header == std::vector<bool>{false, true, false});
  Interpreter interpreter(lowered.function);
  interpreter.set_parameter(0, 10);
  const uint64_t out = interpreter.allocate(std::vector<uint8_t>(4));
  interpreter.set_parameter(1, out);
  interpreter.run(1);
  CHECK(interpreter.word(out, 32) == 45);
}

TEST_CASE("a diamond merges what its arms write") {
  const Lowered lowered = lower_body(
      "ld.param.u32 %r0, [in]; setp.eq.u32 %p0, %r0, 3;\n"
      "mov.u32 %r2, 9;\n"
      "@%p0 bra yes;\n"
      "mov.u32 %r1, 5; bra.uni join;\n"
      "yes: mov.u32 %r1, 6;\n"
      "join: add.u32 %r3, %r1, %r2;\n"
      "ld.param.u64 %rd0, [out]; st.global.u32 [%rd0], %r3;");
  CHECK(count(lowered.function, Opcode::kPhi) == 1);
  for (const auto& [given, expected] : {std::pair(3, 15), std::pair(4, 14)}) {
    Interpreter interpreter(lowered.function);
    interpreter.set_parameter(0, static_cast<uint64_t>(given));
    const uint64_t out = interpreter.allocate(std::vector<uint8_t>(4));
    interpreter.set_parameter(1, out);
    interpreter.run(1);
    CHECK(interpreter.word(out, 32) == static_cast<uint64_t>(expected));
  }
}

TEST_CASE("a swap in a loop keeps both values") {
  const Lowered lowered = lower_body(
      "ld.param.u32 %r0, [in]; mov.u32 %r1, 1; mov.u32 %r2, 2;\n"
      "loop: mov.u32 %r3, %r1; mov.u32 %r1, %r2; mov.u32 %r2, %r3;\n"
      "sub.u32 %r0, %r0, 1; setp.ne.u32 %p0, %r0, 0; @%p0 bra loop;\n"
      "ld.param.u64 %rd0, [out]; st.global.v2.u32 [%rd0], {%r1, %r2};");
  Interpreter interpreter(lowered.function);
  interpreter.set_parameter(0, 3);
  const uint64_t out = interpreter.allocate(std::vector<uint8_t>(8));
  interpreter.set_parameter(1, out);
  interpreter.run(1);
  CHECK(interpreter.word(out, 32) == 2);
  CHECK(interpreter.word(out + 4, 32) == 1);
}

TEST_CASE("copies and reinterpretations are no instructions") {
  const Lowered lowered = lower_body(
      "ld.param.u32 %r0, [in]; mov.u32 %r1, %r0; mov.b32 %f1, %r1; mov.f32 %f2, %f1;\n"
      "ld.param.u64 %rd0, [out]; st.global.f32 [%rd0], %f2;");
  CHECK(count(lowered.function, Opcode::kOp) == 0);
  const ir::Inst& store = only(lowered.function, Opcode::kStore);
  const ir::InstId from = lowered.function.values[store.srcs[1]].def;
  CHECK(lowered.function.insts[from].opcode == Opcode::kLoad);
}

TEST_CASE("a register that was never written is poison") {
  const Lowered lowered = lower_body("ld.param.u64 %rd0, [out]; st.global.u32 [%rd0], %r5;");
  const ir::Inst& undef = only(lowered.function, Opcode::kUndef);
  CHECK(only(lowered.function, Opcode::kStore).srcs[1] == undef.dests[0]);
}

TEST_CASE("a register written on one path only is poison on the other") {
  const Lowered lowered = lower_body(
      "ld.param.u32 %r0, [in]; setp.eq.u32 %p0, %r0, 3; @%p0 bra skip; mov.u32 %r1, 5;\n"
      "skip: ld.param.u64 %rd0, [out]; st.global.u32 [%rd0], %r1;");
  CHECK(count(lowered.function, Opcode::kUndef) == 1);
  const ir::Inst& phi = only(lowered.function, Opcode::kPhi);
  const ir::Inst& undef = only(lowered.function, Opcode::kUndef);
  CHECK(std::count(phi.srcs.begin(), phi.srcs.end(), undef.dests[0]) == 1);
}

TEST_CASE("code that cannot be reached is checked and dropped") {
  const Lowered lowered = lower_body("ret; ld.global.u32 %r0, [%rd0]; st.global.u32 [%rd1], %r0;");
  CHECK(lowered.function.blocks.size() == 1);
  CHECK(count(lowered.function, Opcode::kStore) == 0);
  CHECK(refusal("ret; add.s32 %r0, %f1, %r2;").message() != "");
}

TEST_CASE("operations that nothing uses are dropped, loads are not") {
  const Lowered lowered = lower_body("add.u32 %r0, %r1, %r2; ld.global.u32 %r3, [%rd0];");
  CHECK(count(lowered.function, Opcode::kOp) == 0);
  CHECK(count(lowered.function, Opcode::kLoad) == 1);
}

TEST_CASE("a loop at the very start leaves the entry without predecessors") {
  const Lowered lowered = lower_body(
      "again: ld.volatile.shared.u32 %r0, [sh];\n"
      "setp.eq.u32 %p0, %r0, 0; @%p0 bra again;");
  CHECK(lowered.function.blocks[0].predecessors.empty());
}

TEST_CASE("an endless loop has no exit") {
  const Lowered lowered = lower_body("again: bra again;");
  CHECK(count(lowered.function, Opcode::kExit) == 0);
}

TEST_CASE("the same label in sibling scopes is two labels") {
  const Lowered lowered = lower_body(
      "{ @!%p0 bra skip; ld.global.u32 %r0, [%rd0]; skip: }\n"
      "{ @!%p1 bra skip; ld.global.u32 %r1, [%rd0]; skip: }");
  CHECK(count(lowered.function, Opcode::kCondBranch) == 2);
}

TEST_CASE("brx.idx goes to the table's labels") {
  const Lowered lowered = lower_body(
      "ts: .branchtargets l0, l1, l0;\n ld.param.u32 %r0, [in]; brx.idx %r0, ts;\n"
      "l0: mov.u32 %r1, 10; bra end;\n l1: mov.u32 %r1, 11;\n"
      "end: ld.param.u64 %rd0, [out]; st.global.u32 [%rd0], %r1;");
  for (const auto& [index, expected] : {std::pair(0, 10), std::pair(1, 11), std::pair(2, 10)}) {
    Interpreter interpreter(lowered.function);
    interpreter.set_parameter(0, static_cast<uint64_t>(index));
    const uint64_t out = interpreter.allocate(std::vector<uint8_t>(4));
    interpreter.set_parameter(1, out);
    interpreter.run(1);
    CHECK(interpreter.word(out, 32) == static_cast<uint64_t>(expected));
  }
}

TEST_CASE("a vector register is its elements") {
  const Lowered lowered = lower_body(
      ".reg .v2 .u32 %w; ld.param.u32 %r0, [in];\n"
      "mov.u32 %w.x, %r0; mov.u32 %w.y, 7; add.u32 %r1, %w.x, %w.y;\n"
      "ld.param.u64 %rd0, [out]; st.global.u32 [%rd0], %r1;");
  Interpreter interpreter(lowered.function);
  interpreter.set_parameter(0, 5);
  const uint64_t out = interpreter.allocate(std::vector<uint8_t>(4));
  interpreter.set_parameter(1, out);
  interpreter.run(1);
  CHECK(interpreter.word(out, 32) == 12);
}

}  // namespace
}  // namespace ptxequiv::testing
