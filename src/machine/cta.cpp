#include "machine/cta.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace ptxequiv::machine {

using ir::Opcode;

namespace {

// Instructions a strand executes before others get their turn.
constexpr unsigned kShare = 20000;
constexpr uint64_t kPollInterval = 200000;
// An mma makes as many terms as this many thread-instructions of other kinds.
constexpr uint64_t kMmaTerms = 4000;
// Volatile or strong loads with no store, barrier, warp operation or ended thread between them,
// after which the threads are taken to wait for something that does not come.
constexpr uint64_t kMaxIdle = 4'000'000;

bool may_spin(const CodeInst& inst) {
  const auto& access = std::get<ir::MemoryAccess>(inst.inst->detail);
  return access.is_volatile || access.order != ir::MemoryAccess::Order::kWeak;
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

void Cta::run() {
  finished_.clear();
  env_.worlds.begin_cta();
  env_.order.begin_cta(env_.threads());
  env_.memory.begin_cta();
  for (;;) {
    start_warps();
    run_world();
    if (!env_.worlds.split()) return;
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
  }
  merge_worlds();
}

void Cta::run_world() {
  for (;;) {
    bool progress = false;
    const bool forward = env_.context.limits.schedule == Schedule::kForward;
    for (size_t i = 0; i < warps_.size(); ++i) {
      Warp& warp = warps_[forward ? i : warps_.size() - 1 - i];
      if (run_warp(warp)) progress = true;
    }
    if (barriers_.complete(warps_)) {
      progress = true;
      note_progress();
    }
    if (progress) continue;
    const bool over = std::all_of(warps_.begin(), warps_.end(), [](const Warp& warp) {
      return std::all_of(warp.strands.begin(), warp.strands.end(),
                         [](const auto& strand) { return strand->done; });
    });
    if (over) return;
    // Everything that is left waits.
    barriers_.report_stuck(warps_);
    for (Warp& warp : warps_) {
      for (const auto& strand : warp.strands) {
        if (!strand->done && strand->wait == Wait::kCollective) {
          collectives_.report_stuck(warp, *strand);
          return;
        }
      }
    }
    return;
  }
}

bool Cta::run_warp(Warp& warp) {
  bool progress = false;
  for (size_t i = 0; i < warp.strands.size(); ++i) {  // strands are added meanwhile
    Strand& strand = *warp.strands[i];
    if (strand.done || strand.wait != Wait::kNone) continue;
    progress = true;
    run_strand(warp, strand);
  }
  if (collectives_.resolve(warp)) {
    progress = true;
    note_progress();
  }
  std::erase_if(warp.strands, [](const auto& strand) { return strand->done; });
  return progress;
}

void Cta::poll() {
  next_poll_ = thread_instructions_ + kPollInterval;
  env_.context.deadline.poll();
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
        if (may_spin(inst)) idle_ += lanes;
        break;
      case Opcode::kStore:
        accesses_.store(inst, warp, strand);
        note_progress();
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
        if (!std::get<ir::Fence>(inst.inst->detail).proxy) env_.order.fence();
        break;
      case Opcode::kPrefetch:
        break;
      case Opcode::kGridTrigger:
      case Opcode::kGridWait:
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
        if (atomics_.execute(inst, warp, strand)) {
          note_progress();
        } else {
          idle_ += lanes;
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
