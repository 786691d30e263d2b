#include "machine/control.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace ptxequiv::machine {

namespace {

uint32_t all_of(const std::vector<uint32_t>& masks) {
  uint32_t all = 0;
  for (const uint32_t mask : masks) all |= mask;
  return all;
}

}  // namespace

Strand& Control::add_strand(Warp& warp) {
  warp.strands.push_back(std::make_unique<Strand>());
  return *warp.strands.back();
}

void Control::branch(Warp& warp, Strand& strand) {
  const FrameRef frame = strand.frame;
  go(warp, strand, strand.block, 0);
  if (strand.done) settle(warp, frame);
}

void Control::conditional(const CodeInst& inst, Warp& warp, Strand& strand) {
  Register& predicate = warp.regs[inst.src[0]];
  if (predicate.uniform && predicate.terms == 0 && predicate.pointers == 0) {
    const FrameRef frame = strand.frame;
    const uint32_t successor = predicate.bits[0] & 1 ? 0 : 1;
    const ir::BlockId from = strand.block;
    const CodeEdge& edge = env_.code->blocks[from].edges[successor];
    if (env_.code->blocks[edge.target].only_exits) note_exit(warp, strand.mask, from);
    go(warp, strand, from, successor);
    if (strand.done) settle(warp, frame);
    return;
  }
  Ways ways(2);
  const bool decide = env_.code->blocks[strand.block].synchronises;
  for_each_lane(strand.mask, [&](unsigned lane) {
    const Lane value = env_.defined(predicate, lane, 1);
    const uint32_t bit = 1u << lane;
    if (const auto known = env_.settled(value, strand.path.get(), lane)) {
      ways.certain[*known ? 0 : 1] |= bit;
      return;
    }
    const TermId term = value.term();
    ways.possible[0] |= bit;
    ways.possible[1] |= bit;
    ways.literals[0][lane] = term;
    ways.literals[1][lane] = env_.arena().logic_not(term);
  });
  split_on_trap(inst, warp, strand, ways);
  if (decide && ways.possible[0] != 0) {
    if (strand.path != nullptr) {
      throw_unsupported(env_.context.reporter.site(inst.site),
                        "synchronisation inside a branch that depends on data");
    }
    for_each_lane(ways.possible[0], [&](unsigned lane) {
      const bool taken = env_.worlds.decide(ways.literals[0][lane]);
      ways.certain[taken ? 0 : 1] |= 1u << lane;
    });
    ways.possible[0] = ways.possible[1] = 0;
  }
  follow(warp, strand, inst, ways);
}

// An arm that only traps need not be run: lanes that may take it are reported, and go the other
// way.
bool Control::split_on_trap(const CodeInst& inst, Warp& warp, Strand& strand, Ways& ways) {
  const CodeBlock& block = env_.code->blocks[strand.block];
  for (size_t s = 0; s < 2; ++s) {
    const size_t other = 1 - s;
    if (!env_.code->blocks[block.edges[s].target].only_traps) continue;
    if (env_.code->blocks[block.edges[other].target].only_traps || ways.possible[s] == 0) continue;
    for_each_lane(ways.possible[s], [&](unsigned lane) {
      const TermId guard =
          env_.arena().logic_and(env_.guard(strand.path, lane), ways.literals[s][lane]);
      env_.fault(Category::kTrap, Fault::Strength::kCertain, guard,
                 fmt::format("thread {} reaches a trap", warp.thread(lane)),
                 {env_.access(inst.site, warp.thread(lane), false)});
    });
    ways.certain[other] |= ways.possible[s];
    ways.possible[0] = ways.possible[1] = 0;
    return true;
  }
  return false;
}

