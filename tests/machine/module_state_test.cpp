// Module variables: what they hold at entry, and what a run leaves for the next one.
#include <catch2/catch.hpp>

#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

constexpr const char* kCounter = ".visible .global .align 4 .u32 count;";

void one_thread(Bench& bench, const std::string& body, const std::string& module_scope) {
  bench.buffer("x", op::Type::kU32, 4, Role::kInput);
  bench.buffer("o", op::Type::kU32, 4, Role::kOutput);
  bench.launch(kernel({".u64", ".u64"}, "ld.param.u64 %d0, [p0]; ld.param.u64 %d1, [p1];" + body,
                      module_scope),
               {1, 1, 1}, {1, 1, 1}, {"x", "o"});
}

}  // namespace

TEST_CASE("a constant table without an initialiser is zero") {
  Bench bench;
  one_thread(bench, "ld.const.u32 %r0, [table+4]; st.global.u32 [%d1], %r0; ret;",
             ".const .align 4 .b8 table[16];");
  bench.run();
  CHECK(bench.clean());
  CHECK(bench.bits("o", 0) == 0);
  CHECK(!bench.has_note("initial-state"));
}

TEST_CASE("a table in global memory that nothing writes holds its initialiser") {
  Bench bench;
  one_thread(bench, "ld.global.u32 %r0, [table+4]; st.global.u32 [%d1], %r0; ret;",
             ".global .align 4 .u32 table[4] = {7, 8, 9};");
  bench.run();
  CHECK(bench.clean());
  CHECK(bench.bits("o", 0) == 8);
  CHECK(bench.has_note("initial-state"));
}

TEST_CASE("a counter that grows is arbitrary at entry") {
  Bench bench;
  one_thread(bench,
             "ld.global.u32 %r0, [count]; add.u32 %r1, %r0, 1; st.global.u32 [count], %r1;"
             "st.global.u32 [%d1], %r0; ret;",
             kCounter);
  bench.run();
  CHECK(bench.clean());
  CHECK(!bench.has_note("initial-state"));
  REQUIRE(bench.outcome().schedule_inputs.size() == 1);
  CHECK(bench.outcome().schedule_inputs[0].what == "what count[0] holds at entry");
  CHECK(bench.cell("o", 0).value == bench.outcome().schedule_inputs[0].leaf);
}

TEST_CASE("a counter that is put back holds its initialiser") {
  Bench bench;
  one_thread(bench,
             "ld.global.u32 %r0, [count]; add.u32 %r1, %r0, 1; st.global.u32 [count], %r1;"
             "ld.global.u32 %r2, [count]; st.global.u32 [%d1], %r2;"
             "mov.u32 %r3, 0; st.global.u32 [count], %r3; ret;",
             kCounter);
  bench.run();
  CHECK(bench.clean());
  CHECK(bench.bits("o", 0) == 1);
  CHECK(bench.has_note("initial-state"));
}

TEST_CASE("scratch that is written before it is read needs no assumption") {
  Bench bench;
  one_thread(bench,
             "ld.global.u32 %r0, [%d0]; st.global.u32 [count], %r0;"
             "ld.global.u32 %r1, [count]; st.global.u32 [%d1], %r1; ret;",
             kCounter);
  bench.run();
  CHECK(bench.clean());
  CHECK(bench.outcome().schedule_inputs.empty());
  CHECK(!bench.has_note("initial-state"));
}

TEST_CASE("a variable that data may change is arbitrary at entry, whatever its initialiser") {
  Bench bench;
  one_thread(bench,
             "ld.global.u32 %r0, [count]; st.global.u32 [%d1], %r0;"
             "ld.global.u32 %r1, [%d0]; st.global.u32 [count], %r1; ret;",
             ".visible .global .align 4 .u32 count = 5;");
  bench.run();
  CHECK(bench.clean());
  CHECK(bench.outcome().schedule_inputs.size() == 1);
}

TEST_CASE("what an earlier run left is the same however wide it is read") {
  Bench bench;
  one_thread(bench,
             "ld.global.u32 %r0, [cache]; ld.global.u8 %r1, [cache+1]; ld.global.u64 %d2, [cache];"
             "shr.u32 %r2, %r0, 8; and.b32 %r2, %r2, 255; sub.u32 %r3, %r2, %r1;"
             "cvt.u32.u64 %r4, %d2; sub.u32 %r4, %r4, %r0;"
             "st.global.u32 [%d1], %r3; st.global.u32 [%d1+4], %r4;"
             "add.u32 %r5, %r0, 1; st.global.u32 [cache], %r5; ret;",
             ".global .align 8 .b8 cache[16];");
  bench.run();
  CHECK(bench.clean());
  REQUIRE(bench.outcome().schedule_inputs.size() == 2);
  CHECK(bench.arena().width(bench.outcome().schedule_inputs[0].leaf) == 32);
  CHECK(bench.bits("o", 0) == 0);
  CHECK(bench.bits("o", 1) == 0);
}

TEST_CASE("an element of a buffer of gigabytes has its own input") {
  Bench bench;
  bench.buffer("x", op::Type::kU8, uint64_t{1} << 33, Role::kInput);
  bench.buffer("o", op::Type::kU8, uint64_t{1} << 33, Role::kOutput);
  bench.launch(kernel({".u64", ".u64"}, R"(
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    mov.u64 %d2, 4294967296;
    add.u64 %d3, %d0, %d2;
    add.u64 %d4, %d1, %d2;
    ld.global.u8 %r0, [%d0];
    ld.global.u8 %r1, [%d3];
    st.global.u8 [%d1], %r0;
    st.global.u8 [%d4], %r1;
    ret;)"),
               {1, 1, 1}, {1, 1, 1}, {"x", "o"});
  bench.run();
  CHECK(bench.clean());
  const uint64_t far = uint64_t{1} << 32;
  REQUIRE(bench.written("o", far));
  CHECK(bench.cell("o", 0).value != bench.cell("o", far).value);
  CHECK(bench.arena()[bench.cell("o", far).value].element() == far);
  const Outcome& outcome = bench.outcome();
  CHECK(outcome.buffers[1].size() == uint64_t{1} << 33);
  CHECK(outcome.buffers[1].memory_bytes() < 1 << 20);
}
