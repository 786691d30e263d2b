#include <catch2/catch.hpp>

#include "base/error.h"
#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

// o[tid] = %r2 after `body`; %r0 = tid, %r1 = x[tid].
Bench warp(const std::string& body, unsigned threads = 32) {
  Bench bench;
  bench.buffer("x", op::Type::kU32, threads, Role::kInput);
  bench.buffer("o", op::Type::kU32, threads, Role::kOutput);
  bench.launch(kernel({".u64", ".u64"}, R"(
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %d2, %r0, 4;
    add.s64 %d0, %d0, %d2;
    add.s64 %d1, %d1, %d2;
    ld.global.u32 %r1, [%d0];
)" + body + R"(
    st.global.u32 [%d1], %r2;
    ret;)"),
               {1, 1, 1}, {threads, 1, 1}, {"x", "o"});
  bench.run();
  return bench;
}

}  // namespace

TEST_CASE("shuffles, as the manual says which lane is read") {
  struct Row {
    const char* mode;
    unsigned b, c;
  };
  const Row rows[] = {{"up", 1, 0},     {"up", 3, 0x1800},   {"down", 1, 31}, {"down", 5, 0x181f},
                      {"bfly", 16, 31}, {"bfly", 3, 0x1c1f}, {"idx", 7, 31},  {"idx", 2, 0x181f},
                      {"down", 4, 15},  {"idx", 12, 0x100b}};
  for (const Row& row : rows) {
    INFO(row.mode << " " << row.b << " " << row.c);
    const std::string op = std::string("shfl.sync.") + row.mode + ".b32 %r3|%p0, %r1, " +
                           std::to_string(row.b) + ", " + std::to_string(row.c) + ", -1;\n";
    Bench bench = warp(op + "selp.b32 %r4, 1000, 0, %p0;\n add.s32 %r2, %r3, %r4;");
    REQUIRE(bench.clean());
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned mask = row.c >> 8 & 31, clamp = row.c & 31;
      const unsigned max = (lane & mask) | (clamp & ~mask & 31);
      const unsigned min = lane & mask;
      int j = 0;
      bool p = false;
      const std::string mode = row.mode;
      if (mode == "up")
        j = static_cast<int>(lane) - static_cast<int>(row.b), p = j >= static_cast<int>(max);
      if (mode == "down") j = static_cast<int>(lane + row.b), p = j <= static_cast<int>(max);
      if (mode == "bfly") j = static_cast<int>(lane ^ row.b), p = j <= static_cast<int>(max);
      if (mode == "idx")
        j = static_cast<int>(min | (row.b & ~mask & 31)), p = j <= static_cast<int>(max);
      if (!p) j = static_cast<int>(lane);
      REQUIRE(bench.bits("o", lane) == static_cast<uint64_t>(j) + (p ? 1000 : 0));
    }
  }
}

TEST_CASE("a shuffle whose source lane depends on data") {
  Bench bench = warp("and.b32 %r3, %r1, 7;\n shfl.sync.idx.b32 %r2, %r1, %r3, 31, -1;");
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 32; ++i) REQUIRE(bench.bits("o", i) == i % 8);
}

TEST_CASE("ldmatrix hands rows, or columns, of 8x8 matrices to the lanes") {
  // Thread t stores row t: elements 8t .. 8t+7 of 16 bits, and gives the address of that row.
  const std::string rows = R"(
    .shared .align 16 .b8 s[512];
    mov.u32 %r10, s;
    shl.b32 %r11, %r0, 4;
    add.s32 %r10, %r10, %r11;
    mad.lo.s32 %r12, %r0, 524296, 65536;
    add.s32 %r13, %r12, 131074;
    add.s32 %r14, %r12, 262148;
    add.s32 %r15, %r12, 393222;
    st.shared.v4.b32 [%r10], {%r12, %r13, %r14, %r15};
    bar.warp.sync -1;
)";
  for (const bool transposed : {false, true}) {
    for (unsigned m = 0; m < 4; ++m) {
      Bench bench = warp(rows + "ldmatrix.sync.aligned.m8n8.x4" + (transposed ? ".trans" : "") +
                         ".shared.b16 {%r20, %r21, %r22, %r23}, [%r10];\n mov.b32 %r2, %r2" +
                         std::to_string(m) + ";");
      REQUIRE(bench.clean());
      for (uint64_t lane = 0; lane < 32; ++lane) {
        const uint64_t row = 8 * m + (transposed ? 2 * (lane % 4) : lane / 4);
        const uint64_t column = transposed ? lane / 4 : 2 * (lane % 4);
        const uint64_t low = 8 * row + column, high = transposed ? low + 8 : low + 1;
        REQUIRE(bench.bits("o", lane) == (high << 16 | low));
      }
    }
  }
  // Rows are 16 bytes and aligned so.
  Bench odd = warp(rows + R"(add.s32 %r10, %r10, 4;
    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r10];)");
  CHECK(!odd.clean());
}

