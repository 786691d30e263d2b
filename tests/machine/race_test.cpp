#include <catch2/catch.hpp>

#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

// %r0 = tid, %r1 = x[tid], %d1 = &o[tid], %d3 = o, %d0 = &x[tid], %r11 = s, %r12 = &s[tid]
Bench block(const std::string& body, unsigned threads, unsigned ctas = 1) {
  Bench bench;
  bench.buffer("x", op::Type::kU32, threads, Role::kInput);
  bench.buffer("o", op::Type::kU32, threads, Role::kInout);
  bench.launch(kernel({".u64", ".u64"}, R"(
    .shared .align 16 .b8 s[1024];
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d3, [p1];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %d2, %r0, 4;
    add.s64 %d0, %d0, %d2;
    add.s64 %d1, %d3, %d2;
    ld.global.u32 %r1, [%d0];
    shl.b32 %r10, %r0, 2;
    mov.u32 %r11, s;
    add.s32 %r12, %r11, %r10;
)" + body + "\n ret;"),
               {ctas, 1, 1}, {threads, 1, 1}, {"x", "o"});
  bench.run();
  return bench;
}

const char* const kNeighbour = R"(
    xor.b32 %r2, %r10, 4;
    add.s32 %r2, %r11, %r2;
)";

}  // namespace

TEST_CASE("lanes of a warp are not ordered by running in step") {
  Bench racy = block(std::string("st.shared.u32 [%r12], %r1;") + kNeighbour +
                         "ld.shared.u32 %r3, [%r2];\n st.global.u32 [%d1], %r3;",
                     32);
  const auto faults = racy.faults(Category::kRaceShared);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0]->strength == Fault::Strength::kCertain);
  REQUIRE(faults[0]->accesses.size() == 2);
  CHECK(faults[0]->accesses[0].is_write);
  CHECK_FALSE(faults[0]->accesses[1].is_write);
  CHECK(faults[0]->accesses[0].thread.thread[0] == 1);
  CHECK(faults[0]->accesses[1].thread.thread[0] == 0);
  CHECK(faults[0]->location == "s+4 (shared)");
  CHECK(faults[0]->message == "s[1]: written by thread 1, read by thread 0, nothing between them");
  for (const std::string sync :
       {"bar.warp.sync -1;", "bar.sync 0;", "shfl.sync.bfly.b32 %r9, %r1, 1, 31, -1;"}) {
    INFO(sync);
    Bench ordered = block("st.shared.u32 [%r12], %r1;\n" + sync + kNeighbour +
                              "ld.shared.u32 %r3, [%r2];\n st.global.u32 [%d1], %r3;",
                          32);
    CHECK(ordered.clean());
  }
}

TEST_CASE("a warp sync of half the lanes orders that half") {
  const std::string text = R"(
    st.shared.u32 [%r12], %r1;
    setp.ge.u32 %p0, %r0, 16;
    @%p0 bra J;
    bar.warp.sync 0xffff;
    xor.b32 %r2, %r10, MASK;
    add.s32 %r2, %r11, %r2;
    ld.shared.u32 %r3, [%r2];
    st.global.u32 [%d1], %r3;
  J:)";
  const auto with = [&](const std::string& mask) {
    std::string body = text;
    body.replace(body.find("MASK"), 4, mask);
    return block(body, 32);
  };
  CHECK(with("4").clean());
  CHECK(with("64").faults(Category::kRaceShared).size() == 1);
}

TEST_CASE("a warp sync does not order warps") {
  Bench bench = block(R"(
    st.shared.u32 [%r12], %r1;
    bar.warp.sync -1;
    xor.b32 %r2, %r10, 128;
    add.s32 %r2, %r11, %r2;
    ld.shared.u32 %r3, [%r2];
    st.global.u32 [%d1], %r3;)",
                      64);
  CHECK(bench.faults(Category::kRaceShared).size() >= 1);
}

