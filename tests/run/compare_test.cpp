#include "run/compare.h"

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <cstring>

#include "run/inputs.h"
#include "support.h"

namespace ptxequiv::run {
namespace {

using testing::Kernel;
using Outcome = Comparison::Outcome;

using Function = float (*)(float);

// Compares with a record in which o[i] = hardware(x[i]).
Comparison compare_with(Kernel& k, Function hardware) {
  const auto never = base::Deadline::never();
  apply(random_inputs(k.prepared, 1, never), "", kUnwrittenByte, k.prepared.buffers,
        k.prepared.scalars);
  std::vector<uint8_t> bytes(128);
  for (size_t i = 0; i < 32; ++i) {
    float x = 0;
    std::memcpy(&x, k.prepared.buffers[0].data->data() + 4 * i, 4);
    const float y = hardware(x);
    std::memcpy(bytes.data() + 4 * i, &y, 4);
  }
  base::Log log;
  return compare(k.prepared.reference, k.prepared.buffers, k.prepared.scalars, {{"o", bytes}}, {},
                 never, log);
}

TEST_CASE("exact arithmetic agrees bit for bit or not at all") {
  Kernel k("  fma.rn.f32 %f2, %f1, 0f3DCCCCCD, 0f3F000000;");  // 0.1, 0.5
  const Comparison same = compare_with(k, [](float x) { return std::fma(x, 0.1F, 0.5F); });
  CHECK(same.outcome == Outcome::kSame);
  CHECK(same.elements == 32);
  CHECK(same.thread_instructions > 32 * 5);
  const Comparison other =
      compare_with(k, [](float x) { return std::nextafter(std::fma(x, 0.1F, 0.5F), 9.0F); });
  CHECK(other.outcome == Outcome::kDiffers);
  REQUIRE(other.worst.has_value());
  CHECK(other.worst->buffer == "o");
}

TEST_CASE("a fused product is a permitted contraction, and is named") {
  Kernel k("  mul.f32 %f3, %f1, 0f3DCCCCCD;\n  add.f32 %f2, %f3, 0f3F000000;");
  const Comparison fused = compare_with(k, [](float x) { return std::fma(x, 0.1F, 0.5F); });
  CHECK(fused.outcome == Outcome::kSame);
  CHECK(fused.contract == Contract::kAll);
  const Comparison apart = compare_with(k, [](float x) {
    const volatile float product = x * 0.1F;
    return product + 0.5F;
  });
  CHECK(apart.outcome == Outcome::kSame);
  CHECK(apart.contract == Contract::kNone);
}

TEST_CASE("an approximate instruction leaves room, and not too much") {
  Kernel k("  ex2.approx.f32 %f3, %f1;\n  mul.rn.f32 %f2, %f3, 0f40400000;");  // 3
  const Comparison within =
      compare_with(k, [](float x) { return std::nextafter(std::exp2(x), 9.0F) * 3.0F; });
  CHECK(within.outcome == Outcome::kWithin);
  CHECK(within.bound > 0);
  CHECK(within.bound < 5e-6);
  const Comparison far = compare_with(k, [](float x) { return std::exp2(x) * 3.00001F; });
  CHECK(far.outcome == Outcome::kDiffers);
}

TEST_CASE("an element that nothing wrote keeps its bytes") {
  Kernel k("  .reg .pred %p;\n  setp.lt.f32 %p, %f1, 0f00000000;\n  @%p ret;\n  mov.f32 %f2, %f1;");
  const Comparison kept =
      compare_with(k, [](float x) { return x < 0 ? std::bit_cast<float>(0x4d4d4d4dU) : x; });
  CHECK(kept.outcome == Outcome::kSame);
}

}  // namespace
}  // namespace ptxequiv::run
