#include "machine/barrier.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace ptxequiv::machine {

using Action = ir::Barrier::Action;

void Barriers::begin_cta(std::vector<Warp>& warps) {
  states_.clear();
  warps_ = &warps;
  choices_.begin(warps.size());
}

uint32_t Barriers::barrier_id(const CodeInst& inst, Warp& warp, unsigned lane) {
  return static_cast<uint32_t>(
      env_.concrete_operand(warp, inst, inst.inst->srcs[0], lane, "a barrier's number"));
}

bool Barriers::arrive(const CodeInst& inst, Warp& warp, Strand& strand) {
  if (strand.path != nullptr) {
    throw_unsupported(env_.context.reporter.site(inst.site),
                      "a barrier inside a branch that depends on data");
  }
  const Active active = env_.active(inst, warp, strand);
  uint32_t lanes = active.mask;
  if (active.conditional) {
    lanes = 0;
    for_each_lane(active.mask, [&](unsigned lane) {
      const TermId condition = active.own[lane];
      if (condition == env_.always() || env_.worlds.decide(condition)) lanes |= 1u << lane;
    });
  }
  if (lanes == 0) return true;
  const auto& detail = std::get<ir::Barrier>(inst.inst->detail);
  const unsigned leader = first_lane(lanes);
  if (lanes != strand.mask) {
    const unsigned other = first_lane(strand.mask & ~lanes);
    env_.fault(Category::kBarrierDivergence, Fault::Strength::kCertain, env_.always(),
               fmt::format("thread {} takes part in a barrier that thread {} of its warp skips",
                           warp.thread(leader), warp.thread(other)),
               {env_.access(inst.site, warp.thread(leader), false)});
  }
  const uint32_t id = barrier_id(inst, warp, leader);
  for_each_lane(lanes, [&](unsigned lane) {
    if (barrier_id(inst, warp, lane) == id) return;
    throw_unsupported(env_.context.reporter.site(inst.site),
                      "lanes of one warp at barriers of different numbers");
  });
  uint64_t count = 0;
  if (detail.has_count) {
    count = env_.concrete_operand(warp, inst, inst.inst->srcs[1], leader, "a barrier's count");
  }
  if (detail.has_count) {
    if (count % kWarpSize != 0) {
      env_.fault(
          Category::kBarrierDivergence, Fault::Strength::kCertain, env_.always(),
          fmt::format("thread {} comes to barrier {} with a count of {} threads, which is no "
                      "multiple of {}",
                      warp.thread(leader), id, count, kWarpSize),
          {env_.access(inst.site, warp.thread(leader), false)});
    }
    BarrierChoices::Arrival arrival{id, count, inst.site, false, false};
    if (const auto open = states_.find(id); open != states_.end()) {
      arrival.again = (open->second.arrived[warp.index] & lanes) != 0;
      arrival.full = open->second.has_count && is_complete(open->second);
    }
    if (!choices_.admit(arrival, warp, strand)) return false;
  }
  State& state = states_[id];
  if (state.arrived.empty()) {
    state.arrived.assign(warps_->size(), 0);
    state.waiting.assign(warps_->size(), 0);
    state.sites.assign(warps_->size(), kNoSite);
    state.has_count = detail.has_count;
    state.count = count;
  } else if (state.has_count != detail.has_count || state.count != count) {
    env_.fault(Category::kBarrierDivergence, Fault::Strength::kCertain, env_.always(),
               fmt::format("thread {} comes to barrier {} with another thread count than the "
                           "threads that wait there",
                           warp.thread(leader), id),
               {env_.access(inst.site, warp.thread(leader), false)});
  }
  if (state.arrived[warp.index] == 0) state.sites[warp.index] = inst.site;
  state.arrived[warp.index] |= lanes;
  if (detail.action == Action::kArrive) {
    state.any_arrive = true;
    for_each_lane(lanes, [&](unsigned lane) {
      env_.order.release(warp.thread(lane), state.knowledge);
      state.grid_waited = state.grid_waited || env_.order.grid_waited(warp.thread(lane));
    });
    return true;
  }
  state.waiting[warp.index] |= lanes;
  strand.wait = Wait::kBarrier;
  return false;
}

// A warp counts as 32 threads, once all its live lanes are there.
uint64_t Barriers::counted(const State& state) const {
  uint64_t count = 0;
  for (const Warp& warp : *warps_) {
    const uint32_t arrived = state.arrived[warp.index];
    if (arrived != 0 && (warp.live & ~arrived) == 0) count += kWarpSize;
  }
  return count;
}

bool Barriers::is_complete(const State& state) const {
  if (state.has_count) return counted(state) >= state.count;
  return std::all_of(warps_->begin(), warps_->end(), [&](const Warp& warp) {
    return (warp.live & ~state.arrived[warp.index]) == 0;
  });
}

