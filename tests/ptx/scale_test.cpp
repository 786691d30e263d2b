// Nothing takes more than about linear time: each text here would take minutes if it did.
#include "helpers.h"

using namespace ptxequiv::ptx;
using namespace ptxequiv::ptx::testing;

namespace {

std::string repeat(size_t count, const std::string& text) {
  std::string result;
  for (size_t i = 0; i < count; ++i) result += text;
  return result;
}

// `make(i)` for each i, one after the other.
template <typename Make>
std::string series(size_t count, Make make) {
  std::string result;
  for (size_t i = 0; i < count; ++i) result += make(std::to_string(i));
  return result;
}

constexpr size_t kMany = 50000;

}  // namespace

TEST_CASE("many declarations") {
  using String = const std::string&;
  auto numbers = [](String i) { return ".reg .b32 %one" + i + ";\n"; };
  auto ranges = [](String i) { return ".reg .b32 %a" + i + "_<2>;\n"; };
  auto padded = [](String i) {
    return ".reg .b32 %c" + std::string(6 - i.size(), '0') + i + "<100000>;\n";
  };
  CHECK_NOTHROW(parsed(kernel(series(kMany, numbers) + series(kMany, ranges))));
  CHECK_NOTHROW(parsed(kernel(series(kMany, padded))));
  auto globals = [](String i) { return ".global .b32 g" + i + ";\n"; };
  CHECK(parsed(kernel("ret;", series(kMany, globals))).variables.size() == kMany);
  auto functions = [](String i) { return ".func f" + i + "() { ret; }\n"; };
  CHECK(parsed(kernel("ret;", series(kMany, functions))).functions.size() == kMany + 1);
}

TEST_CASE("many uses and blocks") {
  auto uses = [](const std::string& i) { return "mov.b32 %m" + i + ", 1;\n"; };
  CHECK_NOTHROW(parsed(kernel(".reg .b32 %m<1000000>;\n" + series(kMany * 2, uses))));
  std::string blocks = repeat(kMany, "{ .reg .pred p; L: @p bra L; }\n");
  CHECK_NOTHROW(print(parsed(kernel(blocks))));
  CHECK_NOTHROW(parsed(kernel(repeat(kMany, "{ } mov.b32 %r1, %r2; "))));  // on one line
}

TEST_CASE("long tokens and lists") {
  std::string name(1 << 20, 'a');
  CHECK_NOTHROW(parsed(kernel(".reg .b32 " + name + "; mov.b32 " + name + ", " + name + ";")));
  CHECK(refusal(kernel("mov.b32 %r1, " + name + ";")).message().find("is not declared") !=
        std::string::npos);
  CHECK_NOTHROW(parsed(kernel(".global .b8 x[1000000] = {" + repeat(999999, "1,") + "2};")));
  CHECK_NOTHROW(parsed(kernel("mov.b32 %r1, " + repeat(kMany, "1+") + "2;")));
}

TEST_CASE("tokens that never end are not tried again from inside") {
  CHECK_THROWS(parsed(kernel(repeat(kMany * 10, "/*"))));
  CHECK_THROWS(parsed(kernel("\"" + repeat(kMany * 10, "\\\""))));
  CHECK_THROWS(parsed(kernel(repeat(kMany, ".section .debug_x "))));
  CHECK_THROWS(parsed(kernel(repeat(kMany, "mov .section .debug_x, "))));
  CHECK_THROWS(parsed(kernel(repeat(kMany, ".loc 1 2 3, a b"))));
}
