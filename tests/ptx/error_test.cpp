#include "helpers.h"

using namespace ptxequiv::ptx;
using namespace ptxequiv::ptx::testing;
using ptxequiv::base::InputError;

TEST_CASE("a missing semicolon is reported where it is missing") {
  auto error = refusal(kernel("mov.u32 %r1, %r2\nadd.s32 %r1, %r1, 1;"));
  CHECK(error.message() == "`;` is missing at the end of this statement");
  CHECK(error.loc().line == 6);
  CHECK(error.hint() == "The next line begins with `add`.");
}

TEST_CASE("unexpected tokens are named, with what would fit") {
  auto error = refusal(kernel("add.s32 %r1, %r2,;"));
  CHECK(error.message() == "unexpected `;`");
  CHECK(error.loc().column == 18);
  CHECK(refusal(kernel("ld.global.u32 %r1, [%rd1;")).message().find("unexpected `;`") == 0);
  CHECK(refusal(kernel("@ ret;")).message() == "unexpected `;`, expected a name");
  CHECK(refusal(std::string(".version nine\n")).message() ==
        "unexpected `nine`, expected a number");
  CHECK(refusal(kernel(";")).message().find("unexpected `;`") == 0);
  CHECK(refusal(kernel("ret;;")).hint() == "PTX has no empty statement: remove this `;`.");
  CHECK(refusal(kernel("add. s32 %r1, %r2, %r3;")).hint() ==
        "A modifier follows its dot without a blank.");
  CHECK(refusal(kernel("mov.f32 %f1, .5;")).hint() == "Write the number as 0.5.");
  CHECK(refusal(kernel("%f22.to.global %r1;")).message() == "`%f22` is not an instruction");
}

TEST_CASE("a file that is cut off") {
  std::string text = kernel("mov.u32 %r1, 1;");
  auto error = refusal(text.substr(0, text.rfind('}')));
  CHECK(error.message() == "the file ends too early");
  // Every prefix is refused or parsed, never more.
  for (size_t size = 0; size < text.size(); ++size) try {
      parsed(text.substr(0, size));
    } catch (const InputError&) {
    }
}

TEST_CASE("comments and strings that never end") {
  CHECK(refusal(kernel("/* never")).message() == "this comment is never closed");
  CHECK(refusal(kernel("ret;") + ".section .debug_str { .b8 1").message() ==
        "this is no debug section, or it never ends");
  CHECK(refusal(kernel(".pragma \"never;\n")).message() == "this string is never closed");
}

TEST_CASE("bytes that are not ASCII") {
  CHECK_NOTHROW(parsed(kernel("// \xc3\xa9t\xc3\xa9\n/* \xe2\x82\xac */ ret;")));
  CHECK_NOTHROW(parsed(kernel("ret;", ".file 1 \"\xc3\xa9.cu\"\n")));
  auto error = refusal(kernel("mov.u32 %r1, \xc3\xa9;"));
  CHECK(error.message() == "unexpected byte `\\xc3`");
  CHECK(error.loc().column == 14);
  CHECK(parsed(kernel("ret;", ".file 1 \"\xc3\xa9.cu\"\n")).find_file(1)->path == "\xc3\xa9.cu");
}

TEST_CASE("texts that are no PTX at all") {
  CHECK(refusal("").message() == "the file is empty");
  CHECK(refusal("\x7f"
                "ELF\x02")
            .message() == "this is a binary, not PTX text");
  CHECK(refusal("#include <cuda.h>\n__global__ void k() {}").hint() ==
        "Compile it with `nvcc -ptx`.");
  CHECK_NOTHROW(parsed("// #include <cuda.h>\n" + kernel("ret;") + std::string(2, '\0')));
  CHECK(refusal(".target sm_90\n").message() == "`.version` is missing");
  CHECK_THROWS_AS(parse_file("/nonexistent/x.ptx"), InputError);
  CHECK_THROWS_AS(parse_file("/"), InputError);
}

TEST_CASE("nesting is bounded before anything recurses") {
  auto repeat = [](const std::string& text, size_t count) {
    std::string result;
    for (size_t i = 0; i < count; ++i) result += text;
    return result;
  };
  constexpr size_t kDeep = 100000;
  const std::string message = "nested more than 200 levels deep";
  CHECK(refusal(kernel(repeat("{", kDeep))).message() == message);
  CHECK(refusal(kernel("mov.u32 %r1, " + repeat("(", kDeep))).message() == message);
  CHECK(refusal(kernel("mov.u32 %r1, " + repeat("1?", kDeep))).message() == message);
  CHECK(refusal(kernel("mov.u32 %r1, " + repeat("1?2:", kDeep) + "3;")).message() == message);
  CHECK(refusal(kernel("mov.u32 %r1, " + repeat("(.s64)", kDeep) + "3;")).message() == message);
  CHECK(refusal(kernel("mov.u32 %r1, " + repeat("{(1?", kDeep))).message() == message);
  CHECK(refusal(std::string(kHeader) + ".global .b32 x = " + repeat("{", kDeep)).message() ==
        message);
  CHECK_NOTHROW(parsed(kernel(repeat("{", 150) + repeat("}", 150))));
  CHECK_NOTHROW(parsed(kernel("mov.u32 %r1, " + repeat("(", 150) + "1" + repeat(")", 150) + ";")));
  CHECK_NOTHROW(parsed(kernel("mov.u32 %r1, " + repeat("-", kDeep) + "1;")));
  CHECK_NOTHROW(parsed(kernel("mov.u32 %r1, 1" + repeat("+1", kDeep) + ";")));
  CHECK_NOTHROW(parsed(kernel(repeat("mov.u64 %rd1, (.s64)1?2:3;", 500))));
}