void Control::indexed(const CodeInst& inst, Warp& warp, Strand& strand) {
  const CodeBlock& block = env_.code->blocks[strand.block];
  const size_t count = block.edges.size();
  Ways ways(count);
  const unsigned bits = inst.src_bits[0];
  Register& index = warp.regs[inst.src[0]];
  uint32_t lost = 0;
  for_each_lane(strand.mask, [&](unsigned lane) {
    const Lane value = env_.defined(index, lane, bits);
    const uint32_t bit = 1u << lane;
    if (const auto known = env_.values.known(value, bits)) {
      if (*known < count) {
        ways.certain[*known] |= bit;
        return;
      }
    } else {
      for (size_t s = 0; s < count; ++s) {
        const TermId here = env_.arena().equal(value.term(), env_.arena().constant(bits, s));
        const auto settled = env_.settled(env_.values.lane(here), strand.path.get(), lane);
        if (settled && !*settled) continue;
        if (block.synchronises) {
          if (!env_.worlds.decide(here)) continue;
          ways.certain[s] |= bit;
          return;
        }
        ways.possible[s] |= bit;
        ways.literals[s][lane] = here;
      }
    }
    if ((all_of(ways.possible) & bit) == 0) lost |= bit;
    const TermId inside =
        env_.arena().make(op::Op{.kind = op::Kind::kLtU, .type = op::bits_type(bits)},
                          env_.values.term(value, bits), env_.arena().constant(bits, count));
    if (env_.settled(env_.values.lane(inside), strand.path.get(), lane) == true) return;
    const TermId guard =
        env_.arena().logic_and(env_.guard(strand.path, lane), env_.arena().logic_not(inside));
    env_.fault(Category::kOutOfBounds, Fault::Strength::kPossible, guard,
               fmt::format("thread {} branches by an index outside the {} targets",
                           warp.thread(lane), count),
               {env_.access(inst.site, warp.thread(lane), false)});
  });
  if (lost != 0) leave(warp, strand.frame, strand.arm, lost);
  strand.mask &= ~lost;
  follow(warp, strand, inst, ways);
}

void Control::follow(Warp& warp, Strand& strand, const CodeInst& inst, const Ways& ways) {
  const CodeBlock& block = env_.code->blocks[strand.block];
  const ir::BlockId from = strand.block;
  for (size_t s = 0; s < ways.certain.size(); ++s) {
    if (ways.certain[s] != 0 && env_.code->blocks[block.edges[s].target].only_exits) {
      note_exit(warp, ways.certain[s], from);
    }
  }
  const FrameRef frame = strand.frame;
  if (all_of(ways.possible) != 0) {
    run_both(inst, warp, strand, ways, block.join);
    return;
  }
  std::vector<uint32_t> certain = ways.certain;
  // Lanes that only end do so at once, and count no more as live: a barrier that they alone hold up
  // is released (PTX 9.7.12.6, exit).
  if (block.join == ir::kNone || env_.code->blocks[block.join].only_exits) {
    for (size_t s = 0; s < certain.size(); ++s) {
      if (certain[s] == 0 || !env_.code->blocks[block.edges[s].target].only_exits) continue;
      leave(warp, strand.frame, strand.arm, certain[s]);
      strand.mask &= ~certain[s];
      certain[s] = 0;
    }
  }
  const auto taken =
      std::count_if(certain.begin(), certain.end(), [](uint32_t mask) { return mask != 0; });
  if (taken > 1) {
    diverge(warp, strand, certain, block.join);
    return;
  }
  if (taken == 0) {  // all lanes left
    strand.done = true;
    settle(warp, frame);
    return;
  }
  const auto only =
      std::find_if(certain.begin(), certain.end(), [](uint32_t mask) { return mask != 0; });
  go(warp, strand, from, static_cast<uint32_t>(only - certain.begin()));
  if (strand.done) settle(warp, frame);
}

void Control::diverge(Warp& warp, Strand& strand, const std::vector<uint32_t>& certain,
                      ir::BlockId join) {
  const ir::BlockId from = strand.block;
  if (join == ir::kNone) {
    // They do not meet again before the end: no frame, and strands may be joined at barriers.
    bool first = true;
    const Strand before = strand;
    for (uint32_t s = 0; s < certain.size(); ++s) {
      if (certain[s] == 0) continue;
      Strand& next = first ? strand : add_strand(warp);
      next = before;
      next.mask = certain[s];
      first = false;
      go(warp, next, from, s);
      if (next.done) settle(warp, before.frame);
    }
    return;
  }
  auto frame = std::make_shared<Frame>();
  frame->outer = strand.frame;
  frame->outer_arm = strand.arm;
  frame->branch = from;
  frame->join = join;
  frame->path = strand.path;
  for (uint32_t s = 0; s < certain.size(); ++s) {
    if (certain[s] == 0) continue;
    Arm arm;
    arm.successor = s;
    arm.mask = arm.pending = certain[s];
    arm.path = strand.path;
    frame->arms.push_back(std::move(arm));
  }
  strand.done = true;
  for (unsigned a = 0; a < frame->arms.size(); ++a) start_arm(warp, frame, a);
  settle(warp, frame);
}

