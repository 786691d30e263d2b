#include "isa/form.h"

#include <catch2/catch.hpp>

#include "base/error.h"

namespace ptxequiv::isa {
namespace {

using Rule = OperandKind::Rule;

TEST_CASE("a form's modifiers are groups of choices") {
  const Form form = parse_form("{.rn|.rz}{.ftz}.f32 d, a, b");
  REQUIRE(form.groups.size() == 3);
  CHECK(form.groups[0].choices == std::vector<std::string>{"rn", "rz"});
  CHECK_FALSE(form.groups[0].required);
  CHECK_FALSE(form.groups[0].is_type);
  CHECK(form.groups[2].required);
  CHECK(form.groups[2].is_type);
  CHECK(form.required_operands() == 3);
}

TEST_CASE("a form's operands say their types") {
  const Form form = parse_form(".wide.(u16|s16) d:wide, a, b:u32, c:t2{, !p:pred}");
  REQUIRE(form.operands.size() == 5);
  CHECK(form.groups[1].choices == std::vector<std::string>{"u16", "s16"});
  CHECK(form.operands[0].kinds.at(0).rule == Rule::kWide);
  CHECK(form.operands[1].kinds.at(0).rule == Rule::kType);
  CHECK(form.operands[2].kinds.at(0).rule == Rule::kFixed);
  CHECK(form.operands[2].kinds.at(0).fixed == op::Type::kU32);
  CHECK(form.operands[3].kinds.at(0).type == 1);
  CHECK(form.operands[4].optional);
  CHECK(form.operands[4].kinds.at(0).fixed == op::Type::kPred);
  CHECK(form.required_operands() == 4);
}

TEST_CASE("addresses and pairs") {
  const Form form = parse_form(".b32 p{|q}:pred, d|e, [a]");
  CHECK(form.operands[0].second == "q");
  CHECK_FALSE(form.operands[0].pair_required);
  CHECK(form.operands[1].pair_required);
  CHECK(form.operands[2].address);
}

TEST_CASE("modifiers with colons, and anything at all") {
  const Form form = parse_form("{.L2::64B|.L2::128B}.* ...");
  CHECK(form.groups[0].choices[1] == "L2::128B");
  CHECK(form.any_modifiers);
  CHECK(form.any_operands);
}

TEST_CASE("groups that come together, and floors of names and of groups") {
  const Form form = parse_form("{.(relaxed|acquire<70,75>).(cta|gpu)}{.x|.y}<74,90a>.b32 d");
  REQUIRE(form.groups.size() == 4);
  CHECK(form.groups[0].unit != 0);
  CHECK(form.groups[0].unit == form.groups[1].unit);
  CHECK(form.groups[2].unit == 0);
  CHECK(form.groups[0].floors[0].ptx == 10);
  CHECK(form.groups[0].floors[1].ptx == 70);
  CHECK(form.groups[2].floors[1].ptx == 74);
  CHECK(form.groups[2].floors[1].targets.to_string() == "sm_90a");
}

TEST_CASE("vectors, literals, wider registers, coordinates, operands that come with a modifier") {
  const Form form = parse_form(
      ".t.b64 d:vN:t1+, [a:32, c:v2:s32], n:imm(24..256..8), m:imm(-1,1), x:b64|mem|_"
      "{, policy:b64 if L2::hint}");
  REQUIRE(form.operands.size() == 6);
  CHECK(form.operands[0].kinds[0].lanes_by == 'N');
  CHECK(form.operands[0].kinds[0].relaxed);
  CHECK(form.operands[1].address_bits == 32);
  REQUIRE(form.operands[1].extra.size() == 1);
  CHECK(form.operands[1].extra[0].kinds[0].lanes == 2);
  CHECK(form.operands[2].kinds[0].values == std::vector<int64_t>{24, 256, 8});
  CHECK(form.operands[3].kinds[0].values == std::vector<int64_t>{-1, 1});
  CHECK(form.operands[4].kinds.size() == 3);
  CHECK(form.operand_count({"t"}).most == 5);
  CHECK(form.operand_count({"t", "L2::hint"}).least == 6);
}

TEST_CASE("text that is no form is our own mistake") {
  CHECK_THROWS_AS(parse_form(".(a|b d"), base::InternalError);
  CHECK_THROWS_AS(parse_form(".f32 d:nothing"), base::InternalError);
  CHECK_THROWS_AS(parse_form(".f32 d, a b"), base::InternalError);
}

}  // namespace
}  // namespace ptxequiv::isa
