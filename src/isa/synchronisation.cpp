// Barriers and fences (PTX manual, 9.7.13.1 to 9.7.13.4).
#include <fmt/format.h>

#include "isa/context.h"

namespace ptxequiv::isa {
namespace {

void lower_barrier(Context& c) {
  using Action = ir::Barrier::Action;
  ir::Barrier barrier;
  barrier.aligned = c.instruction().opcode == "bar" || c.has("aligned");
  barrier.has_count = c.given("b");
  std::vector<ValueId> srcs{c.use("a", Type::kU32)};
  if (c.given("b")) srcs.push_back(c.use("b", Type::kU32));
  std::vector<unsigned> dests;
  if (c.has("arrive")) barrier.action = Action::kArrive;
  if (c.has("red")) {
    barrier.action = c.has("popc")  ? Action::kRedPopc
                     : c.has("and") ? Action::kRedAnd
                                    : Action::kRedOr;
    // The negation, if any, is a kNot on the operand.
    srcs.push_back(c.use("p", Type::kPred));
    dests.push_back(c.has("popc") ? 32 : 1);
  }
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kBarrier, dests, srcs);
  inst.detail = barrier;
  if (dests.empty()) return;
  const ValueId result = inst.dests[0];
  c.define("d", result);
}

void lower_warp_sync(Context& c) {
  c.emit_guarded(ir::Opcode::kWarpSync, {}, {c.use("mask")});
}

void emit_fence(Context& c, std::string semantics, std::string scope, bool proxy) {
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kFence, {}, {});
  inst.detail = ir::Fence{std::move(semantics), std::move(scope), proxy};
}

// From sm_70 on, membar is fence.sc of the same scope.
void lower_membar(Context& c) {
  emit_fence(c, "sc", c.has("cta") ? "cta" : c.has("gl") ? "gpu" : "sys", false);
}

void lower_fence(Context& c) {
  const std::string_view semantics = c.which({"sc", "acq_rel", "acquire", "release"});
  emit_fence(c, semantics.empty() ? "acq_rel" : std::string(semantics),
             std::string(c.which({"cta", "cluster", "gpu", "sys"})), false);
}

void lower_proxy_fence(Context& c) {
  emit_fence(c, fmt::format("{}", fmt::join(c.instruction().modifiers, ".")), "", true);
}

constexpr Row kRows[] = {
    {"bar", "{.cta}<78,20>.sync a:u32{, b:u32}", 10, 10, lower_barrier, "9.7.13.1"},
    {"bar", "{.cta}<78,20>.arrive a:u32, b:u32", 20, 20, lower_barrier, "9.7.13.1"},
    {"bar", "{.cta}<78,20>.red.popc.u32 d, a:u32{, b:u32}, !p:pred", 20, 20, lower_barrier,
     "9.7.13.1"},
    {"bar", "{.cta}<78,20>.red.(and|or).pred d, a:u32{, b:u32}, !p:pred", 20, 20, lower_barrier,
     "9.7.13.1"},
    {"barrier", "{.cta}<78,20>.sync{.aligned} a:u32{, b:u32}", 60, 30, lower_barrier, "9.7.13.1"},
    {"barrier", "{.cta}<78,20>.arrive{.aligned} a:u32, b:u32", 60, 30, lower_barrier, "9.7.13.1"},
    {"barrier", "{.cta}<78,20>.red.popc{.aligned}.u32 d, a:u32{, b:u32}, !p:pred", 60, 30,
     lower_barrier, "9.7.13.1"},
    {"barrier", "{.cta}<78,20>.red.(and|or){.aligned}.pred d, a:u32{, b:u32}, !p:pred", 60, 30,
     lower_barrier, "9.7.13.1"},
    {"bar", ".warp.sync mask:b32", 60, 30, lower_warp_sync, "9.7.13.2"},
    {"membar", ".(cta|gl|sys)", 14, 10, lower_membar, "9.7.13.4"},
    {"fence", "{.sc|.acq_rel|.acquire|.release}.(cta|cluster<78,90>|gpu|sys)", 60, 70, lower_fence,
     "9.7.13.4"},
    {"fence", ".proxy.alias", 75, 70, lower_proxy_fence, "9.7.13.4"},
    {"fence", ".proxy.async{.global|.shared::cta|.shared::cluster}", 80, 90, lower_proxy_fence,
     "9.7.13.4"},
    {"membar", ".proxy.alias", 75, 60, lower_proxy_fence, "9.7.13.4"},
};

}  // namespace

std::span<const Row> synchronisation_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
