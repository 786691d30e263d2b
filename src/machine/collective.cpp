#include "machine/collective.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace ptxequiv::machine {

using ir::Opcode;

namespace {

op::Op word(op::Kind kind) {
  return op::Op{.kind = kind, .type = op::Type::kB32};
}

// The operand that is the member mask.
unsigned mask_index(Opcode opcode) {
  switch (opcode) {
    case Opcode::kShuffle:
      return 3;
    case Opcode::kVote:
    case Opcode::kMatch:
    case Opcode::kRedux:
      return 1;
    default:
      return 0;  // kWarpSync, kElect
  }
}

}  // namespace

bool is_collective(Opcode opcode) {
  switch (opcode) {
    case Opcode::kShuffle:
    case Opcode::kVote:
    case Opcode::kMatch:
    case Opcode::kRedux:
    case Opcode::kElect:
    case Opcode::kWarpSync:
      return true;
    default:
      return is_matrix(opcode);
  }
}

bool is_matrix(Opcode opcode) {
  return opcode == Opcode::kMma || opcode == Opcode::kMatrixLoad ||
         opcode == Opcode::kMatrixStore || opcode == Opcode::kMatrixTranspose;
}

Lane Collectives::operand(Warp& warp, const CodeInst& inst, unsigned index, unsigned lane) {
  const ir::ValueId value = inst.inst->srcs[index];
  return env_.defined(warp.regs[value], lane, env_.code->function->values[value].bits);
}

uint32_t Collectives::active_lanes(const CodeInst& inst, Warp& warp, const Strand& strand) {
  if (strand.path != nullptr) {
    throw_unsupported(env_.context.reporter.site(inst.site),
                      "a warp operation inside a branch that depends on data");
  }
  const Active active = env_.active(inst, warp, strand);
  if (!active.conditional) return active.mask;
  uint32_t lanes = 0;
  for_each_lane(active.mask, [&](unsigned lane) {
    const TermId condition = active.own[lane];
    if (condition == env_.always() || env_.worlds.decide(condition)) lanes |= 1u << lane;
  });
  return lanes;
}

uint32_t Collectives::member_mask(const CodeInst& inst, Warp& warp, unsigned lane) {
  if (is_matrix(inst.opcode)) return kAllLanes;
  const ir::ValueId source = inst.inst->srcs[mask_index(inst.opcode)];
  const unsigned bits = env_.code->function->values[source].bits;
  const Lane value = env_.defined(warp.regs[source], lane, bits);
  if (value.is_term() && !env_.values.known(value, bits)) {
    const TermId roots[] = {value.term()};
    for (const TermId id : term::cone(env_.arena(), roots)) {
      if (env_.arena().kind(id) != op::Kind::kFresh) continue;
      throw base::LimitReached(
          "schedule-input",
          fmt::format("the member mask of {} is what activemask gives, or another value that only "
                      "the schedule decides",
                      source_name(*env_.code->function, *inst.inst)));
    }
  }
  return static_cast<uint32_t>(env_.concrete_operand(warp, inst, source, lane, "a member mask"));
}

bool Collectives::arrive(const CodeInst& inst, Warp& warp, Strand& strand) {
  const uint32_t lanes = active_lanes(inst, warp, strand);
  if (lanes == 0) return true;
  const uint32_t skipping = strand.mask & ~lanes;
  Members members{};
  uint32_t rest = lanes;
  bool complete = true;
  const bool one_mask =
      is_matrix(inst.opcode) || warp.regs[inst.inst->srcs[mask_index(inst.opcode)]].uniform;
  while (rest != 0) {  // one group for each value of the mask
    const unsigned leader = first_lane(rest);
    const uint32_t mask = member_mask(inst, warp, leader);
    uint32_t group = rest;
    if (!one_mask) {
      group = 0;
      for_each_lane(rest, [&](unsigned lane) {
        if (member_mask(inst, warp, lane) == mask) group |= 1u << lane;
      });
    }
    rest &= ~group;
    if ((group & ~mask) != 0) {
      const unsigned lane = first_lane(group & ~mask);
      env_.fault(Category::kShuffleMask, Fault::Strength::kCertain, env_.always(),
                 fmt::format("thread {} executes a warp operation whose member mask {:#010x} does "
                             "not name it",
                             warp.thread(lane), mask),
                 {env_.access(inst.site, warp.thread(lane), false)});
    }
    const uint32_t missing = mask & warp.live & ~group;
    if ((missing & skipping) != 0) {
      const unsigned lane = first_lane(missing & skipping);
      env_.fault(Category::kShuffleMask, Fault::Strength::kCertain, env_.always(),
                 fmt::format("the member mask {:#010x} names thread {}, which does not execute the "
                             "operation",
                             mask, warp.thread(lane)),
                 {env_.access(inst.site, warp.thread(leader), false)});
    }
    if ((missing & ~skipping) != 0) {
      complete = false;
      break;
    }
  }
  if (!complete) {
    strand.wait = Wait::kCollective;
    return false;
  }
  for (rest = lanes; rest != 0;) {
    const uint32_t mask = member_mask(inst, warp, first_lane(rest));
    uint32_t group = 0;
    for_each_lane(rest, [&](unsigned lane) {
      if (one_mask || member_mask(inst, warp, lane) == mask) group |= 1u << lane;
    });
    rest &= ~group;
    for_each_lane(group, [&](unsigned lane) { members[lane] = &inst; });
    execute(warp, members, group, mask);
  }
  return true;
}