TEST_CASE("ldmatrix takes generic addresses, and rows that data chooses") {
  // Each thread's row holds its own number; the row's address comes from another lane's input.
  const std::string rows = R"(
    .shared .align 16 .b8 s[512];
    mov.u32 %r10, s;
    shl.b32 %r11, %r0, 4;
    add.s32 %r11, %r10, %r11;
    shl.b32 %r12, %r0, 16;
    or.b32 %r12, %r12, %r0;
    st.shared.v4.b32 [%r11], {%r12, %r12, %r12, %r12};
    bar.warp.sync -1;
    cvt.u64.u32 %d4, %r10;
    cvta.shared.u64 %d4, %d4;
)";
  Bench fixed = warp(rows + R"(
    xor.b32 %r13, %r0, 9;
    mul.wide.u32 %d5, %r13, 16;
    add.s64 %d5, %d5, %d4;
    ldmatrix.sync.aligned.m8n8.x2.b16 {%r20, %r2}, [%d5];)");
  REQUIRE(fixed.clean());
  for (uint64_t lane = 0; lane < 32; ++lane) {
    const uint64_t row = (8 + lane / 4) ^ 9;
    REQUIRE(fixed.bits("o", lane) == (row << 16 | row));
  }
  Bench data = warp(rows + R"(
    and.b32 %r13, %r1, 31;
    shl.b32 %r13, %r13, 4;
    add.s32 %r13, %r13, %r10;
    ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r2}, [%r13];)");
  REQUIRE(data.clean());
  data.input = [](uint32_t, uint32_t element) { return uint64_t{3} * element + 1; };
  for (uint64_t lane = 0; lane < 32; ++lane) {
    const uint64_t low = 3 * (2 * (lane % 4)) + 1;
    REQUIRE(data.bits("o", lane) == ((low + 3) << 16 | low));
  }
}

TEST_CASE("stmatrix is the inverse of ldmatrix") {
  for (const std::string trans : {"", ".trans"}) {
    Bench bench = warp(R"(
    .shared .align 16 .b8 s[512];
    mov.u32 %r10, s;
    shl.b32 %r11, %r0, 4;
    add.s32 %r11, %r10, %r11;
    add.s32 %r12, %r1, 77;
    stmatrix.sync.aligned.m8n8.x2)" +
                       trans + R"(.shared.b16 [%r11], {%r12, %r1};
    bar.warp.sync -1;
    ldmatrix.sync.aligned.m8n8.x2)" +
                       trans + R"(.shared.b16 {%r13, %r2}, [%r11];)");
    REQUIRE(bench.clean());
    for (uint64_t lane = 0; lane < 32; ++lane) {
      REQUIRE(bench.bits("o", lane) == lane);
    }
  }
  // Lanes write what others read: without the barrier that is a race.
  Bench race = warp(R"(
    .shared .align 16 .b8 s[512];
    mov.u32 %r10, s;
    shl.b32 %r11, %r0, 4;
    add.s32 %r11, %r10, %r11;
    stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r11], {%r1};
    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r11];)");
  CHECK(!race.faults(Category::kRaceShared).empty());
}

TEST_CASE("movmatrix transposes halves across the warp") {
  Bench bench = warp(
      "shl.b32 %r3, %r1, 16;\n or.b32 %r3, %r3, %r1;\n"
      "movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r3;");
  REQUIRE(bench.clean());
  bench.input = [](uint32_t, uint32_t element) { return uint64_t{element}; };
  for (uint64_t lane = 0; lane < 32; ++lane) {
    const uint64_t column = lane / 4, row = 2 * (lane % 4);
    const uint64_t low = 4 * row + column / 2, high = 4 * (row + 1) + column / 2;
    REQUIRE(bench.bits("o", lane) == (high << 16 | low));
  }
}

