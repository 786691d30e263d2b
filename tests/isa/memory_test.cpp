#include "helpers.h"
#include "interpreter.h"

namespace ptxequiv::testing {
namespace {

using ir::MemoryAccess;
using ir::Opcode;

MemoryAccess access(const std::string& body, Opcode opcode) {
  const Lowered lowered = lower_body(body);
  return std::get<MemoryAccess>(only(lowered.function, opcode).detail);
}

TEST_CASE("an access keeps its space, type, width and ordering") {
  MemoryAccess load =
      access("ld.global.nc.L2::128B.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0];", Opcode::kLoad);
  CHECK(load.space == ptx::Space::kGlobal);
  CHECK(load.type == op::Type::kF32);
  CHECK(load.count == 4);
  CHECK(load.non_coherent);
  CHECK(load.order == MemoryAccess::Order::kWeak);
  load = access("ld.acquire.gpu.global.b32 %r0, [%rd0];", Opcode::kLoad);
  CHECK(load.order == MemoryAccess::Order::kAcquire);
  CHECK(load.scope == "gpu");
  load = access("ld.relaxed.global.sys.L1::no_allocate.b32 %r0, [%rd0];", Opcode::kLoad);
  CHECK(load.order == MemoryAccess::Order::kRelaxed);
  CHECK(load.scope == "sys");
  load = access("ld.volatile.shared.f32 %f0, [sh];", Opcode::kLoad);
  CHECK(load.is_volatile);
  load = access("ld.mmio.relaxed.sys.global.b32 %r0, [%rd0];", Opcode::kLoad);
  CHECK(load.order == MemoryAccess::Order::kMmio);
  CHECK(access("ld.u16 %h0, [%rd0];", Opcode::kLoad).space == ptx::Space::kGeneric);
  CHECK(access("st.release.cta.shared.b32 [sh], %r0;", Opcode::kStore).order ==
        MemoryAccess::Order::kRelease);
}

TEST_CASE("offsets and variables are addresses") {
  const Lowered lowered = lower_body("st.shared.u32 [sh+12], %r0; ld.shared.u32 %r1, [%rd0+-4];");
  const ir::Function& function = lowered.function;
  const ir::Inst& address = only(function, Opcode::kObjectAddress);
  const ir::Inst& store = only(function, Opcode::kStore);
  CHECK(store.srcs[0] == address.dests[0]);
  CHECK(store.immediate == 12);
  CHECK(function.objects[address.object].name == "sh");
  CHECK(function.objects[address.object].bytes == 64);
  CHECK(only(function, Opcode::kLoad).immediate == -4);
}

TEST_CASE("a variable named in a generic access is accessed in its own space") {
  CHECK(access("ld.u32 %r0, [sh];", Opcode::kLoad).space == ptx::Space::kShared);
}

TEST_CASE("narrow loads are extended by their type, narrow stores cut") {
  const Lowered lowered = lower_body(
      "ld.param.u64 %rd0, [out]; ld.param.s8 %r0, [in]; ld.param.u8 %r1, [in]; ld.param.s16 %rd2, "
      "[in];\n"
      "st.global.v2.u32 [%rd0], {%r0, %r1}; st.global.u64 [%rd0+8], %rd2;\n"
      "st.global.u8 [%rd0+16], %rd2;");
  Interpreter interpreter(lowered.function);
  interpreter.set_parameter(0, 0xfe80);
  const uint64_t out = interpreter.allocate(std::vector<uint8_t>(24));
  interpreter.set_parameter(1, out);
  interpreter.run(1);
  CHECK(interpreter.word(out, 32) == 0xffffff80);
  CHECK(interpreter.word(out + 4, 32) == 0x80);
  CHECK(interpreter.word(out + 8, 64) == 0xfffffffffffffe80);
  CHECK(interpreter.word(out + 16, 64) == 0x80);
}

TEST_CASE("vectors are packed and unpacked from the least significant end") {
  const Lowered lowered = lower_body(
      "ld.param.u64 %rd0, [out]; ld.param.b64 %rd1, [in]; mov.b64 {%h0, %h1, %h2, %h3}, %rd1;\n"
      "mov.b32 %r0, {%h3, %h0}; mov.b64 {%r1, _}, %rd1; mov.b32 %f0, {0, %h1};\n"
      "st.global.u32 [%rd0], %r0; st.global.u32 [%rd0+4], %r1; st.global.f32 [%rd0+8], %f0;");
  Interpreter interpreter(lowered.function);
  interpreter.set_parameter(0, 0x1111222233334444);
  const uint64_t out = interpreter.allocate(std::vector<uint8_t>(12));
  interpreter.set_parameter(1, out);
  interpreter.run(1);
  CHECK(interpreter.word(out, 32) == 0x44441111);
  CHECK(interpreter.word(out + 4, 32) == 0x33334444);
  CHECK(interpreter.word(out + 8, 32) == 0x33330000);
}

TEST_CASE("the entry's parameters are its first objects") {
  const Lowered lowered = lower_module(
      ".visible .entry k(.param .align 8 .b8 s[24], .param .u32 n) { .reg .b64 %a<4>; .reg .b32 "
      "%r;\n"
      "mov.b64 %a1, s; add.s64 %a2, %a1, 8; ld.param.u32 %r, [%a2+4]; st.param.u32 [%a1], %r; }");
  const ir::Function& function = lowered.function;
  REQUIRE(function.params.size() == 2);
  const ir::MemoryObject& first = function.objects[function.params[0]];
  CHECK(first.bytes == 24);
  CHECK(first.align == 8);
  CHECK(first.is_entry_param);
  CHECK(function.objects[function.params[1]].param_index == 1);
}

TEST_CASE("dynamic shared memory, initialisers and what they point at") {
  const Lowered lowered = lower_body(
      "mov.u32 %r0, dyn; ld.shared.u32 %r1, [%r0]; ld.global.u64 %rd1, [table];\n"
      "ld.const.u32 %r2, [c];",
      ".extern .shared .align 16 .b8 dyn[];\n.global .u32 target = 5;\n"
      ".global .u64 table[2] = {target, generic(target)};\n.const .u32 c = 7;\n");
  const auto find = [&](const std::string& name) -> const ir::MemoryObject& {
    for (const ir::MemoryObject& object : lowered.function.objects) {
      if (object.name == name) return object;
    }
    FAIL("no object " << name);
    throw 0;
  };
  CHECK(find("dyn").dynamic_shared);
  CHECK(find("dyn").align == 16);
  CHECK(find("table").init != nullptr);
  CHECK(find("target").init != nullptr);  // reachable through the table
  CHECK(find("c").space == ptx::Space::kConst);
}

TEST_CASE("address conversions keep the value and name the space") {
  const Lowered lowered = lower_body(
      "ld.param.u64 %rd1, [in]; cvta.to.global.u64 %rd2, %rd1; cvta.shared.u64 %rd3, sh;\n"
      "isspacep.local %p0, %rd1; selp.b64 %rd4, %rd2, %rd3, %p0; st.b32 [%rd4], %r0;");
  const ir::Function& function = lowered.function;
  CHECK(std::get<ir::SpaceUse>(only(function, Opcode::kFromGeneric).detail).space ==
        ptx::Space::kGlobal);
  CHECK(std::get<ir::SpaceUse>(only(function, Opcode::kToGeneric).detail).space ==
        ptx::Space::kShared);
  CHECK(std::get<ir::SpaceUse>(only(function, Opcode::kIsSpace).detail).space ==
        ptx::Space::kLocal);
}

TEST_CASE("cache policies are any value") {
  const Lowered lowered = lower_body(
      "createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0;\n"
      "ld.global.L1::evict_last.L2::cache_hint.v2.b32 {%r0, %r1}, [%rd0], %rd1;");
  CHECK(only(lowered.function, Opcode::kLoad).srcs.size() == 1);
}

}  // namespace
}  // namespace ptxequiv::testing
