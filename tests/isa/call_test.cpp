// Calls are inlined.
#include <algorithm>

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

constexpr const char* kUnary =
    ".func (.reg .u32 r) twice(.reg .u32 x) { shl.b32 r, x, 1; ret; }\n"
    ".func (.reg .u32 r) next(.reg .u32 x) { add.u32 r, x, 1; ret; }\n"
    ".func (.reg .u32 r) other(.reg .u32 x) { mov.u32 r, 99; ret; }\n";

TEST_CASE("an indirect call compares its address with the functions it may have") {
  const std::string chosen =
      std::string(kLoad) + "mov.u64 %rd1, twice; @%p0 mov.u64 %rd1, next; mov.u64 %rd2, other;\n";
  const std::string prototype = "pt: .callprototype (.reg .u32 _) _ (.reg .u32 _);\n";
  const std::string targets = "pt: .calltargets twice, next;\n";
  for (const std::string& table : {prototype, targets}) {
    const Lowered lowered =
        lower_body(table + chosen + "call (%r1), %rd1, (%r0), pt;\n" + kStore, kUnary);
    CHECK(run(lowered, 3) == 4);
    CHECK(run(lowered, 10) == 20);
    // None of them: an error where it happens.
    CHECK(count(lowered.function, Opcode::kUnsupported) == 1);
  }
  // Through a guard, and twice.
  const Lowered twice = lower_body(targets + chosen +
                                       "mov.u32 %r1, 5; @%p0 call (%r1), %rd1, (%r0), pt;\n"
                                       "call (%r1), %rd1, (%r1), pt;\n" +
                                       kStore,
                                   kUnary);
  CHECK(run(twice, 3) == 5);
  CHECK(run(twice, 10) == 10);
}

TEST_CASE("the address of a function is that of an object without bytes, one for each") {
  const Lowered lowered = lower_body(
      "mov.u64 %rd1, twice; mov.u64 %rd2, twice; mov.u64 %rd3, next; st.global.u64 [%rd4], %rd1;\n"
      "st.global.u64 [%rd4], %rd2; st.global.u64 [%rd4], %rd3;\n",
      kUnary);
  std::vector<ir::ObjectId> stored;
  for (const ir::Inst& inst : lowered.function.insts) {
    if (inst.opcode == Opcode::kObjectAddress) stored.push_back(inst.object);
  }
  REQUIRE(stored.size() == 3);
  CHECK(stored[0] == stored[1]);
  CHECK(stored[0] != stored[2]);
  CHECK(lowered.function.objects[stored[0]].bytes == 0);
}

TEST_CASE("vprintf gives a value that nobody knows, a failed assertion is a trap") {
  const char* external =
      ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
      ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n,\n"
      "  .param .b64 s);\n";
  const Lowered printing = lower_body(
      "{ .param .b64 p0; .param .b64 p1; .param .b32 r0; call.uni (r0), vprintf, (p0, p1);\n"
      "  ld.param.b32 %r1, [r0]; st.global.u32 [%rd0], %r1; }",
      external);
  const ir::Inst& print = only(printing.function, Opcode::kPrint);
  const auto is_of_param = [&](const ir::Inst& inst) {
    return inst.opcode == Opcode::kStore &&
           std::get<ir::MemoryAccess>(inst.detail).space == ptx::Space::kParam;
  };
  const auto& insts = printing.function.insts;
  const auto stored = std::find_if(insts.begin(), insts.end(), is_of_param);
  REQUIRE(stored != insts.end());
  CHECK(stored->srcs[1] == print.dests[0]);
  const Lowered failing = lower_body(
      "{ .param .b64 m; .param .b32 l; call.uni __assertfail, (m, m, l, m, m); }\n"
      "st.global.u32 [%rd0], 5;",
      external);
  CHECK(count(failing.function, Opcode::kTrap) == 1);
  CHECK(count(failing.function, Opcode::kStore) == 0);  // not reached
}

TEST_CASE("memory from alloca is a local variable if its size is known and it is taken once") {
  const std::string once = "alloca.u64 %rd1, 16, 32; st.local.u32 [%rd1+4], %r0;\n";
  const Lowered lowered = lower_body("stacksave.u64 %rd2;\n" + once + "stackrestore.u64 %rd2;");
  REQUIRE(count(lowered.function, Opcode::kUnsupported) == 0);
  const ir::MemoryObject& object =
      lowered.function.objects[only(lowered.function, Opcode::kObjectAddress).object];
  CHECK(object.space == ptx::Space::kLocal);
  CHECK(object.bytes == 16);
  CHECK(object.align == 32);
  CHECK(count(lower_body("alloca.u64 %rd1, %rd2; st.local.u32 [%rd1], 5;").function,
              Opcode::kUnsupported) == 1);
  CHECK(count(lower_body("loop: " + once + "@%p0 bra loop;").function, Opcode::kUnsupported) == 1);
  CHECK(count(lower_body("loop: @%p0 bra loop;" + once).function, Opcode::kUnsupported) == 0);
  CHECK_THROWS_AS(lower_body("alloca.u64 %rd1, 16, 3;"), base::InputError);
}

TEST_CASE("calls that cannot be inlined are unsupported where they are executed") {
  const Lowered external =
      lower_body("{ .param .b64 p0; .param .b64 r0; call.uni (r0), malloc, (p0); }",
                 ".extern .func (.param .b64 r) malloc(.param .b64 n);\n");
  const ir::Inst& call = only(external.function, Opcode::kUnsupported);
  CHECK(ir::source_name(external.function, call) == "call.uni malloc");
  const Lowered recursive =
      lower_body("call f, (%r0);",
                 ".func f(.reg .u32 x) { .reg .pred %q; setp.eq.u32 %q, x, 0;\n"
                 "  @!%q call f, (x); ret; }\n");
  CHECK(only(recursive.function, Opcode::kUnsupported).guard_negated);
  // No function of that type has its address taken.
  const Lowered indirect = lower_body("pt: .callprototype _ (.reg .u32 _); call %rd1, (%r0), pt;",
                                      ".func f(.reg .u32 x) { ret; }\n");
  CHECK(count(indirect.function, Opcode::kUnsupported) == 1);
}

}  // namespace
}  // namespace ptxequiv::testing
