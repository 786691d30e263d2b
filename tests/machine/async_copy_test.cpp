#include <catch2/catch.hpp>

#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

// %r0 = tid, %d0 = &x[4 tid], %d1 = &o[tid], %r11 = s, %r12 = &s[16 bytes of tid]
Bench block(const std::string& body, unsigned threads = 32) {
  Bench bench;
  bench.buffer("x", op::Type::kU32, 4 * threads, Role::kInput);
  bench.buffer("o", op::Type::kU32, threads, Role::kOutput);
  bench.launch(kernel({".u64", ".u64"}, R"(
    .shared .align 16 .b8 s[4096];
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %d2, %r0, 16;
    add.s64 %d0, %d0, %d2;
    mul.wide.u32 %d3, %r0, 4;
    add.s64 %d1, %d1, %d3;
    shl.b32 %r10, %r0, 4;
    mov.u32 %r11, s;
    add.s32 %r12, %r11, %r10;
)" + body + R"(
    st.global.u32 [%d1], %r2;
    ret;)"),
               {1, 1, 1}, {threads, 1, 1}, {"x", "o"});
  bench.run();
  return bench;
}

}  // namespace

TEST_CASE("a copy is visible to its thread after the wait") {
  Bench bench = block(R"(
    cp.async.cg.shared.global [%r12], [%d0], 16;
    cp.async.commit_group;
    cp.async.wait_group 0;
    ld.shared.u32 %r2, [%r12+8];)");
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 32; ++i) REQUIRE(bench.bits("o", i) == 4 * i + 2);
}

TEST_CASE("reading before the wait is a fault") {
  Bench bench = block(R"(
    cp.async.cg.shared.global [%r12], [%d0], 16;
    cp.async.commit_group;
    ld.shared.u32 %r2, [%r12+8];
    cp.async.wait_group 0;)");
  CHECK(bench.faults(Category::kAsyncOrder).size() == 1);
}

TEST_CASE("only older groups have landed") {
  const auto with = [](const std::string& wait) {
    return block(R"(
    cp.async.ca.shared.global [%r12], [%d0], 4;
    cp.async.commit_group;
    cp.async.ca.shared.global [%r12+4], [%d0+4], 4;
    cp.async.commit_group;
)" + wait + R"(
    ld.shared.u32 %r2, [%r12];
    ld.shared.u32 %r3, [%r12+4];
    add.s32 %r2, %r2, %r3;)");
  };
  CHECK(with("cp.async.wait_group 0;").clean());
  CHECK(with("cp.async.wait_all;").clean());
  Bench early = with("cp.async.wait_group 1;");
  REQUIRE(early.faults(Category::kAsyncOrder).size() == 1);
}

TEST_CASE("other threads need a barrier after the wait") {
  const auto with = [](const std::string& sync) {
    return block(R"(
    cp.async.ca.shared.global [%r12], [%d0], 4;
    cp.async.wait_all;
)" + sync + R"(
    xor.b32 %r3, %r10, 16;
    add.s32 %r3, %r11, %r3;
    ld.shared.u32 %r2, [%r3];)");
  };
  CHECK(with("bar.sync 0;").clean());
  CHECK(with("").faults(Category::kRaceShared).size() >= 1);
}

TEST_CASE("sizes and predicates that leave zeros") {
  Bench part = block(R"(
    mov.u32 %r5, 4;
    cp.async.cg.shared.global [%r12], [%d0], 16, %r5;
    cp.async.wait_all;
    ld.shared.u32 %r2, [%r12];
    ld.shared.u32 %r3, [%r12+4];
    mad.lo.s32 %r2, %r3, 1000, %r2;)");
  REQUIRE(part.clean());
  CHECK(part.bits("o", 3) == 12);
  Bench none = block(R"(
    mov.u32 %r5, 0;
    cp.async.cg.shared.global [%r12], [%d0], 16, %r5;
    cp.async.wait_all;
    ld.shared.u32 %r2, [%r12];)");
  REQUIRE(none.clean());
  CHECK(none.bits("o", 3) == 0);
}

