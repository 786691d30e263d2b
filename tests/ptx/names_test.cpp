#include "ptx/names.h"

#include "helpers.h"
#include "ptx/special_register.h"

using namespace ptxequiv::ptx;
using namespace ptxequiv::ptx::testing;

TEST_CASE("a range costs only what is used of it") {
  auto module = parsed(kernel(".reg .b32 %big<1000000000>;\nmov.b32 %big999999999, %big0;"));
  CHECK(module.symbols.size() < 20);
  auto operand = instructions(module)[0].operands[0];
  CHECK(module.symbol(std::get<RegisterRef>(operand.value).symbol).name == "%big999999999");
}

TEST_CASE("a name outside its range is told the range") {
  auto error = refusal(kernel("mov.u32 %r10, 1;"));
  CHECK(error.message() == "`%r10` is not declared");
  CHECK(error.hint() == "Line 5 declares %r0 to %r9 only.");
  CHECK(error.file() == "t.ptx");
  CHECK(error.loc().line == 6);
  CHECK(error.loc().column == 9);
}

TEST_CASE("a misspelt name is told the nearest") {
  CHECK(refusal(kernel("mov.u32 %rr1, 1;")).hint() == "Did you mean `%r1`?");
  CHECK(refusal(kernel("mov.u32 %r1, %tidx;")).hint() == "Did you mean `%tid`?");
  CHECK(refusal(kernel("mov.u32 %r1, smh;")).hint() != "");
  CHECK(refusal(kernel("mov.u32 %r1, entirely_unknown;")).hint() ==
        "Declare it before its first use.");
  CHECK(refusal(kernel("loop: bra lop;")).hint() == "Did you mean `loop`?");
}

TEST_CASE("a leading zero names no element of a range") {
  // ptxas takes %r01 for %r1; no compiler prints it, and guessing would be worse.
  refusal(kernel("mov.u32 %r01, 1;"));
}

TEST_CASE("a prefix may end in digits") {
  auto module = parsed(kernel(".reg .f32 %x1<4>; .reg .b32 %x<9>;\nmov.b32 %x12, %x1;"));
  auto operands = instructions(module)[0].operands;
  CHECK(module.symbol(std::get<RegisterRef>(operands[0].value).symbol).type ==
        ptxequiv::op::Type::kF32);
  CHECK(module.symbol(std::get<RegisterRef>(operands[1].value).symbol).type ==
        ptxequiv::op::Type::kB32);
}

TEST_CASE("what is declared twice is refused, wherever the second stands") {
  auto error = refusal(kernel(".reg .b32 x;\n.reg .f32 x;"));
  CHECK(error.message() == "`x` is declared twice in the same scope");
  CHECK(error.hint() == "The first declaration is at line 6.");
  CHECK(error.loc().line == 7);
  refusal(kernel(".reg .b32 %r3;"));
  refusal(kernel(".reg .b32 x3; .reg .b32 x<5>;"));
  refusal(kernel(".reg .b32 %r<3>;"));
  refusal(kernel(".reg .b32 x<20>; .reg .b32 x1<5>;"));
  refusal(kernel(".reg .b32 x1<5>; .reg .b32 x<20>;"));
  refusal(kernel(".reg .b32 x12<5>; .reg .b32 x<200>;"));
  CHECK_NOTHROW(parsed(kernel(".reg .b32 x1<5>; .reg .b32 x<10>; .reg .b32 x01<99>;")));
  refusal(kernel("A: A: ret;"));
  refusal(kernel("p0: ret;"));
  refusal(kernel(".reg .b32 p0;"));
  refusal(kernel("lab: ret;\n.reg .b32 lab;"));
  CHECK_NOTHROW(parsed(kernel("{ .shared .b32 sh[4]; } .reg .b32 g;", ".global .b32 g;\n")));
  CHECK_NOTHROW(parsed(kernel(".reg .b32 x3; .reg .b32 x<3>;")));
}

TEST_CASE("use before declaration is refused") {
  refusal(kernel("mov.b32 z, 1; .reg .b32 z;"));
}

TEST_CASE("the special registers") {
  CHECK(special_register("%tid") == SpecialShape::kVector);
  CHECK(special_register("%pm7") == SpecialShape::kScalar);
  CHECK(special_register("%pm7_64") == SpecialShape::kScalar);
  CHECK(special_register("%pm8") == SpecialShape::kNone);
  CHECK(special_register("%envreg07") == SpecialShape::kNone);
  CHECK(special_register("%tidy") == SpecialShape::kNone);
  for (const auto& name : special_register_names()) {
    CAPTURE(name);
    CHECK(special_register(name) != SpecialShape::kNone);
  }
}
