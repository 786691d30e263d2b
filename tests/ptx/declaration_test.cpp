#include "helpers.h"

using namespace ptxequiv::ptx;
using namespace ptxequiv::ptx::testing;
using ptxequiv::op::Type;

namespace {

Symbol variable(const std::string& declaration) {
  auto module = parsed(std::string(kHeader) + declaration + "\n");
  REQUIRE(!module.variables.empty());
  return module.symbol(module.variables.back());
}

std::vector<uint8_t> bytes(const std::string& declaration) {
  auto symbol = variable(declaration);
  REQUIRE(symbol.init);
  return symbol.init->bytes;
}

void refuse(const std::string& declaration) {
  CAPTURE(declaration);
  refusal(std::string(kHeader) + declaration + "\n");
}

}  // namespace

TEST_CASE("variables: space, type, size, alignment") {
  auto array = variable(".global .align 4 .b8 x[2][3];");
  CHECK(array.space == Space::kGlobal);
  CHECK(array.align == 4);
  CHECK(array.elements == 6);
  CHECK(array.bytes() == 6);
  CHECK(array.is_array);
  CHECK(variable(".align 16 .const .v4 .f32 x;").bytes() == 16);
  CHECK(variable(".global .b32 x[WARP_SZ];").elements == 32);
  auto dynamic = variable(".extern .shared .align 16 .b8 x[];");
  CHECK(dynamic.is_extern);
  CHECK(dynamic.is_unsized);
  CHECK(dynamic.bytes() == 0);
  CHECK(parsed(std::string(kHeader) + ".global .b32 a, b[2], c;\n").variables.size() == 3);
  CHECK(variable(".global .texref t;").type == Type::kNone);
  CHECK(variable(".visible .global .attribute(.managed) .align 4 .u32 x = 7;").linkage ==
        Linkage::kVisible);
}

TEST_CASE("an extern declaration may be repeated and then defined") {
  auto module =
      parsed(std::string(kHeader) +
             ".extern .global .b32 s; .extern .global .b32 s; .visible .global .b32 s = 3;\n");
  REQUIRE(module.variables.size() == 1);
  CHECK_FALSE(module.symbol(module.variables[0]).is_extern);
  CHECK(module.symbol(module.variables[0]).init);
  refuse(".global .b32 s; .global .b32 s;");
  refuse(".extern .global .b32 s; .global .f32 s;");
}

TEST_CASE("parameters") {
  auto module =
      parsed(std::string(kHeader) +
             ".entry k(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 q[40]) {}\n");
  const auto& ids = module.find_function("k")->parameters;
  REQUIRE(ids.size() == 2);
  CHECK(module.symbol(ids[0]).is_pointer);
  CHECK(module.symbol(ids[0]).pointer_space == Space::kGlobal);
  CHECK(module.symbol(ids[0]).pointer_align == 16);
  CHECK(module.symbol(ids[0]).align == 0);
  CHECK(module.symbol(ids[1]).bytes() == 40);
  CHECK(module.symbol(ids[1]).align == 8);
  CHECK(module.symbol(ids[1]).space == Space::kParam);
}

TEST_CASE("initialisers become bytes") {  // compared with the data that ptxas 13 writes
  CHECK(bytes(".global .b8 x[4] = {1, 300};") == std::vector<uint8_t>{1, 44});
  CHECK(bytes(".global .b16 x[2] = {70000, -1};") == std::vector<uint8_t>{0x70, 0x11, 0xff, 0xff});
  CHECK(bytes(".global .f32 x = 0f3F800000;") == std::vector<uint8_t>{0, 0, 0x80, 0x3f});
  CHECK(bytes(".global .f32 x = 0d3FF0000000000000;") == std::vector<uint8_t>{0, 0, 0x80, 0x3f});
  CHECK(bytes(".global .b32 x = 1.5;") == std::vector<uint8_t>{0, 0, 0xc0, 0x3f});
  CHECK(bytes(".global .f64 x = 1.5;").at(7) == 0x3f);
  CHECK(bytes(".global .b8 x[2][2] = {{1, 4}, {2}};") == std::vector<uint8_t>{1, 4, 2});
  // Here ptxas and the manual differ.
  CHECK_THROWS_AS(bytes(".global .b8 x[2][2] = {{1}, {2, 3}};"), ptxequiv::base::Unsupported);
  CHECK(variable(".global .b32 x[] = {1, 2, 3};").elements == 3);
  CHECK(variable(".global .b32 x[][2] = {{1, 2}, {3}};").elements == 4);
  CHECK(bytes(".global .v2 .f32 x[2] = {{1.0, 2.0}, {3.0, 4.0}};").size() == 16);
}

TEST_CASE("addresses in initialisers") {
  auto table = variable(".global .b32 h[4]; .global .u64 x[2] = {h+4, generic(h)};");
  REQUIRE(table.init->addresses.size() == 2);
  CHECK(table.init->addresses[0].addend == 4);
  CHECK_FALSE(table.init->addresses[0].generic);
  CHECK(table.init->addresses[1].byte_offset == 8);
  CHECK(table.init->addresses[1].generic);
  auto masked = variable(".global .b32 h; .global .u8 x[2] = {0xff(h), 0xff00(h)};");
  CHECK(masked.init->addresses.at(1).mask == 0xff00);
  auto functions = variable(".func f(); .global .u64 x = f;");
  CHECK(functions.init->addresses.size() == 1);
  refuse(".global .b32 h; .global .u32 x = h;");
  refuse(".global .u64 x = y;");
}

TEST_CASE("declarations that ptxas refuses") {
  refuse(".global .f32 x = 1;");
  refuse(".global .u32 x = 1.5;");
  refuse(".global .b32 x[2] = {1, 2, 3};");
  refuse(".global .b32 x[2][2] = {1, 2, 3};");
  refuse(".global .v2 .f32 x[2] = {{1.0}, {3.0, 4.0}};");
  refuse(".global .align 3 .b32 x;");
  refuse(".global x;");
  refuse(".global .b32 .b32 x;");
  refuse(".global .pred x;");
  refuse(".reg .b32 x;");
  refuse(".param .b32 x;");
  refuse(".shared .b32 x[];");
  refuse(".shared .b32 x[0];");
  refuse(".shared .b32 x = 1;");
  refuse(".global .q32 x;");
  refuse(".global .b32 x[281474976710656][281474976710656];");
  refusal(kernel(".reg .b32 x = 1;"));
  refusal(kernel(".reg .b32 x[4];"));
  // Legal, and different from what its author meant: 0f bits in an f64 are stored as an integer.
  refuse(".global .f64 x = 0f3F800000;");
}
