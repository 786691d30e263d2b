#include "machine/spin.h"

#include <algorithm>

namespace ptxequiv::machine {
namespace {

using ir::Opcode;

// A read-modify-write that leaves every value as it is.
bool keeps_value(const Code& code, const CodeInst& inst) {
  const auto& atomic = std::get<ir::Atomic>(inst.inst->detail);
  const std::vector<ir::ValueId>& srcs = inst.inst->srcs;
  if (atomic.access.count != 1 || srcs.size() < 2) return false;
  const auto constant = [&](ir::ValueId v) -> std::optional<uint64_t> {
    const ir::Value& value = code.function->values[v];
    if (!value.is_const) return std::nullopt;
    return value.constant & op::mask(value.bits);
  };
  const auto b = constant(srcs[1]);
  using Rmw = ir::Atomic::Rmw;
  switch (atomic.rmw) {
    case Rmw::kAdd:
    case Rmw::kOr:
    case Rmw::kXor:
      return b == uint64_t{0} && !op::is_float(atomic.access.type);
    case Rmw::kCas:
      return b && srcs.size() > 2 && b == constant(srcs[2]);
    default:
      return false;
  }
}

class Finder {
 public:
  explicit Finder(Code& code) : code_(code), f_(*code.function) {}

  void run() {
    for (const ir::BlockId tail : code_.cfg.reverse_post_order) {
      for (const ir::BlockId header : f_.blocks[tail].successors) {
        if (code_.cfg.dominates(header, tail)) look_at(header, tail);
      }
    }
  }

 private:
  // May the instruction be in a loop that waits? Sets `read` if it is the one it waits on.
  bool allowed(uint32_t pc, uint32_t& read, bool& twice) const {
    const CodeInst& inst = code_.insts[pc];
    switch (inst.opcode) {
      case Opcode::kOp:
      case Opcode::kUndef:
      case Opcode::kToGeneric:
      case Opcode::kFromGeneric:
      case Opcode::kObjectAddress:
      case Opcode::kFence:
      case Opcode::kPrefetch:
      case Opcode::kBranch:
      case Opcode::kCondBranch:
      case Opcode::kSpecial:
        return true;
      case Opcode::kLoad:
        if (!is_strong(std::get<ir::MemoryAccess>(inst.inst->detail))) return true;
        break;
      case Opcode::kAtomic:
        if (!keeps_value(code_, inst)) return false;
        break;
      default:
        return false;
    }
    twice = twice || read != ir::kNone;
    read = pc;
    return true;
  }

  void look_at(ir::BlockId header, ir::BlockId tail) {
    const std::vector<bool> in = code_.loop(header, tail);
    uint32_t read = ir::kNone;
    bool twice = false;
    ir::BlockId way_out = ir::kNone;
    std::vector<bool> varies(f_.values.size(), false);
    for (ir::BlockId b = 0; b < in.size(); ++b) {
      if (!in[b]) continue;
      const uint32_t end = code_.last(b) + 1;
      for (uint32_t pc = code_.blocks[b].first; pc < end; ++pc) {
        if (!allowed(pc, read, twice)) return;
        const Opcode opcode = code_.insts[pc].opcode;
        if (opcode != Opcode::kLoad && opcode != Opcode::kAtomic && opcode != Opcode::kSpecial)
          continue;
        for (const ir::ValueId dest : code_.insts[pc].inst->dests) {
          if (dest != ir::kNone) varies[dest] = true;
        }
      }
      for (const uint32_t phi : code_.blocks[b].phis) varies[phi] = true;
      for (const ir::BlockId next : f_.blocks[b].successors) {
        if (in[next]) continue;
        if (way_out != ir::kNone) return;
        way_out = b;
      }
    }
    if (read == ir::kNone || twice || way_out == ir::kNone) return;
    const uint32_t last = code_.last(way_out);
    if (read < code_.blocks[way_out].first || read > last) return;
    if (code_.insts[read].inst->dests.size() != 1 || code_.insts[read].dest == ir::kNone) return;
    for (uint32_t pc = read + 1; pc < last; ++pc) {
      const Opcode opcode = code_.insts[pc].opcode;
      if (opcode != Opcode::kOp && opcode != Opcode::kFence && opcode != Opcode::kPrefetch) return;
    }
    if (code_.insts[last].opcode != Opcode::kCondBranch) return;
    if (leaks(in, varies)) return;
    code_.insts[read].spins = true;
    const std::vector<ir::BlockId>& successors = f_.blocks[way_out].successors;
    for (size_t s = 0; s < successors.size(); ++s) {
      if (!in[successors[s]]) code_.blocks[way_out].edges[s].spin = read;
    }
  }

  // Is anything that varies from turn to turn used outside the loop?
  bool leaks(const std::vector<bool>& in, std::vector<bool>& varies) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (ir::BlockId b = 0; b < in.size(); ++b) {
        if (!in[b]) continue;
        for (const ir::InstId id : f_.blocks[b].insts) {
          const ir::Inst& inst = f_.insts[id];
          const bool any = std::any_of(inst.srcs.begin(), inst.srcs.end(),
                                       [&](ir::ValueId v) { return varies[v]; });
          if (!any) continue;
          for (const ir::ValueId dest : inst.dests) {
            if (dest == ir::kNone || varies[dest]) continue;
            varies[dest] = changed = true;
          }
        }
      }
    }
    for (ir::BlockId b = 0; b < in.size(); ++b) {
      if (in[b]) continue;
      for (const ir::InstId id : f_.blocks[b].insts) {
        const ir::Inst& inst = f_.insts[id];
        if (inst.guard != ir::kNone && varies[inst.guard]) return true;
        for (const ir::ValueId v : inst.srcs) {
          if (varies[v]) return true;
        }
      }
    }
    return false;
  }

