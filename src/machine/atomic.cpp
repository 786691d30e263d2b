#include "machine/atomic.h"

#include <algorithm>

#include "base/error.h"
#include "machine/tickets.h"

namespace ptxequiv::machine {

using op::Kind;
using op::Type;
using Rmw = ir::Atomic::Rmw;

namespace {

// The operations that are one scalar operation, by the kind of their type. kConst: there is none.
struct RmwRow {
  Rmw rmw;
  Kind as_unsigned, as_signed, as_float;
  bool commutes;  // whatever the order, the same is left: for floats up to rounding
};
constexpr RmwRow kRows[] = {
    {Rmw::kAdd, Kind::kAdd, Kind::kAdd, Kind::kFAdd, true},
    {Rmw::kMin, Kind::kMinU, Kind::kMinS, Kind::kFMin, true},
    {Rmw::kMax, Kind::kMaxU, Kind::kMaxS, Kind::kFMax, true},
    {Rmw::kInc, Kind::kConst, Kind::kConst, Kind::kConst, false},
    {Rmw::kDec, Kind::kConst, Kind::kConst, Kind::kConst, false},
    {Rmw::kAnd, Kind::kAnd, Kind::kAnd, Kind::kConst, true},
    {Rmw::kOr, Kind::kOr, Kind::kOr, Kind::kConst, true},
    {Rmw::kXor, Kind::kXor, Kind::kXor, Kind::kConst, true},
    {Rmw::kExch, Kind::kConst, Kind::kConst, Kind::kConst, false},
    {Rmw::kCas, Kind::kConst, Kind::kConst, Kind::kConst, false},
};

const RmwRow& row_of(Rmw rmw) {
  const RmwRow& row = kRows[static_cast<size_t>(rmw)];
  PTXEQUIV_CHECK(row.rmw == rmw, "the table of atomic operations is in order");
  return row;
}

op::Op operation(const ir::Atomic& atomic, bool is_global) {
  const RmwRow& row = row_of(atomic.rmw);
  const Type type = atomic.access.type;
  if (op::is_float(type)) {
    op::Op op{.kind = row.as_float, .type = type};
    if (op.kind == Kind::kFAdd) {
      op.rounding = op::Rounding::kRn;
      // Found on hardware: additions in global memory flush, in shared memory they do not.
      op.ftz = type == Type::kF32 && is_global;
    }
    return op;
  }
  return op::Op{.kind = op::is_signed(type) ? row.as_signed : row.as_unsigned,
                .type = op::bits_type(op::bits(type))};
}

// The operand that leaves every value as it is.
std::optional<uint64_t> identity(op::Op op) {
  if (op.kind == Kind::kConst) return std::nullopt;
  const unsigned width = op::bits(op.type);
  const uint64_t top = uint64_t{1} << (width - 1);
  switch (op.kind) {
    case Kind::kAdd:
    case Kind::kOr:
    case Kind::kXor:
    case Kind::kMaxU:
      return 0;
    case Kind::kAnd:
    case Kind::kMinU:
      return op::mask(width);
    case Kind::kMinS:
      return top - 1;
    case Kind::kMaxS:
      return top;
    default:
      return std::nullopt;
  }
}

}  // namespace

Atomics::Atomics(Env& env, Accesses& accesses) : env_(env), accesses_(accesses) {}

Accesses::Request Atomics::request_for(const CodeInst& inst, unsigned warp) const {
  const auto& access = std::get<ir::Atomic>(inst.inst->detail).access;
  Accesses::Request request;
  request.inst = &inst;
  request.warp = warp;
  request.size = std::min(op::bits(access.type) / 8, 8u);
  request.count = op::bits(access.type) / 8 * access.count / request.size;
  request.space = access.space;
  request.flags = kAccessAtomic | kAccessStrong;
  if (inst.spins) request.flags |= kAccessSpin;
  return request;
}

AtomicKind Atomics::kind_of(const CodeInst& inst) const {
  const auto& atomic = std::get<ir::Atomic>(inst.inst->detail);
  const RmwRow& row = row_of(atomic.rmw);
  const bool is_float = op::is_float(atomic.access.type);
  const op::Op op = operation(atomic, false);
  AtomicKind kind;
  kind.operation = static_cast<uint16_t>(static_cast<unsigned>(atomic.rmw) << 8 |
                                         static_cast<unsigned>(op.type));
  if (op.kind == Kind::kMinS || op.kind == Kind::kMaxS) kind.operation |= 0x80;
  kind.commutes = row.commutes;
  kind.rounds = is_float && atomic.rmw == Rmw::kAdd;
  // Without a cluster launch, a cluster is one CTA.
  kind.narrow = atomic.access.scope == "cta" || atomic.access.scope == "cluster";
  for (const ir::ValueId dest : inst.inst->dests) {
    kind.used = kind.used || (dest != ir::kNone && env_.code->used[dest]);
  }
  return kind;
}

Atomics::Operands Atomics::operands(const CodeInst& inst, Warp& warp, unsigned lane,
                                    const Accesses::Request& request) {
  Operands result;
  const std::vector<ir::ValueId>& srcs = inst.inst->srcs;
  for (size_t i = 1; i < srcs.size(); ++i) {
    const size_t part = (i - 1) % request.count;
    Lane& operand = i > request.count ? result.c[part] : result.b[part];
    operand = env_.defined(warp.regs[srcs[i]], lane, env_.code->function->values[srcs[i]].bits);
  }
  return result;
}

// Is a lane's arrival the last one in this run, and others are still to come?
bool Atomics::must_wait(const CodeInst& inst, Warp& warp, const Active& active) {
  if (env_.tickets == nullptr) return false;
  const unsigned size = op::bits(std::get<ir::Atomic>(inst.inst->detail).access.type) / 8;
  std::vector<std::pair<StrongWrites::Key, unsigned>> arrivals;
  for_each_lane(active.mask, [&](unsigned lane) {
    const Lane where = env_.defined(warp.regs[inst.src[0]], lane, inst.src_bits[0]);
    const auto at = accesses_.plain(where, inst.src_bits[0]);
    if (!at || at->offset + inst.immediate < 0) return;
    const Region& region = env_.memory.region(at->provenance);
    const auto offset = static_cast<uint64_t>(at->offset + inst.immediate);
    if (offset + size <= region.bytes) {
      arrivals.emplace_back(env_.strong_key(region, offset), warp.thread(lane));
    }
  });
  return env_.tickets->must_wait(arrivals);
}

Atomics::Result Atomics::execute(const CodeInst& inst, Warp& warp, const Strand& strand) {
  const Active active = env_.active(inst, warp, strand);
  if (active.mask == 0) return Result::kChanged;
  if (must_wait(inst, warp, active)) return Result::kWait;
  Accesses::Request request = request_for(inst, warp.index);
  PTXEQUIV_CHECK(request.count <= kMaxParts, "at most eight parts");
  const AtomicKind kind = kind_of(inst);
  Register& address = warp.regs[inst.src[0]];
  const unsigned width = inst.src_bits[0];
  bool changed = false;
  const auto one_lane = [&](unsigned lane) {
    request.lanes = 1u << lane;
    request.guard = env_.guard(active, lane);
    const Operands in = operands(inst, warp, lane, request);
    Lane old[kMaxParts];
    for (Lane& part : old) part = Lane::undefined();
    const Lane where = env_.defined(address, lane, width);
    if (const auto at = accesses_.plain(where, width)) {
      const Pointer place{at->provenance, at->offset + inst.immediate};
      if (accesses_.check(request, place, true)) {
        changed = update(request, kind, place, in, old) || changed;
      }
    } else if (const TermId term = env_.values.term(where, width);
               !accesses_.nowhere(request, term, true)) {
      for (const Place& place :
           accesses_.places(request, strand.path.get(), term, width, inst.immediate, true)) {
        env_.context.deadline.poll();
        Accesses::Request one = request;
        if (place.condition != kNoTerm) {
          one.guard = env_.arena().logic_and(request.guard, place.condition);
        }
        Lane here[kMaxParts];
        changed = update(one, kind, place.pointer, in, here) || changed;
        for (unsigned i = 0; kind.used && i < request.count; ++i) {
          const bool first = old[i].kind == LaneKind::kUndefined || place.condition == kNoTerm;
          old[i] = first ? here[i]
                         : env_.values.select(place.condition, here[i], old[i], request.size * 8);
        }
      }
    }
    if (!kind.used) return;
    for (unsigned i = 0; i < request.count; ++i) {
      const ir::ValueId dest = inst.inst->dests[i];
      if (dest == ir::kNone) continue;
      Register& reg = warp.regs[dest];
      reg.spread();
      reg.set(lane, strand.path == nullptr ? old[i] : env_.under(old[i], strand.path.get(), lane));
    }
  };
  if (env_.context.limits.schedule != Schedule::kBackward) {
    for_each_lane(active.mask, one_lane);
  } else {
    for (uint32_t rest = active.mask; rest != 0;) {
      const auto lane = static_cast<unsigned>(std::bit_width(rest)) - 1;
      rest &= ~(1u << lane);
      one_lane(lane);
    }
  }
  return changed ? Result::kChanged : Result::kSame;
}

bool Atomics::update(const Accesses::Request& request, const AtomicKind& kind, Pointer at,
                     const Operands& operands, Lane* old) {
  const auto& atomic = std::get<ir::Atomic>(request.inst->inst->detail);
  const SiteId site = request.inst->site;
  Region& region = env_.memory.region(at.provenance);
  const bool shared = region.space == ptx::Space::kShared;
  if (!shared && region.space != ptx::Space::kGlobal) {
    throw_unsupported(env_.context.reporter.site(site), "atomic operations on " + region.name);
  }
  const auto start = static_cast<uint64_t>(at.offset);
  for (unsigned i = 0; i < request.count; ++i) {
    old[i] = env_.memory.read(region, 0, start + i * request.size, request.size);
    if (old[i].kind == LaneKind::kUndefined) {
      old[i] = Lane::of_term(env_.arena().poison(request.size * 8));
    }
  }
  if (request.inst->spins) {  // it only looks
    accesses_.strong_read(request, region, start, atomic.access);
    accesses_.track(request, region, start, request.size, false, nullptr);
    return false;
  }
  Lane now[kMaxParts], before[kMaxParts];
  std::copy(old, old + request.count, before);
  combine(atomic, !shared, request.count, before, operands, now);
  bool changed = false;
  for (unsigned i = 0; i < request.count; ++i) {
    const uint64_t offset = start + i * request.size;
    accesses_.before_write(request, region, offset, now[i]);
    AtomicKind here = kind;
    if (!kind.commutes) {  // with the same operands it is the same function, whoever applies it
      here.commutes = true;
      here.b = env_.values.term(operands.b[i], request.size * 8);
      if (atomic.rmw == Rmw::kCas) here.c = env_.values.term(operands.c[i], request.size * 8);
    }
    bool learns = kind.used, last = false;
    if (env_.tickets != nullptr) {
      const Tickets::Draw draw{env_.strong_key(region, offset),
                               request.size,
                               atomic.rmw,
                               atomic.access.type,
                               operands.b[i],
                               before[i],
                               request.thread(),
                               request.guard != env_.always(),
                               site};
      if (const auto drawn = env_.tickets->draw(draw)) {
        old[i] = drawn->value;
        learns = last = drawn->last;
        here.used = false;
      }
    }
    if (env_.code->follows) {
      const Accesses::Rmw rmw{here.operation, operands.b[i]};
      if (learns) {
        accesses_.strong_read(request, region, offset, atomic.access, last ? &rmw : nullptr);
      }
      accesses_.strong_write(request, region, offset, atomic.access, before[i], now[i], &rmw);
    }
    if (accesses_.track_atomic(request, region, offset, here)) {
      env_.context.reporter.unordered_sum(env_.values.term(now[i], request.size * 8));
    }
    changed = changed || !(now[i] == before[i]);
    TermId guard = request.guard;
    if (guard != env_.always()) {
      if (const auto whole = conditional(request, region, offset, before[i], operands.b[i])) {
        now[i] = *whole;
        guard = env_.always();
      }
    }
    env_.memory.write(region, 0, offset, request.size, now[i], guard, site);
  }
  return changed;
}

std::optional<Lane> Atomics::conditional(const Accesses::Request& request, Region& region,
                                         uint64_t offset, const Lane& old, const Lane& b) {
  const auto& atomic = std::get<ir::Atomic>(request.inst->inst->detail);
  const op::Op op = operation(atomic, false);
  const auto neutral = identity(op);
  // What was never written stays so where the condition is false: the cell keeps the condition.
  if (!neutral || region.input_only || !env_.memory.always_defined(region, offset, request.size)) {
    return std::nullopt;
  }
  const unsigned width = request.size * 8;
  return env_.values.binary(op, old,
                            env_.values.select(request.guard, b, Lane::of_bits(*neutral), width));
}

void Atomics::combine(const ir::Atomic& atomic, bool is_global, unsigned parts, const Lane* old,
                      const Operands& in, Lane* out) {
  if (atomic.rmw != Rmw::kCas) {
    for (unsigned i = 0; i < parts; ++i) {
      out[i] = combine_one(atomic, is_global, old[i], in.b[i]);
    }
    return;
  }
  // The parts of a 128-bit value are compared, and exchanged, as one.
  const unsigned width = std::min<unsigned>(op::bits(atomic.access.type), 64);
  const Type type = op::bits_type(width);
  Lane equal = Lane::of_bits(1);
  for (unsigned i = 0; i < parts; ++i) {
    const Lane here = env_.values.binary(Kind::kEq, type, old[i], in.b[i]);
    equal = env_.values.apply(op::Op{.kind = Kind::kAnd, .type = Type::kPred},
                              {equal, here, {}, {1, 1, 0}, 0});
  }
  for (unsigned i = 0; i < parts; ++i) {
    out[i] = env_.values.select(env_.values.term(equal, 1), in.c[i], old[i], width);
  }
}

Lane Atomics::combine_one(const ir::Atomic& atomic, bool is_global, const Lane& old,
                          const Lane& b) {
  const Type type = op::bits_type(std::min<unsigned>(op::bits(atomic.access.type), 64));
  const unsigned width = op::bits(type);
  const auto compare = [&](Kind kind, const Lane& x, const Lane& y) {
    return env_.values.term(env_.values.binary(kind, type, x, y), 1);
  };
  const Lane zero = Lane::of_bits(0), one = Lane::of_bits(1);
  switch (atomic.rmw) {
    case Rmw::kExch:
      return b;
    case Rmw::kInc:  // old >= b ? 0 : old + 1
      return env_.values.select(compare(Kind::kLtU, old, b),
                                env_.values.binary(Kind::kAdd, type, old, one), zero, width);
    case Rmw::kDec: {  // old == 0 || old > b ? b : old - 1
      const Lane less = env_.values.binary(Kind::kSub, type, old, one);
      const Lane kept = env_.values.select(compare(Kind::kLtU, b, old), b, less, width);
      return env_.values.select(compare(Kind::kEq, old, zero), b, kept, width);
    }
    default:
      break;
  }
  op::Op op = operation(atomic, is_global);
  // Its place among the others is not known: run/enclosure.h bounds the sum in any order.
  if (op.kind == Kind::kFAdd && env_.context.limits.keep_approximate) {
    op.rounding = op::Rounding::kApprox;
    return env_.values.binary(op, old, b);
  }
  if (op.kind == Kind::kFAdd && op.type == Type::kF64 && old.is_bits() && b.is_bits()) {
    // Found on hardware: in global memory a NaN operand is left as it is, in shared memory the
    // memory's comes first and is quieted.
    const auto is_nan = [](uint64_t bits) { return bits << 1 > uint64_t{0xffe} << 52; };
    if (is_global && is_nan(b.bits)) return b;
    if (is_global && is_nan(old.bits)) return old;
    return env_.values.binary(op, b, old);
  }
  return env_.values.binary(op, old, b);
}

}  // namespace ptxequiv::machine
