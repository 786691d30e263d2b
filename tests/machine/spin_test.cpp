// Loops that wait for a flag or a count: what may let them go, and whom they then follow.
#include <catch2/catch.hpp>

#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

// CTA `i` does `parts[i]`.
void run_ctas(Bench& bench, const std::vector<std::string>& parts) {
  std::string text = "ld.param.u64 %d0, [p0];\nmov.u32 %r9, %ctaid.x;\n";
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::string number = std::to_string(i);
    text += "setp.ne.u32 %p0, %r9, " + number + ";\n@%p0 bra NEXT" + number + ";\n" + parts[i] +
            "\nNEXT" + number + ":\n";
  }
  bench.buffer("m", op::Type::kU32, 16, Role::kInout);
  bench["m"].data = std::vector<uint8_t>(16 * 4, 0);
  bench.launch(kernel({".u64"}, text + "ret;"), {static_cast<uint32_t>(parts.size()), 1, 1},
               {1, 1, 1}, {"m"});
  bench.run();
}

constexpr const char* kCount = "red.global.add.u32 [%d0+12], 1;\n";
constexpr const char* kWriteAndCount =
    "st.global.u32 [%d0], 7;\nmembar.gl;\nred.global.add.u32 [%d0+12], 1;\n";
constexpr const char* kAwaitTwoAndRead =
    "W:\nld.volatile.global.u32 %r2, [%d0+12];\nsetp.lt.u32 %p1, %r2, 2;\n@%p1 bra W;\n"
    "membar.gl;\nld.global.u32 %r1, [%d0];\nst.global.u32 [%d0+16], %r1;";

}  // namespace

TEST_CASE("a count is complete when all that count have come") {
  Bench bench;
  run_ctas(bench, {kWriteAndCount, kCount, kAwaitTwoAndRead});
  CHECK(bench.clean());
  CHECK(bench.bits("m", 4) == 7);
}

TEST_CASE("a count is not complete if one CTA can reach it alone") {
  Bench bench;
  run_ctas(bench, {kWriteAndCount, std::string(kCount) + kCount, kAwaitTwoAndRead});
  CHECK_FALSE(bench.clean());
}

// Whether the flag that is waited for is overwritten is open; but who sees it has seen the write.
TEST_CASE("a loop of which it is open when it ends makes no race") {
  Bench bench;
  run_ctas(bench, {"V:\nld.volatile.global.u32 %r2, [%d0+12];\nsetp.ne.u32 %p1, %r2, 1;\n"
                   "@%p1 bra V;\nmembar.gl;\nst.volatile.global.u32 [%d0+8], 1;",
                   "st.global.u32 [%d0], 7;\nmembar.gl;\nst.volatile.global.u32 [%d0+12], 1;\n"
                   "st.volatile.global.u32 [%d0+8], 2;",
                   "W:\nld.volatile.global.u32 %r2, [%d0+8];\nsetp.ne.u32 %p1, %r2, 1;\n"
                   "@%p1 bra W;\nmembar.gl;\nld.global.u32 %r1, [%d0];\n"
                   "st.global.u32 [%d0+16], %r1;"});
  CHECK_FALSE(bench.clean());
  CHECK(bench.faults(Category::kRaceGlobal).empty());
}
