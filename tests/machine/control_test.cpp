#include <catch2/catch.hpp>

#include "base/error.h"
#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

// %d0 = &x[tid], %d1 = &o[tid], %r0 = tid, %r1 = x[tid].
std::string over_x(const std::string& body) {
  return kernel({".u64", ".u64"}, R"(
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %d2, %r0, 4;
    add.s64 %d0, %d0, %d2;
    add.s64 %d1, %d1, %d2;
    ld.global.u32 %r1, [%d0];
)" + body);
}

Bench one_warp(const std::string& body, unsigned threads = 32) {
  Bench bench;
  bench.buffer("x", op::Type::kU32, threads, Role::kInput);
  bench.buffer("o", op::Type::kU32, threads, Role::kOutput);
  bench.launch(over_x(body), {1, 1, 1}, {threads, 1, 1}, {"x", "o"});
  return bench;
}

}  // namespace

TEST_CASE("lanes that diverge on plain bits meet again") {
  Bench bench;
  bench.buffer("x", op::Type::kU32, 48, Role::kInput);
  bench.buffer("o", op::Type::kU32, 48, Role::kOutput);
  bench.launch(over_x(R"(
    and.b32 %r2, %r0, 3;
    setp.eq.u32 %p0, %r2, 0;
    @%p0 bra A;
    setp.eq.u32 %p1, %r2, 1;
    @%p1 bra B;
    mov.u32 %r3, 30;
    bra J;
  A: mov.u32 %r3, 10;
    bra J;
  B: mov.u32 %r3, 20;
  J: add.s32 %r3, %r3, %r0;
    st.global.u32 [%d1], %r3;
    ret;)"),
               {1, 1, 1}, {48, 1, 1}, {"x", "o"});
  bench.run();
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 48; ++i) {
    const uint64_t base = i % 4 == 0 ? 10 : i % 4 == 1 ? 20 : 30;
    REQUIRE(bench.bits("o", i) == base + i);
  }
}

TEST_CASE("loops whose lanes leave at different times") {
  Bench bench;
  bench.buffer("x", op::Type::kU32, 40, Role::kInput);
  bench.buffer("o", op::Type::kU32, 40, Role::kOutput);
  bench.launch(over_x(R"(
    mov.u32 %r2, 0;
    mov.u32 %r3, 1;
  L: add.s32 %r2, %r2, %r3;
    add.s32 %r3, %r3, 1;
    setp.le.u32 %p0, %r3, %r0;
    @%p0 bra L;
    st.global.u32 [%d1], %r2;
    ret;)"),
               {1, 1, 1}, {40, 1, 1}, {"x", "o"});
  bench.run();
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 40; ++i) REQUIRE(bench.bits("o", i) == (i < 2 ? 1 : i * (i + 1) / 2));
}

TEST_CASE("values swapped by a loop's phis") {
  Bench bench;
  bench.buffer("x", op::Type::kU32, 32, Role::kInput);
  bench.buffer("o", op::Type::kU32, 32, Role::kOutput);
  bench.launch(over_x(R"(
    mov.u32 %r2, 1;
    mov.u32 %r3, 2;
    mov.u32 %r5, 0;
  L: mov.u32 %r4, %r2;
    mov.u32 %r2, %r3;
    mov.u32 %r3, %r4;
    add.s32 %r5, %r5, 1;
    setp.le.u32 %p0, %r5, %r0;
    @%p0 bra L;
    st.global.u32 [%d1], %r2;
    ret;)"),
               {1, 1, 1}, {32, 1, 1}, {"x", "o"});
  bench.run();
  for (uint64_t i = 0; i < 32; ++i) REQUIRE(bench.bits("o", i) == (i % 2 == 0 ? 2 : 1));
}

TEST_CASE("a branch on data becomes one select at the join") {
  Bench bench = one_warp(R"(
    mov.u32 %r2, %r1;
    setp.lt.s32 %p0, %r1, 10;
    @!%p0 bra J;
    add.s32 %r2, %r1, 100;
  J: st.global.u32 [%d1], %r2;
    ret;)");
  bench.run();
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 32; ++i) REQUIRE(bench.bits("o", i) == (i < 10 ? i + 100 : i));
  const term::TermId value = bench.cell("o", 3).value;
  REQUIRE(bench.arena().kind(value) == op::Kind::kSelect);
  CHECK(bench.arena().kind(bench.arena()[value].a) == op::Kind::kLtS);
  CHECK(bench.arena().is_const(bench.cell("o", 3).written));
}

