// Known instructions without a meaning here: no error until they are executed.
#include "helpers.h"

namespace ptxequiv::testing {
namespace {

using ir::Opcode;

TEST_CASE("instructions without a meaning lower to kUnsupported with their destinations") {
  const Lowered lowered = lower_body(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd0, %rd1, %p0, 1, "
      "1, 0, 0;\n"
      "st.shared.v2.f32 [sh], {%f0, %f3};");
  const ir::Inst& mma = only(lowered.function, Opcode::kUnsupported);
  CHECK(mma.dests.size() == 4);
  CHECK(mma.source->opcode == "wgmma");
  CHECK(only(lowered.function, Opcode::kStore).srcs[2] == mma.dests[3]);
}

TEST_CASE("instructions of every later kind are known") {
  const char* bodies[] = {
      "mbarrier.try_wait.parity.shared::cta.b64 %p0, [%r1], %r2;",
      "wgmma.fence.sync.aligned;",
      "fence.mbarrier_init.release.cluster;",
      "barrier.cluster.arrive;",
      "cp.async.bulk.commit_group;",
      "cp.async.mbarrier.arrive.shared.b64 [%rd0];",
      "mapa.u64 %rd0, %rd1, %r0;",
      "ld.shared::cluster.u32 %r0, [%r1];",

      "fma.rz.bf16 %h0, %h1, %h2, %h3;",
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
