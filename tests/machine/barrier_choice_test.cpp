#include <catch2/catch.hpp>

#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

// %r0 = tid, %r1 = x[tid], %d1 = &o[tid], %r11 = s, %r12 = &s[tid], %r13 = the warp
Bench block(const std::string& body, unsigned threads, bool run = true) {
  Bench bench;
  bench.buffer("x", op::Type::kU32, threads, Role::kInput);
  bench.buffer("o", op::Type::kU32, threads, Role::kOutput);
  bench.launch(kernel({".u64", ".u64"}, R"(
    .shared .align 4 .b8 s[2048];
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %d2, %r0, 4;
    add.s64 %d0, %d0, %d2;
    add.s64 %d1, %d1, %d2;
    ld.global.u32 %r1, [%d0];
    shl.b32 %r10, %r0, 2;
    mov.u32 %r11, s;
    add.s32 %r12, %r11, %r10;
    shr.u32 %r13, %r0, 5;
)" + body + "\n ret;"),
               {1, 1, 1}, {threads, 1, 1}, {"x", "o"});
  if (run) bench.run();
  return bench;
}

bool names(const std::vector<const Fault*>& faults, const std::string& text) {
  for (const Fault* fault : faults) {
    if (fault->message.find(text) != std::string::npos) return true;
  }
  return false;
}

// Every warp stores, meets `count` threads at barrier `id`, and reads what another warp stored.
std::string exchange(const std::string& id, const std::string& mask) {
  return R"(
    st.shared.u32 [%r12], %r1;
    bar.sync )" +
         id + R"(, 64;
    xor.b32 %r2, %r10, )" +
         mask + R"(;
    add.s32 %r2, %r11, %r2;
    ld.shared.u32 %r3, [%r2];
    st.global.u32 [%d1], %r3;)";
}

}  // namespace

TEST_CASE("groups with a barrier each leave the schedule no choice") {
  Bench bench =
      block("shr.u32 %r4, %r13, 1;\n add.s32 %r4, %r4, 1;\n" + exchange("%r4", "0x80"), 128);
  CHECK(bench.clean());
  CHECK(bench.outcome().schedule_inputs.empty());
  for (uint64_t i = 0; i < 128; ++i) REQUIRE(bench.bits("o", i) == (i ^ 32));
}

TEST_CASE("groups that share a barrier meet others in some schedule") {
  Bench bench = block(exchange("1", "0x80"), 128);
  const auto races = bench.faults(Category::kRaceShared);
  REQUIRE_FALSE(races.empty());
  CHECK(names(races, "where warps 0 and 2 complete barrier 1"));
  for (const Fault* race : races) {  // of the schedules, not of the input
    CHECK(race->accesses.size() == 2);
    CHECK_FALSE(bench.arena().is_const(race->condition));
  }
  CHECK_FALSE(bench.outcome().schedule_inputs.empty());
}

TEST_CASE("the schedules of a barrier are all executed where nothing goes wrong") {
  // Whoever meets whom, each reads what it stored itself.
  Bench bench = block(exchange("1", "0"), 128);
  CHECK(bench.clean());
  for (uint64_t i = 0; i < 128; ++i) {
    REQUIRE(bench.bits("o", i) == i);
    REQUIRE(bench.arena().kind(bench.cell("o", i).value) == op::Kind::kInput);
  }
}

TEST_CASE("a count below the warps that take part orders the consumer after some of them only") {
  Bench bench = block(R"(
    setp.lt.u32 %p0, %r0, 96;
    @!%p0 bra CONSUMER;
    st.shared.u32 [%r12], %r1;
    bar.arrive 1, 64;
    bra J;
  CONSUMER: bar.sync 1, 64;
    ld.shared.u32 %r3, [%r12+-384];
    st.global.u32 [%d1], %r3;
  J:)",
                      128);
  CHECK(names(bench.faults(Category::kRaceShared), "where warps 0 and 1 complete barrier 1"));
}

TEST_CASE("a warp that is left over waits for ever, in every schedule") {
  Bench bench = block("bar.sync 1, 64;", 96);
  CHECK_FALSE(bench.faults(Category::kBarrierDivergence).empty());
}

TEST_CASE("who waits for ever may depend on the schedule") {
  // Warp 0 comes twice, the others once: only where warp 0 meets both others does all end.
  Bench bench = block(R"(
    bar.sync 1, 64;
    setp.eq.u32 %p0, %r13, 0;
    @!%p0 bra J;
    bar.sync 1, 64;
  J:)",
                      96);
  const auto stuck = bench.faults(Category::kBarrierDivergence);
  CHECK(names(stuck, "where warps 1 and 2 complete barrier 1"));
  bool always = false;
  for (const Fault* fault : stuck) {
    always = always || fault->condition == bench.arena().truth(true);
  }
  CHECK_FALSE(always);
}

TEST_CASE("what an order of arrival leaves behind is a choice between values") {
  // The first two of three warps go on; the last one meets warp 3, which waits for it alone.
  Bench bench = block(R"(
    setp.eq.u32 %p1, %r13, 3;
    @%p1 bra LATE;
    bar.red.popc.u32 %r3, 1, 64, 1;
    bra J;
  LATE: bar.red.popc.u32 %r3, 1, 64, 0;
  J: st.global.u32 [%d1], %r3;)",
                      128);
  CHECK(bench.faults(Category::kRaceShared).empty());
  CHECK(bench.outcome().gaps.empty());
  const term::TermId value = bench.cell("o", 0).value;
  CHECK_FALSE(bench.arena().is_const(value));  // 64, or 32 where it meets warp 3
  CHECK_FALSE(bench.outcome().schedule_inputs.empty());
}

TEST_CASE("too many schedules are left open") {
  Bench bench = block(exchange("1", "0"), 512, false);
  bench.limits.max_worlds = 16;
  bench.run();
  CHECK(bench.outcome().faults.empty());
  CHECK(bench.has_gap("barrier-count"));
}

TEST_CASE("a warp that comes twice before a barrier is complete is left open") {
  Bench bench = block(R"(
    setp.lt.u32 %p0, %r0, 32;
    @!%p0 bra W;
    bar.arrive 1, 64;
    bar.arrive 1, 64;
    bra J;
  W: bar.sync 1, 64;
    bar.sync 1, 64;
  J:)",
                      64);
  CHECK(bench.has_gap("barrier-count"));
}

TEST_CASE("a count that is no number of warps") {
  Bench bench = block("mov.u32 %r4, 48;\n bar.sync 1, %r4;", 64);
  CHECK_FALSE(bench.faults(Category::kBarrierDivergence).empty());
}

TEST_CASE("one schedule is executed on concrete data, and noted") {
  Bench bench = block(exchange("1", "0x80"), 128, false);
  bench.limits.evaluate = true;
  bench.run();
  CHECK(bench.outcome().gaps.empty());
  CHECK(bench.has_note("schedule"));
  for (uint64_t i = 0; i < 128; ++i) REQUIRE(bench.bits("o", i) == (i ^ 32));
}
