#include "machine/async_copy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

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
  const std::vector<TermId> read = bytes_read(inst, warp, lane);
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
  std::optional<Pointer> from;
  if (read[0] != env_.values.truth(false)) {
    from = address(1);
    Accesses::Request source = request;
    source.space = ptx::Space::kGlobal;
    source.flags = 0;
    source.guard = env_.arena().logic_and(guard, read[0]);
    if (from->offset % detail.bytes != 0) {  // PTX: aligned to cp-size, whatever is read of it
      accesses_.check(source, *from, false);
      from.reset();
    }
    for (size_t i = 0; from && i < pieces.size(); ++i) {
      pieces[i] = read_piece(source, guard, {from->provenance, from->offset + offset_of(i)},
                             &read[i * kUnit]);
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
    if (from && read[i * kUnit] != env_.values.truth(false)) {
      const int64_t at = from->offset + offset_of(i);
      copied.source = Pointer{from->provenance, at};
      Piece fetched = copied;
      fetched.guard = env_.arena().logic_and(guard, read[i * kUnit]);
      take_off(sources_, fetched, key(from->provenance, static_cast<uint64_t>(at)),
               request.thread());
    }
    take_off(in_flight_, copied, key(region.provenance, offset), request.thread());
    queue.open.push_back(copied);
  }
}

// For each byte of the copy, the condition under which it is read; else it is zero.
std::vector<TermId> AsyncCopies::bytes_read(const CodeInst& inst, Warp& warp, unsigned lane) {
  const auto& detail = std::get<ir::CpAsync>(inst.inst->detail);
  std::vector<TermId> read(detail.bytes, env_.always());
  if (!detail.has_src_size && !detail.has_ignore) return read;
  term::Arena& arena = env_.arena();
  const ir::ValueId value = inst.inst->srcs[2];
  const unsigned width = env_.code->function->values[value].bits;
  const TermId given = env_.values.term(env_.defined(warp.regs[value], lane, width), width);
  for (uint32_t i = 0; i < detail.bytes; ++i) {
    read[i] = detail.has_ignore ? arena.logic_not(given)
                                : arena.make(op::Op{.kind = op::Kind::kLtU, .type = op::Type::kB32},
                                             arena.constant(32, i), given);
  }
  return read;
}

// The word of one piece; `read` are the conditions of its bytes.
Lane AsyncCopies::read_piece(Accesses::Request source, TermId guard, Pointer at,
                             const TermId* read) {
  term::Arena& arena = env_.arena();
  const TermId never = env_.values.truth(false);
  const auto fetch = [&](unsigned size, Pointer from, TermId condition) {
    source.size = size;
    source.guard = arena.logic_and(guard, condition);
    Lane value;
    accesses_.read(source, from, &value);
    return env_.values.select(condition, value, Lane::of_bits(0), size * 8);
  };
  if (read[0] == never) return Lane::of_bits(0);
  if (read[0] == read[kUnit - 1]) return fetch(kUnit, at, read[0]);
  const op::Op widen{.kind = op::Kind::kZext, .type = op::Type::kB32, .src = op::Type::kB8};
  const op::Op shift{.kind = op::Kind::kShl, .type = op::Type::kB32};
  const op::Op join{.kind = op::Kind::kOr, .type = op::Type::kB32};
  Lane word = Lane::of_bits(0);
  for (unsigned i = 0; i < kUnit; ++i) {
    if (read[i] == never) break;
    const Lane byte = fetch(1, {at.provenance, at.offset + i}, read[i]);
    const Lane wide = env_.values.apply(widen, {byte, {}, {}, {8, 0, 0}, 0});
    const Lane moved = env_.values.apply(shift, {wide, Lane::of_bits(i * 8), {}, {32, 32, 0}, 0});
    word = env_.values.apply(join, {word, moved, {}, {32, 32, 0}, 0});
  }
  return word;
}

void AsyncCopies::take_off(Flights& flights, const Piece& piece, uint64_t key, unsigned thread) {
  Flight& flight = flights[key];
  flight.thread = thread;
  flight.issued = env_.order.stamp(thread, piece.site, piece.guard, kUnit, kAccessAsync);
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

std::string AsyncCopies::waiting_for(unsigned thread, bool to, uint64_t place) const {
  const auto touches = [&](const Piece& piece) {
    if (to) return key(piece.provenance, piece.offset) == place;
    return piece.source &&
           key(piece.source->provenance, static_cast<uint64_t>(piece.source->offset)) == place;
  };
  const Queue& queue = queues_[thread];
  if (std::any_of(queue.open.begin(), queue.open.end(), touches)) {
    return "cp.async.commit_group and cp.async.wait_group 0, or cp.async.wait_all";
  }
  size_t later = 0;
  for (auto group = queue.committed.rbegin(); group != queue.committed.rend(); ++group, ++later) {
    if (std::any_of(group->begin(), group->end(), touches)) break;
  }
  return fmt::format("cp.async.wait_group {}", later);
}

// A copy under way whose issue is ordered before the access lacks a wait: async-order. Else the two
// threads lack a barrier, whether one waits or not: a race.
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
    if (both == env_.values.truth(false)) continue;
    const bool issued_before = own || env_.order.ordered(flight.issued, thread);
    const std::string place = env_.memory.place(region, offset);
    std::string remedy = waiting_for(flight.thread, is_shared, it->first);
    if (!own) remedy += fmt::format(" by thread {} and then a barrier,", flight.thread);
    remedy += " before the access would order them";
    if (!issued_before) remedy = "a barrier between the two; where the copy comes first, " + remedy;
    env_.fault(issued_before ? Category::kAsyncOrder
               : is_shared   ? Category::kRaceShared
                             : Category::kRaceGlobal,
               both == env_.always() ? Fault::Strength::kCertain : Fault::Strength::kPossible, both,
               fmt::format("{}: {} by thread {} while an asynchronous copy of thread {} is under "
                           "way {} it",
                           place, is_write ? "written" : "read", thread, flight.thread,
                           is_shared ? "to" : "from"),
               {env_.access(flight.issued.site, flight.thread, is_shared),
                env_.access(site, thread, is_write)},
               place, std::move(remedy));
    return;
  }
}

}  // namespace ptxequiv::machine