TEST_CASE("votes on plain predicates and on data") {
  Bench plain = warp("setp.lt.u32 %p0, %r0, 5;\n vote.sync.ballot.b32 %r2, %p0, -1;");
  REQUIRE(plain.clean());
  CHECK(plain.bits("o", 9) == 31);
  Bench data = warp("setp.lt.u32 %p0, %r1, 5;\n vote.sync.ballot.b32 %r2, %p0, -1;");
  REQUIRE(data.clean());
  CHECK(data.bits("o", 9) == 31);
  Bench any = warp(R"(
    setp.eq.u32 %p0, %r1, 31;
    vote.sync.any.pred %p1, %p0, -1;
    vote.sync.all.pred %p2, %p0, -1;
    vote.sync.uni.pred %p3, %p0, -1;
    selp.b32 %r2, 1, 0, %p1;
    selp.b32 %r3, 2, 0, %p2;
    add.s32 %r2, %r2, %r3;
    selp.b32 %r3, 4, 0, %p3;
    add.s32 %r2, %r2, %r3;)");
  REQUIRE(any.clean());
  CHECK(any.bits("o", 0) == 1);
  any.input = [](uint32_t, uint32_t) { return 31; };
  CHECK(any.bits("o", 0) == 7);
  any.input = [](uint32_t, uint32_t) { return 30; };
  CHECK(any.bits("o", 0) == 4);
}

TEST_CASE("redux and match") {
  Bench sum = warp("redux.sync.add.s32 %r2, %r1, -1;");
  REQUIRE(sum.clean());
  CHECK(sum.bits("o", 4) == 31 * 16);
  Bench max = warp("redux.sync.max.u32 %r2, %r1, -1;");
  CHECK(max.bits("o", 4) == 31);
  Bench match = warp("and.b32 %r3, %r0, 1;\n match.any.sync.b32 %r2, %r3, -1;");
  REQUIRE(match.clean());
  CHECK(match.bits("o", 0) == 0x55555555);
  CHECK(match.bits("o", 1) == 0xaaaaaaaa);
  Bench all = warp("match.all.sync.b32 %r2|%p0, %r0, -1;");
  CHECK(all.bits("o", 3) == 0);
}

TEST_CASE("match of values that depend on data") {
  Bench any = warp("and.b32 %r3, %r1, 3;\n match.any.sync.b32 %r2, %r3, -1;");
  REQUIRE(any.clean());
  for (unsigned lane = 0; lane < 32; ++lane) {
    CHECK(any.bits("o", lane) == (0x11111111u << lane % 4));
  }
  any.input = [](uint32_t, uint32_t element) { return element == 5 ? 1 : 2; };
  CHECK(any.bits("o", 5) == 1u << 5);
  CHECK(any.bits("o", 6) == ~(1u << 5));
  Bench wide = warp("cvt.u64.u32 %d5, %r1;\n match.any.sync.b64 %r2, %d5, -1;");
  CHECK(wide.bits("o", 7) == 1u << 7);
  Bench all = warp(
      "match.all.sync.b32 %r2|%p0, %r1, -1;\n selp.b32 %r3, 1, 0, %p0;\n xor.b32 %r2, %r2, %r3;");
  CHECK(all.bits("o", 3) == 0);
  all.input = [](uint32_t, uint32_t) { return 9; };
  CHECK(all.bits("o", 3) == 0xfffffffe);
}

TEST_CASE("the active mask is the schedule's, except where one schedule is executed") {
  const std::string text = "activemask.b32 %r2;";
  CHECK(warp(text).outcome().schedule_inputs.size() == 32);
  Bench bench;
  bench.buffer("o", op::Type::kU32, 1, Role::kOutput);
  bench.launch(kernel({".u64"},
                      "ld.param.u64 %d0, [p0];\n activemask.b32 %r2;\n"
                      "st.global.u32 [%d0], %r2;\n ret;"),
               {1, 1, 1}, {20, 1, 1}, {"o"});
  bench.limits.evaluate = true;
  bench.run();
  CHECK(bench.outcome().gaps.empty());
  CHECK(bench.has_note("schedule"));
  CHECK(bench.bits("o", 0) == 0xfffff);
}

TEST_CASE("divergent lanes meet in a warp operation with both in the mask") {
  Bench bench = warp(R"(
    setp.lt.u32 %p0, %r0, 16;
    @%p0 bra A;
    add.s32 %r3, %r1, 100;
    shfl.sync.bfly.b32 %r2, %r3, 16, 31, -1;
    bra J;
  A: shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1;
  J:)");
  REQUIRE(bench.clean());
  CHECK(bench.bits("o", 0) == 116);
  CHECK(bench.bits("o", 16) == 0);
}