uint64_t Barriers::missing(uint32_t id, uint64_t count) const {
  const auto open = states_.find(id);
  const uint64_t here = open == states_.end() ? 0 : counted(open->second);
  return count > here ? (count - here) / kWarpSize : 0;
}

bool Barriers::complete(std::vector<Warp>& warps) {
  for (auto it = states_.begin(); it != states_.end(); ++it) {
    if (!is_complete(it->second)) continue;
    State state = std::move(it->second);
    const uint32_t id = it->first;
    states_.erase(it);
    release(id, state, warps);
    return true;
  }
  return choices_.next_turn(warps, [&](uint32_t id, uint64_t count) { return missing(id, count); });
}

bool Barriers::waits_at(const Strand& strand, Warp& warp, uint32_t id) {
  if (strand.wait != Wait::kBarrier || strand.done) return false;
  return barrier_id(env_.code->insts[strand.pc], warp, first_lane(strand.mask)) == id;
}

void Barriers::release(uint32_t id, State& state, std::vector<Warp>& warps) {
  check_alike(state, id, warps);
  if (state.has_count) {
    std::vector<unsigned> by;
    for (const Warp& warp : warps) {
      if (state.arrived[warp.index] != 0) by.push_back(warp.index);
    }
    choices_.completed(id, by);
  } else {
    check_exited(state, warps);
  }
  order(state, warps);
  reduce(id, state, warps);
  for (Warp& warp : warps) {
    // Strands that wait at one place, and belong to the same branch, go on as one.
    Strand* merged = nullptr;
    for (const auto& strand : warp.strands) {
      if (!waits_at(*strand, warp, id)) continue;
      strand->wait = Wait::kNone;
      ++strand->pc;
      if (merged != nullptr && merged->pc == strand->pc && merged->frame == strand->frame &&
          merged->arm == strand->arm && merged->path == strand->path) {
        merged->mask |= strand->mask;
        strand->done = true;
      } else if (merged == nullptr) {
        merged = strand.get();
      }
    }
  }
}

// PTX: all threads of a warp must execute the same .aligned barrier.
void Barriers::check_alike(const State& state, uint32_t id, std::vector<Warp>& warps) {
  (void)state;
  for (Warp& warp : warps) {
    const Strand* first = nullptr;
    for (const auto& strand : warp.strands) {
      if (!waits_at(*strand, warp, id)) continue;
      if (first == nullptr) {
        first = strand.get();
        continue;
      }
      const CodeInst& a = env_.code->insts[first->pc];
      const CodeInst& b = env_.code->insts[strand->pc];
      if (&a == &b || !std::get<ir::Barrier>(a.inst->detail).aligned) continue;
      const unsigned x = warp.thread(first_lane(first->mask));
      const unsigned y = warp.thread(first_lane(strand->mask));
      env_.fault(Category::kBarrierDivergence, Fault::Strength::kCertain, env_.always(),
                 fmt::format("threads {} and {} of one warp wait at different barriers", x, y),
                 {env_.access(a.site, x, false), env_.access(b.site, y, false)});
      return;
    }
  }
}

// A barrier of the whole CTA that some threads left out: they ended by another way. A thread that
// only returns, where the others go on towards the barrier, is let off: hardware counts it out.
void Barriers::check_exited(const State& state, std::vector<Warp>& warps) {
  const Warp* at = nullptr;
  for (const Warp& warp : warps) {
    if (state.waiting[warp.index] != 0) at = &warp;
  }
  if (at == nullptr) return;
  ir::BlockId block = ir::kNone;
  for (const auto& strand : at->strands) {
    if (strand->wait == Wait::kBarrier && !strand->done) block = strand->block;
  }
  for (const Warp& warp : warps) {
    const uint32_t exited = warp.exists & ~warp.live;
    for (uint32_t rest = exited; rest != 0; rest &= rest - 1) {
      const unsigned lane = first_lane(rest);
      const ir::BlockId branch = warp.exit_branch[lane];
      if (branch != ir::kNone && block != ir::kNone &&
          (env_.code->reaches(branch, block) || branch == block)) {
        env_.context.reporter.note("exit-before-barrier",
                                   "threads that have returned take no part in later barriers",
                                   state.sites[at->index]);
        continue;
      }
      const unsigned waiting = at->thread(first_lane(state.waiting[at->index]));
      env_.fault(Category::kBarrierDivergence, Fault::Strength::kCertain, env_.always(),
                 fmt::format("thread {} waits at a barrier that thread {} never reaches", waiting,
                             warp.thread(lane)),
                 {env_.access(state.sites[at->index], waiting, false)}, {},
                 "move the barrier out of the branch");
      return;
    }
  }
}

