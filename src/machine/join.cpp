// Control: how strands enter the arms of a branch, reach its join, and go on from there as one.
#include <fmt/format.h>

#include <algorithm>

#include "machine/control.h"
#include "machine/spin.h"

namespace ptxequiv::machine {

void Control::start_arm(Warp& warp, const FrameRef& frame, unsigned arm) {
  Strand& strand = add_strand(warp);
  strand.mask = frame->arms[arm].mask;
  strand.path = frame->arms[arm].path;
  strand.frame = frame;
  strand.arm = arm;
  if (frame->symbolic && arm != 0) {  // undo what the arms before did to registers still needed
    const std::vector<uint32_t>& saved = env_.code->carried(frame->branch).saved;
    for (size_t i = 0; i < saved.size(); ++i) {
      warp.regs[saved[i]].copy(frame->saved[i], strand.mask, warp.live);
    }
  }
  frame->running = arm;
  go(warp, strand, frame->branch, frame->arms[arm].successor);
}

void Control::go(Warp& warp, Strand& strand, ir::BlockId from, uint32_t successor) {
  const CodeEdge& edge = env_.code->blocks[from].edges[successor];
  if (edge.spin != ir::kNone && env_.spins != nullptr) {
    env_.spins->leave(warp, strand.mask, edge.spin, successor);
  }
  const bool joins = strand.frame != nullptr && strand.frame->join == edge.target;
  if (edge.turns && !(joins && strand.frame->symbolic) && never_leaves(warp, strand, edge)) {
    end_in_loop(warp, strand, from);
    return;
  }
  if (joins) {
    arrive(warp, strand, edge);
    return;
  }
  copy_phis(warp, strand, edge);
  strand.block = edge.target;
  strand.pc = env_.code->blocks[edge.target].first;
}

bool Control::never_leaves(const Warp& warp, const Strand& strand, const CodeEdge& edge) const {
  const std::vector<uint32_t>& phis = env_.code->blocks[edge.target].phis;
  bool same = true;
  for (const uint32_t i : edge.control) {
    const Register& now = warp.regs[phis[i]];
    const Register& next = warp.regs[edge.sources[i]];
    for_each_lane(strand.mask, [&](unsigned lane) {
      same = same && next.get(lane).kind != LaneKind::kUndefined && now.get(lane) == next.get(lane);
    });
    if (!same) return false;
  }
  return true;
}

void Control::end_in_loop(Warp& warp, Strand& strand, ir::BlockId from) {
  const unsigned lane = first_lane(strand.mask);
  const unsigned thread = warp.thread(lane);
  env_.fault(Category::kDeadlock, Fault::Strength::kCertain, env_.guard(strand.path, lane),
             fmt::format("thread {} never leaves a loop: what its end depends on does not change "
                         "from one turn to the next",
                         thread),
             {env_.access(env_.code->insts[env_.code->last(from)].site, thread, false)});
  leave(warp, strand.frame, strand.arm, strand.mask);
  strand.done = true;
}

void Control::copy_phis(Warp& warp, const Strand& strand, const CodeEdge& edge) {
  const std::vector<uint32_t>& phis = env_.code->blocks[edge.target].phis;
  if (!edge.overlapping) {
    for (size_t i = 0; i < phis.size(); ++i) {
      if (phis[i] == edge.sources[i]) continue;
      warp.regs[phis[i]].copy(warp.regs[edge.sources[i]], strand.mask, warp.live);
    }
    return;
  }
  std::vector<Register> values;
  for (const uint32_t source : edge.sources) values.push_back(warp.regs[source]);
  for (size_t i = 0; i < phis.size(); ++i) {
    warp.regs[phis[i]].copy(values[i], strand.mask, warp.live);
  }
}

void Control::arrive(Warp& warp, Strand& strand, const CodeEdge& edge) {
  Arm& arm = strand.frame->arms[strand.arm];
  if (arm.phis.empty()) arm.phis.resize(edge.sources.size());
  for (size_t i = 0; i < edge.sources.size(); ++i) {
    arm.phis[i].copy(warp.regs[edge.sources[i]], strand.mask, arm.mask);
  }
  keep_carried(warp, *strand.frame, strand.arm, strand.mask);
  arm.arrived |= strand.mask;
  arm.pending &= ~strand.mask;
  strand.done = true;
}

void Control::keep_carried(Warp& warp, Frame& frame, unsigned arm, uint32_t mask) {
  if (!frame.symbolic) return;
  const std::vector<uint32_t>& merged = env_.code->carried(frame.branch).merged;
  std::vector<Register>& kept = frame.arms[arm].carried;
  if (kept.empty()) kept.resize(merged.size());
  for (size_t i = 0; i < merged.size(); ++i) {
    kept[i].copy(warp.regs[merged[i]], mask, frame.arms[arm].mask);
  }
}

void Control::settle(Warp& warp, FrameRef frame) {
  while (frame != nullptr) {
    if (frame->symbolic) {
      if (frame->arms[frame->running].pending != 0) return;
      if (frame->running + 1 < frame->arms.size()) {
        start_arm(warp, frame, frame->running + 1);
        continue;
      }
    } else {
      for (const Arm& arm : frame->arms) {
        if (arm.pending != 0) return;
      }
    }
    const FrameRef outer = frame->outer;
    if (!finish(warp, frame)) return;
    frame = outer;
  }
}

bool Control::finish(Warp& warp, const FrameRef& frame) {
  uint32_t lanes = 0, arrived = 0;
  for (const Arm& arm : frame->arms) {
    lanes |= arm.mask;
    arrived |= arm.arrived;
  }
  bool outer_changed = false;
  const uint32_t gone = lanes & ~arrived;
  if (frame->symbolic && gone != 0) {
    leave(warp, frame->outer, frame->outer_arm, gone);
    outer_changed = true;
  }
  if (arrived == 0) return true;
  std::vector<Register> phis = merged_phis(*frame, arrived, warp.live);
  if (frame->symbolic) {
    const Carried& carried = env_.code->carried(frame->branch);
    for (size_t i = 0; i < carried.merged.size(); ++i) {
      const Register value =
          merged(*frame, &Arm::carried, i, carried.merged_bits[i], arrived, warp.live);
      warp.regs[carried.merged[i]].copy(value, arrived, warp.live);
    }
  }
  Frame* outer = frame->outer.get();
  if (outer != nullptr && outer->join == frame->join) {
    Arm& arm = outer->arms[frame->outer_arm];
    if (arm.phis.empty()) arm.phis.resize(phis.size());
    for (size_t i = 0; i < phis.size(); ++i) arm.phis[i].copy(phis[i], arrived, arm.mask);
    keep_carried(warp, *outer, frame->outer_arm, arrived);
    arm.arrived |= arrived;
    arm.pending &= ~arrived;
    return true;
  }
  const CodeBlock& block = env_.code->blocks[frame->join];
  for (size_t i = 0; i < phis.size(); ++i) {
    warp.regs[block.phis[i]].copy(phis[i], arrived, warp.live);
  }
  Strand& strand = add_strand(warp);
  strand.block = frame->join;
  strand.pc = block.first;
  strand.mask = arrived;
  strand.path = frame->path;
  strand.frame = frame->outer;
  strand.arm = frame->outer_arm;
  return outer_changed;
}

std::vector<Register> Control::merged_phis(const Frame& frame, uint32_t mask, uint32_t live) {
  const CodeBlock& block = env_.code->blocks[frame.join];
  std::vector<Register> result(block.phis.size());
  for (size_t i = 0; i < result.size(); ++i) {
    if (!frame.symbolic) {
      for (const Arm& arm : frame.arms) {
        if (arm.arrived != 0) result[i].copy(arm.phis[i], arm.arrived, mask);
      }
      continue;
    }
    result[i] = merged(frame, &Arm::phis, i, block.phi_bits[i], mask, live);
  }
  return result;
}

Register Control::merged(const Frame& frame, std::vector<Register> Arm::*which, size_t index,
                         unsigned bits, uint32_t mask, uint32_t live) {
  Register result;
  result.uniform = false;
  for_each_lane(mask, [&](unsigned lane) {
    bool first = true;
    Lane value;
    for (auto arm = frame.arms.rbegin(); arm != frame.arms.rend(); ++arm) {
      if ((arm->arrived >> lane & 1) == 0) continue;
      const Lane here = ((*arm).*which)[index].get(lane);
      const TermId literal = arm->path->literal[lane];
      value = first || literal == kNoTerm ? here : env_.values.select(literal, here, value, bits);
      first = false;
    }
    result.set(lane, value);
  });
  // One value for all lanes stays cheap.
  const Lane sample = result.get(first_lane(mask));
  bool same = mask == live;
  for_each_lane(mask, [&](unsigned lane) { same = same && result.get(lane) == sample; });
  if (same) result.set_uniform(sample);
  return result;
}

void Control::leave(Warp& warp, FrameRef frame, unsigned arm, uint32_t lanes) {
  while (frame != nullptr) {
    frame->arms[arm].pending &= ~lanes;
    if (frame->symbolic) return;  // gone only if they go in all arms: see finish
    arm = frame->outer_arm;
    frame = frame->outer;
  }
  warp.live &= ~lanes;
}

}  // namespace ptxequiv::machine