TEST_CASE("nested branches on data, and one settled by an outer one") {
  Bench bench = one_warp(R"(
    setp.lt.s32 %p0, %r1, 16;
    @%p0 bra A;
    mov.u32 %r2, 1;
    bra J;
  A: setp.lt.s32 %p1, %r1, 8;
    @%p1 bra B;
    mov.u32 %r2, 2;
    bra J;
  B: setp.lt.s32 %p2, %r1, 16;
    @!%p2 bra NEVER;
    mov.u32 %r2, 3;
    bra J;
  NEVER: mov.u32 %r2, 4;
  J: st.global.u32 [%d1], %r2;
    ret;)");
  bench.run();
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 32; ++i) REQUIRE(bench.bits("o", i) == (i < 8 ? 3 : i < 16 ? 2 : 1));
  REQUIRE(bench.outcome().blocks_executed.size() == 1);
  CHECK_FALSE(bench.outcome().blocks_executed.begin()->second.back() == false);
  const auto cone = term::cone(bench.arena(), std::vector{bench.cell("o", 0).value});
  for (const term::TermId t : cone) {
    if (bench.arena().is_const(t)) CHECK(bench.arena().const_bits(t) != 4);
  }
}

TEST_CASE("stores under a branch on data are conditional") {
  Bench bench = one_warp(R"(
    setp.lt.s32 %p0, %r1, 5;
    @!%p0 bra E;
    st.global.u32 [%d1], %r1;
    ld.global.u32 %r2, [%d1];
    add.s32 %r2, %r2, 1;
    st.global.u32 [%d1], %r2;
  E: ret;)");
  bench.run();
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 32; ++i) {
    REQUIRE(bench.written("o", i) == (i < 5));
    if (i < 5) REQUIRE(bench.bits("o", i) == i + 1);
  }
}

TEST_CASE("guarded stores on data, and both arms storing") {
  Bench bench = one_warp(R"(
    setp.lt.s32 %p0, %r1, 5;
    @%p0 st.global.u32 [%d1], 7;
    @!%p0 st.global.u32 [%d1], %r1;
    ret;)");
  bench.run();
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 32; ++i) {
    REQUIRE(bench.written("o", i));
    REQUIRE(bench.bits("o", i) == (i < 5 ? 7 : i));
  }
  CHECK(bench.arena().is_const(bench.cell("o", 0).written));
}

TEST_CASE("a loop whose exit depends on data, with a bound that does not") {
  Bench bench = one_warp(R"(
    mov.u32 %r2, 0;          // steps
    mov.u32 %r3, %r1;
  L: shr.u32 %r3, %r3, 1;
    add.s32 %r2, %r2, 1;
    setp.ne.u32 %p0, %r3, 0;
    setp.lt.u32 %p1, %r2, 8;
    and.pred %p0, %p0, %p1;
    @%p0 bra L;
    mul.lo.s32 %r4, %r3, 1000;
    add.s32 %r4, %r4, %r2;   // both values are used after the loop without a phi
    st.global.u32 [%d1], %r4;
    ret;)");
  bench.run();
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 32; ++i) {
    uint64_t steps = 0, v = i;
    do v /= 2, ++steps;
    while (v != 0 && steps < 8);
    REQUIRE(bench.bits("o", i) == steps);
  }
}

TEST_CASE("an inner loop on data inside an arm on data") {
  Bench bench = one_warp(R"(
    mov.u32 %r2, 0;
    setp.lt.u32 %p0, %r1, 20;
    @!%p0 bra J;
  L: add.s32 %r2, %r2, 3;
    setp.lt.u32 %p1, %r2, %r1;
    setp.lt.u32 %p2, %r2, 30;
    and.pred %p1, %p1, %p2;
    @%p1 bra L;
    add.s32 %r2, %r2, 100;
  J: st.global.u32 [%d1], %r2;
    ret;)");
  bench.run();
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 32; ++i) {
    uint64_t v = 0;
    if (i < 20) {
      do v += 3;
      while (v < i && v < 30);
      v += 100;
    }
    REQUIRE(bench.bits("o", i) == v);
  }
}

