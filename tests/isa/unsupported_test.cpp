// Known instructions without a meaning here: no error until they are executed.
#include "helpers.h"

namespace ptxequiv::testing {
namespace {

using ir::Opcode;

TEST_CASE("instructions without a meaning lower to kUnsupported with their destinations") {
  const Lowered lowered = lower_body(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, "
      "%r3},"
      " {%r4, %r5}, {%f0, %f1, %f2, %f3};\n"
      "st.shared.v2.f32 [sh], {%f0, %f3};");
  const ir::Inst& mma = only(lowered.function, Opcode::kUnsupported);
  CHECK(mma.dests.size() == 4);
  CHECK(mma.source->opcode == "mma");
  CHECK(only(lowered.function, Opcode::kStore).srcs[2] == mma.dests[3]);
}

TEST_CASE("instructions of every later kind are known") {
  const char* bodies[] = {
      "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;",
      "mbarrier.try_wait.parity.shared::cta.b64 %p0, [%r1], %r2;",
      "wgmma.fence.sync.aligned;",
      "fence.mbarrier_init.release.cluster;",
      "barrier.cluster.arrive;",
      "cp.async.bulk.commit_group;",
      "cp.async.mbarrier.arrive.shared.b64 [%rd0];",
      "mapa.u64 %rd0, %rd1, %r0;",
      "ld.shared::cluster.u32 %r0, [%r1];",

      "fma.rz.bf16 %h0, %h1, %h2, %h3;",
      "mov.b128 %q0, {%rd0, %rd1};",
      "ld.global.b128 %q0, [%rd0];",
      "brkpt;",
  };
  for (const char* body : bodies) {
    INFO(body);
    CHECK(count(lower_body(body).function, Opcode::kUnsupported) == 1);
  }
}

TEST_CASE("a guard stays on an instruction without a meaning") {
  const Lowered lowered = lower_body("setp.eq.u32 %p0, %r0, 3; @%p0 brkpt;");
  CHECK(only(lowered.function, Opcode::kUnsupported).guard != ir::kNone);
}

}  // namespace
}  // namespace ptxequiv::testing