void Barriers::order(const State& state, const std::vector<Warp>& warps) {
  bool everyone = !state.any_arrive;
  for (const Warp& warp : warps) {
    everyone = everyone && (warp.live & ~state.waiting[warp.index]) == 0;
  }
  if (everyone) {
    std::vector<uint32_t> in_use;
    for (const auto& [id, other] : states_) in_use.push_back(id);
    choices_.met(in_use);  // what is over before, is over
    return env_.order.cta_barrier();
  }
  HappensBefore::Knowledge all = state.knowledge;
  bool grid_waited = state.grid_waited;
  for (const Warp& warp : warps) {
    for_each_lane(state.waiting[warp.index], [&](unsigned lane) {
      env_.order.release(warp.thread(lane), all);
      grid_waited = grid_waited || env_.order.grid_waited(warp.thread(lane));
    });
  }
  for (const Warp& warp : warps) {
    for_each_lane(state.waiting[warp.index], [&](unsigned lane) {
      env_.order.acquire(warp.thread(lane), all);
      if (grid_waited) env_.order.grid_wait(warp.thread(lane));
    });
  }
}

void Barriers::reduce(uint32_t id, const State& state, std::vector<Warp>& warps) {
  (void)state;
  term::Arena& arena = env_.arena();
  std::vector<std::tuple<Warp*, Strand*, const CodeInst*>> readers;
  TermId conjunction = env_.values.truth(true), disjunction = env_.values.truth(false);
  uint64_t ones = 0;
  TermId sum = kNoTerm;
  for (Warp& warp : warps) {
    for (const auto& strand : warp.strands) {
      if (!waits_at(*strand, warp, id)) continue;
      const CodeInst& inst = env_.code->insts[strand->pc];
      const auto& detail = std::get<ir::Barrier>(inst.inst->detail);
      if (detail.action == Action::kSync) continue;
      readers.emplace_back(&warp, strand.get(), &inst);
      env_.values.at(inst.site);
      const ir::ValueId predicate = inst.inst->srcs.back();
      for_each_lane(strand->mask, [&](unsigned lane) {
        const Lane value = env_.defined(warp.regs[predicate], lane, 1);
        TermId bit = env_.values.term(value, 1);
        if (detail.negate_predicate) bit = arena.logic_not(bit);
        conjunction = arena.logic_and(conjunction, bit);
        disjunction = arena.logic_or(disjunction, bit);
        if (arena.is_const(bit)) {
          ones += arena.const_bits(bit);
        } else {
          const TermId wide = arena.zext(bit, 32);
          sum = sum == kNoTerm
                    ? wide
                    : arena.make(op::Op{.kind = op::Kind::kAdd, .type = op::Type::kB32}, sum, wide);
        }
      });
    }
  }
  for (const auto& [warp, strand, inst] : readers) {
    TermId result = kNoTerm;
    switch (std::get<ir::Barrier>(inst->inst->detail).action) {
      case Action::kRedAnd:
        result = conjunction;
        break;
      case Action::kRedOr:
        result = disjunction;
        break;
      default:
        result = arena.constant(32, ones);
        if (sum != kNoTerm) {
          result = arena.make(op::Op{.kind = op::Kind::kAdd, .type = op::Type::kB32}, sum, result);
        }
        break;
    }
    if (inst->dest == ir::kNone) continue;
    Register value;
    value.set_uniform(env_.values.lane(result));
    warp->regs[inst->dest].copy(value, strand->mask, warp->live);
  }
}

void Barriers::report_stuck(std::vector<Warp>& warps) {
  // One thread at a barrier, and one elsewhere.
  const Warp* warp = nullptr;
  const Strand* strand = nullptr;
  for (const Warp& w : warps) {
    for (const auto& s : w.strands) {
      if (s->done || s->wait != Wait::kBarrier) continue;
      if (strand == nullptr) warp = &w, strand = s.get();
    }
  }
  if (strand == nullptr) return;
  const unsigned waiting = warp->thread(first_lane(strand->mask));
  std::vector<Fault::Access> accesses{
      env_.access(env_.code->insts[strand->pc].site, waiting, false)};
  std::string other = "others that have ended";
  for (const Warp& w : warps) {
    for (const auto& s : w.strands) {
      if (s->done || s->wait == Wait::kNone || s.get() == strand || accesses.size() > 1) continue;
      if (s->pc == strand->pc) continue;
      const unsigned thread = w.thread(first_lane(s->mask));
      other = fmt::format("thread {}, which waits elsewhere", thread);
      accesses.push_back(env_.access(env_.code->insts[s->pc].site, thread, false));
    }
  }
  env_.fault(Category::kBarrierDivergence, Fault::Strength::kCertain, env_.always(),
             fmt::format("thread {} waits at a barrier for {}", waiting, other),
             std::move(accesses));
}

}  // namespace ptxequiv::machine