void Control::run_both(const CodeInst& inst, Warp& warp, Strand& strand, const Ways& ways,
                       ir::BlockId join) {
  auto frame = std::make_shared<Frame>();
  frame->outer = strand.frame;
  frame->outer_arm = strand.arm;
  frame->branch = strand.block;
  frame->join = join;
  frame->path = strand.path;
  frame->symbolic = true;
  uint32_t repeats = 0;
  for (const Path* p = strand.path.get(); p != nullptr; p = p->outer.get()) {
    if (p->branch != strand.block) continue;
    repeats = p->repeats + 1;
    break;
  }
  if (repeats > env_.context.limits.max_loop_iterations) {
    throw base::LimitReached(
        "unroll", fmt::format("a loop whose exit depends on data was followed for {} iterations "
                              "({}, line {})",
                              repeats, inst.inst->source == nullptr ? "" : "branch",
                              inst.inst->source == nullptr ? 0 : inst.inst->source->loc.line));
  }
  for (uint32_t s = 0; s < ways.certain.size(); ++s) {
    Arm arm;
    arm.successor = s;
    arm.mask = arm.pending = ways.certain[s] | ways.possible[s];
    if (arm.mask == 0) continue;
    auto path = std::make_shared<Path>();
    path->outer = strand.path;
    path->branch = strand.block;
    path->repeats = repeats;
    path->literal.fill(kNoTerm);
    path->guard.fill(env_.always());
    for_each_lane(arm.mask, [&](unsigned lane) {
      path->guard[lane] = env_.guard(strand.path, lane);
      if ((ways.possible[s] >> lane & 1) == 0) return;
      path->literal[lane] = ways.literals[s][lane];
      path->guard[lane] = env_.arena().logic_and(path->guard[lane], path->literal[lane]);
    });
    arm.path = std::move(path);
    frame->arms.push_back(std::move(arm));
  }
  for (const uint32_t reg : env_.code->carried(strand.block).saved) {
    frame->saved.push_back(warp.regs[reg]);
  }
  strand.done = true;
  start_arm(warp, frame, 0);
  settle(warp, frame);
}

void Control::note_exit(Warp& warp, uint32_t lanes, ir::BlockId branch) {
  for_each_lane(lanes, [&](unsigned lane) { warp.exit_branch[lane] = branch; });
}

void Control::exit(Warp& warp, Strand& strand) {
  leave(warp, strand.frame, strand.arm, strand.mask);
  strand.done = true;
  settle(warp, strand.frame);
}

void Control::trap(const CodeInst& inst, Warp& warp, Strand& strand) {
  for_each_lane(strand.mask, [&](unsigned lane) {
    env_.fault(Category::kTrap, Fault::Strength::kCertain, env_.guard(strand.path, lane),
               fmt::format("thread {} reaches a trap", warp.thread(lane)),
               {env_.access(inst.site, warp.thread(lane), false)});
  });
  exit(warp, strand);
}

void Control::grid_dependency(const CodeInst& inst, Warp& warp, const Strand& strand) {
  const Active active = env_.active(inst, warp, strand);
  if (active.mask == 0) return;
  if (inst.opcode == ir::Opcode::kGridTrigger) return env_.order.grid_trigger();
  if (!env_.launch->dependent) return;
  if (active.conditional || active.guards != nullptr) {
    throw_unsupported(env_.context.reporter.site(inst.site),
                      "a wait for the launch before in a branch that depends on data");
  }
  if (!env_.order.waits_for_all()) {
    env_.gap_of_schedule("dependent-launch",
                         "the launch that is waited for did not wait for those before it",
                         inst.site);
  }
  for_each_lane(active.mask, [&](unsigned lane) { env_.order.grid_wait(warp.thread(lane)); });
}

}  // namespace ptxequiv::machine
