#include <catch2/catch.hpp>

#include "base/error.h"
#include "harness.h"
#include "term/evaluate.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

// out[tid] = %r1 after `body`, with %r0 = tid and %d0 = &out[tid].
std::string per_thread(const std::string& body) {
  return kernel({".u64"}, R"(
    ld.param.u64 %d0, [p0];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %d1, %r0, 4;
    add.s64 %d0, %d0, %d1;
)" + body + R"(
    st.global.u32 [%d0], %r1;
    ret;)");
}

}  // namespace

TEST_CASE("concrete integer arithmetic stays out of the arena") {
  Bench bench;
  bench.buffer("o", op::Type::kU32, 64, Role::kOutput);
  bench.launch(per_thread("mad.lo.s32 %r1, %r0, %r0, 5;\n xor.b32 %r1, %r1, 3;"), {1, 1, 1},
               {64, 1, 1}, {"o"});
  const size_t before = bench.arena().size();
  bench.run();
  REQUIRE(bench.clean());
  for (uint32_t i = 0; i < 64; ++i) REQUIRE(bench.bits("o", i) == ((i * i + 5) ^ 3));
  // One constant per distinct result and the two truths: nothing else was built.
  CHECK(bench.arena().size() <= before + 64 + 4);
}

TEST_CASE("special registers of a three-dimensional launch") {
  Bench bench;
  bench.buffer("o", op::Type::kU32, 4 * 60, Role::kOutput);
  bench.launch(kernel({".u64"}, R"(
    ld.param.u64 %d0, [p0];
    mov.u32 %r0, %tid.x;  mov.u32 %r1, %tid.y;  mov.u32 %r2, %tid.z;
    mov.u32 %r3, %ntid.x; mov.u32 %r4, %ntid.y; mov.u32 %r5, %ctaid.y; mov.u32 %r6, %nctaid.y;
    mad.lo.u32 %r7, %r2, %r4, %r1;
    mad.lo.u32 %r7, %r7, %r3, %r0;
    mad.lo.u32 %r8, %r5, 60, %r7;
    mul.wide.u32 %d1, %r8, 4;
    add.s64 %d0, %d0, %d1;
    mov.u32 %r9, %laneid;
    mov.u32 %r10, %warpid;
    mad.lo.u32 %r9, %r10, 32, %r9;
    mad.lo.u32 %r9, %r6, 1000, %r9;
    st.global.u32 [%d0], %r9;
    ret;)"),
               {1, 4, 1}, {5, 4, 3}, {"o"});
  bench.run();
  REQUIRE(bench.clean());
  for (uint32_t i = 0; i < 240; ++i) REQUIRE(bench.bits("o", i) == 4000 + i % 60);
}

TEST_CASE("lanemasks") {
  Bench bench;
  bench.buffer("o", op::Type::kU32, 32, Role::kOutput);
  bench.launch(per_thread("mov.u32 %r1, %lanemask_lt;\n mov.u32 %r2, %lanemask_ge;\n"
                          "sub.s32 %r1, %r2, %r1;"),
               {1, 1, 1}, {32, 1, 1}, {"o"});
  bench.run();
  for (uint32_t i = 0; i < 32; ++i) {
    const uint32_t lt = (1u << i) - 1;
    REQUIRE(bench.bits("o", i) == ~lt - lt);
  }
}

TEST_CASE("a float operation that rounds becomes a term with known bits") {
  Bench bench;
  bench.buffer("o", op::Type::kF32, 1, Role::kOutput);
  bench.launch(kernel({".u64"}, R"(
    ld.param.u64 %d0, [p0];
    mov.f32 %f0, 0f3DCCCCCD;
    mul.rn.f32 %f1, %f0, %f0;
    add.rn.f32 %f2, %f0, %f0;
    setp.lt.f32 %p0, %f1, %f2;
    @%p0 st.global.f32 [%d0], %f1;
    ret;)"),
               {1, 1, 1}, {1, 1, 1}, {"o"});
  bench.run();
  REQUIRE(bench.clean());
  const Cell& cell = bench.cell("o", 0);
  CHECK(bench.arena().kind(cell.value) == op::Kind::kFMul);
  CHECK(bench.arena().is_const(cell.written));  // the comparison was decided by the bits
  CHECK(bench.f32("o", 0) == Approx(0.01f));
}

TEST_CASE("pointer arithmetic is exact on the offset") {
  Bench bench;
  bench.buffer("x", op::Type::kU32, 32, Role::kInput);
  bench.buffer("o", op::Type::kU64, 8, Role::kOutput);
  bench.launch(kernel({".u64", ".u64"}, R"(
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    cvta.to.global.u64 %d2, %d0;
    add.s64 %d3, %d2, 40;
    add.s64 %d3, %d3, -8;
    sub.s64 %d4, %d3, %d2;
    st.global.u64 [%d1], %d4;          // 32
    and.b64 %d5, %d3, 127;
    st.global.u64 [%d1+8], %d5;        // 32
    and.b64 %d6, %d3, -64;
    sub.s64 %d6, %d6, %d2;
    st.global.u64 [%d1+16], %d6;       // 0
    setp.eq.s64 %p0, %d3, 0;
    selp.b64 %d7, 1, 2, %p0;
    st.global.u64 [%d1+24], %d7;       // not null: 2
    setp.gt.u64 %p1, %d3, %d2;
    selp.b64 %d7, 1, 2, %p1;
    st.global.u64 [%d1+32], %d7;       // 1
    mov.b64 {%r1, %r2}, %d3;
    mov.b64 %d8, {%r1, %r2};
    ld.global.u32 %r3, [%d8];
    cvt.u64.u32 %d9, %r3;
    st.global.u64 [%d1+40], %d9;       // x[8]
    setp.eq.s64 %p2, %d0, %d1;
    selp.b64 %d7, 1, 2, %p2;
    st.global.u64 [%d1+48], %d7;       // different buffers: 2
    ret;)"),
               {1, 1, 1}, {1, 1, 1}, {"x", "o"});
  bench.run();
  CHECK(bench.clean());
  CHECK(bench.has_note("base-alignment"));
  const uint64_t expected[] = {32, 32, 0, 2, 1, 8, 2};
  for (uint64_t i = 0; i < 7; ++i) CHECK(bench.bits("o", i) == expected[i]);
  CHECK_FALSE(bench.written("o", 7));
}

