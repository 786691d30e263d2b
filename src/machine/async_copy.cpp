#include "machine/async_copy.h"

#include <fmt/format.h>

#include "base/error.h"
#include "machine/access.h"

namespace ptxequiv::machine {

void AsyncCopies::begin_cta(unsigned threads) {
  queues_.assign(threads, {});
  in_flight_.clear();
  sources_.clear();
}

void AsyncCopies::issue(const CodeInst& inst, Warp& warp, const Strand& strand) {
  const Active active = env_.active(inst, warp, strand);
  for_each_lane(active.mask, [&](unsigned lane) {
    issue_lane(inst, warp, strand, lane, env_.guard(active, lane));
  });
}

void AsyncCopies::issue_lane(const CodeInst& inst, Warp& warp, const Strand& strand, unsigned lane,
                             TermId guard) {
  (void)strand;
  const auto& detail = std::get<ir::CpAsync>(inst.inst->detail);
  const std::vector<ir::ValueId>& srcs = inst.inst->srcs;
  uint64_t wanted = detail.bytes;
  if (detail.has_src_size) {
    wanted = env_.concrete_operand(warp, inst, srcs[2], lane, "the size of an asynchronous copy");
    if (wanted > detail.bytes) wanted = detail.bytes;
  } else if (detail.has_ignore) {
    if (env_.concrete_operand(warp, inst, srcs[2], lane, "the predicate of an asynchronous copy") &
        1) {
      wanted = 0;
    }
  }
  const auto address = [&](unsigned i) {
    const ir::ValueId value = srcs[i];
    const Lane where =
        env_.defined(warp.regs[value], lane, env_.code->function->values[value].bits);
    if (!where.is_pointer()) {
      throw_unsupported(env_.context.reporter.site(inst.site), "an address that depends on data");
    }
    return pointer_of(where);
  };
  const Pointer to = address(0);
  Accesses::Request request;
  request.inst = &inst;
  request.warp = warp.index;
  request.lanes = 1u << lane;
  request.guard = guard;
  request.size = detail.bytes;
  request.space = ptx::Space::kShared;
  request.flags = kAccessAsync;
  if (!accesses_.check(request, to, true)) return;
  std::vector<Lane> pieces(detail.bytes / kUnit, Lane::of_bits(0));
  std::optional<Pointer> source_start;
  if (wanted != 0) {
    const Pointer from = address(1);
    source_start = from;
    Accesses::Request source = request;
    source.space = ptx::Space::kGlobal;
    source.flags = 0;
    if (from.offset % detail.bytes != 0) {  // PTX: aligned to cp-size, whatever is read of it
      accesses_.check(source, from, false);
      return;
    }
    if (wanted % kUnit != 0) {
      source.size = 1;
      for (uint64_t i = 0; i < wanted; ++i) {
        Lane byte;
        accesses_.read(source, {from.provenance, from.offset + static_cast<int64_t>(i)}, &byte);
        Lane& piece = pieces[i / kUnit];
        const op::Op widen{.kind = op::Kind::kZext, .type = op::Type::kB32, .src = op::Type::kB8};
        const op::Op shift{.kind = op::Kind::kShl, .type = op::Type::kB32};
        const op::Op join{.kind = op::Kind::kOr, .type = op::Type::kB32};
        const Lane wide = env_.values.apply(widen, {byte, {}, {}, {8, 0, 0}, 0});
        const Lane moved =
            env_.values.apply(shift, {wide, Lane::of_bits(i % kUnit * 8), {}, {32, 32, 0}, 0});
        piece = env_.values.apply(join, {piece, moved, {}, {32, 32, 0}, 0});
      }
    } else {
      source.size = kUnit;
      for (uint64_t i = 0; i < wanted / kUnit; ++i) {
        accesses_.read(source, {from.provenance, from.offset + static_cast<int64_t>(i * kUnit)},
                       &pieces[i]);
      }
    }
  }
  // The engine's write comes after all that is ordered before the issue: checked now; whatever
  // touches the bytes before the wait is caught by check_access.
  Region& region = env_.memory.region(to.provenance);
  Queue& queue = queues_[request.thread()];
  for (size_t i = 0; i < pieces.size(); ++i) {
    const uint64_t offset = static_cast<uint64_t>(to.offset) + i * kUnit;
    Accesses::Request piece = request;
    piece.size = kUnit;
    accesses_.track(piece, region, offset, kUnit, true, nullptr);
    Piece copied{region.provenance, offset, pieces[i], guard, inst.site, std::nullopt};
    if (i * kUnit < wanted) {
      const auto at = source_start->offset + static_cast<int64_t>(i * kUnit);
      copied.source = Pointer{source_start->provenance, at};
      take_off(sources_, copied, key(copied.source->provenance, static_cast<uint64_t>(at)),
               request.thread());
    }
    take_off(in_flight_, copied, key(region.provenance, offset), request.thread());
    queue.open.push_back(copied);
  }
}

void AsyncCopies::take_off(Flights& flights, const Piece& piece, uint64_t key, unsigned thread) {
  Flight& flight = flights[key];
  flight.thread = thread;
  flight.site = piece.site;
  flight.guard = piece.guard;
  ++flight.count;
}

void AsyncCopies::arrive(Flights& flights, uint64_t key) {
  const auto it = flights.find(key);
  if (it != flights.end() && --it->second.count == 0) flights.erase(it);
}

void AsyncCopies::commit(Warp& warp, const Strand& strand, const CodeInst& inst) {
  const Active active = env_.active(inst, warp, strand);
  for_each_lane(active.mask, [&](unsigned lane) {
    Queue& queue = queues_[warp.thread(lane)];
    queue.committed.push_back(std::move(queue.open));
    queue.open.clear();
  });
}

void AsyncCopies::wait(const CodeInst& inst, Warp& warp, const Strand& strand) {
  const Active active = env_.active(inst, warp, strand);
  for_each_lane(active.mask, [&](unsigned lane) {
    const unsigned thread = warp.thread(lane);
    Queue& queue = queues_[thread];
    const size_t allowed = inst.immediate < 0 ? 0 : static_cast<size_t>(inst.immediate);
    while (queue.committed.size() > allowed) {
      land(queue.committed.front(), thread, inst);
      queue.committed.pop_front();
    }
    if (inst.immediate < 0) {  // wait_all is commit_group and wait_group 0
      land(queue.open, thread, inst);
      queue.open.clear();
    }
  });
}

void AsyncCopies::land(const Group& group, unsigned thread, const CodeInst& inst) {
  for (const Piece& piece : group) {
    arrive(in_flight_, key(piece.provenance, piece.offset));
    if (piece.source) {
      arrive(sources_, key(piece.source->provenance, static_cast<uint64_t>(piece.source->offset)));
    }
  }
  for (const Piece& piece : group) {
    Region& region = env_.memory.region(piece.provenance);
    Accesses::Request request;
    request.inst = &inst;
    request.warp = thread / kWarpSize;
    request.lanes = 1u << (thread % kWarpSize);
    request.guard = piece.guard;
    request.size = kUnit;
    request.flags = kAccessAsync;
    accesses_.track(request, region, piece.offset, kUnit, true, nullptr);
    env_.memory.write(region, 0, piece.offset, kUnit, piece.value, piece.guard, piece.site);
  }
}

void AsyncCopies::check_access(SiteId site, unsigned thread, TermId guard, const Region& region,
                               uint64_t offset, unsigned bytes, bool is_write) const {
  const bool is_shared = region.space == ptx::Space::kShared;
  if (!is_shared && !is_write) return;
  const Flights& flights = is_shared ? in_flight_ : sources_;
  if (flights.empty()) return;
  for (uint64_t at = offset / kUnit * kUnit; at < offset + bytes; at += kUnit) {
    const auto it = flights.find(key(region.provenance, at));
    if (it == flights.end()) continue;
    const Flight& flight = it->second;
    const bool own = flight.thread == thread;
    const TermId both = env_.arena().logic_and(flight.guard, guard);
    const std::string place = env_.memory.place(region, offset);
    env_.fault(
        own         ? Category::kAsyncOrder
        : is_shared ? Category::kRaceShared
                    : Category::kRaceGlobal,
        both == env_.always() ? Fault::Strength::kCertain : Fault::Strength::kPossible, both,
        fmt::format("{}: {} by thread {} while an asynchronous copy of thread {} is under "
                    "way {} it",
                    place, is_write ? "written" : "read", thread, flight.thread,
                    is_shared ? "to" : "from"),
        {env_.access(flight.site, flight.thread, is_shared), env_.access(site, thread, is_write)},
        place, "wait for the copy (cp.async.wait_group) before");
    return;
  }
}

}  // namespace ptxequiv::machine
