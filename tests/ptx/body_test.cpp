#include "helpers.h"

using namespace ptxequiv::ptx;
using namespace ptxequiv::ptx::testing;

namespace {

SymbolId target_of(const Instruction& instruction) {
  return std::get<LabelRef>(instruction.operands.at(0).value).symbol;
}

std::vector<SymbolId> label_marks(const Module& module) {
  std::vector<SymbolId> marks;
  for (const Statement& statement : module.find_function("k")->body)
    if (const auto* mark = std::get_if<LabelMark>(&statement)) marks.push_back(mark->symbol);
  return marks;
}

}  // namespace

TEST_CASE("labels belong to their block") {
  auto module = parsed(kernel("{ A: bra A; }\n{ A: bra A; }\nbra B;\n{ bra B; }\nB:"));
  auto marks = label_marks(module);
  REQUIRE(marks.size() == 3);
  auto all = instructions(module);
  CHECK(target_of(all[0]) == marks[0]);
  CHECK(target_of(all[1]) == marks[1]);
  CHECK(marks[0] != marks[1]);
  CHECK(target_of(all[2]) == marks[2]);
  CHECK(target_of(all[3]) == marks[2]);
}

TEST_CASE("a jump into an inner block is refused, with the label's place") {
  auto error = refusal(kernel("bra A;\n{ A: ret; }"));
  CHECK(error.message() == "the label `A` is not in scope here");
  CHECK(error.loc().line == 6);
  CHECK(error.hint() == "The one at line 7 belongs to another function or { } block.");
}

TEST_CASE("an inner label hides the outer one, also before it stands") {
  auto module = parsed(kernel("A: { bra A; A: ret; }"));
  auto marks = label_marks(module);
  CHECK(target_of(instructions(module)[0]) == marks[1]);
}

TEST_CASE("braces of operands, colons of conditionals and .loc do not mislead the labels") {
  auto module = parsed(
      kernel("mov.b64 %rd1, {%r1, %r2}; mov.u32 %r1, 1?1?WARP_SZ:2:3;\n"
             ".loc 1 2 3, function_name x+4, inlined_at 1 2 3\nA: B: {\n.loc 1 2 3\nA: "
             ".pragma \"p\"; C: @%p1 bra A; .global .b32 g[2] = {1, 2}; T: .branchtargets A, B;\n"
             "{ } bra C; } bra A; { }"));
  auto marks = label_marks(module);
  REQUIRE(marks.size() == 4);
  auto all = instructions(module);
  CHECK(target_of(all[2]) == marks[2]);
  CHECK(target_of(all[3]) == marks[3]);
  CHECK(target_of(all[4]) == marks[0]);
}

TEST_CASE("registers are scoped, shadow and may be declared late") {
  auto module =
      parsed(kernel("{ .reg .f32 %r1; mov.f32 %r1, 0f00000000; }\nmov.b32 %r1, 0;\n"
                    "@%p1 bra L;\n.reg .pred late;\nL: setp.eq.s32 late, %r1, 0;"));
  auto all = instructions(module);
  auto inner = std::get<RegisterRef>(all[0].operands[0].value).symbol;
  auto outer = std::get<RegisterRef>(all[1].operands[0].value).symbol;
  CHECK(inner != outer);
  CHECK(module.symbol(inner).type == ptxequiv::op::Type::kF32);
  CHECK(module.symbol(outer).type == ptxequiv::op::Type::kB32);
  CHECK(std::get<RegisterRef>(all[3].operands[1].value).symbol == outer);
}

TEST_CASE("the .loc in force is the instruction's debug place") {
  auto all =
      instructions(parsed(kernel("ret;\n.loc 1 12 3\nret;\n.loc 2 7 1, function_name sym, "
                                 "inlined_at 1 30 5\n{ ret; }\nret;")));
  CHECK(all[0].debug == DebugLoc{});
  CHECK(all[1].debug == DebugLoc{1, 12, 3});
  CHECK(all[2].debug == DebugLoc{2, 7, 1});
  CHECK(all[3].debug == DebugLoc{2, 7, 1});
  auto overruled =
      parsed(kernel(".loc 1 2 3, function_name s, inlined_at 1 1 1\n.loc 1 4 5\nret;"));
  CHECK(overruled.find_function("k")->inlined.empty());
}

TEST_CASE("branch tables") {
  auto module = parsed(kernel("T: .branchtargets A, B;\nbrx.idx %r1, T;\nA: B:"));
  auto marks = label_marks(module);
  auto table = std::get<SymbolRef>(instructions(module)[0].operands[1].value).symbol;
  CHECK(module.symbol(table).kind == SymbolKind::kTable);
  CHECK(module.symbol(table).targets == marks);
  refusal(kernel("brx.idx %r1, T;\nT: .branchtargets A;\nA:"));  // ptxas wants it first
  refusal(kernel("T: .branchtargets %r1;"));
}

TEST_CASE("guards are predicates") {
  auto error = refusal(kernel("@%r1 ret;"));
  CHECK(error.message() == "`%r1` is not a predicate register");
  CHECK(error.hint() == "Line 5 declares it as .b32.");
  CHECK_NOTHROW(parsed(kernel("@! %p1 ret;")));
}

TEST_CASE("a body may be empty, end in a label, or hold directives only") {
  CHECK_NOTHROW(parsed(kernel("")));
  CHECK_NOTHROW(parsed(kernel("L:\n.pragma \"nounroll\";\nM:")));
  CHECK(parsed(kernel("ret;")).find_function("k")->end.line == 7);
}

TEST_CASE("functions: prototypes, definitions, directives, aliases") {
  auto module = parsed(std::string(kHeader) +
                       ".func f(.param .b32 a);\n.func f(.param .b32 a);\n"
                       ".extern .func (.param .b32 r) ext(.param .b64 x)\n.noreturn;\n"
                       ".weak .func f(.param .b32 b) { ret; }\n.func h(.param .b32 b) { ret; "
                       "}\n.func g(.param .b32 a);\n.alias g, h;\n"
                       ".entry bare { ret; }\n"
                       ".visible .entry tuned() .maxntid 128, 1, 1 .minnctapersm 2 { ret; }\n");
  REQUIRE(module.functions.size() == 6);
  const Function* f = module.find_function("f");
  CHECK_FALSE(f->is_declaration);
  CHECK(f->linkage == Linkage::kWeak);
  CHECK(module.symbol(f->parameters.at(0)).name == "b");
  CHECK(module.find_function("ext")->is_declaration);
  CHECK(module.find_function("ext")->directives.at(0).first == "noreturn");
  CHECK(module.entries().size() == 2);
  CHECK(module.find_function("bare")->parameters.empty());
  const auto& directives = module.find_function("tuned")->directives;
  REQUIRE(directives.size() == 2);
  CHECK(directives[0].second == std::vector<uint64_t>{128, 1, 1});
  CHECK(module.aliases.size() == 1);
  refusal(kernel("", ".entry k() { ret; }\n"));
  refusal(std::string(kHeader) + ".func f(.param .b32 a);\n.func f() { ret; }\n");
  refusal(kernel("call nowhere;"));
}