TEST_CASE("where an object lies is the schedule's choice") {
  Bench bench;
  bench.buffer("o", op::Type::kU64, 1, Role::kOutput);
  bench.launch(kernel({".u64"}, R"(
    ld.param.u64 %d0, [p0];
    shr.u64 %d1, %d0, 3;
    st.global.u64 [%d0], %d1;
    ret;)"),
               {1, 1, 1}, {1, 1, 1}, {"o"});
  bench.run();
  CHECK(bench.clean());
  REQUIRE(bench.outcome().schedule_inputs.size() == 1);
  CHECK(bench.outcome().schedule_inputs[0].what == "the address of o over 256");
  const term::TermId roots[] = {bench.cell("o", 0).value};
  const term::TermId where = bench.outcome().schedule_inputs[0].leaf;
  CHECK(term::evaluate(bench.arena(), roots, [&](term::TermId id, const term::Node&) {
          return id == where ? uint64_t{5} : uint64_t{0};
        })[0] == 5 * 256 / 8);
}

TEST_CASE("an address hidden in a result is found") {
  Bench bench;
  bench.buffer("o", op::Type::kU64, 1, Role::kOutput);
  bench.scalar("n", op::Type::kU64);
  bench.launch(kernel({".u64", ".u64"}, R"(
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d1, [p1];
    add.u64 %d2, %d0, %d1;
    mul.lo.u64 %d3, %d2, 3;
    st.global.u64 [%d0], %d3;
    ret;)"),
               {1, 1, 1}, {1, 1, 1}, {"o", "n"});
  bench.run();
  CHECK(bench.clean());
  REQUIRE(bench.outcome().schedule_inputs.size() == 1);
  const term::TermId roots[] = {bench.cell("o", 0).value};
  const term::TermId where = bench.outcome().schedule_inputs[0].leaf;
  const auto value = [&](uint64_t base, uint64_t n) {
    return term::evaluate(bench.arena(), roots, [&](term::TermId id, const term::Node& node) {
      CHECK(node.op.kind != op::Kind::kAddress);
      return id == where ? base : n;
    })[0];
  };
  CHECK(value(5, 7) == (5 * 256 + 7) * 3);
  CHECK(value(6, 7) == (6 * 256 + 7) * 3);
}

TEST_CASE("shared addresses in 32 bits, and generic ones") {
  Bench bench;
  bench.buffer("o", op::Type::kU32, 4, Role::kOutput);
  bench.launch(kernel({".u64"}, R"(
    .shared .align 16 .b8 s[64];
    ld.param.u64 %d0, [p0];
    mov.u32 %r0, s;
    add.s32 %r1, %r0, 16;
    xor.b32 %r1, %r1, 4;
    mov.u32 %r2, 77;
    st.shared.u32 [%r1], %r2;
    mov.u64 %d1, s;
    cvta.shared.u64 %d2, %d1;
    ld.u32 %r3, [%d2+20];
    st.global.u32 [%d0], %r3;
    cvta.to.shared.u64 %d3, %d2;
    cvt.u32.u64 %r4, %d3;
    ld.shared.u32 %r5, [%r4+20];
    st.global.u32 [%d0+4], %r5;
    isspacep.shared %p0, %d2;
    selp.b32 %r6, 1, 0, %p0;
    st.global.u32 [%d0+8], %r6;
    ret;)"),
               {1, 1, 1}, {1, 1, 1}, {"o"});
  bench.run();
  CHECK(bench.clean());
  CHECK(bench.bits("o", 0) == 77);
  CHECK(bench.bits("o", 1) == 77);
  CHECK(bench.bits("o", 2) == 1);
}

TEST_CASE("an unmodelled instruction is an error only where it is executed") {
  const std::string text = kernel({".u64"}, R"(
    ld.param.u64 %d0, [p0];
    mov.u32 %r0, %tid.x;
    setp.lt.u32 %p0, %r0, 100;
    @%p0 bra DONE;
    tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d0, {%r0}];
  DONE:
    ret;)");
  Bench bench;
  bench.buffer("o", op::Type::kU32, 1, Role::kOutput);
  bench.launch(text, {1, 1, 1}, {100, 1, 1}, {"o"});
  CHECK_NOTHROW(bench.run());
  Bench other;
  other.buffer("o", op::Type::kU32, 1, Role::kOutput);
  other.launch(text, {1, 1, 1}, {101, 1, 1}, {"o"});
  CHECK_THROWS_AS(other.run(), base::Unsupported);
}
