#include <catch2/catch.hpp>

#include "base/error.h"
#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

const char* const kPrologue = R"(
    .shared .align 4 .b8 s[1024];
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %d2, %r0, 4;
    add.s64 %d4, %d0, %d2;
    add.s64 %d1, %d1, %d2;
    ld.global.u32 %r1, [%d4];
    shl.b32 %r10, %r0, 2;
    mov.u32 %r11, s;
    add.s32 %r12, %r11, %r10;     // &s[tid]
)";

// %r0 = tid, %r1 = x[tid], %d0 = x, %d1 = &o[tid], %r11 = s, %r12 = &s[tid]
Bench block(const std::string& body, unsigned threads) {
  Bench bench;
  bench.buffer("x", op::Type::kU32, threads, Role::kInput);
  bench.buffer("o", op::Type::kU32, threads, Role::kOutput);
  bench.launch(kernel({".u64", ".u64"}, kPrologue + body), {1, 1, 1}, {threads, 1, 1}, {"x", "o"});
  bench.run();
  return bench;
}

}  // namespace

TEST_CASE("a barrier hands values from warp to warp") {
  Bench bench = block(R"(
    st.shared.u32 [%r12], %r1;
    bar.sync 0;
    xor.b32 %r2, %r10, 0x80;
    add.s32 %r2, %r11, %r2;
    ld.shared.u32 %r3, [%r2];
    st.global.u32 [%d1], %r3;
    ret;)",
                      128);
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 128; ++i) REQUIRE(bench.bits("o", i) == (i ^ 32));
}

TEST_CASE("barrier reductions") {
  Bench bench = block(R"(
    setp.lt.u32 %p0, %r1, 40;
    bar.red.popc.u32 %r2, 0, %p0;
    bar.red.and.pred %p1, 0, %p0;
    bar.red.or.pred %p2, 0, !%p0;
    selp.b32 %r3, 1000, 0, %p1;
    selp.b32 %r4, 2000, 0, %p2;
    add.s32 %r2, %r2, %r3;
    add.s32 %r2, %r2, %r4;
    st.global.u32 [%d1], %r2;
    ret;)",
                      64);
  REQUIRE(bench.clean());
  CHECK(bench.bits("o", 5) == 2040);
  bench.input = [](uint32_t, uint32_t) { return 1; };
  CHECK(bench.bits("o", 5) == 1064);
}

TEST_CASE("a named barrier of two warps, and arrive against sync") {
  const std::string body = R"(
    setp.lt.u32 %p0, %r0, 32;
    @%p0 bra PRODUCER;
    setp.ge.u32 %p1, %r0, 64;
    @%p1 bra J;
    bar.sync 1, 64;
    ld.shared.u32 %r3, [%r12+-128];
    st.global.u32 [%d1], %r3;
    bra J;
  PRODUCER: st.shared.u32 [%r12], %r1;
    ACTION 1, 64;
  J: ret;)";
  for (const std::string action : {"bar.sync", "bar.arrive"}) {
    std::string text = body;
    text.replace(text.find("ACTION"), 6, action);
    Bench bench = block(text, 96);
    INFO(action);
    REQUIRE(bench.clean());
    for (uint64_t i = 32; i < 64; ++i) REQUIRE(bench.bits("o", i) == i - 32);
  }
}

TEST_CASE("an arrival does not order what comes after it") {
  Bench bench = block(R"(
    setp.lt.u32 %p0, %r0, 32;
    @%p0 bra PRODUCER;
    bar.sync 1, 64;
    ld.shared.u32 %r3, [%r12+-128];
    st.global.u32 [%d1], %r3;
    bra J;
  PRODUCER: bar.arrive 1, 64;
    st.shared.u32 [%r12], %r1;
  J: ret;)",
                      64);
  CHECK_FALSE(bench.faults(Category::kRaceShared).empty());
}

