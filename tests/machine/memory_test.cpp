#include <catch2/catch.hpp>

#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

TEST_CASE("narrow and wide accesses of one buffer") {
  Bench bench;
  bench.buffer("x", op::Type::kU32, 4, Role::kInput);
  bench.buffer("o", op::Type::kU32, 6, Role::kOutput);
  bench.input = [](uint32_t, uint32_t i) { return 0x04030201u + 0x10101010u * i; };
  bench.launch(kernel({".u64", ".u64"}, R"(
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    ld.global.u64 %d2, [%d0];          // before the region is split
    ld.global.u8 %r0, [%d0+2];
    ld.global.s8 %r1, [%d0+15];
    ld.global.u16 %r2, [%d0+4];
    ld.global.v2.u64 {%d3, %d4}, [%d0];
    st.global.u32 [%d1], %r0;
    st.global.u32 [%d1+4], %r1;
    st.global.u32 [%d1+8], %r2;
    shr.u64 %d5, %d2, 32;
    st.global.u32 [%d1+12], %d5;
    st.global.u32 [%d1+16], %d4;
    st.global.u8 [%d1+20], %r0;
    st.global.u8 [%d1+21], %r0;
    st.global.u16 [%d1+22], %r2;
    ret;)"),
               {1, 1, 1}, {1, 1, 1}, {"x", "o"});
  bench.run();
  REQUIRE(bench.clean());
  CHECK(bench.bits("o", 0) == 0x03);
  CHECK(bench.bits("o", 1) == 0x34);
  CHECK(bench.bits("o", 2) == 0x1211);
  CHECK(bench.bits("o", 3) == 0x14131211);
  CHECK(bench.bits("o", 4) == 0x24232221);
  CHECK(bench.bits("o", 5) == 0x12110303);
  for (int i = 0; i < 6; ++i) CHECK(bench.written("o", static_cast<uint64_t>(i)));
  CHECK(bench.outcome().buffers[0].empty());  // an input that nothing wrote
}

TEST_CASE("a local array with pointers and values, one per thread") {
  Bench bench;
  bench.buffer("x", op::Type::kF32, 64, Role::kInput);
  bench.buffer("o", op::Type::kF32, 64, Role::kOutput);
  bench.launch(kernel({".u64", ".u64"}, R"(
    .local .align 8 .b8 depot[32];
    mov.u64 %d0, depot;
    cvta.local.u64 %d1, %d0;
    ld.param.u64 %d2, [p0];
    ld.param.u64 %d3, [p1];
    st.u64 [%d1], %d2;
    st.u64 [%d1+8], %d3;
    mov.u32 %r0, %tid.x;
    st.local.u32 [%d0+16], %r0;
    ld.u64 %d4, [%d1];
    ld.local.u32 %r1, [%d0+16];
    mul.wide.u32 %d5, %r1, 4;
    add.s64 %d4, %d4, %d5;
    ld.f32 %f0, [%d4];
    ld.u64 %d6, [%d1+8];
    add.s64 %d6, %d6, %d5;
    st.f32 [%d6], %f0;
    ret;)"),
               {1, 1, 1}, {64, 1, 1}, {"x", "o"});
  bench.run();
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 64; ++i) REQUIRE(bench.f32("o", i) == static_cast<float>(i));
}

TEST_CASE("constants and module variables") {
  Bench bench;
  bench.buffer("o", op::Type::kU32, 4, Role::kOutput);
  bench.launch(kernel({".u64"}, R"(
    ld.param.u64 %d0, [p0];
    ld.const.u32 %r0, [table+8];
    st.global.u32 [%d0], %r0;
    ld.global.u16 %r1, [bytes+2];
    st.global.u32 [%d0+4], %r1;
    ld.const.u64 %d1, [where];
    ld.const.u32 %r2, [%d1+4];
    st.global.u32 [%d0+8], %r2;
    ld.const.u32 %r3, [table+12];
    st.global.u32 [%d0+12], %r3;
    ret;)",
                      ".const .align 4 .u32 table[4] = {11, 22, 33};\n"
                      ".global .align 2 .b8 bytes[4] = {1, 2, 3, 4};\n"
                      ".const .u64 where = table;\n"),
               {1, 1, 1}, {1, 1, 1}, {"o"});
  bench.run();
  REQUIRE(bench.clean());
  CHECK(bench.bits("o", 0) == 33);
  CHECK(bench.bits("o", 1) == 0x0403);
  CHECK(bench.bits("o", 2) == 22);
  CHECK(bench.bits("o", 3) == 0);
}

TEST_CASE("buffers that share memory") {
  Bench bench;
  bench.buffer("x", op::Type::kU32, 4, Role::kInput);
  bench.buffer("o", op::Type::kU32, 4, Role::kOutput);
  bench["x"].alias_group = bench["o"].alias_group = 0;
  bench.launch(kernel({".u64", ".u64"}, R"(
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    ld.global.u32 %r0, [%d0];
    add.s32 %r0, %r0, 1;
    st.global.u32 [%d1], %r0;
    ld.global.u32 %r1, [%d0];
    st.global.u32 [%d1+4], %r1;
    ret;)"),
               {1, 1, 1}, {1, 1, 1}, {"x", "o"});
  bench.run();
  REQUIRE(bench.clean());
  CHECK(bench.bits("o", 1) == 1);  // x[0] + 1, read back through x
}

