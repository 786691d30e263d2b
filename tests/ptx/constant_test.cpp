#include "ptx/constant.h"

#include <bit>

#include "helpers.h"

using namespace ptxequiv::ptx;
using namespace ptxequiv::ptx::testing;

namespace {

// The value of a constant expression, through the whole parser.
uint64_t value_of(const std::string& expression) {
  auto instruction = only_instruction("mov.u64 %rd1, " + expression + ";");
  const auto* immediate = std::get_if<Immediate>(&instruction.operands.at(1).value);
  REQUIRE(immediate != nullptr);
  return immediate->bits;
}

std::string refused(const std::string& expression) {
  return refusal(kernel("mov.u64 %rd1, " + expression + ";")).message();
}

constexpr uint64_t kMinusOne = ~uint64_t{0};

}  // namespace

TEST_CASE("integer literals of every base") {
  CHECK(value_of("12") == 12);
  CHECK(value_of("0x1F") == 31);
  CHECK(value_of("0X1fU") == 31);
  CHECK(value_of("0b101") == 5);
  CHECK(value_of("010") == 8);
  CHECK(value_of("0") == 0);
  CHECK(value_of("18446744073709551615") == kMinusOne);
  CHECK(value_of("-5U") == static_cast<uint64_t>(-5));
}

// Each row was compared with what ptxas 13 assembles.
TEST_CASE("constant expressions are what ptxas makes of them") {
  struct Row {
    const char* expression;
    uint64_t value;
  };
  const Row rows[] = {
      {"(~0)>>63", 1},
      {"(-1&-1)>>63", kMinusOne},
      {"(-1|0)>>63", kMinusOne},
      {"-1>>63", kMinusOne},
      {"(-1+0U)>>63", 1},
      {"(1?-1:0U)>>63", kMinusOne},
      {"-1<0U", 0},
      {"(-1^0)>>63", kMinusOne},
      {"(0-1)/2U>>62", 1},
      {"-(1U)>>63", 1},
      {"1<2==1", 1},
      {"1|2&3==3", 1},
      {"-1/2", 0},
      {"(-3)/2+2", 1},
      {"1-2-3", static_cast<uint64_t>(-4)},
      {"!5", 0},
      {"1.5<2.5", 1},
      {"(.u64)-1 >> 63", 1},
      {"9223372036854775808>>63", 1},
      {"1>2?3:4", 4},
      {"WARP_SZ*2", 64},
      {"2*3+4*5", 26},
      {"-  -1", 1},
      {"1&&0||2", 1},
      {"0 ? 1 : 0 ? 2 : 3", 3},
  };
  for (const Row& row : rows) {
    CAPTURE(row.expression);
    CHECK(value_of(row.expression) == row.value);
  }
}

TEST_CASE("constant expressions without a value are refused") {
  CHECK(refused("1/0") == "division by zero");
  CHECK(refused("5?1:1/0") == "division by zero");
  CHECK(refused("0x1FFFFFFFFFFFFFFFFF") == "the integer 0x1FFFFFFFFFFFFFFFFF does not fit 64 bits");
  CHECK(refused("09") == "`09` is not an octal number");
  CHECK(refused("1<<64") == "the shift count is not below 64");
  CHECK(refused("0.5<0") == "an operator needs two integers or two decimal numbers");
  CHECK(refused("(.s32)5") == "cast to .s32: only .s64 and .u64 exist");
  CHECK(refused("-0f3F800000").find("put the sign into the bits") != std::string::npos);
  CHECK(refused("1e308*10.0") == "the constant is not a finite number");
  CHECK(refused("1e400") == "`1e400` does not fit a double");
  CHECK(refused("-%rd2").find("cannot stand before this operand") != std::string::npos);
}

TEST_CASE("floating-point literals keep their form and bits") {
  auto form = [](const std::string& text) {
    return std::get<Immediate>(only_instruction("mov.f32 %f1, " + text + ";").operands[1].value);
  };
  CHECK(form("0f3F800000").form == Immediate::Form::kF32Bits);
  CHECK(form("0F3f800000").bits == 0x3f800000);
  CHECK(form("0d3FF0000000000000").form == Immediate::Form::kF64Bits);
  CHECK(form("0d3FF0000000000000").bits == 0x3ff0000000000000);
  CHECK(form("-1.5").form == Immediate::Form::kDecimalFloat);
  CHECK(form("-1.5").bits == std::bit_cast<uint64_t>(-1.5));
  CHECK(form("1.0+2.0").bits == std::bit_cast<uint64_t>(3.0));
  CHECK(form("1.").bits == std::bit_cast<uint64_t>(1.0));
  CHECK(form("1e5").bits == std::bit_cast<uint64_t>(1e5));
  // 4.5.2: not a hexadecimal float, since it has seven digits.
  refusal(kernel("mov.f32 %f1, 0f3F80000;"));
}
