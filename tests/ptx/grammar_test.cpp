#include "helpers.h"

using namespace ptxequiv::ptx;
using namespace ptxequiv::ptx::testing;

TEST_CASE("the grammar is LL(1): the generated parser never predicts") {
  std::string parser = read(PTXEQUIV_GENERATED_PARSER);
  REQUIRE(parser.find("PtxParser::statement()") != std::string::npos);
  CHECK(parser.find("adaptivePredict") == std::string::npos);
}

TEST_CASE("every file of tests/ptx/data parses") {
  auto files = data_files();
  REQUIRE(files.size() >= 9);
  for (const auto& file : files) {
    CAPTURE(file.string());
    auto module = parse_file(file.string());
    CHECK_FALSE(module.entries().empty());
    CHECK(module.version_major >= 7);
    CHECK(module.target.starts_with("sm_"));
  }
}

TEST_CASE("words that begin a declaration are also modifiers") {
  for (const char* text : {"ld.param.u64 %rd1, [p0];", "ld.weak.global.u32 %r1, [%rd1];",
                           "fence.proxy.alias;", "ld.const.u32 %r1, [%rd1];"}) {
    CAPTURE(text);
    CHECK(only_instruction(text).modifiers.size() >= 1);
  }
}

TEST_CASE("blanks are optional where tokens end") {
  CHECK_NOTHROW(parsed(kernel("{.reg.b32 f,C,nZ;mov.b32 C,0x3fb8aa3bU;}ret;")));
  CHECK_NOTHROW(parsed(kernel("add\n.s32\n%r1\n,%r2,%r3\n;")));
  CHECK_NOTHROW(parsed(kernel("// carriage returns\r\nmov.u32 %r1, 1;\r\nret;\r\n")));
  CHECK_NOTHROW(parsed(kernel("fence.proxy.async.shared::cta; // 6.\nret;")));
}

TEST_CASE("an opcode, a modifier and a name may be any word") {
  auto module = parsed(kernel(".reg .b32 add, mov;\nadd.s32 add, mov, add;\nbra: bra bra;"));
  CHECK(module.find_function("k") != nullptr);
}

TEST_CASE("debug sections and DWARF lines are skipped") {
  CHECK_NOTHROW(
      parsed(kernel("ret;\n@@DWARF .byte 1") +
             ".section .debug_loc { .b8 1,2\n.b32 lab+4 }\n.section\t.debug_macinfo\t{\t}\n"));
}