TEST_CASE("a half-warp operation in a branch") {
  Bench bench = warp(R"(
    mov.u32 %r2, %r1;
    setp.ge.u32 %p0, %r0, 16;
    @%p0 bra J;
    shfl.sync.down.b32 %r2, %r1, 1, 31, 0xffff;
  J:)");
  CHECK(bench.faults(Category::kShuffleMask).empty());
  CHECK(bench.bits("o", 3) == 4);
  CHECK(bench.bits("o", 20) == 20);
  CHECK(bench.has_note("shuffle-inactive"));  // lane 15 reads lane 16
  CHECK(bench.arena().kind(bench.cell("o", 15).value) == op::Kind::kPoison);
}

TEST_CASE("member masks that do not fit are faults") {
  Bench not_named = warp("shfl.sync.bfly.b32 %r2, %r1, 1, 31, 0xffff;");
  CHECK(not_named.faults(Category::kShuffleMask).size() == 1);
  Bench never_comes = warp(R"(
    mov.u32 %r2, 0;
    setp.ge.u32 %p0, %r0, 16;
    @%p0 bra W;
    shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;
    bra J;
  W: bar.warp.sync 0xffff0000;
    bar.sync 0;
  J:)");
  CHECK(never_comes.faults(Category::kShuffleMask).size() == 1);
  Bench skipped = warp(
      "setp.lt.u32 %p0, %r0, 16;\n mov.u32 %r2, 0;\n"
      "@%p0 shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;");
  CHECK(skipped.faults(Category::kShuffleMask).size() == 1);
}

TEST_CASE("lanes that have exited are not waited for") {
  Bench bench = warp(R"(
    setp.ge.u32 %p0, %r0, 24;
    @%p0 ret;
    shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;)");
  CHECK(bench.faults(Category::kShuffleMask).empty());
  CHECK(bench.bits("o", 4) == 5);
  CHECK_FALSE(bench.written("o", 30));
}

TEST_CASE("activemask has the lane itself, and none that has ended") {
  Bench bench = warp(R"(
    setp.ge.u32 %p0, %r0, 24;
    @%p0 ret;
    activemask.b32 %r2;)");
  CHECK(bench.clean());
  REQUIRE(bench.outcome().schedule_inputs.size() == 24);
  for (const ScheduleInput& input : bench.outcome().schedule_inputs) {
    CHECK(input.nature == ScheduleInput::Nature::kMask);
    CHECK((input.mask & ~uint64_t{0xffffff}) == 0);
  }
  for (uint64_t i = 0; i < 24; ++i) {
    const uint64_t mask = bench.bits("o", i);
    REQUIRE((mask >> i & 1) == 1);
    REQUIRE(mask >> 24 == 0);
  }
}

TEST_CASE("a lane that is alone knows the active mask") {
  Bench bench = warp("activemask.b32 %r2;", 1);
  CHECK(bench.clean());
  CHECK(bench.outcome().schedule_inputs.empty());
  CHECK(bench.bits("o", 0) == 1);
}

TEST_CASE("a member mask from activemask is left open") {
  try {
    warp("activemask.b32 %r3;\n shfl.sync.bfly.b32 %r2, %r1, 1, 31, %r3;");
    FAIL("executed");
  } catch (const base::LimitReached& e) {
    CHECK(e.limit() == "schedule-input");
  }
}

TEST_CASE("what lanes that take no part give is told apart from other poison") {
  const auto poison = [](const std::string& text, unsigned threads) {
    Bench bench = warp(text, threads);
    CHECK(bench.outcome().faults.empty());
    const auto& lanes = bench.outcome().lane_poison;
    REQUIRE_FALSE(lanes.empty());
    CHECK(lanes[0].site.inst != nullptr);
    for (const LanePoison& lane : lanes) {
      const uint32_t thread = lane.thread.thread[0];
      CHECK(bench.cell("o", thread).value == lane.leaf);
    }
    return lanes[0].message;
  };
  CHECK(poison("shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1;", 16) ==
        "thread 0 reads lane 16, which does not exist: the value is undefined");
  CHECK(poison("setp.ge.u32 %p0, %r0, 16;\n @%p0 ret;\n shfl.sync.idx.b32 %r2, %r1, 20, 31, -1;",
               32) == "thread 0 reads lane 20, which has ended: the value is undefined");
  CHECK(warp("shfl.sync.down.b32 %r2, %r1, 16, 31, -1;").outcome().lane_poison.empty());
  // Across the end of a segment a lane reads itself.
  Bench segments = warp("shfl.sync.down.b32 %r2, %r1, 4, 0x1807, -1;");
  CHECK(segments.outcome().lane_poison.empty());
  CHECK(segments.bits("o", 5) == 5);
  CHECK(segments.bits("o", 1) == 5);
}
