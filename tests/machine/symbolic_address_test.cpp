#include <catch2/catch.hpp>

#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

// ids: n u32, table: 16 rows of 2, o: n. %r1 = ids[tid], %d1 = table, %d2 = &o[tid].
Bench gather(const std::string& body, unsigned threads = 4) {
  Bench bench;
  bench.buffer("ids", op::Type::kU32, threads, Role::kInput);
  bench.buffer("table", op::Type::kU32, 32, Role::kInput);
  bench.buffer("o", op::Type::kU32, threads, Role::kOutput);
  bench.launch(kernel({".u64", ".u64", ".u64"}, R"(
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    ld.param.u64 %d2, [p2];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %d3, %r0, 4;
    add.s64 %d0, %d0, %d3;
    add.s64 %d2, %d2, %d3;
    ld.global.u32 %r1, [%d0];
)" + body + "\n ret;"),
               {1, 1, 1}, {threads, 1, 1}, {"ids", "table", "o"});
  bench.input = [](uint32_t buffer, uint32_t i) { return buffer == 0 ? 3 * i + 1 : 1000 + i; };
  bench.run();
  return bench;
}

const char* const kLoad = R"(
    mul.wide.s32 %d4, %r2, 8;
    add.s64 %d4, %d1, %d4;
    ld.global.u32 %r3, [%d4+4];
    st.global.u32 [%d2], %r3;
)";

}  // namespace

TEST_CASE("a gather with a masked index is a select over the rows") {
  Bench bench = gather(std::string("and.b32 %r2, %r1, 15;") + kLoad);
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 4; ++i) REQUIRE(bench.bits("o", i) == 1000 + 2 * ((3 * i + 1) % 16) + 1);
}

TEST_CASE("clamped and remaindered indices stay in bounds") {
  CHECK(gather(std::string("rem.u32 %r2, %r1, 16;") + kLoad).clean());
  CHECK(gather(std::string("min.u32 %r2, %r1, 15;") + kLoad).clean());
  CHECK(gather(std::string("max.s32 %r2, %r1, 0;\n min.s32 %r2, %r2, 15;") + kLoad).clean());
  CHECK(gather(std::string("setp.lt.u32 %p0, %r1, 16;\n selp.b32 %r2, %r1, 0, %p0;") + kLoad)
            .clean());
}

TEST_CASE("an index guarded by a branch stays in bounds") {
  Bench bench = gather(std::string(R"(
    mov.u32 %r2, %r1;
    setp.ge.u32 %p0, %r1, 16;
    @%p0 bra E;)") + kLoad +
                       "E:");
  REQUIRE(bench.clean());
  CHECK(bench.bits("o", 2) == 1000 + 2 * 7 + 1);
  bench.input = [](uint32_t, uint32_t) { return 16; };
  CHECK_FALSE(bench.written("o", 2));
}

TEST_CASE("an index that may be out of bounds is a possible fault with its condition") {
  Bench bench = gather(std::string("mov.u32 %r2, %r1;") + kLoad, 1);
  const auto faults = bench.faults(Category::kOutOfBounds);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0]->strength == Fault::Strength::kPossible);
  const auto at = [&](uint32_t id) {
    bench.input = [=](uint32_t, uint32_t) { return id; };
    return bench.evaluate(faults[0]->condition);
  };
  CHECK(at(0) == 0);
  CHECK(at(15) == 0);
  CHECK(at(16) == 1);
  CHECK(at(0xffffffff) == 1);
}

TEST_CASE("an oracle that knows the range excludes the fault") {
  struct Never : Oracle {
    Possibility possible(TermId, TermId) override { return Possibility::kNever; }
  };
  Bench bench = gather("mov.u32 %r9, 0;", 1);  // builds; run again with the oracle
  Bench with;
  with.buffer("ids", op::Type::kU32, 1, Role::kInput);
  with.buffer("table", op::Type::kU32, 32, Role::kInput);
  with.buffer("o", op::Type::kU32, 1, Role::kOutput);
  with.launch(kernel({".u64", ".u64", ".u64"}, R"(
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    ld.param.u64 %d2, [p2];
    ld.global.u32 %r2, [%d0];
    mul.wide.u32 %d4, %r2, 8;
    add.s64 %d4, %d1, %d4;
    ld.global.u32 %r3, [%d4];
    st.global.u32 [%d2], %r3;
    ret;)"),
              {1, 1, 1}, {1, 1, 1}, {"ids", "table", "o"});
  Never oracle;
  with.run(&oracle);
  CHECK(with.clean());
}

TEST_CASE("conditions on an index look alike however the address was formed") {
  Bench a = gather(std::string("and.b32 %r2, %r1, 15;") + kLoad, 1);
  Bench b = gather(R"(
    and.b32 %r2, %r1, 15;
    shl.b32 %r4, %r2, 1;
    add.s32 %r4, %r4, 1;
    cvt.u64.u32 %d4, %r4;
    shl.b64 %d4, %d4, 2;
    add.s64 %d4, %d4, %d1;
    ld.global.u32 %r3, [%d4];
    st.global.u32 [%d2], %r3;)",
                   1);
  const auto text = [](Bench& bench) {
    const term::TermId roots[] = {bench.cell("o", 0).value};
    return term::cone(bench.arena(), roots).size();
  };
  CHECK(a.clean());
  CHECK(b.clean());
  CHECK(text(a) == text(b));
}

