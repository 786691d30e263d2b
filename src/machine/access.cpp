#include "machine/access.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "machine/async_copy.h"

namespace ptxequiv::machine {
namespace {

// While it lives, accesses of one place come after the strong writes that they have seen there.
class SeenWrites : public Coherence {
 public:
  SeenWrites(Env& env, const Region& region, uint64_t offset) : env_(env) {
    if (!env.code->follows) return;
    place_ = env.strong.find(env.strong_key(region, offset));
    if (place_ != nullptr) env.order.set_coherence(this);
  }
  ~SeenWrites() override {
    if (place_ != nullptr) env_.order.set_coherence(nullptr);
  }
  SeenWrites(const SeenWrites&) = delete;
  SeenWrites& operator=(const SeenWrites&) = delete;
  bool after(const Stamp& write, unsigned thread, bool always) const override {
    return env_.strong.after(*place_, write, thread, always);
  }

 private:
  Env& env_;
  StrongWrites::Place* place_ = nullptr;
};

constexpr auto kCertain = Fault::Strength::kCertain;
constexpr auto kPossible = Fault::Strength::kPossible;

std::string_view space_name(ptx::Space space) {
  switch (space) {
    case ptx::Space::kGlobal:
      return "global";
    case ptx::Space::kShared:
      return "shared";
    case ptx::Space::kLocal:
      return "local";
    case ptx::Space::kConst:
      return "const";
    case ptx::Space::kParam:
      return "param";
    default:
      return "other";
  }
}

}  // namespace

Accesses::Request Accesses::request_for(const CodeInst& inst, unsigned warp) const {
  const auto& access = std::get<ir::MemoryAccess>(inst.inst->detail);
  Request request;
  request.inst = &inst;
  request.warp = warp;
  request.size = op::bits(access.type) / 8;
  request.count = access.count;
  request.space = access.space;
  using Order = ir::MemoryAccess::Order;
  if (access.is_volatile) request.flags |= kAccessVolatile;
  if (access.order != Order::kWeak) request.flags |= kAccessStrong;
  if (access.non_coherent) request.flags |= kAccessNonCoherent;
  if (inst.spins) request.flags |= kAccessSpin;
  if (request.size == 0 || request.size > 8) {
    throw_unsupported(env_.context.reporter.site(inst.site), "accesses of this width");
  }
  return request;
}

bool Accesses::check(const Request& request, Pointer at, bool is_write) {
  const Region& region = env_.memory.region(at.provenance);
  const uint64_t total = uint64_t{request.size} * request.count;
  const auto here = [&] {
    return at.offset >= 0
               ? env_.memory.place(region, static_cast<uint64_t>(at.offset))
               : fmt::format("{} bytes before {}", -at.offset, env_.memory.place(region, 0));
  };
  const auto accesses = [&] {
    return std::vector{env_.access(request.inst->site, request.thread(), is_write)};
  };
  const char* verb = is_write ? "writes" : "reads";
  if (request.space != ptx::Space::kGeneric && request.space != region.space) {
    env_.fault(Category::kOutOfBounds, kCertain, request.guard,
               fmt::format("thread {} {} {} memory at an address in {} memory", request.thread(),
                           verb, space_name(request.space), space_name(region.space)),
               accesses(), here());
    return false;
  }
  if (at.offset < 0 || static_cast<uint64_t>(at.offset) + total > region.bytes) {
    env_.fault(Category::kOutOfBounds, kCertain, request.guard,
               fmt::format("thread {} {} {}, which has {} bytes", request.thread(), verb, here(),
                           region.bytes),
               accesses(), here());
    return false;
  }
  if (at.offset % static_cast<int64_t>(total) != 0) {
    env_.fault(Category::kMisaligned, kCertain, request.guard,
               fmt::format("thread {} {} {} bytes at {}, which is not a multiple of {}",
                           request.thread(), verb, total, here(), total),
               accesses(), here());
    return false;
  }
  if (region.align < total) {
    env_.fault(Category::kMisaligned, kPossible, request.guard,
               fmt::format("thread {} {} {} bytes at {}, but {} is aligned to {} only",
                           request.thread(), verb, total, here(), region.name, region.align),
               accesses(), here());
  }
  return true;
}

void Accesses::track(const Request& request, Region& region, uint64_t offset, unsigned bytes,
                     bool is_write, const Lane* value) {
  if (region.copies > 1 || region.read_only) return;
  if (region.space != ptx::Space::kShared && region.space != ptx::Space::kGlobal) return;
  if (!env_.context.limits.races) return;
  if (env_.order.has_acquired()) env_.context.deadline.poll();
  const unsigned thread = request.thread();
  if (async_ != nullptr) {
    async_->check_access(request.inst->site, thread, request.guard, region, offset, bytes,
                         is_write);
  }
  Paged<Shadow>& shadow = env_.memory.shadow(region);
  const SeenWrites seen(env_, region, offset);
  const uint8_t flags = request.flags | (region.space == ptx::Space::kShared ? kAccessShared : 0);
  const Stamp now = env_.order.stamp(thread, request.inst->site, env_.in_world(request.guard),
                                     request.size, flags);
  const uint64_t first = offset >> region.granule_log2;
  const uint64_t last = (offset + bytes - 1) >> region.granule_log2;
  for (uint64_t i = first; i <= last; ++i) {
    if (is_write) {
      using SameValue = HappensBefore::SameValue;
      SameValue same = SameValue::kNo;
      if (value != nullptr && env_.order.written_in_launch(shadow[i])) {
        if (env_.memory.holds(region, 0, offset, request.size, *value)) {
          same = SameValue::kNow;
        } else if (!region.partial.empty() &&
                   env_.memory.only_held(region, 0, offset, request.size, *value)) {
          same = SameValue::kAlways;
        }
      }
      bool only_same_value = false;
      report(env_.order.write(shadow[i], now, same, only_same_value), region,
             i << region.granule_log2);
      if (only_same_value) {
        env_.context.reporter.note("same-value-write",
                                   "threads that nothing orders write the same value to " +
                                       env_.memory.place(region, offset),
                                   request.inst->site);
      }
    } else {
      report(env_.order.read(shadow[i], request.lanes, now), region, i << region.granule_log2);
    }
  }
  if (env_.order.take_relied_on_shuffles()) {
    env_.context.reporter.note("warp-order",
                               "shuffles and votes are taken to order memory among their lanes",
                               request.inst->site);
  }
}

bool Accesses::track_atomic(const Request& request, Region& region, uint64_t offset,
                            const AtomicKind& kind) {
  if (!env_.context.limits.races) return false;
  if (async_ != nullptr) {
    async_->check_access(request.inst->site, request.thread(), request.guard, region, offset,
                         request.size, true);
  }
  Paged<Shadow>& shadow = env_.memory.shadow(region);
  const SeenWrites seen(env_, region, offset);
  const Stamp now = env_.order.stamp(request.thread(), request.inst->site,
                                     env_.in_world(request.guard), request.size, request.flags);
  const uint64_t first = offset >> region.granule_log2;
  const uint64_t last = (offset + request.size - 1) >> region.granule_log2;
  bool rounding = false;
  for (uint64_t i = first; i <= last; ++i) {
    const Conflicts& conflicts = env_.order.atomic(shadow[i], now, kind);
    rounding = rounding || std::any_of(conflicts.begin(), conflicts.end(), [](const Conflict& c) {
                 return c.kind == Conflict::Kind::kRounding;
               });
    report(conflicts, region, i << region.granule_log2);
  }
  return rounding;
}

void Accesses::before_write(const Request& request, Region& region, uint64_t offset,
                            const Lane& value) {
  const SiteId site = request.inst->site;
  if (region.read_only) {
    throw_unsupported(env_.context.reporter.site(site), "stores to " + region.name);
  }
  const uint32_t copy = region.copies > 1 ? request.thread() : 0;
  if (request.size < region.granule()) {
    env_.memory.refine(region, static_cast<unsigned>(std::countr_zero(request.size)));
  }
  if (region.input_only && !env_.memory.holds(region, copy, offset, request.size, value)) {
    env_.fault(Category::kInputModified, kCertain, request.guard,
               fmt::format("thread {} writes {}, an input", request.thread(),
                           env_.memory.place(region, offset)),
               {env_.access(site, request.thread(), true)}, env_.memory.place(region, offset));
  }
}

void Accesses::read(const Request& request, Pointer at, Lane* out) {
  if (!check(request, at, false)) {
    for (unsigned i = 0; i < request.count; ++i) {
      out[i] = Lane::of_term(env_.arena().poison(request.size * 8));
    }
    return;
  }
  read_initialised(request, at, out);
}

void Accesses::read_initialised(const Request& request, Pointer at, Lane* out) {
  Region& region = env_.memory.region(at.provenance);
  const uint32_t copy = region.copies > 1 ? request.thread() : 0;
  const auto offset = static_cast<uint64_t>(at.offset);
  for (unsigned i = 0; i < request.count; ++i) {
    out[i] = env_.memory.read(region, copy, offset + i * request.size, request.size);
  }
  if ((request.flags & (kAccessStrong | kAccessVolatile)) != 0 && env_.code->follows) {
    const auto& access = std::get<ir::MemoryAccess>(request.inst->inst->detail);
    for (unsigned i = 0; i < request.count; ++i) {
      strong_read(request, region, offset + i * request.size, access);
    }
  }
  track(request, region, offset, request.size * request.count, false, nullptr);
}

void Accesses::write(const Request& request, Pointer at, const Lane* values) {
  if (!check(request, at, true)) return;
  Region& region = env_.memory.region(at.provenance);
  const uint32_t copy = region.copies > 1 ? request.thread() : 0;
  for (unsigned i = 0; i < request.count; ++i) {
    const uint64_t offset = static_cast<uint64_t>(at.offset) + i * request.size;
    before_write(request, region, offset, values[i]);
    track(request, region, offset, request.size, true, &values[i]);
    if ((request.flags & (kAccessStrong | kAccessVolatile)) != 0 && env_.code->follows) {
      const auto& access = std::get<ir::MemoryAccess>(request.inst->inst->detail);
      strong_write(request, region, offset, access,
                   env_.memory.read(region, copy, offset, request.size), values[i], nullptr);
    }
    env_.memory.write(region, copy, offset, request.size, values[i], request.guard,
                      request.inst->site);
  }
}

std::optional<Pointer> Accesses::plain(const Lane& address, unsigned width) {
  if (address.is_pointer()) return pointer_of(address);
  if (const auto bits = env_.values.known(address, width)) return env_.memory.find(*bits);
  return std::nullopt;
}

void Accesses::load(const CodeInst& inst, Warp& warp, const Strand& strand) {
  const Active active = env_.active(inst, warp, strand);
  if (active.mask == 0) return;
  Request request = request_for(inst, warp.index);
  Register& address = warp.regs[inst.src[0]];
  const unsigned width = inst.src_bits[0];
  const std::vector<ir::ValueId>& dests = inst.inst->dests;
  Lane out[16];
  PTXEQUIV_CHECK(request.count <= 16 && dests.size() == request.count, "one register an element");
  const bool unconditional = active.guards == nullptr && !active.conditional;
  if (address.uniform && address.pointers != 0 && address.terms == 0 && unconditional) {
    Pointer at = pointer_of(address.get(0));
    if (env_.memory.region(at.provenance).copies == 1) {
      at.offset += inst.immediate;
      request.lanes = active.mask;
      request.guard = env_.always();
      read(request, at, out);
      for (unsigned i = 0; i < request.count; ++i) {
        if (dests[i] == ir::kNone) continue;
        Register value;
        value.set_uniform(out[i]);
        warp.regs[dests[i]].copy(value, active.mask, warp.live);
      }
      return;
    }
  }
  for (const ir::ValueId dest : dests) {
    if (dest != ir::kNone) warp.regs[dest].open(active.mask, warp.live);
  }
  for_each_lane(active.mask, [&](unsigned lane) {
    request.lanes = 1u << lane;
    request.guard = env_.guard(active, lane);
    const Lane where = env_.defined(address, lane, width);
    if (const auto at = plain(where, width)) {
      read(request, {at->provenance, at->offset + inst.immediate}, out);
    } else {
      const TermId term = env_.values.term(where, width);
      load_symbolic(request, strand.path.get(), term, width, out);
    }
    for (unsigned i = 0; i < request.count; ++i) {
      if (dests[i] == ir::kNone) continue;
      if (strand.path != nullptr) out[i] = env_.under(out[i], strand.path.get(), lane);
      warp.regs[dests[i]].set(lane, out[i]);
    }
  });
}

bool Accesses::store(const CodeInst& inst, Warp& warp, const Strand& strand) {
  const Active active = env_.active(inst, warp, strand);
  if (active.mask == 0) return false;
  Request request = request_for(inst, warp.index);
  Register& address = warp.regs[inst.src[0]];
  const unsigned width = inst.src_bits[0];
  const std::vector<ir::ValueId>& srcs = inst.inst->srcs;
  PTXEQUIV_CHECK(request.count <= 16 && srcs.size() == request.count + 1, "one value an element");
  Lane values[16];
  for_each_lane(active.mask, [&](unsigned lane) {
    request.lanes = 1u << lane;
    request.guard = env_.guard(active, lane);
    for (unsigned i = 0; i < request.count; ++i) {
      const unsigned bits = env_.code->function->values[srcs[i + 1]].bits;
      values[i] = env_.defined(warp.regs[srcs[i + 1]], lane, bits);
      if (bits > request.size * 8) {  // the low part is stored
        const op::Op low{.kind = op::Kind::kExtract,
                         .type = op::bits_type(request.size * 8),
                         .src = op::bits_type(bits)};
        values[i] =
            env_.values.apply(low, {values[i], {}, {}, {static_cast<uint8_t>(bits), 0, 0}, 0});
      }
    }
    const Lane where = env_.defined(address, lane, width);
    if (const auto at = plain(where, width)) {
      write(request, {at->provenance, at->offset + inst.immediate}, values);
    } else {
      store_symbolic(request, strand.path.get(), env_.values.term(where, width), width, values);
    }
  });
  return true;
}

}  // namespace ptxequiv::machine
