// One pass of a tensor core. The expected bits come from a model in unbounded integers that agrees
// with 72 recorded H200 products of random and special operands.
#include "op/dot.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace ptxequiv::op;

namespace {

Result pass(Type src, Type accumulator_type, Type result, uint64_t accumulator,
            const std::vector<Factors>& factors) {
  const Op term{.kind = Kind::kDotTerm, .type = accumulator_type, .src = src};
  const Op close{.kind = Kind::kDotClose, .type = result, .src = accumulator_type};
  return evaluate_dot(term, close, accumulator, factors);
}

struct Case {
  Type src, accumulator, result;
  uint64_t c;
  std::vector<Factors> factors;
  uint64_t expected;
};

constexpr Type F16 = Type::kF16, BF16 = Type::kBF16, TF32 = Type::kTF32, F32 = Type::kF32;

}  // namespace

TEST_CASE("a tensor core's pass has the hardware's bits") {
  const std::vector<Case> cases = {
      // f16 factors, f32 accumulator
      {F16,
       F32,
       F32,
       0,
       {{0x8c60, 0x20e1}, {0x6b42, 0x400}, {0xbcbd, 0x382b}, {0x9246, 0xae38}},
       0xbec7d284},
      {F16,
       F32,
       F32,
       0x2c6297,
       {{0xbe00, 0xb9f6}, {0x4fc7, 0xba4c}, {0xb5cf, 0xbe00}, {0x4714, 0}},
       0xc1b69810},
      {F16,
       F32,
       F32,
       0x740fe1,
       {{0x3ff, 0x2a19}, {0xbc5b, 0xb897}, {0x37bf, 0x3c00}, {0x33ed, 0x1995}},
       0x3f8e04eb},
      {F16, F32, F32, 0x33e384, {{0xb83f, 0}, {0, 0}}, 0x33e384},
      {F16, F32, F32, 0, {{0x62f6, 0x3907}, {0x400, 0x6699}, {0xd11f, 0x7c01}}, 0x7fffffff},
      {F16, F32, F32, 0x80000000, {{0, 0x58a9}, {0x8000, 0x3580}}, 0},
      // f16 results round to nearest, from either accumulator
      {F16,
       F16,
       F16,
       0,
       {{0xb7d8, 0x35e1}, {0xefe2, 0xac84}, {0xbb32, 0xbc35}, {0xefe2, 0x4200}},
       0xf5c6},
      {F16,
       F16,
       F16,
       0x398,
       {{0x3c00, 0xdd71}, {0x7bff, 0x1050}, {0xd320, 0x4200}, {0x625c, 0xb9c7}},
       0xe431},
      {F16,
       F16,
       F16,
       0x2d1,
       {{0x8000, 0x66b8}, {0xfbff, 0xc1dd}, {0x3ff, 0x39be}, {0xb250, 0x195e}},
       0x7c00},
      {F16, F16, F16, 0x1d5, {{0, 0}, {0, 0x4000}}, 0x1d5},
      {F16,
       F32,
       F16,
       0x6e29ad,
       {{0x5f3f, 0x4200}, {0x400, 0x4200}, {0xec43, 0x3760}, {0x4716, 0x3def}},
       0xe0c4},
      {F16,
       F32,
       F16,
       0xc0563bd0,
       {{0x8000, 0x8001}, {0xbe00, 0x2b7f}, {0xfbff, 0xcb7e}, {0x2467, 0x3c00}},
       0x7c00},
      {F16, F32, F16, 0x4873c0, {{0x8001, 0xd1ca}, {0, 0}, {0, 0x64bd}, {0, 0xbf8d}}, 0x2e},
      {F16,
       F16,
       F32,
       0x16c,
       {{0x400, 0xba19}, {0x109c, 0x3ff}, {0xbde2, 0xaea0}, {0x8000, 0xe43b}},
       0x3e1bde80},
      {F16,
       F16,
       F32,
       0,
       {{0x8fa8, 0x9ecb}, {0x4494, 0xdfa7}, {0x1277, 0x392a}, {0xfc00, 0x9cfc}},
       0x7f800000},
      // bf16
      {BF16,
       F32,
       F32,
       0x775041,
       {{0xbfe6, 0}, {0x3fa1, 0x3ea7}, {0xbf9d, 0xbf29}, {0x449a, 0x4040}},
       0x45671384},
      {BF16,
       F32,
       F32,
       0xf1758,
       {{0xbd8d, 0xbe32}, {0x4040, 0x8000}, {0x4000, 0xc1ea}, {0xbf59, 0x44d7}},
       0xc4bd8e9e},
      {BF16, F32, F32, 0x651775, {{0, 0}, {0x8001, 0xc0f5}}, 0x6cbf75},
      {BF16,
       F32,
       F32,
       0,
       {{0xbcc0, 0x4040}, {0x8001, 0x3ecd}, {0x1, 0xbe0a}, {0xbfb4, 0x7f7f}},
       0xff800000},
      // tf32: the 13 low bits play no part, not even in a NaN
      {TF32,
       F32,
       F32,
       0x469d1a,
       {{0, 0x80000000}, {0xbde6a000, 0xbef5e000}, {0xbe01c000, 0x2000}, {0xbfa4c000, 0x3f801fff}},
       0xbf9dd3f8},
      {TF32,
       F32,
       F32,
       0x64f61e,
       {{0x401be000, 0x3f802000},
        {0, 0xc0236000},
        {0x4597e000, 0xbd03a000},
        {0x4140c000, 0xbf09c000}},
       0xc3203871},
      {TF32,
       F32,
       F32,
       0x475474,
       {{0xba7fa000, 0xbed46000}, {0x43078000, 0x7f7fe000}, {0x3f802000, 0xbe890000}},
       0x7f800000},
      {TF32, F32, F32, 0, {{0x2000, 0x3ffb2000}, {0xc46be000, 0}}, 0x3ec8},
      {TF32, F32, F32, 0, {{0x7f800001, 0x3f800000}}, 0x7f800000},
  };
  for (const Case& it : cases) {
    INFO(name(it.src) << " " << name(it.accumulator) << " " << name(it.result) << " " << std::hex
                      << it.c);
    CHECK(pass(it.src, it.accumulator, it.result, it.c, it.factors).bits == it.expected);
  }
}