TEST_CASE("a scatter updates each place under its condition") {
  Bench bench;
  bench.buffer("ids", op::Type::kU32, 1, Role::kInput);
  bench.buffer("o", op::Type::kU32, 4, Role::kInout);
  bench.launch(kernel({".u64", ".u64"}, R"(
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    ld.global.u32 %r0, [%d0];
    and.b32 %r0, %r0, 3;
    mul.wide.u32 %d2, %r0, 4;
    add.s64 %d2, %d1, %d2;
    mov.u32 %r1, 55;
    st.global.u32 [%d2], %r1;
    ld.global.u32 %r2, [%d2];
    add.s32 %r2, %r2, 1;
    st.global.u32 [%d1], %r2;
    ret;)"),
               {1, 1, 1}, {1, 1, 1}, {"ids", "o"});
  bench.input = [](uint32_t buffer, uint32_t i) { return buffer == 0 ? 2 : 10 + i; };
  bench.run();
  REQUIRE(bench.clean());
  CHECK_FALSE(bench.written("o", 1));
  CHECK(bench.written("o", 2));
  CHECK(bench.bits("o", 2) == 55);
  CHECK(bench.bits("o", 0) == 56);
}

TEST_CASE("a scatter by two threads that may hit one place") {
  Bench bench;
  bench.buffer("ids", op::Type::kU32, 2, Role::kInput);
  bench.buffer("o", op::Type::kU32, 4, Role::kInout);
  bench.launch(kernel({".u64", ".u64"}, R"(
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    mov.u32 %r9, %tid.x;
    mul.wide.u32 %d3, %r9, 4;
    add.s64 %d0, %d0, %d3;
    ld.global.u32 %r0, [%d0];
    and.b32 %r0, %r0, 3;
    mul.wide.u32 %d2, %r0, 4;
    add.s64 %d2, %d1, %d2;
    st.global.u32 [%d2], %r9;
    ret;)"),
               {1, 1, 1}, {2, 1, 1}, {"ids", "o"});
  bench.run();
  const auto faults = bench.faults(Category::kRaceGlobal);
  REQUIRE_FALSE(faults.empty());
  const auto any = [&](uint32_t a, uint32_t b) {
    bench.input = [=](uint32_t, uint32_t i) { return i == 0 ? a : b; };
    for (const Fault* fault : faults) {
      if (bench.evaluate(fault->condition) != 0) return true;
    }
    return false;
  };
  CHECK(any(2, 2));
  CHECK_FALSE(any(1, 2));
}

TEST_CASE("a pointer chosen by data") {
  Bench bench;
  bench.buffer("x", op::Type::kU32, 2, Role::kInput);
  bench.buffer("y", op::Type::kU32, 2, Role::kInput);
  bench.buffer("o", op::Type::kU32, 1, Role::kOutput);
  bench.launch(kernel({".u64", ".u64", ".u64"}, R"(
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    ld.param.u64 %d2, [p2];
    ld.global.u32 %r0, [%d0];
    setp.eq.u32 %p0, %r0, 0;
    selp.b64 %d3, %d0, %d1, %p0;
    ld.global.u32 %r1, [%d3+4];
    st.global.u32 [%d2], %r1;
    ret;)"),
               {1, 1, 1}, {1, 1, 1}, {"x", "y", "o"});
  bench.run();
  REQUIRE(bench.clean());
  CHECK(bench.bits("o", 0) == 1);
  bench.input = [](uint32_t buffer, uint32_t i) { return 10 * buffer + i + 5; };
  CHECK(bench.bits("o", 0) == 16);
}

TEST_CASE("a local array at an index that depends on data") {
  Bench bench = gather(R"(
    .local .align 4 .b8 a[16];
    mov.u64 %d5, a;
    mov.u32 %r4, 40;  st.local.u32 [%d5], %r4;
    mov.u32 %r4, 41;  st.local.u32 [%d5+4], %r4;
    mov.u32 %r4, 42;  st.local.u32 [%d5+8], %r4;
    mov.u32 %r4, 43;  st.local.u32 [%d5+12], %r4;
    and.b32 %r2, %r1, 3;
    mul.wide.u32 %d6, %r2, 4;
    add.s64 %d6, %d5, %d6;
    ld.local.u32 %r3, [%d6];
    st.global.u32 [%d2], %r3;)");
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 4; ++i) REQUIRE(bench.bits("o", i) == 40 + (3 * i + 1) % 4);
}

TEST_CASE("shared memory at a 32-bit index that depends on data") {
  Bench bench = gather(R"(
    .shared .align 4 .b8 s[64];
    mov.u32 %r11, s;
    shl.b32 %r4, %r0, 2;
    add.s32 %r5, %r11, %r4;
    add.s32 %r6, %r0, 70;
    st.shared.u32 [%r5], %r6;
    bar.sync 0;
    and.b32 %r2, %r1, 3;
    shl.b32 %r2, %r2, 2;
    add.s32 %r7, %r11, %r2;
    ld.shared.u32 %r3, [%r7];
    st.global.u32 [%d2], %r3;)");
  REQUIRE(bench.clean());
  for (uint64_t i = 0; i < 4; ++i) REQUIRE(bench.bits("o", i) == 70 + (3 * i + 1) % 4);
}