TEST_CASE("fill and copy steps") {
  Bench bench;
  const uint32_t x = bench.buffer("x", op::Type::kF32, 4, Role::kInput);
  const uint32_t o = bench.buffer("o", op::Type::kF32, 4, Role::kOutput);
  const uint32_t p = bench.buffer("p", op::Type::kF32, 4, Role::kOutput);
  bench.step(Fill{p, float_bits(2.5f)});
  bench.step(Copy{x, o});
  bench.run();
  REQUIRE(bench.clean());
  CHECK(bench.f32("o", 3) == 3);
  CHECK(bench.f32("p", 2) == 2.5f);
}

TEST_CASE("what a fill leaves is there in the first launch") {
  Bench bench;
  bench.step(Fill{bench.buffer("o", op::Type::kU32, 4, Role::kOutput), 7});
  bench.launch(kernel({".u64"},
                      "ld.param.u64 %d0, [p0];\n ld.global.u32 %r0, [%d0];\n"
                      "add.u32 %r0, %r0, 1;\n st.global.u32 [%d0], %r0;\n ret;"),
               {1, 1, 1}, {1, 1, 1}, {"o"});
  bench.run();
  REQUIRE(bench.clean());
  CHECK(bench.bits("o", 0) == 8);
  CHECK(bench.bits("o", 1) == 7);
}

TEST_CASE("accesses outside a buffer, misaligned, and of the wrong space") {
  const auto run = [](Bench& bench, const std::string& body) {
    bench.buffer("x", op::Type::kU32, 8, Role::kInput);
    bench.buffer("o", op::Type::kU32, 8, Role::kOutput);
    bench.launch(kernel({".u64", ".u64"},
                        "ld.param.u64 %d0, [p0];\n ld.param.u64 %d1, [p1];\n" + body + "\n ret;"),
                 {1, 1, 1}, {1, 1, 1}, {"x", "o"});
    bench.run();
  };
  SECTION("past the end") {
    Bench bench;
    run(bench, "ld.global.u32 %r0, [%d0+32];\n st.global.u32 [%d1], %r0;");
    REQUIRE(bench.faults(Category::kOutOfBounds).size() == 1);
    const Fault& fault = *bench.faults(Category::kOutOfBounds)[0];
    CHECK(fault.strength == Fault::Strength::kCertain);
    CHECK(fault.location == "x[8]");
    CHECK(fault.accesses.at(0).site.inst->opcode == "ld");
  }
  SECTION("before the start") {
    Bench bench;
    run(bench, "ld.global.u32 %r0, [%d0+-4];");
    CHECK(bench.faults(Category::kOutOfBounds).size() == 1);
  }
  SECTION("null") {
    Bench bench;
    run(bench, "mov.u64 %d2, 0;\n ld.global.u32 %r0, [%d2];");
    CHECK(bench.faults(Category::kOutOfBounds).size() == 1);
  }
  SECTION("misaligned vector") {
    Bench bench;
    run(bench, "ld.global.v2.u32 {%r0, %r1}, [%d0+4];");
    CHECK(bench.faults(Category::kMisaligned).size() == 1);
  }
  SECTION("global address as shared") {
    Bench bench;
    run(bench, "ld.shared.u32 %r0, [%d0];");
    CHECK(bench.faults(Category::kOutOfBounds).size() == 1);
  }
  SECTION("an input is written") {
    Bench bench;
    run(bench, "mov.u32 %r0, 3;\n st.global.u32 [%d0], %r0;");
    CHECK(bench.faults(Category::kInputModified).size() == 1);
  }
  SECTION("an input is written with its own value") {
    Bench bench;
    run(bench, "ld.global.u32 %r0, [%d0];\n st.global.u32 [%d0], %r0;");
    CHECK(bench.faults(Category::kInputModified).empty());
  }
}

TEST_CASE("a launch beyond the limits") {
  Bench bench;
  bench.buffer("o", op::Type::kU32, 1, Role::kOutput);
  bench.launch(kernel({".u64"}, "ret;"), {1, 1, 1}, {1025, 1, 1}, {"o"});
  bench.run();
  CHECK(bench.faults(Category::kLaunchLimit).size() == 1);
}

TEST_CASE("unwritten shared memory is poison, and drops out where it is not used") {
  Bench bench;
  bench.buffer("o", op::Type::kU32, 2, Role::kOutput);
  bench.launch(kernel({".u64"}, R"(
    .shared .align 4 .b8 s[8];
    ld.param.u64 %d0, [p0];
    ld.shared.u32 %r0, [s];
    and.b32 %r1, %r0, 0;
    st.global.u32 [%d0], %r1;
    st.global.u32 [%d0+4], %r0;
    ret;)"),
               {1, 1, 1}, {1, 1, 1}, {"o"});
  bench.run();
  CHECK(bench.bits("o", 0) == 0);
  CHECK(bench.arena().kind(bench.cell("o", 1).value) == op::Kind::kPoison);
}

TEST_CASE("terms know where they come from") {
  Bench bench;
  bench.buffer("x", op::Type::kF32, 1, Role::kInput);
  bench.buffer("o", op::Type::kF32, 1, Role::kOutput);
  bench.launch(kernel({".u64", ".u64"}, R"(
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    ld.global.f32 %f0, [%d0];
    mul.rn.f32 %f1, %f0, %f0;
    st.global.f32 [%d1], %f1;
    ret;)"),
               {1, 1, 1}, {1, 1, 1}, {"x", "o"});
  const Outcome& outcome = bench.run();
  const Cell& cell = bench.cell("o", 0);
  const uint32_t tag = bench.arena().origin(cell.value);
  REQUIRE(tag >= outcome.origin_base);
  CHECK(outcome.origins.at(tag - outcome.origin_base).inst->opcode == "mul");
  CHECK(cell.writer.inst->opcode == "st");
}