TEST_CASE("a loop on data without a bound stops at the limit") {
  Bench bench = one_warp(R"(
    mov.u32 %r2, 0;
  L: mad.lo.s32 %r1, %r1, 5, 3;
    add.s32 %r2, %r2, 1;
    setp.ne.u32 %p0, %r1, 0;
    @%p0 bra L;
    st.global.u32 [%d1], %r2;
    ret;)",
                         1);
  bench.limits.max_loop_iterations = 20;
  try {
    bench.run();
    FAIL("no limit reached");
  } catch (const base::LimitReached& e) {
    CHECK(e.limit() == "unroll");
  }
}

TEST_CASE("a loop whose end depends on what does not change is never left") {
  // The sum changes from turn to turn, the counter does not.
  Bench stuck = one_warp(R"(
    mov.u32 %r2, 0;
    mov.u32 %r3, 0;
  L: add.s32 %r3, %r3, %r1;
    st.global.u32 [%d1], %r3;
    bar.sync 0;
    mov.u32 %r2, %r2;
    setp.lt.u32 %p0, %r2, 8;
    @%p0 bra L;
    ret;)");
  stuck.run();
  REQUIRE(stuck.faults(Category::kDeadlock).size() == 1);
  CHECK(stuck.evaluate(stuck.faults(Category::kDeadlock)[0]->condition) == 1);

  Bench on_data = one_warp(R"(
    setp.gt.u32 %p0, %r1, 40;
  L: @%p0 bra L;
    st.global.u32 [%d1], 1;
    ret;)",
                           1);
  on_data.run();
  REQUIRE(on_data.faults(Category::kDeadlock).size() == 1);
  const Fault& fault = *on_data.faults(Category::kDeadlock)[0];
  on_data.input = [](uint32_t, uint32_t) { return 40; };
  CHECK(on_data.evaluate(fault.condition) == 0);
  on_data.input = [](uint32_t, uint32_t) { return 41; };
  CHECK(on_data.evaluate(fault.condition) == 1);
}

TEST_CASE("a loop in a loop that starts again each time is left") {
  Bench bench = one_warp(R"(
    mov.u32 %r2, 0;
  A: mov.u32 %r3, 0;
  B: add.s32 %r3, %r3, 1;
    setp.lt.u32 %p0, %r3, 4;
    @%p0 bra B;
    xor.b32 %r4, %r3, %r3;
    add.s32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 5;
    @%p1 bra A;
    add.s32 %r2, %r2, %r4;
    st.global.u32 [%d1], %r2;
    ret;)");
  bench.run();
  REQUIRE(bench.clean());
  CHECK(bench.bits("o", 3) == 5);
}

TEST_CASE("early return on data") {
  Bench bench = one_warp(R"(
    setp.gt.s32 %p0, %r1, 20;
    @%p0 ret;
    setp.lt.s32 %p1, %r1, 4;
    @%p1 bra A;
    st.global.u32 [%d1], 1;
    ret;
  A: st.global.u32 [%d1], 2;
    ret;)");
  bench.run();
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 32; ++i) {
    REQUIRE(bench.written("o", i) == (i <= 20));
    if (i <= 20) REQUIRE(bench.bits("o", i) == (i < 4 ? 2 : 1));
  }
}

TEST_CASE("a trap that data can reach is a fault with its condition") {
  Bench bench = one_warp(R"(
    setp.lt.u32 %p0, %r1, 40;
    @%p0 bra OK;
    trap;
  OK: st.global.u32 [%d1], %r1;
    ret;)",
                         1);
  bench.run();
  REQUIRE(bench.faults(Category::kTrap).size() == 1);
  const Fault& fault = *bench.faults(Category::kTrap)[0];
  CHECK(fault.strength == Fault::Strength::kCertain);
  CHECK(bench.evaluate(fault.condition) == 0);  // x[0] = 0 does not trap
  bench.input = [](uint32_t, uint32_t) { return 40; };
  CHECK(bench.evaluate(fault.condition) == 1);
  CHECK(bench.arena().is_const(bench.cell("o", 0).written));
}

