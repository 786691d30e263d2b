// Barriers, fences, atomics, warp collectives and asynchronous copies: what the machine is told.
#include "helpers.h"

namespace ptxequiv::testing {
namespace {

using ir::Opcode;

template <typename Detail>
struct Found {
  Lowered lowered;
  const ir::Inst* inst;
  Detail detail;
};

template <typename Detail>
Found<Detail> found(const std::string& body, Opcode opcode) {
  Found<Detail> result{lower_body(body), nullptr, {}};
  result.inst = &only(result.lowered.function, opcode);
  result.detail = std::get<Detail>(result.inst->detail);
  return result;
}

TEST_CASE("barriers") {
  using Action = ir::Barrier::Action;
  auto barrier = found<ir::Barrier>("bar.sync 1;", Opcode::kBarrier);
  CHECK(barrier.detail.action == Action::kSync);
  CHECK(barrier.detail.aligned);
  CHECK_FALSE(barrier.detail.has_count);
  CHECK(barrier.lowered.function.values[barrier.inst->srcs[0]].constant == 1);
  barrier = found<ir::Barrier>("barrier.cta.sync %r0, 64;", Opcode::kBarrier);
  CHECK_FALSE(barrier.detail.aligned);
  CHECK(barrier.detail.has_count);
  CHECK(barrier.inst->srcs.size() == 2);
  CHECK(found<ir::Barrier>("bar.arrive 0, 64;", Opcode::kBarrier).detail.action == Action::kArrive);
  barrier = found<ir::Barrier>("bar.red.popc.u32 %r0, 0, !%p0;", Opcode::kBarrier);
  CHECK(barrier.detail.action == Action::kRedPopc);
  CHECK(barrier.inst->srcs.size() == 2);
  CHECK(barrier.inst->dests.size() == 1);
  CHECK(count(barrier.lowered.function, Opcode::kOp) == 1);  // the negation
  barrier = found<ir::Barrier>("bar.red.and.pred %p1, 0, 64, %p0;", Opcode::kBarrier);
  CHECK(barrier.detail.action == Action::kRedAnd);
  CHECK(barrier.inst->srcs.size() == 3);
  CHECK(only(lower_body("bar.warp.sync 0xffffffff;").function, Opcode::kWarpSync).srcs.size() == 1);
}

TEST_CASE("fences") {
  CHECK(found<ir::Fence>("membar.gl;", Opcode::kFence).detail.semantics == "sc");
  CHECK(found<ir::Fence>("membar.gl;", Opcode::kFence).detail.scope == "gpu");
  CHECK(found<ir::Fence>("fence.gpu;", Opcode::kFence).detail.semantics == "acq_rel");
  CHECK(found<ir::Fence>("fence.sc.cta;", Opcode::kFence).detail.scope == "cta");
  CHECK(found<ir::Fence>("fence.proxy.async.shared::cta;", Opcode::kFence).detail.proxy);
}

TEST_CASE("atomics") {
  using Rmw = ir::Atomic::Rmw;
  auto atomic = found<ir::Atomic>("atom.global.add.f32 %f0, [%rd0+8], %f1;", Opcode::kAtomic);
  CHECK(atomic.detail.rmw == Rmw::kAdd);
  CHECK(atomic.detail.access.type == op::Type::kF32);
  CHECK(atomic.detail.access.order == ir::MemoryAccess::Order::kRelaxed);
  CHECK(atomic.detail.access.scope == "gpu");
  CHECK(atomic.inst->immediate == 8);
  CHECK(atomic.inst->dests.size() == 1);
  atomic =
      found<ir::Atomic>("atom.acq_rel.cta.shared.cas.b32 %r0, [sh], %r1, %r2;", Opcode::kAtomic);
  CHECK(atomic.detail.rmw == Rmw::kCas);
  CHECK(atomic.detail.access.order == ir::MemoryAccess::Order::kAcqRel);
  CHECK(atomic.inst->srcs.size() == 3);
  atomic = found<ir::Atomic>("red.global.max.s32 [%rd0], %r1;", Opcode::kAtomic);
  CHECK(atomic.inst->dests.empty());
  CHECK(atomic.detail.access.type == op::Type::kS32);
  // Packed and vector operands are taken apart: each element is updated for itself.
  atomic = found<ir::Atomic>("atom.add.noftz.f16x2 _, [%rd0], %r1;", Opcode::kAtomic);
  CHECK(atomic.detail.access.type == op::Type::kF16);
  CHECK(atomic.detail.access.count == 2);
  CHECK(atomic.inst->srcs.size() == 3);
  atomic =
      found<ir::Atomic>("atom.global.v2.f32.add {%f0, %f1}, [%rd0], {%f2, %f3};", Opcode::kAtomic);
  CHECK(atomic.detail.access.count == 2);
  CHECK(atomic.inst->dests.size() == 2);
}

TEST_CASE("what atomics do not take") {
  CHECK_NOTHROW(lower_body("red.global.add.L2::cache_hint.u32 [%rd0], %r1, %rd1;"));
  for (const char* body :
       {"red.shared.add.L2::cache_hint.u32 [sh], %r1, %rd1;",  // global only
        "red.global.add.u32 [%rd0], %r1, %rd1;",               // no .L2::cache_hint
        "red.acquire.gpu.global.add.u32 [%rd0], %r1;", "red.global.exch.b32 [%rd0], %r1;",
        "atom.global.add.s64 %rd2, [%rd0], %rd1;",
        "atom.global.add.f16 %h0, [%rd0], %h1;",  // .noftz must stand there
        "atom.shared.add.v2.f32 {%f0, %f1}, [sh], {%f2, %f3};",
        "atom.global.add.noftz.v8.f16x2 {%r0, %r1, %r2, %r3, %r0, %r1, %r2, %r3}, [%rd0], "
        "{%r0, %r1, %r2, %r3, %r0, %r1, %r2, %r3};"}) {
    INFO(body);
    CHECK_THROWS_AS(lower_body(body), base::InputError);
  }
}

TEST_CASE("warp collectives") {
  auto shuffle =
      found<ir::Shuffle>("shfl.sync.bfly.b32 %f0|%p0, %f1, 16, 31, -1;", Opcode::kShuffle);
  CHECK(shuffle.detail.mode == ir::Shuffle::Mode::kBfly);
  CHECK(shuffle.inst->dests.size() == 2);
  CHECK(shuffle.inst->srcs.size() == 4);
  CHECK(found<ir::Shuffle>("shfl.sync.up.b32 %r0, %r1, 1, 0, -1;", Opcode::kShuffle)
            .inst->dests.size() == 1);
  // Without .sync: only up to sm_62, or before PTX 6.4.
  CHECK_THROWS_AS(lower_body("shfl.idx.b32 %r0, %r1, 0, 31;"), base::InputError);
  const Lowered old = lower_module(kernel("shfl.idx.b32 %r0, %r1, 0, 31;"), "6.0", "sm_62");
  CHECK(only(old.function, Opcode::kShuffle).srcs[3] ==
        only(old.function, Opcode::kActiveMask).dests[0]);
  auto vote = found<ir::Vote>("vote.sync.ballot.b32 %r0, !%p0, -1;", Opcode::kVote);
  CHECK(vote.detail.mode == ir::Vote::Mode::kBallot);
  CHECK(vote.lowered.function.values[vote.inst->dests[0]].bits == 32);
  CHECK(count(vote.lowered.function, Opcode::kOp) == 1);
  vote = found<ir::Vote>("vote.sync.uni.pred %p1, %p0, -1;", Opcode::kVote);
  CHECK(vote.lowered.function.values[vote.inst->dests[0]].bits == 1);
  CHECK(found<ir::Match>("match.all.sync.b64 %r0|%p0, %rd1, -1;", Opcode::kMatch).detail.all);
  CHECK(found<ir::Redux>("redux.sync.min.s32 %r0, %r1, -1;", Opcode::kRedux).detail.op.kind ==
        op::Kind::kMinS);
  CHECK(only(lower_body("elect.sync _|%p0, -1;").function, Opcode::kElect).dests.size() == 2);
  CHECK(count(lower_body("activemask.b32 %r0;").function, Opcode::kActiveMask) == 1);
}

TEST_CASE("a guarded collective keeps old values where it is not executed") {
  const Lowered lowered = lower_body(
      "setp.eq.u32 %p0, %r0, 3; mov.u32 %r1, 7; @%p0 shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;\n"
      "st.shared.u32 [sh], %r1;");
  const ir::Inst& store = only(lowered.function, Opcode::kStore);
  const ir::Inst& select = lowered.function.insts[lowered.function.values[store.srcs[1]].def];
  CHECK(select.op.kind == op::Kind::kSelect);
  CHECK(only(lowered.function, Opcode::kShuffle).guard == select.srcs[0]);
}

TEST_CASE("asynchronous copies") {
  auto copy =
      found<ir::CpAsync>("cp.async.cg.shared.global [%r0], [%rd0+16], 16, %r1;", Opcode::kCpAsync);
  CHECK(copy.detail.bytes == 16);
  CHECK(copy.detail.has_src_size);
  CHECK(copy.inst->srcs.size() == 3);
  CHECK(count(copy.lowered.function, Opcode::kOp) == 1);  // the offset
  copy = found<ir::CpAsync>("cp.async.ca.shared.global [%r0], [%rd0], 4, %p0;", Opcode::kCpAsync);
  CHECK(copy.detail.has_ignore);
  copy = found<ir::CpAsync>("cp.async.cg.shared.global.L2::cache_hint [%r0], [%rd0], 16, %rd4;",
                            Opcode::kCpAsync);
  CHECK(copy.inst->srcs.size() == 2);
  CHECK(only(lower_body("cp.async.wait_group 2;").function, Opcode::kCpAsyncWait).immediate == 2);
  CHECK(only(lower_body("cp.async.wait_all;").function, Opcode::kCpAsyncWait).immediate == -1);
  CHECK(count(lower_body("cp.async.commit_group;").function, Opcode::kCpAsyncCommit) == 1);
}

TEST_CASE("what only the clock or the scheduler sees is nothing") {
  const Lowered lowered =
      lower_body("nanosleep.u32 20; setmaxnreg.dec.sync.aligned.u32 40; pmevent 1;");
  CHECK(lowered.function.insts.size() == 1);
}

// What a grid stored before it let the next one start is ordered by the two (9.7.13.13).
TEST_CASE("grids that depend on each other are ordered") {
  CHECK(count(lower_body("griddepcontrol.wait;").function, Opcode::kGridWait) == 1);
  CHECK(count(lower_body("griddepcontrol.launch_dependents;").function, Opcode::kGridTrigger) == 1);
}

}  // namespace
}  // namespace ptxequiv::testing
