#include <catch2/catch.hpp>

#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

const char* const kPut = R"(
    ld.param.u64 %d0, [p0];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %d1, %r0, 4;
    add.s64 %d0, %d0, %d1;
    add.s32 %r1, %r0, 100;
)";
const char* const kGet = R"(
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    mov.u32 %r0, %tid.x;
    xor.b32 %r1, %r0, 33;
    mul.wide.u32 %d2, %r1, 4;
    add.s64 %d0, %d0, %d2;
    mul.wide.u32 %d3, %r0, 4;
    add.s64 %d1, %d1, %d3;
)";

// One launch stores mid[tid] = 100 + tid, the next one reads mid[tid ^ 33] into o[tid].
Bench two_launches(const std::string& put, const std::string& get, bool dependent = true,
                   bool fill_between = false) {
  Bench bench;
  const uint32_t mid = bench.buffer("mid", op::Type::kU32, 64, Role::kScratch);
  bench.buffer("o", op::Type::kU32, 64, Role::kOutput);
  bench.launch(kernel({".u64"}, kPut + put + "\n ret;"), {1, 1, 1}, {64, 1, 1}, {"mid"});
  if (fill_between) bench.step(Fill{mid, 7});
  bench.launch(kernel({".u64", ".u64"}, kGet + get + "\n st.global.u32 [%d1], %r2;\n ret;"),
               {1, 1, 1}, {64, 1, 1}, {"mid", "o"});
  bench.last_launch().dependent = dependent;
  bench.run();
  return bench;
}

const std::string kStore = "st.global.u32 [%d0], %r1;\n";
const std::string kTrigger = "griddepcontrol.launch_dependents;\n";
const std::string kWait = "griddepcontrol.wait;\n";
const std::string kLoad = "ld.global.u32 %r2, [%d0];\n";

}  // namespace

TEST_CASE("a dependent launch that waits is ordered after the one before") {
  for (const std::string& put : {kTrigger + kStore, kStore + kTrigger, kStore}) {
    Bench bench = two_launches(put, kWait + kLoad);
    INFO(put);
    REQUIRE(bench.clean());
    for (uint64_t i = 0; i < 64; ++i) REQUIRE(bench.bits("o", i) == 100 + (i ^ 33));
  }
}

TEST_CASE("a dependent launch that does not wait races with the one before") {
  for (const std::string& put : {kTrigger + kStore, kStore + kTrigger}) {
    Bench bench = two_launches(put, kLoad + kWait);
    INFO(put);
    const auto races = bench.faults(Category::kRaceGlobal);
    REQUIRE_FALSE(races.empty());
    CHECK(races[0]->strength == Fault::Strength::kCertain);
    CHECK(races[0]->message ==
          "mid[33]: written by thread 33 of CTA 0,0,0 of the launch before, read by thread 0, "
          "which has not waited for that launch");
    CHECK(races[0]->accesses[0].site.step == 0);
    CHECK(races[0]->accesses[1].site.step == 1);
  }
}

TEST_CASE("launches that are not dependent, or come after the host's work, are ordered") {
  CHECK(two_launches(kTrigger + kStore, kLoad, false).clean());
  CHECK(two_launches(kTrigger + kStore, kLoad, true, true).clean());
}

TEST_CASE("a launch that lets none start early leaves open what is visible without a wait") {
  Bench bench = two_launches(kStore, kLoad);
  CHECK(bench.outcome().faults.empty());
  CHECK(bench.has_gap("dependent-launch"));
}

TEST_CASE("the wait of one thread is handed on by a barrier only") {
  const std::string one = "setp.eq.u32 %p0, %r0, 0;\n @%p0 griddepcontrol.wait;\n";
  CHECK(two_launches(kTrigger + kStore, one + "bar.sync 0;\n" + kLoad).clean());
  CHECK(two_launches(kTrigger + kStore, one + "bar.sync 1, 64;\n" + kLoad).clean());
  Bench alone = two_launches(kTrigger + kStore, one + kLoad);
  CHECK_FALSE(alone.faults(Category::kRaceGlobal).empty());
  Bench warp = two_launches(kTrigger + kStore, one + "bar.warp.sync -1;\n" + kLoad);
  for (const Fault* race : warp.faults(Category::kRaceGlobal)) {
    CHECK(race->accesses[1].thread.thread[0] >= 32);  // the other warp
  }
  CHECK_FALSE(warp.faults(Category::kRaceGlobal).empty());
}

TEST_CASE("writes before the wait conflict with reads of the launch before") {
  Bench bench;
  bench.buffer("x", op::Type::kU32, 64, Role::kInout);
  bench.buffer("o", op::Type::kU32, 64, Role::kOutput);
  bench.launch(
      kernel({".u64", ".u64"}, kTrigger + kGet + kLoad + "st.global.u32 [%d1], %r2;\n ret;"),
      {1, 1, 1}, {64, 1, 1}, {"x", "o"});
  bench.launch(kernel({".u64"}, std::string(kPut) + kStore + kWait + "ret;"), {1, 1, 1}, {64, 1, 1},
               {"x"});
  bench.last_launch().dependent = true;
  bench.run();
  CHECK_FALSE(bench.faults(Category::kRaceGlobal).empty());
}

TEST_CASE("within a dependent launch, races are races whether threads have waited or not") {
  // All threads store to one word after the wait; the launch before has read and written it.
  Bench bench = two_launches(kTrigger + kStore, kWait + R"(
    ld.param.u64 %d5, [p0];
    st.global.u32 [%d5], %r0;
    mov.u32 %r2, 0;
)");
  const auto races = bench.faults(Category::kRaceGlobal);
  REQUIRE_FALSE(races.empty());
  for (const Fault* race : races) CHECK(race->accesses[0].site.step == 1);
}

TEST_CASE("a chain of dependent launches is ordered as far as each waits") {
  const auto chain = [](const std::string& middle, const std::string& last) {
    Bench bench;
    bench.buffer("mid", op::Type::kU32, 64, Role::kScratch);
    bench.buffer("o", op::Type::kU32, 64, Role::kOutput);
    bench.launch(kernel({".u64"}, kPut + kTrigger + kStore + "ret;"), {1, 1, 1}, {64, 1, 1},
                 {"mid"});
    bench.launch(kernel({}, kTrigger + middle + "ret;"), {1, 1, 1}, {64, 1, 1}, {});
    bench.last_launch().dependent = true;
    bench.launch(kernel({".u64", ".u64"}, kGet + last + "\n st.global.u32 [%d1], %r2;\n ret;"),
                 {1, 1, 1}, {64, 1, 1}, {"mid", "o"});
    bench.last_launch().dependent = true;
    bench.run();
    return bench;
  };
  CHECK(chain(kWait, kWait + kLoad).clean());
  CHECK(chain("", kWait + kLoad).has_gap("dependent-launch"));
  Bench early = chain(kWait, kLoad);  // may it overtake the first? Not settled, and no proof.
  CHECK(early.outcome().faults.empty());
  CHECK(early.has_gap("dependent-launch"));
}