TEST_CASE("a write after reads of the last round needs a barrier") {
  const auto with = [](const std::string& last) {
    return block(R"(
    mov.u32 %r5, 0;
    mov.u32 %r6, 0;
  L: add.s32 %r7, %r1, %r5;
    st.shared.u32 [%r12], %r7;
    bar.sync 0;
    xor.b32 %r2, %r10, 128;
    add.s32 %r2, %r11, %r2;
    ld.shared.u32 %r3, [%r2];
    add.s32 %r6, %r6, %r3;
)" + last + R"(
    add.s32 %r5, %r5, 1;
    setp.lt.u32 %p0, %r5, 3;
    @%p0 bra L;
    st.global.u32 [%d1], %r6;)",
                 64);
  };
  CHECK(with("bar.sync 0;").clean());
  Bench racy = with("");
  // Found both ways round: a read and then a write, and a write that came before the read.
  REQUIRE(racy.faults(Category::kRaceShared).size() == 2);
  for (const Fault* fault : racy.faults(Category::kRaceShared)) {
    CHECK(fault->accesses[0].is_write != fault->accesses[1].is_write);
  }
}

TEST_CASE("equal values from several threads are allowed, and noted") {
  Bench same = block(
      "mov.u32 %r3, 5;\n st.shared.u32 [%r11], %r3;\n bar.sync 0;\n"
      "ld.shared.u32 %r4, [%r11];\n st.global.u32 [%d1], %r4;",
      64);
  CHECK(same.clean());
  CHECK(same.has_note("same-value-write"));
  Bench different = block(
      "st.shared.u32 [%r11], %r0;\n bar.sync 0;\n"
      "ld.shared.u32 %r4, [%r11];\n st.global.u32 [%d1], %r4;",
      64);
  CHECK(different.faults(Category::kRaceShared).size() == 1);
  Bench read_by_one = block(
      "mov.u32 %r3, 5;\n st.shared.u32 [%r11], %r3;\n"
      "ld.shared.u32 %r4, [%r11];\n st.global.u32 [%d1], %r4;",
      64);
  CHECK(read_by_one.faults(Category::kRaceShared).size() >= 1);
}

TEST_CASE("CTAs of one launch are not ordered, launches are") {
  Bench bench =
      block("st.global.u32 [%d1], %r0;\n add.s32 %r3, %r0, 1;\n st.global.u32 [%d1], %r3;", 32, 2);
  REQUIRE(bench.faults(Category::kRaceGlobal).size() >= 1);
  const Fault& fault = *bench.faults(Category::kRaceGlobal)[0];
  CHECK(fault.accesses[0].thread.cta[0] == 0);
  CHECK(fault.accesses[1].thread.cta[0] == 1);
  CHECK(fault.location == "o[0]");

  Bench two;
  two.buffer("o", op::Type::kU32, 32, Role::kOutput);
  const std::string text = kernel({".u64", ".u32"}, R"(
    ld.param.u64 %d0, [p0];
    ld.param.u32 %r1, [p1];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %d2, %r0, 4;
    add.s64 %d0, %d0, %d2;
    st.global.u32 [%d0], %r1;
    ret;)");
  two.launch(text, {1, 1, 1}, {32, 1, 1}, {"o", uint64_t{3}});
  two.launch(text, {1, 1, 1}, {32, 1, 1}, {"o", uint64_t{4}});
  two.run();
  CHECK(two.clean());
  CHECK(two.bits("o", 3) == 4);
}

TEST_CASE("a read by one CTA against a write by another, whoever runs first") {
  for (const char* reader : {"0", "1"}) {
    INFO("reader " << reader);
    Bench bench =
        block(std::string("mov.u32 %r4, %ctaid.x;\n setp.eq.u32 %p0, %r4, ") + reader + R"(;
    @%p0 ld.global.u32 %r5, [%d1];
    @!%p0 st.global.u32 [%d1], %r1;)",
              32, 2);
    CHECK(bench.faults(Category::kRaceGlobal).size() == 1);
  }
}

TEST_CASE("read-only loads of what the launch writes") {
  Bench bench =
      block("ld.global.nc.u32 %r4, [%d1];\n add.s32 %r4, %r4, 1;\n st.global.u32 [%d1], %r4;", 32);
  CHECK(bench.faults(Category::kRaceGlobal).size() == 1);
  Bench coherent =
      block("ld.global.u32 %r4, [%d1];\n add.s32 %r4, %r4, 1;\n st.global.u32 [%d1], %r4;", 32);
  CHECK(coherent.clean());
}

