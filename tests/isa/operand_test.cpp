// Which operands an instruction takes: the rules that ptxas was seen to follow.
#include "isa/operand.h"

#include "helpers.h"

namespace ptxequiv::testing {
namespace {

bool accepted(const std::string& body) {
  try {
    lower_body(body);
    return true;
  } catch (const base::InputError&) {
    return false;
  }
}

TEST_CASE("operands that ptxas takes") {
  const char* bodies[] = {
      "add.s32 %r0, %u1, %s2;",  // signedness does not matter
      "add.f32 %r0, %f1, %r2;",  // .b32 is any 32 bits
      "and.b32 %f0, %f1, %f2;",
      "add.f16 %h0, %fh1, %h2;",
      "mov.f32 %f0, %r1;",
      "mov.b32 %f0, %tid.x;",
      "mov.u16 %h0, %tid.x;",
      "mov.pred %p0, !%p1;",
      "mov.pred %p0, 1;",
      "selp.b32 %r0, %f1, %r2, !%p0;",
      "selp.b32 %r0, %r1, %r2, 1;",
      "cvt.u32.u32 %rd0, %r0;",  // cvt, ld and st are relaxed in width
      "cvt.u32.u32 %r0, %rd0;",
      "cvt.f32.f16 %rd0, %r0;",
      "cvt.u64.u32 %rd0, %tid.x;",
      "ld.shared.u8 %rd0, [sh];",
      "ld.global.f32 %rd0, [%rd1];",
      "ld.global.b32 %f0, [%rd1];",
      "ld.global.b8 %f0, [%rd1];",
      "st.global.u8 [%rd1], %r0;",
      "st.global.v2.u32 [%rd1], {%r0, 5};",
      "ld.shared.u32 %r0, [%r1];",
      "mov.u32 %r0, sh;",
      "mov.u64 %rd0, sh+4;",
      "mov.b32 %r0, 0f3F800000;",
      "mov.f32 %f0, 0d3FF0000000000000;",
      "mov.f64 %fd0, 0f3F800000;",
      "mov.f32 %f0, 1.5;",
      "mov.u32 %r0, 0xFFFFFFFFF;",  // cut to 32 bits
      "shl.b64 %rd0, %rd1, %r2;",
      "setp.eq.and.s32 %p0|_, %r0, %r1, !%p2;",
  };
  for (const char* body : bodies) {
    INFO(body);
    CHECK(accepted(body));
  }
}

TEST_CASE("operands that ptxas refuses") {
  const char* bodies[] = {
      "add.s32 %r0, %f1, %r2;",
      "add.s64 %rd0, %rd1, %r2;",
      "add.f32 %f0, %u1, %f2;",
      "add.f16 %us0, %h1, %h2;",
      "add.f16x2 %f0, %r1, %r2;",
      "mov.u32 %f0, %r1;",
      "mov.u32 %r0, 0f3F800000;",
      "mov.b64 %rd0, 0f3F800000;",
      "mov.b32 %r0, 1.5;",
      "mov.f32 %f0, 1;",
      "fma.rn.f32 %f0, %f1, %f2, 3;",
      "add.f16 %h0, %h1, 0x3c00;",
      "add.s32 %r0, %tid.x, 1;",
      "add.s32 %r0, %r1, sh;",
      "add.s32 _, %r1, %r2;",
      "shl.b64 %rd0, %rd1, %rd2;",
      "cvt.f32.f16 %fd0, %h0;",
      "cvt.rn.f32.s32 %f0, %f1;",
      "ld.global.u64 %r0, [%rd1];",
      "ld.global.u32 %f0, [%rd1];",
      "ld.global.f32 %fd0, [%rd1];",
      "ld.global.u32 %r0, [sh];",
      "ld.global.u32 %r0, [%r1];",
      "ld.shared.u32 %r0, [%f1];",
      "ld.global.v4.u32 {%r0, %r1}, [%rd1];",
      "cvta.global.u64 %rd0, sh;",
      "cvta.to.shared.u64 %rd0, sh;",
      "setp.lt.b32 %p0, %r0, %r1;",
      "setp.lo.s32 %p0, %r0, %r1;",
      "lop3.b32 %r0, %r1, %r2, %r3, %r4;",
      "mov.b32 %r0, {%h1, %r2};",
      "mov.u32 %r0, {%h1, %h2};",
      "cp.async.cg.shared.global [%r0], [%rd0], 8;",
      "and.pred %p0, %p1, %r0;",
      "@%r0 add.s32 %r1, %r2, %r3;",
  };
  for (const char* body : bodies) {
    INFO(body);
    CHECK_FALSE(accepted(body));
  }
}

TEST_CASE("a refusal names the register's type and what would do") {
  const base::InputError error = refusal("add.s32 %r0, %f1, %r2;");
  CHECK(error.message() ==
        "add.s32: a .f32 register cannot be a .s32 operand: it must be .s32, .u32 or .b32");
  CHECK(error.loc().line == 9);
  CHECK_THAT(refusal("ld.global.u64 %r0, [%rd1];").message(),
             Catch::Matchers::Contains("it must have 64 bits or more"));
}

TEST_CASE("literals take the bits of the type that uses them") {
  using Form = ptx::Immediate::Form;
  const auto bits = [](Form form, uint64_t raw, op::Type use) {
    std::string problem;
    const uint64_t result = isa::immediate_bits({form, raw}, use, problem);
    CHECK(problem == "");
    return result;
  };
  CHECK(bits(Form::kInteger, ~uint64_t{0}, op::Type::kU16) == 0xffff);
  CHECK(bits(Form::kInteger, 1, op::Type::kPred) == 1);
  CHECK(bits(Form::kF32Bits, 0x3fb8aa3b, op::Type::kF32) == 0x3fb8aa3b);
  CHECK(bits(Form::kF32Bits, 0x7f800000, op::Type::kB32) == 0x7f800000);
  CHECK(bits(Form::kF32Bits, 0x3f000000, op::Type::kF64) == 0x3fe0000000000000);
  CHECK(bits(Form::kF64Bits, 0x3fb999999999999a, op::Type::kF32) == 0x3dcccccd);
  CHECK(bits(Form::kDecimalFloat, 0x3ff8000000000000, op::Type::kF64) == 0x3ff8000000000000);
  std::string problem;
  isa::immediate_bits({Form::kInteger, 1}, op::Type::kF32, problem);
  CHECK(problem == "an integer cannot be a .f32 operand");
}

TEST_CASE("operands of forms without a meaning are checked like the others") {
  const char* good[] = {
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd0, %rd1, %p0, 1, "
      "-1, 0, 1;",
      "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r0, %r1}, {%r2, %r3, %r4, %r5}, %rd1, "
      "0, "
      "1, 1, 0;",
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], "
      "[%rd0, {%r1, %r2}], [%r3];",
      "mbarrier.arrive.release.cta.shared::cta.b64 _, [%r0];",
      "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd0, {%f4, %f5}];",
  };
  for (const char* body : good) {
    INFO(body);
    CHECK(accepted(body));
  }
  const char* bad[] = {
      // The number of registers, a literal, a type, coordinates, the sink, the order of words.
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1}, %rd0, %rd1, %p0, 1, 1, 0, 0;",
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd0, %rd1, %p0, 2, "
      "1, 0, 0;",
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %r0, %rd1, %p0, 1, "
      "1, 0, 0;",
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], "
      "[%rd0, {%r1}], [%r3];",
      "mbarrier.arrive.release.shared::cta.b64 _, [%r0];",
      "mbarrier.arrive.expect_tx.shared::cta.b64 %rd0, [%r0], 0f3F800000;",
      "mbarrier.shared::cta.init.b64 [%r0], 4;",
      "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd0, {%r4, %f5, %f6}];",
      "ld.global.v4.b64 {%rd0, %rd1, %rd2, %rd3}, [%rd4];",
      "ld.global.b32 %r0, [16];",
      "vadd2.u32.u32.u32 %r0, %r1, 5, %r2;",
      "add.u32 %r0, %r1, {%r2, %r3};",
  };
  for (const char* body : bad) {
    INFO(body);
    CHECK_FALSE(accepted(body));
  }
}

}  // namespace
}  // namespace ptxequiv::testing