bool Collectives::resolve(Warp& warp) {
  // Lanes may stand at different instructions of the same kind with the same mask (PTX 9.7.9.6).
  for (const auto& first : warp.strands) {
    if (first->wait != Wait::kCollective || first->done) continue;
    const CodeInst& inst = env_.code->insts[first->pc];
    const uint32_t mask = member_mask(inst, warp, first_lane(first->mask));
    Members members{};
    uint32_t lanes = 0;
    std::vector<Strand*> strands;
    for (const auto& other : warp.strands) {
      if (other->wait != Wait::kCollective || other->done) continue;
      const CodeInst& its = env_.code->insts[other->pc];
      if (its.opcode != inst.opcode || its.inst->detail.index() != inst.inst->detail.index())
        continue;
      if (is_matrix(inst.opcode) && &its != &inst) continue;
      const uint32_t active = active_lanes(its, warp, *other);
      if (active == 0 || member_mask(its, warp, first_lane(active)) != mask) continue;
      for_each_lane(active, [&](unsigned lane) { members[lane] = &its; });
      lanes |= active;
      strands.push_back(other.get());
    }
    if (lanes == 0 || (mask & warp.live & ~lanes) != 0) continue;
    execute(warp, members, lanes, mask);
    for (Strand* strand : strands) {
      strand->wait = Wait::kNone;
      ++strand->pc;
    }
    return true;
  }
  return false;
}

void Collectives::report_stuck(Warp& warp, const Strand& strand) {
  const CodeInst& inst = env_.code->insts[strand.pc];
  const unsigned leader = first_lane(strand.mask);
  const uint32_t mask = member_mask(inst, warp, leader);
  const uint32_t missing = mask & warp.live & ~strand.mask;
  std::vector<Fault::Access> accesses{env_.access(inst.site, warp.thread(leader), false)};
  std::string other = "another lane";
  if (missing != 0) {
    const unsigned lane = first_lane(missing);
    other = fmt::format("thread {}", warp.thread(lane));
    for (const auto& s : warp.strands) {
      if (s.get() == &strand || s->done || (s->mask >> lane & 1) == 0) continue;
      accesses.push_back(env_.access(env_.code->insts[s->pc].site, warp.thread(lane), false));
    }
  }
  env_.fault(Category::kShuffleMask, Fault::Strength::kCertain, env_.always(),
             fmt::format("thread {} waits in a warp operation for {}, which is named by the member "
                         "mask {:#010x} and never gets there",
                         warp.thread(leader), other, mask),
             std::move(accesses));
}

void Collectives::execute(Warp& warp, const Members& members, uint32_t lanes, uint32_t mask) {
  const CodeInst& inst = *members[first_lane(lanes)];
  env_.values.at(inst.site);
  if (is_matrix(inst.opcode)) return matrix(inst, warp, lanes);  // orders no memory
  env_.order.warp_sync(warp.index, mask & lanes, warp.live, inst.opcode == Opcode::kWarpSync);
  switch (inst.opcode) {
    case Opcode::kShuffle:
      shuffle(warp, members, lanes, mask);
      break;
    case Opcode::kVote:
      vote(warp, members, lanes);
      break;
    case Opcode::kMatch:
      match(warp, members, lanes);
      break;
    case Opcode::kRedux:
      redux(warp, members, lanes);
      break;
    case Opcode::kElect:
      elect(warp, members, lanes);
      break;
    default:
      break;  // kWarpSync only orders
  }
}

