#include "machine/cta.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "machine/tickets.h"

namespace ptxequiv::machine {

using ir::Opcode;

namespace {

// Instructions a strand executes before others get their turn.
constexpr unsigned kShare = 20000;
constexpr uint64_t kPollInterval = 200000;
constexpr unsigned kPollsAfterFault = 20;
// An mma makes as many terms as this many thread-instructions of other kinds.
constexpr uint64_t kMmaTerms = 4000;
// Volatile or strong loads with no store, barrier, warp operation or ended thread between them,
// after which the threads are taken to wait for something that does not come.
constexpr uint64_t kMaxIdle = 4'000'000;

bool may_spin(const CodeInst& inst) {
  return is_strong(std::get<ir::MemoryAccess>(inst.inst->detail));
}

}  // namespace

Cta::Cta(Env& env)
    : env_(env),
      accesses_(env),
      async_(env, accesses_),
      atomics_(env, accesses_),
      barriers_(env),
      collectives_(env, accesses_),
      control_(env),
      executed_(env.code->blocks.size(), false) {
  accesses_.set_async(&async_);
}

void Cta::start_warps() {
  const unsigned threads = env_.threads();
  const unsigned count = (threads + kWarpSize - 1) / kWarpSize;
  const ir::Function& function = *env_.code->function;
  warps_.resize(count);
  for (unsigned w = 0; w < count; ++w) {
    Warp& warp = warps_[w];
    warp.index = w;
    const unsigned lanes = std::min(kWarpSize, threads - w * kWarpSize);
    warp.exists = lanes == kWarpSize ? kAllLanes : (1u << lanes) - 1;
    warp.live = warp.exists;
    warp.exit_branch.fill(ir::kNone);
    warp.strands.clear();
    if (warp.regs.empty()) {
      warp.regs.resize(function.values.size());
      for (const uint32_t v : env_.code->constants) {
        warp.regs[v].set_uniform(Lane::of_bits(function.values[v].constant));
      }
    }
    auto strand = std::make_unique<Strand>();
    strand->mask = warp.live;
    strand->pc = env_.code->blocks[0].first;
    warp.strands.push_back(std::move(strand));
  }
  barriers_.begin_cta(warps_);
  async_.begin_cta(threads);
}

bool Cta::run() {
  finished_.clear();
  set_aside_ = false;
  env_.worlds.begin_cta();
  start_warps();
  if (env_.tickets != nullptr) env_.tickets->begin_cta();
  changes_at_start_ = changes_;
  return run_worlds();
}

bool Cta::resume(bool changed) {
  set_aside_ = true;
  if (changed) ++changes_;
  changes_at_start_ = changes_;
  for (Warp& warp : warps_) {
    for (const auto& strand : warp.strands) strand->idle_since = ~uint64_t{0};
  }
  return run_worlds();
}

bool Cta::run_worlds() {
  for (;;) {
    const bool over = run_world();
    if (env_.worlds.split() && (!over || set_aside_)) {
      throw base::LimitReached("worlds",
                               "threads that wait for other CTAs, in a CTA that data "
                               "sends different ways around a barrier");
    }
    if (!over) return false;
    if (!env_.worlds.split()) return true;
    keep_world();
    if (env_.worlds.pending() && diverged()) {
      // Data sends threads different ways around a barrier: that stands, whatever the rest brings.
      env_.context.reporter.gap("worlds",
                                "not all outcomes of data-dependent conditions were followed after "
                                "one of them had threads diverge at a barrier",
                                env_.values.site());
      break;
    }
    if (!env_.worlds.next()) break;
    env_.order.begin_world();
    env_.memory.begin_cta();
    start_warps();
    if (env_.tickets != nullptr) env_.tickets->begin_cta();
  }
  merge_worlds();
  return true;
}

bool Cta::run_world() {
  for (;;) {
    bool progress = false;
    waits_for_ticket_ = false;
    for (size_t i = 0; i < warps_.size(); ++i) {
      Warp& warp = warps_[in_turn(env_.context.limits.schedule, i, warps_.size())];
      if (run_warp(warp)) progress = true;
    }
    if (barriers_.complete(warps_)) {
      progress = true;
      note_progress();
    }
    if (progress) continue;
    bool over = true, waits = false;
    for (const Warp& warp : warps_) {
      for (const auto& strand : warp.strands) {
        over = over && strand->done;
        waits = waits || (!strand->done && strand->wait == Wait::kNone);
      }
    }
    if (over) return true;
    if (waits) return false;
    // Everything that is left waits.
    barriers_.report_stuck(warps_);
    for (Warp& warp : warps_) {
      for (const auto& strand : warp.strands) {
        if (!strand->done && strand->wait == Wait::kCollective) {
          collectives_.report_stuck(warp, *strand);
          return true;
        }
      }
    }
    return true;
  }
}

bool Cta::run_warp(Warp& warp) {
  bool progress = false;
  for (size_t i = 0; i < warp.strands.size(); ++i) {  // strands are added meanwhile
    Strand& strand = *warp.strands[i];
    if (strand.done || strand.wait != Wait::kNone) continue;
    if (strand.idle_since == changes_) continue;
    run_strand(warp, strand);
    if (warp.strands[i]->idle_since != changes_) progress = true;
  }
  if (collectives_.resolve(warp)) {
    progress = true;
    note_progress();
  }
  std::erase_if(warp.strands, [](const auto& strand) { return strand->done; });
  return progress;
}

void Cta::poll() {
  const bool starts = next_poll_ == 0;
  next_poll_ = thread_instructions_ + kPollInterval;
  env_.context.deadline.poll();
  if (!starts && env_.context.reporter.any_for_all_inputs() &&
      ++polls_after_fault_ > kPollsAfterFault) {
    // A fault often leads astray, into a loop that never ends.
    throw base::LimitReached("after-fault", "what comes long after a fault was not followed");
  }
  const Limits& limits = env_.context.limits;
  if (limits.max_instructions != 0 && thread_instructions_ > limits.max_instructions) {
    throw base::LimitReached(
        "instructions", fmt::format("more than {} thread instructions", limits.max_instructions));
  }
  if (limits.max_bytes != 0 &&
      env_.arena().memory_bytes() + env_.memory.memory_bytes() > limits.max_bytes) {
    throw base::LimitReached("memory", "terms and memory of the execution");
  }
  if (idle_ > kMaxIdle) {
    throw base::LimitReached("spin", "threads wait for a value in memory that no thread changes");
  }
}

bool Cta::may_wait(Warp& warp, Strand& strand, const CodeInst& inst, unsigned lanes) {
  const uint64_t turn = inst.spins ? 4 : 256;
  idle_ += lanes;
  ++strand.reads;
  if (strand.reads % turn != 0) return false;
  if (strand.reads % (16 * turn) == 0) {
    bool same = strand.registers.size() == warp.regs.size() && strand.repeats_at == strand.pc &&
                strand.looked_at == changes_;
    for (size_t i = 0; same && i < warp.regs.size(); ++i) {
      for_each_lane(strand.mask, [&](unsigned lane) {
        same = same && warp.regs[i].get(lane) == strand.registers[i].get(lane);
      });
    }
    strand.repeats = same;
    strand.repeats_at = strand.pc;
    strand.looked_at = changes_;
    if (!same) strand.registers = warp.regs;
  }
  strand.idle_since = changes_;
  ++strand.pc;
  return true;
}

bool Cta::waits_for_ever() const {
  if (waits_for_ticket_) return false;
  for (const Warp& warp : warps_) {
    for (const auto& strand : warp.strands) {
      const bool repeats = strand->repeats && strand->looked_at == changes_;
      if (!strand->done && strand->wait == Wait::kNone && !repeats) return false;
    }
  }
  return true;
}

void Cta::report_deadlock() {
  for (Warp& warp : warps_) {
    for (const auto& strand : warp.strands) {
      if (strand->done || strand->wait != Wait::kNone) continue;
      const CodeInst& inst = env_.code->insts[strand->repeats_at];
      const unsigned lane = first_lane(strand->mask);
      const unsigned thread = warp.thread(lane);
      std::string place;
      if (const auto at = accesses_.plain(warp.regs[inst.src[0]].get(lane), inst.src_bits[0])) {
        place = env_.memory.place(env_.memory.region(at->provenance),
                                  static_cast<uint64_t>(at->offset + inst.immediate));
      }
      env_.fault(
          Category::kDeadlock, Fault::Strength::kCertain, env_.guard(strand->path, lane),
          fmt::format("thread {} waits for ever for another value in {}, and no thread goes on "
                      "that would write one",
                      thread, place.empty() ? "memory" : place),
          {env_.access(inst.site, thread, false)}, place);
      return;
    }
  }
}

void Cta::run_strand(Warp& warp, Strand& strand) {
  const Code& code = *env_.code;
  const unsigned lanes = static_cast<unsigned>(std::popcount(strand.mask));
  executed_[strand.block] = true;
  for (unsigned step = 0; step < kShare; ++step) {
    const CodeInst& inst = code.insts[strand.pc];
    thread_instructions_ += lanes;
    if (thread_instructions_ >= next_poll_) poll();
    env_.values.at(inst.site);
    switch (inst.opcode) {
      case Opcode::kOp:
        execute_op(inst, warp, strand);
        break;
      case Opcode::kLoad:
        accesses_.load(inst, warp, strand);
        if (may_spin(inst) && may_wait(warp, strand, inst, lanes)) return;
        break;
      case Opcode::kStore:
        if (accesses_.store(inst, warp, strand)) note_progress();
        break;
      case Opcode::kToGeneric:
      case Opcode::kFromGeneric:
        warp.regs[inst.dest].copy(warp.regs[inst.src[0]], strand.mask, warp.live);
        break;
      case Opcode::kUndef: {
        Register value;
        value.set_uniform(Lane::undefined());
        warp.regs[inst.dest].copy(value, strand.mask, warp.live);
        break;
      }
      case Opcode::kSpecial:
        special_register(inst, warp, strand);
        break;
      case Opcode::kObjectAddress:
        object_address(inst, warp, strand);
        break;
      case Opcode::kIsSpace:
        is_space(inst, warp, strand);
        break;
      case Opcode::kFence:
        if (const auto& fence = std::get<ir::Fence>(inst.inst->detail); !fence.proxy) {
          env_.order.fence(warp.index, env_.active(inst, warp, strand).mask, warp.live,
                           reach_of(fence.scope));
        }
        break;
      case Opcode::kPrefetch:
        break;
      case Opcode::kGridTrigger:
      case Opcode::kGridWait:
        control_.grid_dependency(inst, warp, strand);
        break;
      case Opcode::kCpAsync:
        async_.issue(inst, warp, strand);
        break;
      case Opcode::kCpAsyncCommit:
        async_.commit(warp, strand, inst);
        break;
      case Opcode::kCpAsyncWait:
        async_.wait(inst, warp, strand);
        break;
      case Opcode::kActiveMask:
        collectives_.active_mask(inst, warp, strand);
        break;
      case Opcode::kShuffle:
      case Opcode::kVote:
      case Opcode::kMatch:
      case Opcode::kRedux:
      case Opcode::kElect:
      case Opcode::kWarpSync:
      case Opcode::kMma:
      case Opcode::kMatrixLoad:
      case Opcode::kMatrixStore:
      case Opcode::kMatrixTranspose:
        note_progress();
        if (inst.opcode == Opcode::kMma) next_poll_ -= std::min(next_poll_, kMmaTerms);
        if (!collectives_.arrive(inst, warp, strand)) return;
        break;
      case Opcode::kBarrier:
        note_progress();
        if (!barriers_.arrive(inst, warp, strand)) return;
        break;
      case Opcode::kBranch:
        control_.branch(warp, strand);
        if (strand.done) return;
        executed_[strand.block] = true;
        continue;
      case Opcode::kCondBranch:
      case Opcode::kIndexBranch: {
        const uint32_t before = strand.mask;
        if (inst.opcode == Opcode::kCondBranch) {
          control_.conditional(inst, warp, strand);
        } else {
          control_.indexed(inst, warp, strand);
        }
        if (strand.done) return;
        executed_[strand.block] = true;
        if (strand.mask != before) return;
        continue;
      }
      case Opcode::kExit:
        note_progress();
        control_.exit(warp, strand);
        return;
      case Opcode::kTrap:
        note_progress();
        control_.trap(inst, warp, strand);
        return;
      case Opcode::kAtomic:
        // One that leaves memory as it was may be waiting for another thread.
        switch (atomics_.execute(inst, warp, strand)) {
          case Atomics::Result::kChanged:
            note_progress();
            break;
          case Atomics::Result::kSame:
            if (may_wait(warp, strand, inst, lanes)) return;
            break;
          case Atomics::Result::kWait:
            waits_for_ticket_ = true;
            strand.idle_since = changes_;
            return;
        }
        break;
      case Opcode::kPrint: {
        env_.context.reporter.note("printf", "printed output is not compared", inst.site);
        if (inst.dest == ir::kNone) break;
        Register value;
        value.uniform = false;
        for_each_lane(strand.mask, [&](unsigned lane) {
          value.set(lane, Lane::of_term(env_.arena().fresh(inst.dest_bits)));
        });
        warp.regs[inst.dest].copy(value, strand.mask, warp.live);
        break;
      }
      case Opcode::kUnsupported:
        throw_unsupported(env_.context.reporter.site(inst.site));
      case Opcode::kPhi:
        PTXEQUIV_CHECK(false, "phis are copies on edges");
    }
    ++strand.pc;
  }
}

}  // namespace ptxequiv::machine
