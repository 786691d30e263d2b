#include "isa/table.h"

#include <set>
#include <sstream>

#include "helpers.h"

namespace ptxequiv::isa {
namespace {

using testing::refusal;

const ptx::Module& newest() {
  static const ptx::Module module = [] {
    ptx::Module made;
    made.path = "t";
    made.version_major = 9;
    made.target = "sm_100a";
    return made;
  }();
  return module;
}

const Entry* only_match(const Table& table, const ptx::Instruction& inst) {
  const std::vector<Match> matches = table.matches(inst, newest());
  REQUIRE(matches.size() == 1);
  return matches.front().entry;
}

ptx::Instruction instruction(const std::string& opcode, std::vector<std::string> modifiers,
                             size_t operands) {
  ptx::Instruction inst;
  inst.opcode = opcode;
  inst.modifiers = std::move(modifiers);
  inst.operands.resize(operands);
  return inst;
}

TEST_CASE("every row is a form of its own with a meaning and a place in the manual") {
  const Table table;
  std::set<std::pair<std::string_view, std::string_view>> seen;
  CHECK(table.entries().size() > 200);
  for (const Entry& entry : table.entries()) {
    INFO(entry.row->opcode << entry.row->form);
    CHECK(seen.insert({entry.row->opcode, entry.row->form}).second);
    CHECK(entry.row->lower != nullptr);
    CHECK(entry.row->section.substr(0, 4) == "9.7.");
    CHECK(entry.row->ptx >= 10);
    for (const OperandForm& operand : entry.form.operands) {
      // An operand's type must come from somewhere.
      size_t types = 0;
      for (const ModifierGroup& group : entry.form.groups) types += group.is_type ? 1 : 0;
      for (const OperandKind& kind : operand.kinds) {
        if (kind.rule == OperandKind::Rule::kType) CHECK(types > kind.type);
      }
    }
  }
}

TEST_CASE("every instruction of PTX ISA 9.0 is known") {
  std::istringstream opcodes(
      "add sub mul mad mul24 mad24 sad div rem abs neg min max popc clz bfind fns brev bfe "
      "bfi szext bmsk dp4a dp2a addc subc madc testp copysign fma rcp sqrt rsqrt sin cos "
      "lg2 ex2 tanh set setp selp slct and or xor not cnot lop3 shf shl shr mov shfl prmt "
      "ld ldu st multimem prefetch prefetchu applypriority discard createpolicy isspacep "
      "cvta cvt mapa getctarank cp tensormap tex tld4 txq istypep suld sust sured suq bra "
      "brx call ret exit stacksave stackrestore alloca brkpt nanosleep pmevent trap "
      "setmaxnreg griddepcontrol bar barrier membar fence atom red vote match activemask "
      "redux elect mbarrier clusterlaunchcontrol wmma mma ldmatrix stmatrix movmatrix wgmma "
      "tcgen05 vadd vsub vabsdiff vmin vmax vshl vshr vmad vset vadd2 vadd4 vsub2 vsub4 "
      "vavrg2 vavrg4 vabsdiff2 vabsdiff4 vmin2 vmin4 vmax2 vmax4 vset2 vset4 ");
  const Table table;
  std::set<std::string_view> known;
  for (const Entry& entry : table.entries()) known.insert(entry.row->opcode);
  for (std::string opcode; opcodes >> opcode;) {
    INFO(opcode);
    CHECK(known.count(opcode) == 1);
  }
}

TEST_CASE("modifiers match in any order, types in theirs") {
  const Table table;
  const auto form = [&](std::vector<std::string> modifiers, size_t operands) {
    return only_match(table, instruction("cvt", std::move(modifiers), operands));
  };
  CHECK(form({"rn", "f32", "s32"}, 2) == form({"f32", "s32", "rn"}, 2));
  CHECK(form({"rzi", "s32", "f32"}, 2) != form({"rn", "f32", "s32"}, 2));
  CHECK(only_match(table, instruction("add", {"ftz", "rn", "f32"}, 3)) ==
        only_match(table, instruction("add", {"f32", "rn", "ftz"}, 3)));
  CHECK_THROWS_AS(form({"rzi", "f32", "s32"}, 2), base::InputError);
}

TEST_CASE("the number of operands chooses between forms") {
  const Table table;
  CHECK(only_match(table, instruction("max", {"f32"}, 3)) !=
        only_match(table, instruction("max", {"f32"}, 4)));
  CHECK_THROWS_AS(table.matches(instruction("add", {"s32"}, 2), newest()), base::InputError);
}

TEST_CASE("what is not in the table is refused with what would be") {
  CHECK(refusal("ad.s32 %r0, %r1, %r2;").hint() == "the nearest name is 'add'");
  CHECK(refusal("add.approx.f32 %f0, %f1, %f2;").message() ==
        "add.approx.f32 does not take .approx");
  CHECK(refusal("fma.f32 %f0, %f1, %f2, %f3;").message() == "fma.f32 needs one of .rn .rz .rm .rp");
  CHECK(refusal("add.s32 %r0, %r1;").message() == "add.s32 takes 3 operands, not 2");
  CHECK_THAT(refusal("add.sat.u32 %r0, %r1, %r2;").hint(),
             Catch::Matchers::Contains("{.sat}.s32 d, a, b (PTX manual, 9.7.1.1)"));
  const base::InputError error = refusal("\n add.bf32 %r0, %r1, %r2;");
  CHECK(error.file() == "test.ptx");
  CHECK(error.loc().line == 10);
  CHECK(error.loc().column == 2);
}

}  // namespace
}  // namespace ptxequiv::isa