  Code& code_;
  const ir::Function& f_;
};

}  // namespace

void find_spin_loops(Code& code) {
  Finder(code).run();
}

void Spins::read(unsigned thread, const StrongWrites::Key& key, unsigned size, Reach reach,
                 bool acquires) {
  reads_[{env_.order.cta(), thread}] = {key, size, reach, acquires};
}

std::function<std::optional<bool>(const Lane&)> Spins::condition(Warp& warp, unsigned lane,
                                                                 uint32_t pc,
                                                                 uint32_t successor) const {
  const Code& code = *env_.code;
  std::vector<std::pair<uint32_t, Lane>> registers;
  uint32_t end = pc + 1;
  for (; code.insts[end].opcode != Opcode::kCondBranch; ++end) {
    const CodeInst& inst = code.insts[end];
    for (unsigned i = 0; inst.opcode == Opcode::kOp && i < inst.arity; ++i) {
      registers.emplace_back(inst.src[i], warp.regs[inst.src[i]].get(lane));
    }
  }
  const uint32_t predicate = code.insts[end].src[0];
  registers.emplace_back(predicate, warp.regs[predicate].get(lane));
  Values* values = &env_.values;
  return [=, &code](const Lane& value) -> std::optional<bool> {
    std::vector<std::pair<uint32_t, Lane>> now = registers;
    now.emplace_back(code.insts[pc].dest, value);
    const auto get = [&](uint32_t reg) {
      return std::find_if(now.rbegin(), now.rend(),
                          [&](const auto& entry) { return entry.first == reg; })
          ->second;
    };
    for (uint32_t at = pc + 1; at < end; ++at) {
      const CodeInst& inst = code.insts[at];
      if (inst.opcode != Opcode::kOp) continue;
      Values::Operands in;
      in.position = static_cast<unsigned>(inst.immediate);
      Lane* lanes[3] = {&in.a, &in.b, &in.c};
      for (unsigned i = 0; i < inst.arity; ++i) {
        *lanes[i] = get(inst.src[i]);
        in.bits[i] = inst.src_bits[i];
        if (lanes[i]->kind == LaneKind::kUndefined) return std::nullopt;
      }
      now.emplace_back(inst.dest, values->apply(inst.op, in));
    }
    const auto taken = values->known(get(predicate), 1);
    if (!taken) return std::nullopt;
    return ((*taken & 1) != 0 ? 0u : 1u) == successor;
  };
}

void Spins::leave(Warp& warp, uint32_t lanes, uint32_t pc, uint32_t successor) {
  for_each_lane(lanes, [&](unsigned lane) {
    const unsigned thread = warp.thread(lane);
    const auto it = reads_.find({env_.order.cta(), thread});
    if (it == reads_.end()) return;
    Read read = it->second;
    reads_.erase(it);
    for (uint32_t at = pc + 1; env_.code->insts[at].opcode != Opcode::kCondBranch; ++at) {
      const CodeInst& inst = env_.code->insts[at];
      if (inst.opcode != Opcode::kFence) continue;
      const auto& fence = std::get<ir::Fence>(inst.inst->detail);
      if (fence.proxy) continue;
      read.acquires = true;
      if (reach_of(fence.scope) == Reach::kCta) read.reach = Reach::kCta;
    }
    StrongWrites::Place* place =
        &env_.strong.open(read.key, read.size, warp.regs[env_.code->insts[pc].dest].get(lane));
    const SiteId site = env_.code->insts[pc].site;
    const auto leave_open = [&](const char* why) {
      env_.gap_of_schedule("strong-access", why, site);
    };
    const std::optional<int> from = env_.strong.earliest_seen(*place, thread);
    if (!from) {
      env_.strong.see_any(*place, thread, read.reach);
      return leave_open(
          "a loop waits for memory that several threads write in an order of their own");
    }
    int first = *from;
    const auto leaves = condition(warp, lane, pc, successor);
    std::optional<bool> ends =
        leaves(first < 0 ? place->before : place->writes[static_cast<size_t>(first)].value);
    for (size_t i = static_cast<size_t>(first + 1); i < place->writes.size(); ++i) {
      const std::optional<bool> here = leaves(place->writes[i].value);
      if (ends == false) {
        ends = here;
        if (here == true) first = static_cast<int>(i);
      } else if (here != true) {
        ends = std::nullopt;  // it may miss the one that would let it go
      }
    }
    if (ends != true || place->size != read.size) {
      env_.strong.see_any(*place, thread, read.reach);
      return leave_open(
          "a loop waits for a value that depends on data, that another write may take away, or "
          "that no strong write makes");
    }
    const bool settled = StrongWrites::settled(*place, first);
    if (!settled) {
      leave_open("a loop waits for memory that several threads write in an order of their own");
    }
    place->exits.push_back({env_.order.stamp(thread, site, env_.always(), 4, 0), first, leaves});
    if (first < 0) return;
    using Always = StrongWrites::Seen::Always;
    env_.strong.see(*place, first, thread, read.reach, read.acquires,
                    settled ? Always::kAll : Always::kNo);
  });
}

}  // namespace ptxequiv::machine