TEST_CASE("barriers that not all threads reach") {
  SECTION("in one arm, and the others end") {
    Bench bench = block(R"(
    setp.ge.u32 %p0, %r0, 32;
    @%p0 bra J;
    bar.sync 0;
  J: st.global.u32 [%d1], %r1;
    ret;)",
                        64);
    REQUIRE(bench.faults(Category::kBarrierDivergence).size() == 1);
  }
  SECTION("within a warp") {
    Bench bench = block(R"(
    setp.ge.u32 %p0, %r0, 16;
    @%p0 bra J;
    bar.sync 0;
  J: st.global.u32 [%d1], %r1;
    ret;)",
                        32);
    CHECK(bench.faults(Category::kBarrierDivergence).size() == 1);
  }
  SECTION("both arms have their own, in one warp") {
    Bench bench = block(R"(
    setp.ge.u32 %p0, %r0, 16;
    @%p0 bra A;
    bar.sync 0;
    bra J;
  A: bar.sync 0;
  J: st.global.u32 [%d1], %r1;
    ret;)",
                        32);
    CHECK(bench.faults(Category::kBarrierDivergence).size() == 1);
  }
  SECTION("different barriers, waiting for each other") {
    Bench bench = block(R"(
    setp.ge.u32 %p0, %r0, 32;
    @%p0 bra A;
    bar.sync 1;
    bra J;
  A: bar.sync 2;
  J: st.global.u32 [%d1], %r1;
    ret;)",
                        64);
    REQUIRE(bench.faults(Category::kBarrierDivergence).size() == 1);
    CHECK(bench.faults(Category::kBarrierDivergence)[0]->accesses.size() == 2);
  }
  SECTION("a count that is never met") {
    Bench bench = block("bar.sync 1, 96;\n ret;", 64);
    CHECK(bench.faults(Category::kBarrierDivergence).size() == 1);
  }
  SECTION("counts that differ") {
    Bench bench = block(R"(
    setp.ge.u32 %p0, %r0, 32;
    @%p0 bra A;
    bar.sync 1, 64;
    bra J;
  A: bar.sync 1, 32;
  J: ret;)",
                        64);
    CHECK(bench.faults(Category::kBarrierDivergence).size() >= 1);
  }
  SECTION("a guarded barrier") {
    Bench bench = block("setp.lt.u32 %p0, %r0, 16;\n @%p0 bar.sync 0;\n ret;", 32);
    CHECK(bench.faults(Category::kBarrierDivergence).size() == 1);
  }
}

TEST_CASE("threads that only return before a barrier are counted out, and noted") {
  Bench bench = block(R"(
    setp.ge.u32 %p0, %r0, 40;
    @%p0 ret;
    st.shared.u32 [%r12], %r1;
    bar.sync 0;
    ld.shared.u32 %r3, [%r11+156];
    st.global.u32 [%d1], %r3;
    ret;)",
                      64);
  CHECK(bench.clean());
  CHECK(bench.has_note("exit-before-barrier"));
  CHECK(bench.bits("o", 0) == 39);
}

TEST_CASE("a barrier inside a branch on data that is the same for all runs in two worlds") {
  Bench bench = block(R"(
    ld.global.u32 %r4, [%d0];
    st.shared.u32 [%r12], %r1;
    bar.sync 0;
    xor.b32 %r5, %r10, 4;
    add.s32 %r5, %r11, %r5;
    mov.u32 %r6, 5;
    setp.lt.u32 %p0, %r4, 10;
    @!%p0 bra J;
    ld.shared.u32 %r6, [%r5];
    bar.sync 0;
    st.shared.u32 [%r12], %r6;
    bar.sync 0;
    ld.shared.u32 %r6, [%r5];
    add.s32 %r6, %r6, 1000;
  J: st.global.u32 [%d1], %r6;
    ret;)",
                      64);
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 64; ++i) {
    REQUIRE(bench.written("o", i));
    REQUIRE(bench.arena().is_const(bench.cell("o", i).written));
    REQUIRE(bench.bits("o", i) == i + 1000);
  }
  bench.input = [](uint32_t, uint32_t i) { return 10 + i; };
  for (uint64_t i = 0; i < 64; ++i) REQUIRE(bench.bits("o", i) == 5);
}