TEST_CASE("terms below the kept bits are cut before they are added") {
  // 2^25 * 2^-1 is lost beside 2^25 although together the small ones count.
  const Factors one{0x3c00, 0x3c00}, big{0x7800, 0x7000};  // 1, 2^15 * 2^13 = 2^28
  const Factors small{0x3800, 0x3800};                     // 1/4
  CHECK(pass(F16, F32, F32, 0, {big, one}).bits == 0x4d800000);
  CHECK_FALSE(pass(F16, F32, F32, 0, {big, one}).exact);
  CHECK(pass(F16, F32, F32, 0, {small, small, one}).bits == 0x3fc00000);
  CHECK(pass(F16, F32, F32, 0, {small, small, one}).exact);
}

TEST_CASE("exact says that the sum is the real one") {
  CHECK(pass(F16, F32, F32, 0x3f800000, {{0x4000, 0x4200}}).exact);        // 1 + 2 * 3
  CHECK_FALSE(pass(F16, F32, F32, 0x3f800001, {{0x4c00, 0x4c00}}).exact);  // 1 + 2^-23 + 256
  CHECK_FALSE(pass(F16, F32, F16, 0x3f800001, {{0, 0}}).exact);
  CHECK_FALSE(pass(BF16, F32, F32, 0, {{0x7f7f, 0x7f7f}}).exact);  // overflow
  CHECK(pass(F16, F32, F32, 0, {{0x7c00, 0x3c00}}).exact);         // an infinity passed on
  CHECK_FALSE(pass(F16, F32, F32, 0, {{0x7c00, 0}}).exact);        // a NaN made
}