void Collectives::set(Warp& warp, const Members& members, uint32_t lanes, size_t dest,
                      const std::array<Lane, kWarpSize>& values) {
  const CodeInst& first = *members[first_lane(lanes)];
  bool together = lanes == warp.live;
  bool same = together;
  for_each_lane(lanes, [&](unsigned lane) {
    together = together && members[lane] == &first;
    same = same && values[lane] == values[first_lane(lanes)];
  });
  if (together && first.inst->dests.size() > dest && first.inst->dests[dest] != ir::kNone) {
    Register& reg = warp.regs[first.inst->dests[dest]];
    if (same) {
      reg.set_uniform(values[first_lane(lanes)]);
      return;
    }
    reg.open(kAllLanes, kAllLanes);
    for_each_lane(lanes, [&](unsigned lane) { reg.set(lane, values[lane]); });
    return;
  }
  for_each_lane(lanes, [&](unsigned lane) {
    const auto& dests = members[lane]->inst->dests;
    if (dests.size() <= dest || dests[dest] == ir::kNone) return;
    Register& reg = warp.regs[dests[dest]];
    reg.spread();
    reg.set(lane, values[lane]);
  });
}

// PTX 9.7.9.6, shfl.sync: which lane is read, and whether it is within the segment.
Lane Collectives::shuffled(Warp& warp, const Members& members, uint32_t lanes, uint32_t mask,
                           unsigned lane, unsigned b, unsigned c, bool& in_range) {
  const unsigned segment = c >> 8 & 31, clamp = c & 31;
  const unsigned max_lane = (lane & segment) | (clamp & ~segment & 31);
  const unsigned min_lane = lane & segment;
  int source = 0;
  using Mode = ir::Shuffle::Mode;
  switch (std::get<ir::Shuffle>(members[lane]->inst->detail).mode) {
    case Mode::kUp:
      source = static_cast<int>(lane) - static_cast<int>(b);
      in_range = source >= static_cast<int>(max_lane);
      break;
    case Mode::kDown:
      source = static_cast<int>(lane + b);
      in_range = source <= static_cast<int>(max_lane);
      break;
    case Mode::kBfly:
      source = static_cast<int>(lane ^ b);
      in_range = source <= static_cast<int>(max_lane);
      break;
    case Mode::kIdx:
      source = static_cast<int>(min_lane | (b & ~segment & 31));
      in_range = source <= static_cast<int>(max_lane);
      break;
  }
  const unsigned from = in_range ? static_cast<unsigned>(source) : lane;
  if ((lanes & mask) >> from & 1) return operand(warp, *members[from], 0, from);
  // PTX 9.7.9.6: unpredictable. A fault only where the value matters, which the check finds out.
  const std::string_view why = (warp.exists >> from & 1) == 0 ? "which does not exist"
                               : (warp.live >> from & 1) == 0 ? "which has ended"
                               : (lanes >> from & 1) != 0 ? "which the member mask does not name"
                                                          : "which takes no part";
  const std::string message = fmt::format("thread {} reads lane {}, {}: the value is undefined",
                                          warp.thread(lane), from, why);
  const SiteId site = members[lane]->site;
  env_.context.reporter.note("shuffle-inactive", message, site);
  return Lane::of_term(
      env_.context.reporter.lane_poison(message, site, env_.thread_ref(warp.thread(lane))));
}

void Collectives::shuffle(Warp& warp, const Members& members, uint32_t lanes, uint32_t mask) {
  std::array<Lane, kWarpSize> values, in_segment;
  for_each_lane(lanes, [&](unsigned lane) {
    const CodeInst& inst = *members[lane];
    const auto c = static_cast<unsigned>(
        env_.concrete_operand(warp, inst, inst.inst->srcs[2], lane, "a shuffle's segment"));
    const Lane b = operand(warp, inst, 1, lane);
    bool in_range = false;
    if (const auto known = env_.values.known(b, 32)) {
      values[lane] = shuffled(warp, members, lanes, mask, lane, static_cast<unsigned>(*known & 31),
                              c, in_range);
      in_segment[lane] = Lane::of_bits(in_range);
      return;
    }
    // The source lane depends on data: a select over all of them.
    term::Arena& arena = env_.arena();
    const TermId index =
        arena.make(word(op::Kind::kAnd), env_.values.term(b, 32), arena.constant(32, 31));
    for (unsigned i = kWarpSize; i-- > 0;) {
      const Lane value = shuffled(warp, members, lanes, mask, lane, i, c, in_range);
      const Lane inside = Lane::of_bits(in_range);
      if (i + 1 == kWarpSize) {
        values[lane] = value;
        in_segment[lane] = inside;
        continue;
      }
      const TermId here = arena.equal(index, arena.constant(32, i));
      values[lane] = env_.values.select(here, value, values[lane], 32);
      in_segment[lane] = env_.values.select(here, inside, in_segment[lane], 1);
    }
  });
  set(warp, members, lanes, 0, values);
  set(warp, members, lanes, 1, in_segment);
}

