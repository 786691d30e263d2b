// Calls are inlined.
#include "helpers.h"
#include "interpreter.h"

namespace ptxequiv::testing {
namespace {

using ir::Opcode;

uint64_t run(const Lowered& lowered, uint64_t in) {
  Interpreter interpreter(lowered.function);
  interpreter.set_parameter(0, in);
  const uint64_t out = interpreter.allocate(std::vector<uint8_t>(8));
  interpreter.set_parameter(1, out);
  interpreter.run(1);
  return interpreter.word(out, 32);
}

constexpr const char* kSquare =
    ".func (.param .b32 r) square(.param .b32 x) {\n"
    "  .reg .b32 %a<4>; .reg .pred %z;\n"
    "  ld.param.b32 %a1, [x]; setp.eq.u32 %z, %a1, 0; @%z bra zero;\n"
    "  mul.lo.u32 %a2, %a1, %a1; st.param.b32 [r], %a2; ret;\n"
    "  zero: st.param.b32 [r+0], 77; ret;\n"
    "}\n";

std::string call_square(const std::string& guard = "") {
  return "{ .param .b32 p0; .param .b32 r0; st.param.b32 [p0+0], %r0; st.param.b32 [r0], 5;\n" +
         guard + " call.uni (r0), square, (p0); ld.param.b32 %r1, [r0+0]; }\n";
}
constexpr const char* kLoad = "ld.param.u32 %r0, [in]; setp.lt.u32 %p0, %r0, 8;\n";
constexpr const char* kStore = "ld.param.u64 %rd0, [out]; st.global.u32 [%rd0], %r1;\n";

TEST_CASE("a call through parameter space is inlined, its parameters aliased") {
  const Lowered lowered = lower_body(kLoad + call_square() + kStore, kSquare);
  CHECK(run(lowered, 6) == 36);
  CHECK(run(lowered, 0) == 77);
  size_t call_scoped = 0;
  for (const ir::MemoryObject& object : lowered.function.objects) {
    call_scoped += object.call_scoped ? 1 : 0;
    CHECK(object.is_entry_param != object.call_scoped);
  }
  CHECK(call_scoped == 2);
}

TEST_CASE("a guarded call happens only where the guard holds") {
  const Lowered lowered = lower_body(kLoad + call_square("@%p0") + kStore, kSquare);
  CHECK(run(lowered, 6) == 36);
  CHECK(run(lowered, 9) == 5);
}

TEST_CASE("two calls of one function have labels and registers of their own") {
  const Lowered lowered = lower_body(
      kLoad + call_square() + "add.u32 %r0, %r1, 1;\n" + call_square() + kStore, kSquare);
  CHECK(run(lowered, 2) == 25);
}

TEST_CASE("parameters and results in registers") {
  const char* function =
      ".func (.reg .u32 r0, .reg .u32 r1) both(.reg .u32 x, .reg .u32 y) {\n"
      "  add.u32 r0, x, y; sub.u32 r1, x, y; ret; }\n";
  const Lowered lowered = lower_body(
      std::string(kLoad) + "call (%r2, %r3), both, (%r0, 4); mul.lo.u32 %r1, %r2, %r3;\n" + kStore,
      function);
  CHECK(run(lowered, 10) == 14 * 6);
  // Without a guard's select; with one, the results are written on the path of the call only.
  const Lowered guarded = lower_body(
      std::string(kLoad) + "mov.u32 %r1, 1; @%p0 call (%r1, %r3), both, (%r0, 4);\n" + kStore,
      function);
  CHECK(run(guarded, 3) == 7);
  CHECK(run(guarded, 10) == 1);
}

TEST_CASE("calls inside calls, and a function that is declared first") {
  const char* functions =
      ".func (.reg .u32 r) inner(.reg .u32 x);\n"
      ".func (.reg .u32 r) outer(.reg .u32 x) { .reg .u32 %t; call (%t), inner, (x);\n"
      "  add.u32 r, %t, 1; ret; }\n"
      ".func (.reg .u32 r) inner(.reg .u32 x) { shl.b32 r, x, 1; }\n";
  const Lowered lowered =
      lower_body(std::string(kLoad) + "call (%r1), outer, (%r0);\n" + kStore, functions);
  CHECK(run(lowered, 10) == 21);
}

TEST_CASE("a register of the callee is poison each time the function begins") {
  const char* function =
      ".func (.reg .u32 r) f(.reg .u32 x) { .reg .u32 %t; .reg .pred %q;\n"
      "  setp.eq.u32 %q, x, 0; @%q mov.u32 %t, 9; mov.u32 r, %t; ret; }\n";
  const Lowered lowered = lower_body(std::string(kLoad) +
                                         "loop: call (%r1), f, (%r0); sub.u32 %r0, %r0, 1;\n"
                                         "setp.ne.u32 %p1, %r0, 0; @%p1 bra loop;\n" +
                                         kStore,
                                     function);
  // Had the value of the turn before been seen, there would be a phi for it beside %r0's.
  CHECK(count(lowered.function, Opcode::kPhi) == 1);
  CHECK(count(lowered.function, Opcode::kUndef) == 1);
}

TEST_CASE("shared variables of a function are one each, local ones one a call") {
  const char* function =
      ".func f() { .reg .u32 %t; .shared .b32 s; .local .b32 l; ld.shared.u32 %t, [s];\n"
      "  st.local.u32 [l], %t; ret; }\n";
  const Lowered lowered = lower_body("call f; call f;", function);
  size_t shared = 0, local = 0;
  for (const ir::MemoryObject& object : lowered.function.objects) {
    shared += object.space == ptx::Space::kShared ? 1 : 0;
    local += object.space == ptx::Space::kLocal ? 1 : 0;
  }
  CHECK(shared == 1);
  CHECK(local == 2);
}

TEST_CASE("exit in a function ends the thread") {
  const Lowered lowered =
      lower_body(std::string(kLoad) + "mov.u32 %r1, 1; call f, (%r0);\n" + kStore,
                 ".func f(.reg .u32 x) { .reg .pred %q;\n"
                 "  setp.eq.u32 %q, x, 3; @%q exit; ret; }\n");
  CHECK(run(lowered, 3) == 0);
  CHECK(run(lowered, 4) == 1);
}

TEST_CASE("calls that cannot be inlined are unsupported where they are executed") {
  const char* external = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n";
  const Lowered printing = lower_body(
      "{ .param .b64 p0; .param .b64 p1; .param .b32 r0; call.uni (r0), vprintf, (p0, p1); }",
      external);
  const ir::Inst& call = only(printing.function, Opcode::kUnsupported);
  CHECK(ir::source_name(printing.function, call) == "call.uni vprintf");
  const Lowered recursive =
      lower_body("call f, (%r0);",
                 ".func f(.reg .u32 x) { .reg .pred %q; setp.eq.u32 %q, x, 0;\n"
                 "  @!%q call f, (x); ret; }\n");
  CHECK(only(recursive.function, Opcode::kUnsupported).guard_negated);
  const Lowered indirect =
      lower_body("mov.u64 %rd1, f; pt: .callprototype _ (.reg .u32 _); call %rd1, (%r0), pt;",
                 ".func f(.reg .u32 x) { ret; }\n");
  CHECK(count(indirect.function, Opcode::kUnsupported) == 2);  // the address of f, and the call
}

}  // namespace
}  // namespace ptxequiv::testing