TEST_CASE("brx.idx on plain bits and on data") {
  const std::string body = R"(
    TS: .branchtargets A, B, C;
    @%p9 bra A;
    brx.idx %r2, TS;
  A: mov.u32 %r3, 10;
    bra J;
  B: mov.u32 %r3, 20;
    bra J;
  C: mov.u32 %r3, 30;
  J: st.global.u32 [%d1], %r3;
    ret;)";
  SECTION("plain") {
    Bench bench = one_warp("setp.eq.u32 %p9, %r0, 99;\n rem.u32 %r2, %r0, 3;" + body);
    bench.run();
    REQUIRE(bench.clean());
    for (uint64_t i = 0; i < 32; ++i) REQUIRE(bench.bits("o", i) == 10 + 10 * (i % 3));
  }
  SECTION("data that is in range") {
    Bench bench = one_warp("setp.eq.u32 %p9, %r0, 99;\n rem.u32 %r2, %r1, 3;" + body);
    bench.run();
    REQUIRE(bench.clean());
    for (uint64_t i = 0; i < 32; ++i) REQUIRE(bench.bits("o", i) == 10 + 10 * (i % 3));
  }
  SECTION("data that may be out of range") {
    Bench bench = one_warp("setp.eq.u32 %p9, %r0, 99;\n mov.u32 %r2, %r1;" + body);
    bench.run();
    CHECK(bench.faults(Category::kOutOfBounds).size() >= 1);
  }
}

TEST_CASE("threads that wait for one another in one warp make progress") {
  // Lane 1 spins on a flag that lane 0 sets afterwards: divergent strands get turns.
  Bench bench;
  bench.buffer("o", op::Type::kU32, 2, Role::kOutput);
  bench.launch(kernel({".u64"}, R"(
    .shared .align 4 .b8 flag[4];
    ld.param.u64 %d0, [p0];
    mov.u32 %r0, %tid.x;
    mov.u32 %r5, 0;
    st.shared.u32 [flag], %r5;
    bar.warp.sync 3;
    setp.eq.u32 %p0, %r0, 0;
    @%p0 bra SET;
  SPIN: ld.volatile.shared.u32 %r1, [flag];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra SPIN;
    bra J;
  SET: mov.u32 %r2, 1;
    st.volatile.shared.u32 [flag], %r2;
  J: mul.wide.u32 %d1, %r0, 4;
    add.s64 %d0, %d0, %d1;
    st.global.u32 [%d0], %r0;
    ret;)"),
               {1, 1, 1}, {2, 1, 1}, {"o"});
  bench.run();
  CHECK(bench.bits("o", 1) == 1);
  CHECK(bench.clean());  // volatile accesses are strong (8.4.1.1), and the loop only waits
}

TEST_CASE("waiting for what nobody writes is a deadlock") {
  const auto run = [](const std::string& body) {
    Bench bench;
    bench.buffer("o", op::Type::kU32, 4, Role::kInout);
    bench.launch(kernel({".u64"}, "ld.param.u64 %d0, [p0];\n" + body + "\nret;"), {2, 1, 1},
                 {32, 1, 1}, {"o"});
    bench.run();
    return bench.faults(Category::kDeadlock).size();
  };
  CHECK(run(R"(
  L: ld.volatile.global.u32 %r0, [%d0];
    setp.ne.u32 %p0, %r0, %r0;
    @!%p0 bra L;)") == 1);
  // The CTA that comes later sets it.
  CHECK(run(R"(
    mov.u32 %r1, %ctaid.x;
    setp.eq.u32 %p1, %r1, 1;
    st.volatile.global.u32 [%d0+4], %r1;
    @%p1 st.volatile.global.u32 [%d0], %r1;
  L: ld.volatile.global.u32 %r0, [%d0];
    setp.ne.u32 %p0, %r0, 1;
    @%p0 bra L;)") == 0);
}

TEST_CASE("a loop that counts while it waits is followed to a limit") {
  Bench bench;
  bench.buffer("o", op::Type::kU32, 1, Role::kInout);
  bench.launch(kernel({".u64"}, R"(
    ld.param.u64 %d0, [p0];
    st.volatile.global.u32 [%d0], 0;
    mov.u64 %d1, 0;
  L: ld.volatile.global.u32 %r0, [%d0];
    add.u64 %d1, %d1, 1;
    setp.eq.u64 %p1, %d1, 0;
    @%p1 st.global.u64 [%d0], %d1;
    setp.eq.u32 %p0, %r0, 0;
    @%p0 bra L;
    ret;)"),
               {1, 1, 1}, {1, 1, 1}, {"o"});
  try {
    bench.run();
    FAIL("no limit reached");
  } catch (const base::LimitReached& e) {
    CHECK(e.limit() == "spin");
  }
}
