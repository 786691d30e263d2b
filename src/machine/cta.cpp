#include "machine/cta.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "machine/lane_loop.h"
#include "op/evaluate.h"

namespace ptxequiv::machine {

using ir::Opcode;

namespace {

// Instructions a strand executes before others get their turn.
constexpr unsigned kShare = 20000;
constexpr uint64_t kPollInterval = 200000;
// Instructions without any store, barrier, warp operation or ended thread, after which the threads
// are taken to wait for something that does not come.
constexpr uint64_t kMaxIdle = 200'000'000;

}  // namespace

Cta::Cta(Env& env)
    : env_(env),
      accesses_(env),
      async_(env, accesses_),
      barriers_(env),
      collectives_(env),
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
  barriers_.begin_cta(count);
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

bool Cta::diverged() const {
  return env_.context.reporter.any(Category::kBarrierDivergence) ||
         env_.context.reporter.any(Category::kShuffleMask);
}

// Takes the world's stores out of memory and keeps them.
void Cta::keep_world() {
  World world;
  world.condition = env_.worlds.condition();
  std::vector<Undo>& undo = env_.memory.undo();
  std::vector<std::pair<uint32_t, uint64_t>> seen;
  for (const Undo& entry : undo) seen.emplace_back(entry.provenance, entry.cell);
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  for (const auto& [provenance, cell] : seen) {
    world.after.push_back({provenance, cell, env_.memory.region(provenance).cell(cell)});
    world.granules[provenance] = env_.memory.region(provenance).granule_log2;
  }
  for (auto entry = undo.rbegin(); entry != undo.rend(); ++entry) {
    env_.memory.region(entry->provenance).set_cell(entry->cell, entry->before);
  }
  undo.clear();
  finished_.push_back(std::move(world));
}

void Cta::merge_worlds() {
  for (World& world : finished_) env_.memory.catch_up(world.after, world.granules);
  std::map<std::pair<uint32_t, uint64_t>, CellValue> before;
  for (const World& world : finished_) {
    for (const Undo& entry : world.after) {
      const auto key = std::pair{entry.provenance, entry.cell};
      if (!before.count(key)) before[key] = env_.memory.region(entry.provenance).cell(entry.cell);
    }
  }
  // Worlds exclude each other and leave nothing out, so each is a conditional store.
  for (const auto& [key, old] : before) {
    Region& region = env_.memory.region(key.first);
    std::vector<std::pair<TermId, CellValue>> cases;
    for (const World& world : finished_) {
      const auto entry = std::lower_bound(
          world.after.begin(), world.after.end(), key, [](const Undo& u, const auto& k) {
            return std::pair{u.provenance, u.cell} < k;
          });
      const bool stored = entry != world.after.end() &&
                          std::pair{entry->provenance, entry->cell} == key;
      cases.emplace_back(world.condition, stored ? entry->before : old);
    }
    region.set_cell(key.second, env_.memory.choose(region, cases));
  }
}

void Cta::run_world() {
  for (;;) {
    bool progress = false;
    for (Warp& warp : warps_) {
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
  for (size_t i = 0; i < warp.strands.size(); ++i) {   // strands are added meanwhile
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
    throw base::LimitReached("instructions", fmt::format("more than {} thread instructions",
                                                         limits.max_instructions));
  }
  if (limits.max_bytes != 0 &&
      env_.arena().memory_bytes() + env_.memory.memory_bytes() > limits.max_bytes) {
    throw base::LimitReached("memory", "terms and memory of the execution");
  }
  if (idle_ > kMaxIdle) {
    throw base::LimitReached("spin", "threads loop without any effect that others could see");
  }
}

void Cta::run_strand(Warp& warp, Strand& strand) {
  const Code& code = *env_.code;
  const unsigned lanes = static_cast<unsigned>(std::popcount(strand.mask));
  executed_[strand.block] = true;
  for (unsigned step = 0; step < kShare; ++step) {
    const CodeInst& inst = code.insts[strand.pc];
    thread_instructions_ += lanes;
    idle_ += lanes;
    if (thread_instructions_ >= next_poll_) poll();
    env_.values.at(inst.site);
    switch (inst.opcode) {
      case Opcode::kOp: execute_op(inst, warp, strand); break;
      case Opcode::kLoad: accesses_.load(inst, warp, strand); break;
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
      case Opcode::kSpecial: special_register(inst, warp, strand); break;
      case Opcode::kObjectAddress: object_address(inst, warp, strand); break;
      case Opcode::kIsSpace: is_space(inst, warp, strand); break;
      case Opcode::kFence:       // orders nothing that is not ordered otherwise
      case Opcode::kPrefetch: break;
      case Opcode::kCpAsync: async_.issue(inst, warp, strand); break;
      case Opcode::kCpAsyncCommit: async_.commit(warp, strand, inst); break;
      case Opcode::kCpAsyncWait: async_.wait(inst, warp, strand); break;
      case Opcode::kActiveMask: collectives_.active_mask(inst, warp, strand); break;
      case Opcode::kShuffle:
      case Opcode::kVote:
      case Opcode::kMatch:
      case Opcode::kRedux:
      case Opcode::kElect:
      case Opcode::kWarpSync:
        note_progress();
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
        throw_unsupported(env_.context.reporter.site(inst.site), "atomic operations");
      case Opcode::kUnsupported:
        throw_unsupported(env_.context.reporter.site(inst.site));
      case Opcode::kPhi: PTXEQUIV_CHECK(false, "phis are copies on edges");
    }
    ++strand.pc;
  }
}

void Cta::execute_op(const CodeInst& inst, Warp& warp, const Strand& strand) {
  Register& dest = warp.regs[inst.dest];
  const unsigned arity = inst.arity;
  Register* src[3] = {nullptr, nullptr, nullptr};
  bool uniform = true;
  uint32_t special = 0;
  for (unsigned i = 0; i < arity; ++i) {
    src[i] = &warp.regs[inst.src[i]];
    uniform = uniform && src[i]->uniform;
    special |= src[i]->terms | src[i]->pointers;
  }
  const auto position = static_cast<unsigned>(inst.immediate);
  if (uniform) {
    bool undefined = false;
    for (unsigned i = 0; i < arity; ++i) {
      undefined = undefined || (src[i]->terms & src[i]->pointers) != 0;
    }
    if (!undefined || inst.op.kind == op::Kind::kSelect) {
      Values::Operands in;
      in.position = position;
      Lane* lanes[3] = {&in.a, &in.b, &in.c};
      for (unsigned i = 0; i < arity; ++i) {
        *lanes[i] = src[i]->get(0);
        in.bits[i] = inst.src_bits[i];
      }
      // Poison differs from lane to lane, unless a select passes it by.
      const bool lanewise = undefined && !(in.a.is_bits());
      if (!lanewise) {
        Register value;
        value.set_uniform(env_.values.apply(inst.op, in));
        if (strand.mask == warp.live) {
          dest.bits[0] = value.bits[0];
          dest.terms = value.terms;
          dest.pointers = value.pointers;
          dest.uniform = true;
        } else {
          dest.copy(value, strand.mask, warp.live);
        }
        return;
      }
    }
  }
  if ((special & strand.mask) == 0) {
    static constexpr uint64_t kNone[kWarpSize] = {};
    const uint64_t* a = arity > 0 ? src[0]->bits : kNone;
    const uint64_t* b = arity > 1 ? src[1]->bits : kNone;
    const uint64_t* c = arity > 2 ? src[2]->bits : kNone;
    const unsigned a_step = arity > 0 && !src[0]->uniform;
    const unsigned b_step = arity > 1 && !src[1]->uniform;
    const unsigned c_step = arity > 2 && !src[2]->uniform;
    uint64_t result[kWarpSize];
    if (run_lanes(inst.op, position, a, a_step, b, b_step, c, c_step, result, kWarpSize)) {
      if (strand.mask == warp.live) {
        std::copy(result, result + kWarpSize, dest.bits);
        dest.terms = dest.pointers = 0;
        dest.uniform = false;
      } else {
        dest.spread();
        for_each_lane(strand.mask, [&](unsigned lane) { dest.bits[lane] = result[lane]; });
        dest.terms &= ~strand.mask;
        dest.pointers &= ~strand.mask;
      }
      return;
    }
  }
  execute_lanes(inst, warp, strand.mask);
}

void Cta::execute_lanes(const CodeInst& inst, Warp& warp, uint32_t mask) {
  Register& dest = warp.regs[inst.dest];
  if (mask == warp.live) {
    dest.uniform = false;
    dest.terms = dest.pointers = 0;
  } else {
    dest.spread();
  }
  Values::Operands in;
  in.position = static_cast<unsigned>(inst.immediate);
  Lane* lanes[3] = {&in.a, &in.b, &in.c};
  for (unsigned i = 0; i < inst.arity; ++i) in.bits[i] = inst.src_bits[i];
  const bool is_select = inst.op.kind == op::Kind::kSelect;
  for_each_lane(mask, [&](unsigned lane) {
    for (unsigned i = 0; i < inst.arity; ++i) {
      Register& src = warp.regs[inst.src[i]];
      // A select does not look at the value that it drops.
      *lanes[i] = is_select && i > 0 ? src.get(lane) : env_.defined(src, lane, inst.src_bits[i]);
    }
    if (is_select && !in.a.is_bits()) {
      in.b = env_.defined(warp.regs[inst.src[1]], lane, inst.src_bits[1]);
      in.c = env_.defined(warp.regs[inst.src[2]], lane, inst.src_bits[2]);
    }
    dest.set(lane, env_.values.apply(inst.op, in));
  });
}

void Cta::object_address(const CodeInst& inst, Warp& warp, const Strand& strand) {
  const uint32_t provenance = env_.memory.object_provenance(inst.inst->object);
  Register value;
  value.set_uniform(Pointer{provenance, inst.immediate}.lane());
  warp.regs[inst.dest].copy(value, strand.mask, warp.live);
}

void Cta::is_space(const CodeInst& inst, Warp& warp, const Strand& strand) {
  const ptx::Space space = std::get<ir::SpaceUse>(inst.inst->detail).space;
  Register& dest = warp.regs[inst.dest];
  dest.spread();
  for_each_lane(strand.mask, [&](unsigned lane) {
    const Lane address = env_.defined(warp.regs[inst.src[0]], lane, inst.src_bits[0]);
    if (!address.is_pointer()) {
      throw_unsupported(env_.context.reporter.site(inst.site), "an address that depends on data");
    }
    const Region& region = env_.memory.region(pointer_of(address).provenance);
    dest.set(lane, Lane::of_bits(region.space == space));
  });
}

}  // namespace ptxequiv::machine
