#include "helpers.h"

using namespace ptxequiv::ptx;
using namespace ptxequiv::ptx::testing;

namespace {

template <typename What>
What operand(const std::string& text, const std::string& before = "", size_t index = 1) {
  auto module = parsed(kernel(before + "\n" + text));
  auto all = instructions(module);
  REQUIRE(!all.empty());
  REQUIRE(std::holds_alternative<What>(all.back().operands.at(index).value));
  return std::get<What>(all.back().operands[index].value);
}

}  // namespace

TEST_CASE("addresses") {
  auto plain = operand<Address>("ld.global.u32 %r1, [%rd1];");
  CHECK(plain.base == Address::Base::kRegister);
  CHECK(plain.offset == 0);
  CHECK(operand<Address>("ld.global.u32 %r1, [ %rd1 + 16 ];").offset == 16);
  CHECK(operand<Address>("ld.global.u32 %r1, [%rd1+-4];").offset == -4);
  CHECK(operand<Address>("ld.global.u32 %r1, [%rd1+2*3+4];").offset == 10);
  CHECK(operand<Address>("ld.global.u32 %r1, [%rd1+0xFFFFFFFFFFFFFFFC];").offset == -4);
  auto variable = operand<Address>("ld.shared.u32 %r1, [sh+4];");
  CHECK(variable.base == Address::Base::kSymbol);
  CHECK(variable.offset == 4);
  auto absolute = operand<Address>("ld.local.u32 %r1, [4096];");
  CHECK(absolute.base == Address::Base::kAbsolute);
  CHECK(absolute.offset == 4096);
  CHECK(operand<Address>("ld.global.u32 %r1, [%rd1].unified;").unified);
  auto tensor = operand<Address>("cp.async.bulk.tensor.2d [%r1], [%rd1, {%r2, %r3}], [%r4];");
  REQUIRE(tensor.extra.size() == 1);
  CHECK(std::get<Vector>(tensor.extra[0].value).elements.size() == 2);
}

TEST_CASE("an array's own brackets scale by the element") {  // compared with ptxas 13
  CHECK(operand<Address>("ld.shared.u32 %r1, sh[3];").offset == 12);
  CHECK(operand<SymbolRef>("mov.u32 %r1, sh[3];").addend == 12);
  CHECK(operand<SymbolRef>("mov.u32 %r1, sh+3;").addend == 3);
  CHECK_THROWS_AS(parsed(kernel("ld.shared.u32 %r1, sh[%r2];")), ptxequiv::base::Unsupported);
}

TEST_CASE("addresses that ptxas refuses") {
  CHECK(refusal(kernel("ld.global.u32 %r1, [%rd1-4];")).hint() == "Write `+-4` for `-4`.");
  refusal(kernel("ld.global.u32 %r1, [4+%rd1];"));
  refusal(kernel("ld.global.u32 %r1, [%rd1+%rd2];"));
  refusal(kernel("ld.shared.u32 %r1, [sh[4]];"));
  refusal(kernel("ld.global.u32 %r1, [{%r1, %r2}];"));
  refusal(kernel("mov.u32 %r1, sh-4;"));
}

TEST_CASE("registers, their elements, predicates and sinks") {
  CHECK_FALSE(operand<RegisterRef>("mov.u32 %r1, %r2;").negated);
  CHECK(operand<RegisterRef>("selp.b32 %r1, %r2, %r3, !%p1;", "", 3).negated);
  CHECK(operand<RegisterElement>("mov.b32 %r1, %v.y;", ".reg .v4 .b32 %v;").index == 1);
  CHECK(operand<RegisterElement>("mov.b32 %r1, %v.a;", ".reg .v4 .b32 %v;").index == 3);
  CHECK(operand<RegisterElement>("vadd.u32.u32.u32 %r1, %r2.b3, %r3.h1;").index ==
        RegisterElement::kByteSelector + 3);
  auto pair = operand<Pair>("setp.lt.s32 %p1|%p2, %r1, %r2;", "", 0);
  CHECK(pair.elements.size() == 2);
  auto sunk = operand<Pair>("elect.sync _|%p1, 0xffffffff;", "", 0);
  CHECK(std::holds_alternative<Sink>(sunk.elements[0].value));
  CHECK(operand<Vector>("mov.b64 {%r1, _}, %rd1;", "", 0).elements.size() == 2);
  CHECK(operand<Vector>("ld.global.b32 { %r1 }, [%rd1];", "", 0).elements.size() == 1);
  refusal(kernel("mov.b32 %r1, %r2.x;"));
  refusal(kernel(".reg .v2 .b32 %v;\nmov.b32 %r1, %v.z;"));
  refusal(kernel("mov.b64 %rd1, {%r1, {%r2}};"));
}

TEST_CASE("special registers give way to declared ones") {
  CHECK(operand<SpecialRegister>("mov.u32 %r1, %tid.x;").name == "%tid.x");
  CHECK(operand<SpecialRegister>("mov.u32 %r1, %laneid;").name == "%laneid");
  CHECK(operand<SpecialRegister>("mov.u32 %r1, %envreg31;").name == "%envreg31");
  CHECK(operand<SpecialRegister>("mov.u32 %r1, WARP_SZ;").name == "WARP_SZ");
  operand<RegisterRef>("mov.u32 %r1, %laneid;", ".reg .b32 %laneid;");
  refusal(kernel("mov.u32 %r1, %envreg32;"));
  refusal(kernel("mov.u32 %r1, %laneid.x;"));
}

TEST_CASE("calls") {
  const std::string functions =
      ".func (.param .b32 r) f(.param .b32 a, .param .b32 b);\n.func g();\n.func call();\n";
  auto call = [&](const std::string& text) {
    return instructions(parsed(kernel(".param .b32 a0, a1, r0;\n" + text, functions))).at(0);
  };
  auto full = call("call.uni (r0), f, (a0, a1);");
  REQUIRE(full.operands.size() == 3);
  CHECK(std::get<ArgumentList>(full.operands[0].value).elements.size() == 1);
  CHECK(std::holds_alternative<SymbolRef>(full.operands[1].value));
  CHECK(std::get<ArgumentList>(full.operands[2].value).elements.size() == 2);
  CHECK(call("call g;").operands.size() == 1);
  CHECK(std::get<ArgumentList>(call("call g, ();").operands[1].value).elements.empty());
  auto indirect = call(
      "proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n"
      "call (r0), %rd1, (a0, a1), proto;");
  REQUIRE(indirect.operands.size() == 4);
  CHECK(std::holds_alternative<RegisterRef>(indirect.operands[1].value));
  CHECK(std::holds_alternative<SymbolRef>(call("call call;").operands[0].value));
  refusal(kernel("mov.u32 %r1, (%r2, %r3);"));
}

TEST_CASE("modifiers and places are kept as written") {
  auto load = only_instruction("@!%p1 ld.global.L1::evict_last\n.v2.b32 {%r1, %r2}, [%rd1];");
  CHECK(load.full_name() == "ld.global.L1::evict_last.v2.b32");
  CHECK(load.modifiers.size() == 4);
  REQUIRE(load.guard);
  CHECK(load.guard->negated);
  CHECK(load.loc.line == 6);
  CHECK(load.loc.column == 7);
  CHECK(load.operands[1].loc.line == 7);
}
