#include "helpers.h"

using namespace ptxequiv::ptx;
using namespace ptxequiv::ptx::testing;

namespace {

std::string with_section(const std::string& contents) {
  return kernel("ret;") + ".section .debug_info {\n" + contents + "\n}\n";
}

}  // namespace

// What ptxas 13.0 takes and refuses.
TEST_CASE("the contents of debug sections are checked") {
  for (const char* good : {".b8 1",
                           ".b8 1, 2,3",
                           ".b8 -1",
                           ".b8 255",
                           ".b8 0x1F .b16 0X1f",
                           ".b8 010",
                           ".b8 0b11",
                           ".b8 1U",
                           ".b64 18446744073709551616",
                           ".b32 -5",
                           ".b64 lab",
                           ".b32 $L__a+4",
                           ".b64 %a-$L__b",
                           ".b64 a - b",
                           ".b32 .debug_abbrev",
                           ".b32 .debug_str+12",
                           "a: b: .b8 1",
                           "lab:",
                           "",
                           "// x\n.b8 1 // y\n/* z */ .b8 2"}) {
    CAPTURE(good);
    CHECK_NOTHROW(parsed(with_section(good)));
  }
  for (const char* bad : {".b8 1,",      ".b8 256",
                          ".b8 -129",    ".b16 65536",
                          ".b8 1.5",     ".b8 1+2",
                          ".b16 lab",    ".b8 %r13",
                          ".b64 lab-4",  ".b128 1",
                          ".s8 1",       ".b8",
                          ".b8 1;",      ".b8 1 2",
                          ".b8 \"abc\"", ".b64 1, lab",
                          ".b32 lab, 1", ".B8 1",
                          ". 50",        "lab",
                          "5:",          ".b8 08",
                          ".b32 -lab",   ".b32 lab+",
                          ".b8 ptr 1",   ".shared .debug_abbrev",
                          "/*"}) {
    CAPTURE(bad);
    auto error = refusal(with_section(bad));
    CHECK(error.loc().line >= 8);
  }
  auto error = refusal(with_section(".b8 1\n.b8 %r13"));
  CHECK(error.message() == "`%r13` does not fit .b8");
  CHECK(error.loc().line == 10);
  CHECK(error.loc().column == 5);
  refusal(kernel("ret;") + ".section .debug_info x { .b8 1 }");
}
