#include "check/symbols.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "ptx/parser.h"

using namespace ptxequiv;
using check::given_variables;

namespace {

const char* const kModule = R"(
.version 8.6
.target sm_90a
.address_size 64
.const .align 4 .b8 w[12];
.const .align 4 .f32 scale;
.global .align 8 .b8 table[16];
.visible .entry k() { ret; }
)";

struct Given {
  spec::Check check;
  ptx::Module module = ptx::parse(kModule, "k.ptx");
  std::vector<bool> found;
  std::vector<machine::Variable> variables() { return given_variables(check, {&module}, found); }
};

std::vector<spec::Number> numbers(std::initializer_list<const char*> texts) {
  std::vector<spec::Number> out;
  for (const char* text : texts) out.push_back({text});
  return out;
}

}  // namespace

TEST_CASE("an array declared as bytes takes its type from its numbers", "[symbols]") {
  Given g;
  g.check.symbols = {{"w", numbers({"1", "0.5", "-2"})}};
  const auto variables = g.variables();
  REQUIRE(variables.size() == 1);
  CHECK(variables[0].data == std::vector<uint8_t>{0, 0, 0x80, 0x3f, 0, 0, 0, 0x3f, 0, 0, 0, 0xc0});
  CHECK(g.found == std::vector<bool>{true});
}

TEST_CASE("whole numbers fill bytes as integers", "[symbols]") {
  Given g;
  g.check.symbols = {{"table", numbers({"1", "-1"})}};
  const auto variables = g.variables();
  REQUIRE(variables.size() == 1);
  CHECK(variables[0].data[0] == 1);
  CHECK(variables[0].data[7] == 0);
  CHECK(variables[0].data[15] == 0xff);
}

TEST_CASE("a declared type counts", "[symbols]") {
  Given g;
  g.check.symbols = {{"scale", numbers({"1"})}};
  CHECK(g.variables().at(0).data == std::vector<uint8_t>{0, 0, 0x80, 0x3f});
}

TEST_CASE("contents that do not fit, and names that nobody has, are refused", "[symbols]") {
  Given g;
  g.check.symbols = {{"w", numbers({"1", "2", "3", "4", "5"})}};
  CHECK_THROWS_AS(g.variables(), base::InputError);
  Given other;
  other.check.symbols = {{"ww", numbers({"1"})}};
  CHECK(other.variables().empty());
  CHECK_THROWS_AS(check::require_found(other.check, {&other.module}, other.found),
                  base::InputError);
}