void Collectives::vote(Warp& warp, const Members& members, uint32_t lanes) {
  term::Arena& arena = env_.arena();
  const CodeInst& first = *members[first_lane(lanes)];
  const auto& detail = std::get<ir::Vote>(first.inst->detail);
  uint32_t ones = 0, terms = 0;
  std::array<TermId, kWarpSize> term{};
  for_each_lane(lanes, [&](unsigned lane) {
    const Lane value = operand(warp, *members[lane], 0, lane);
    if (const auto known = env_.values.known(value, 1)) {
      if (((*known & 1) != 0) != detail.negate) ones |= 1u << lane;
      return;
    }
    terms |= 1u << lane;
    term[lane] = detail.negate ? arena.logic_not(value.term()) : value.term();
  });
  using Mode = ir::Vote::Mode;
  const uint32_t zeros = lanes & ~ones & ~terms;
  TermId result = kNoTerm;
  const auto all = [&] {
    TermId value = env_.values.truth(zeros == 0);
    for_each_lane(terms, [&](unsigned lane) { value = arena.logic_and(value, term[lane]); });
    return value;
  };
  const auto any = [&] {
    TermId value = env_.values.truth(ones != 0);
    for_each_lane(terms, [&](unsigned lane) { value = arena.logic_or(value, term[lane]); });
    return value;
  };
  switch (detail.mode) {
    case Mode::kAll:
      result = all();
      break;
    case Mode::kAny:
      result = any();
      break;
    case Mode::kUni:
      result = arena.logic_or(all(), arena.logic_not(any()));
      break;
    case Mode::kBallot:
      result = arena.constant(32, ones);
      for_each_lane(terms, [&](unsigned lane) {
        const TermId bit =
            arena.make(word(op::Kind::kShl), arena.zext(term[lane], 32), arena.constant(32, lane));
        result = arena.make(word(op::Kind::kOr), result, bit);
      });
      break;
  }
  std::array<Lane, kWarpSize> values;
  values.fill(env_.values.lane(result));
  set(warp, members, lanes, 0, values);
}

void Collectives::match(Warp& warp, const Members& members, uint32_t lanes) {
  const bool all = std::get<ir::Match>(members[first_lane(lanes)]->inst->detail).all;
  std::array<uint64_t, kWarpSize> bits{};
  bool known = true;
  for_each_lane(lanes, [&](unsigned lane) {
    const ir::ValueId value = members[lane]->inst->srcs[0];
    const unsigned width = env_.code->function->values[value].bits;
    const auto here = env_.values.known(env_.defined(warp.regs[value], lane, width), width);
    known = known && here;
    bits[lane] = here.value_or(0);
  });
  if (!known) return match_terms(warp, members, lanes, all);
  std::array<Lane, kWarpSize> values, equal;
  bool same = true;
  for_each_lane(lanes,
                [&](unsigned lane) { same = same && bits[lane] == bits[first_lane(lanes)]; });
  for_each_lane(lanes, [&](unsigned lane) {
    uint32_t mask = 0;
    for_each_lane(lanes, [&](unsigned other) {
      if (bits[other] == bits[lane]) mask |= 1u << other;
    });
    values[lane] = Lane::of_bits(all ? (same ? lanes : 0) : mask);
    equal[lane] = Lane::of_bits(same);
  });
  set(warp, members, lanes, 0, values);
  set(warp, members, lanes, 1, equal);
}