TEST_CASE("accesses under data conditions conflict under both") {
  Bench bench = block(R"(
    setp.lt.u32 %p0, %r1, 10;
    setp.eq.u32 %p1, %r0, 0;
    and.pred %p0, %p0, %p1;
    @%p0 st.shared.u32 [%r11+64], %r1;
    setp.gt.u32 %p2, %r1, 100;
    setp.eq.u32 %p3, %r0, 1;
    and.pred %p2, %p2, %p3;
    @%p2 ld.shared.u32 %r5, [%r11+64];)",
                      2);
  const auto faults = bench.faults(Category::kRaceShared);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0]->strength == Fault::Strength::kPossible);
  bench.input = [](uint32_t, uint32_t i) { return i == 0 ? 5 : 101; };
  CHECK(bench.evaluate(faults[0]->condition) == 1);
  bench.input = [](uint32_t, uint32_t i) { return i == 0 ? 15 : 101; };
  CHECK(bench.evaluate(faults[0]->condition) == 0);
}

TEST_CASE("accesses of the two arms of one branch on shared data do not conflict") {
  Bench bench = block(R"(
    ld.param.u64 %d5, [p0];
    ld.global.u32 %r4, [%d5];
    setp.lt.u32 %p0, %r4, 10;
    setp.eq.u32 %p1, %r0, 0;
    and.pred %p2, %p0, %p1;
    @%p2 st.shared.u32 [%r11+64], %r1;
    not.pred %p3, %p0;
    setp.eq.u32 %p4, %r0, 1;
    and.pred %p3, %p3, %p4;
    @%p3 st.shared.u32 [%r11+64], %r0;)",
                      2);
  for (const Fault* fault : bench.faults(Category::kRaceShared)) {
    // c and not c: either never reported, or under a condition that nothing satisfies.
    for (const uint32_t value : {0u, 50u}) {
      bench.input = [&](uint32_t, uint32_t) { return value; };
      CHECK(bench.evaluate(fault->condition) == 0);
    }
  }
}

TEST_CASE("overlapping accesses of different widths") {
  Bench bench = block(R"(
    setp.eq.u32 %p0, %r0, 0;
    @%p0 st.shared.u32 [%r11], %r1;
    setp.eq.u32 %p1, %r0, 1;
    @%p1 ld.shared.u8 %r3, [%r11+3];)",
                      2);
  CHECK(bench.faults(Category::kRaceShared).size() == 1);
}

TEST_CASE("relaxed accesses on both sides are a gap, not a race") {
  Bench bench = block(R"(
    setp.eq.u32 %p0, %r0, 0;
    @%p0 st.relaxed.gpu.global.u32 [%d3], %r1;
    @!%p0 ld.relaxed.gpu.global.u32 %r3, [%d3];)",
                      2);
  CHECK(bench.faults(Category::kRaceGlobal).empty());
  CHECK(bench.has_gap("strong-access"));
}

TEST_CASE("that shuffles order memory is noted where it counts") {
  const auto run = [](const std::string& between) {
    Bench bench;
    bench.buffer("o", op::Type::kU32, 32, Role::kOutput);
    bench.launch(kernel({".u64"}, R"(
      .shared .align 4 .b8 s[128];
      ld.param.u64 %d0, [p0];
      mov.u32 %r0, %tid.x;
      mov.u32 %r1, s;
      shl.b32 %r2, %r0, 2;
      add.s32 %r3, %r1, %r2;
      st.shared.u32 [%r3], %r0;
      )" + between + R"(
      xor.b32 %r4, %r2, 4;
      add.s32 %r5, %r1, %r4;
      ld.shared.u32 %r6, [%r5];
      cvt.u64.u32 %d1, %r2;
      add.s64 %d1, %d0, %d1;
      st.global.u32 [%d1], %r6;
      ret;)"),
                 {1, 1, 1}, {32, 1, 1}, {"o"});
    bench.run();
    return std::pair{bench.clean(), bench.has_note("warp-order")};
  };
  CHECK(run("bar.warp.sync -1;") == std::pair{true, false});
  CHECK(run("shfl.sync.idx.b32 %r7, %r0, 0, 31, -1;") == std::pair{true, true});
  CHECK(run("shfl.sync.idx.b32 %r7, %r0, 0, 31, -1;\n bar.warp.sync -1;") == std::pair{true, false});
  CHECK_FALSE(run("").first);
}