TEST_CASE("sizes and predicates that depend on data") {
  Bench size = block(R"(
    ld.global.u32 %r3, [%d0];
    and.b32 %r3, %r3, 15;
    cp.async.cg.shared.global [%r12], [%d0], 16, %r3;
    cp.async.wait_all;
    ld.shared.u32 %r2, [%r12+4];)");
  REQUIRE(size.clean());
  // x[0] is 0, 4, 8, 12, 0 of thread 0, 1, ...: of the word at byte 4 all or nothing is read.
  for (uint64_t i = 0; i < 32; ++i) CHECK(size.bits("o", i) == (i % 4 < 2 ? 0 : 4 * i + 1));
  size.input = [](uint32_t, uint32_t element) { return element % 4 == 0 ? 6 : 0xaabbccdd; };
  CHECK(size.bits("o", 3) == 0xccdd);
  Bench ignore = block(R"(
    ld.global.u32 %r3, [%d0];
    setp.gt.u32 %p0, %r3, 40;
    cp.async.ca.shared.global [%r12], [%d0], 8, %p0;
    cp.async.wait_all;
    ld.shared.u32 %r2, [%r12+4];)");
  REQUIRE(ignore.clean());
  for (uint64_t i = 0; i < 32; ++i) CHECK(ignore.bits("o", i) == (4 * i > 40 ? 0 : 4 * i + 1));
  // What is not read need not be there: past the end only where something is read.
  Bench edge = block(R"(
    ld.global.u32 %r3, [%d0];
    setp.gt.u32 %p0, %r3, 40;
    cp.async.ca.shared.global [%r12], [%d0+512], 8, %p0;
    cp.async.wait_all;
    ld.shared.u32 %r2, [%r12+4];)");
  const auto faults = edge.faults(Category::kOutOfBounds);
  REQUIRE_FALSE(faults.empty());
  CHECK(edge.evaluate(faults[0]->condition) == 1);  // thread 0's x[0] is not above 40
  edge.input = [](uint32_t, uint32_t) { return 41; };
  for (const Fault* fault : faults) CHECK(edge.evaluate(fault->condition) == 0);
}

TEST_CASE("the bytes are those at the time of the issue, and reuse of a buffer needs a barrier") {
  const auto with = [](const std::string& sync) {
    return block(R"(
    cp.async.ca.shared.global [%r12], [%d0], 4;
    cp.async.wait_all;
    bar.sync 0;
    xor.b32 %r3, %r10, 16;
    add.s32 %r3, %r11, %r3;
    ld.shared.u32 %r4, [%r3];
)" + sync + R"(
    cp.async.ca.shared.global [%r12], [%d0+4], 4;
    cp.async.wait_all;
    bar.sync 0;
    ld.shared.u32 %r2, [%r3];
    add.s32 %r2, %r2, %r4;)");
  };
  CHECK(with("bar.sync 0;").clean());
  CHECK(with("").faults(Category::kRaceShared).size() >= 1);
}

TEST_CASE("the source must stay as it is until the copy has landed") {
  const auto with = [](const std::string& wait) {
    Bench bench;
    bench.buffer("x", op::Type::kU32, 4, Role::kInout);
    bench.launch(kernel({".u64"}, R"(
    .shared .align 16 .b8 s[16];
    ld.param.u64 %d0, [p0];
    mov.u32 %r11, s;
    cp.async.cg.shared.global [%r11], [%d0], 16;
    cp.async.commit_group;
)" + wait + R"(
    mov.u32 %r2, 5;
    st.global.u32 [%d0+8], %r2;
    cp.async.wait_group 0;
    ret;)"),
                 {1, 1, 1}, {1, 1, 1}, {"x"});
    bench.run();
    return bench.faults(Category::kAsyncOrder).size();
  };
  CHECK(with("") == 1);
  CHECK(with("cp.async.wait_group 0;") == 0);
}

TEST_CASE("a missing wait is told apart from a missing barrier") {
  const auto with = [](const std::string& between) {
    return block(R"(
    cp.async.ca.shared.global [%r12], [%d0], 4;
    cp.async.commit_group;
)" + between + R"(
    xor.b32 %r3, %r10, 16;
    add.s32 %r3, %r11, %r3;
    ld.shared.u32 %r2, [%r3];)");
  };
  SECTION("a barrier, but no wait") {
    Bench bench = with("bar.sync 0;");
    CHECK(bench.faults(Category::kRaceShared).empty());
    const auto faults = bench.faults(Category::kAsyncOrder);
    REQUIRE_FALSE(faults.empty());
    REQUIRE(faults[0]->accesses.size() == 2);
    CHECK(faults[0]->accesses[0].is_write);
    CHECK(
        faults[0]->remedy ==
        "cp.async.wait_group 0 by thread 1 and then a barrier, before the access would order them");
  }
  SECTION("a wait for too few groups") {
    Bench bench = with("cp.async.commit_group;\n cp.async.wait_group 2;\n bar.sync 0;");
    const auto faults = bench.faults(Category::kAsyncOrder);
    REQUIRE_FALSE(faults.empty());
    CHECK(faults[0]->remedy.find("cp.async.wait_group 1 by") == 0);
  }
  SECTION("neither") {
    Bench bench = with("");
    CHECK(bench.faults(Category::kAsyncOrder).empty());
    CHECK_FALSE(bench.faults(Category::kRaceShared).empty());
  }
  SECTION("a copy that was never committed") {
    Bench bench = block(R"(
    cp.async.ca.shared.global [%r12], [%d0], 4;
    cp.async.wait_group 0;
    ld.shared.u32 %r2, [%r12];)");
    const auto faults = bench.faults(Category::kAsyncOrder);
    REQUIRE_FALSE(faults.empty());
    CHECK(faults[0]->remedy.find("cp.async.commit_group and") == 0);
  }
}