// Values that depend on data: every pair of lanes is compared.
void Collectives::match_terms(Warp& warp, const Members& members, uint32_t lanes, bool all) {
  term::Arena& arena = env_.arena();
  std::array<TermId, kWarpSize> value{};
  for_each_lane(lanes, [&](unsigned lane) {
    const ir::ValueId source = members[lane]->inst->srcs[0];
    const unsigned width = env_.code->function->values[source].bits;
    value[lane] = env_.values.term(env_.defined(warp.regs[source], lane, width), width);
  });
  std::array<Lane, kWarpSize> values, equal;
  if (all) {
    TermId same = env_.values.truth(true);
    const TermId first = value[first_lane(lanes)];
    for_each_lane(lanes, [&](unsigned lane) {
      same = arena.logic_and(same, arena.equal(first, value[lane]));
    });
    values.fill(env_.values.select(same, Lane::of_bits(lanes), Lane::of_bits(0), 32));
    equal.fill(env_.values.lane(same));
  } else {
    for_each_lane(lanes, [&](unsigned lane) {
      TermId mask = arena.constant(32, 0);
      for_each_lane(lanes, [&](unsigned other) {
        const TermId same = arena.equal(value[lane], value[other]);
        const TermId bit =
            arena.select(same, arena.constant(32, uint64_t{1} << other), arena.constant(32, 0));
        mask = arena.make(word(op::Kind::kOr), mask, bit);
      });
      values[lane] = env_.values.lane(mask);
    });
  }
  set(warp, members, lanes, 0, values);
  if (all) set(warp, members, lanes, 1, equal);
}

void Collectives::redux(Warp& warp, const Members& members, uint32_t lanes) {
  const op::Op op = std::get<ir::Redux>(members[first_lane(lanes)]->inst->detail).op;
  Lane sum;
  bool first = true;
  for_each_lane(lanes, [&](unsigned lane) {
    const Lane value = operand(warp, *members[lane], 0, lane);
    sum = first ? value : env_.values.apply(op, {sum, value, {}, {32, 32, 0}, 0});
    first = false;
  });
  std::array<Lane, kWarpSize> values;
  values.fill(sum);
  set(warp, members, lanes, 0, values);
}

void Collectives::elect(Warp& warp, const Members& members, uint32_t lanes) {
  const unsigned leader = first_lane(lanes);
  env_.context.reporter.note("elect", "elect.sync is taken to choose the lowest lane",
                             members[leader]->site);
  std::array<Lane, kWarpSize> index, chosen;
  index.fill(Lane::of_bits(leader));
  chosen.fill(Lane::of_bits(0));
  chosen[leader] = Lane::of_bits(1);
  set(warp, members, lanes, 0, index);
  set(warp, members, lanes, 1, chosen);
}

void Collectives::matrix(const CodeInst& inst, Warp& warp, uint32_t lanes) {
  if (warp.live != kAllLanes) {
    throw_unsupported(env_.context.reporter.site(inst.site),
                      "an operation on matrices by a warp with fewer than 32 threads");
  }
  if (lanes != kAllLanes) {  // reported: some threads skip it
    for (const ir::ValueId dest : inst.inst->dests) {
      if (dest == ir::kNone) continue;
      Register undefined;
      undefined.set_uniform(Lane::undefined());
      warp.regs[dest].copy(undefined, lanes, warp.live);
    }
    return;
  }
  switch (inst.opcode) {
    case Opcode::kMma:
      return products_.execute(inst, warp);
    case Opcode::kMatrixLoad:
      return moves_.load(inst, warp);
    case Opcode::kMatrixStore:
      return moves_.store(inst, warp);
    default:
      return moves_.transpose(inst, warp);
  }
}

// PTX 9.7.13.11: which lanes happen to be there is the schedule's choice. The executing lane is one
// of them, and no lane that has ended. Lanes need not agree: a proof holds for more than hardware
// does.
void Collectives::active_mask(const CodeInst& inst, Warp& warp, const Strand& strand) {
  const Active active = env_.active(inst, warp, strand);
  Register value;
  if (env_.context.limits.evaluate) {
    env_.context.reporter.note("schedule", "activemask depends on the schedule", inst.site);
    value.set_uniform(Lane::of_bits(active.mask));
    warp.regs[inst.dest].copy(value, active.mask, warp.live);
    return;
  }
  term::Arena& arena = env_.arena();
  value.uniform = false;
  for_each_lane(strand.mask, [&](unsigned lane) {
    const uint32_t own = 1u << lane;
    if (warp.live == own) return value.set(lane, Lane::of_bits(own));
    const TermId others = env_.context.reporter.schedule_mask(
        active.mask & ~own,
        fmt::format("what activemask gives thread {}, beside the thread", warp.thread(lane)),
        inst.site);
    const TermId there =
        arena.make(word(op::Kind::kAnd), others, arena.constant(32, warp.live & ~own));
    value.set(lane,
              env_.values.lane(arena.make(word(op::Kind::kOr), there, arena.constant(32, own))));
  });
  warp.regs[inst.dest].copy(value, strand.mask, warp.live);
}

}  // namespace ptxequiv::machine