TEST_CASE("worlds that store to different cells") {
  Bench bench = block(R"(
    ld.global.u32 %r4, [%d0];
    setp.lt.u32 %p0, %r4, 10;
    @!%p0 bra B;
    bar.sync 0;
    setp.lt.u32 %p1, %r0, 16;
    @%p1 st.global.u32 [%d1], %r1;
    bra J;
  B: setp.ge.u32 %p1, %r0, 8;
    @%p1 st.global.u32 [%d1], 9;
  J: ret;)",
                      32);
  REQUIRE(bench.clean());
  CHECK(bench.written("o", 3));
  CHECK_FALSE(bench.written("o", 20));
  CHECK(bench.bits("o", 12) == 12);
  bench.input = [](uint32_t, uint32_t) { return 77; };
  CHECK_FALSE(bench.written("o", 3));
  CHECK(bench.written("o", 20));
  CHECK(bench.bits("o", 12) == 9);
}

TEST_CASE("data that sends threads of one CTA to different barriers is a fault under a condition") {
  Bench bench = block(R"(
    setp.lt.u32 %p0, %r1, 10;
    @!%p0 bra J;
    bar.sync 0;
  J: st.global.u32 [%d1], %r1;
    ret;)",
                      2);
  const auto faults = bench.faults(Category::kBarrierDivergence);
  REQUIRE_FALSE(faults.empty());
  CHECK(faults[0]->strength == Fault::Strength::kCertain);
  bool holds_when_mixed = false, holds_when_alike = false;
  for (const Fault* fault : faults) {
    bench.input = [](uint32_t, uint32_t i) { return i == 0 ? 5 : 20; };
    holds_when_mixed = holds_when_mixed || bench.evaluate(fault->condition) != 0;
    bench.input = [](uint32_t, uint32_t) { return 5; };
    holds_when_alike = holds_when_alike || bench.evaluate(fault->condition) != 0;
  }
  CHECK(holds_when_mixed);
  CHECK_FALSE(holds_when_alike);
}

TEST_CASE("too many worlds are a limit") {
  Bench bench;
  bench.buffer("x", op::Type::kU32, 32, Role::kInput);
  bench.buffer("o", op::Type::kU32, 32, Role::kOutput);
  std::string body = kPrologue;
  for (int i = 0; i < 5; ++i) {  // 2^5 outcomes, the same for all threads in each
    const std::string label = "J" + std::to_string(i);
    body += "ld.global.u32 %r4, [%d0+" + std::to_string(4 * i) + "];\n" +
            "setp.lt.u32 %p0, %r4, 10;\n @!%p0 bra " + label + ";\n bar.sync 0;\n" + label + ":\n";
  }
  bench.launch(kernel({".u64", ".u64"}, body + "st.global.u32 [%d1], %r1;\n ret;"), {1, 1, 1},
               {32, 1, 1}, {"x", "o"});
  bench.limits.max_worlds = 8;
  try {
    bench.run();
    FAIL("no limit reached");
  } catch (const base::LimitReached& e) {
    CHECK(e.limit() == "worlds");
  }
  bench.limits.max_worlds = 32;
  bench.run();
  CHECK(bench.clean());
}

TEST_CASE("divergence by data in a large block is found before the worlds run out") {
  Bench bench = block(R"(
    setp.lt.u32 %p0, %r1, 10;
    @!%p0 bra J;
    bar.sync 0;
  J: st.global.u32 [%d1], %r1;
    ret;)",
                      256);
  CHECK_FALSE(bench.faults(Category::kBarrierDivergence).empty());
  CHECK(bench.has_gap("worlds"));
}
