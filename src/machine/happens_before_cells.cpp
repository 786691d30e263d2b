// Cells: who accessed them, and which of the accesses nothing orders.
#include <algorithm>

#include "machine/happens_before.h"

namespace ptxequiv::machine {
namespace {

constexpr size_t kMaxExtraWriters = 16;
constexpr size_t kMaxExtraReaders = 64;

unsigned warp_of(unsigned thread) {
  return thread / kWarpSize;
}

}  // namespace

bool HappensBefore::add(const Stamp& earlier, bool earlier_is_write, const Stamp& now,
                        bool now_is_write, Conflict::Kind kind) {
  constexpr uint8_t kSeen = kAccessAtomic | kAccessStrong | kAccessVolatile;
  // What a strong access sees, or overwrites, may differ in another schedule.
  if (coherence_ != nullptr && earlier_is_write && (earlier.flags & kSeen) != 0 &&
      coherence_->after(earlier, now.thread, (now.flags & kSeen) != 0)) {
    return false;
  }
  const bool certain =
      earlier.guard == true_ && now.guard == true_ && (earlier.flags & kAccessMany) == 0;
  if (!certain && earlier.guard != now.guard &&
      arena_.logic_and(earlier.guard, now.guard) == false_) {
    return false;
  }
  // What is left open says less than a race: it must not hide one.
  const bool final = certain && kind != Conflict::Kind::kRounding && kind != Conflict::Kind::kOrder;
  if (final) conflicts_.clear();
  conflicts_.push_back({earlier, now, earlier_is_write, now_is_write, kind});
  return final;
}

const Conflicts& HappensBefore::read(Shadow& cell, uint32_t lanes, const Stamp& now) {
  conflicts_.clear();
  bound_ = bound_of(now.thread);
  const unsigned warp = warp_of(now.thread);
  if ((lanes & (lanes - 1)) == 0 || cta_.uneven[warp] == 0) {
    find_for_read(cell, lanes, now);
    record_read(cell, lanes, now);
    return conflicts_;
  }
  for_each_lane(lanes, [&](unsigned lane) {
    Stamp one = now;
    one.thread = static_cast<uint16_t>(warp * kWarpSize + lane);
    one.clock = cta_.clocks[one.thread];
    bound_ = bound_of(one.thread);
    find_for_read(cell, 1u << lane, one);
    record_read(cell, 1u << lane, one);
  });
  return conflicts_;
}

void HappensBefore::find_for_read(const Shadow& cell, uint32_t lanes, const Stamp& now) {
  const auto against = [&](const Stamp& w) {
    if (!counts(w)) return false;
    if ((now.flags & kAccessNonCoherent) != 0) return add(w, true, now, false);
    if (w.cta == cta_.number && w.phase < cta_.phase) return false;
    const unsigned base = warp_of(now.thread) * kWarpSize;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const unsigned thread = base + first_lane(rest);
      if (ordered(w, thread)) continue;
      Stamp one = now;
      one.thread = static_cast<uint16_t>(thread);
      return add(w, true, one, false);
    }
    return false;
  };
  if (against(cell.write) || cell.more == 0) return;
  for (const Reader& w : extras_[cell.more - 1].writers) {
    if (against(w.stamp)) return;
  }
  find_among_atomics(cell, lanes, now, false);
}

// A plain access against atomic ones; by several lanes if it reads.
bool HappensBefore::find_among_atomics(const Shadow& cell, uint32_t lanes, const Stamp& now,
                                       bool now_is_write) {
  const unsigned base = warp_of(now.thread) * kWarpSize;
  for (const AtomicGroup& group : extras_[cell.more - 1].atomics) {
    for (const Reader& member : group.members) {
      if (!counts(member.stamp)) continue;
      if ((now.flags & kAccessNonCoherent) != 0) {
        if (add(member.stamp, true, now, now_is_write)) return true;
        continue;
      }
      for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        Stamp one = now;
        one.thread = static_cast<uint16_t>(base + first_lane(rest));
        Stamp earlier = member.stamp;
        if (!unordered(earlier, member.lanes, one.thread)) continue;
        if (add(earlier, true, one, now_is_write)) return true;
        break;
      }
    }
  }
  return false;
}

void HappensBefore::record_read(Shadow& cell, uint32_t lanes, const Stamp& now) {
  Stamp& r = cell.read;
  if ((now.flags & kAccessNonCoherent) != 0) cell.non_coherent = cta_.number;
  if (r.cta == cta_.number && r.phase == cta_.phase) {
    const bool same_warp = warp_of(r.thread) == warp_of(now.thread);
    if (same_warp && r.clock == now.clock && r.guard == now.guard) {
      cell.lanes |= lanes;
      return;
    }
    // Reads that the new one is ordered after need not be kept: a write that is ordered after the
    // new read is ordered after them. A conditional read does not stand for an unconditional one.
    bool covered = same_warp && (now.guard == true_ || now.guard == r.guard);
    if (covered) {
      const unsigned base = warp_of(r.thread) * kWarpSize;
      for_each_lane(cell.lanes, [&](unsigned lane) {
        if (r.clock > cta_.known_by_warp[base + lane]) covered = false;
      });
    }
    if (!covered) add_reader(cell, r, cell.lanes);
    if (!same_warp && cell.more != 0) {  // take this warp's earlier reads back
      auto& readers = extras_[cell.more - 1].readers;
      for (size_t i = 0; i < readers.size(); ++i) {
        const Stamp& s = readers[i].stamp;
        if (warp_of(s.thread) != warp_of(now.thread) || s.cta != now.cta || s.phase != now.phase ||
            s.clock != now.clock || s.guard != now.guard || (s.flags & kAccessMany) != 0) {
          continue;
        }
        lanes |= readers[i].lanes;
        readers[i] = readers.back();
        readers.pop_back();
        break;
      }
    }
    r = now;
    cell.lanes = lanes;
    return;
  }
  Extra* more = cell.more == 0 ? nullptr : &extras_[cell.more - 1];
  if (in_launch(r) && r.cta == cta_.number) {  // an earlier phase: other CTAs may conflict with it
    if (now.guard == true_) {
      if (more != nullptr) {
        std::erase_if(more->readers, [&](const Reader& reader) {
          return !follows_ || reader.stamp.cta == cta_.number;
        });
      }
    } else if (now.guard != r.guard) {
      add_reader(cell, r, cell.lanes);
    }
  } else {
    if (in_launch(r)) read_elsewhere(cell, r, cell.lanes);
    more = cell.more == 0 ? nullptr : &extras_[cell.more - 1];
    if (more != nullptr && !follows_) {
      for (const Reader& reader : more->readers) {
        if (in_launch(reader.stamp)) read_elsewhere(cell, reader.stamp, reader.lanes);
      }
      more->readers.clear();
    }
  }
  if (more != nullptr && more->readers.empty() && more->writers.empty() && more->atomics.empty()) {
    drop_extra(cell);
  }
  r = now;
  cell.lanes = lanes;
}

void HappensBefore::read_elsewhere(Shadow& cell, const Stamp& read, uint32_t lanes) {
  if (follows_) return add_reader(cell, read, lanes);
  Stamp& other = cell.other;
  if (!in_launch(other)) {
    other = read;
    return;
  }
  if (other.guard == true_ && other.flags == read.flags) return;
  const uint8_t flags = other.flags | read.flags;
  if (read.guard == true_) {
    other = read;
  } else if (other.guard != true_) {
    other.guard = arena_.logic_or(other.guard, read.guard);
  }
  other.flags = flags;
}

bool HappensBefore::find_among_reads(const Shadow& cell, const Stamp& now) {
  const auto against = [&](Stamp r, uint32_t lanes) {
    return unordered(r, lanes, now.thread) && add(r, false, now, true);
  };
  if (against(cell.read, cell.lanes) || against(cell.other, 1)) return true;
  if (cell.more != 0) {
    for (const Reader& r : extras_[cell.more - 1].readers) {
      if (against(r.stamp, r.lanes)) return true;
    }
  }
  // PTX 9.7.9.8, ld.global.nc: the memory must be read-only while the grid runs.
  if (cell.non_coherent >= bound_) {
    Stamp r = cell.read;
    r.flags |= kAccessNonCoherent;
    return add(r, false, now, true);
  }
  return false;
}

void HappensBefore::find_for_write(const Shadow& cell, const Stamp& now, SameValue same_value,
                                   bool& same_value_write) {
  const auto against = [&](const Stamp& w) {
    if (!counts(w)) return false;
    if (ordered(w, now.thread)) return false;
    const bool same =
        same_value == SameValue::kAlways || (same_value == SameValue::kNow && w.guard == now.guard);
    if (same && w.bytes == now.bytes) {
      same_value_write = true;
      return false;
    }
    return add(w, true, now, true);
  };
  if (against(cell.write)) return;
  if (cell.more != 0) {
    for (const Reader& w : extras_[cell.more - 1].writers) {
      if (against(w.stamp)) return;
    }
    if (find_among_atomics(cell, 1u << now.thread % kWarpSize, now, true)) return;
  }
  find_among_reads(cell, now);
}

const Conflicts& HappensBefore::write(Shadow& cell, const Stamp& now, SameValue same_value,
                                      bool& same_value_write) {
  conflicts_.clear();
  bound_ = bound_of(now.thread);
  find_for_write(cell, now, same_value, same_value_write);
  if (now.guard != true_) {  // does not stand for what came before
    if (in_launch(cell.write)) add_writer(cell, cell.write);
  } else if (same_value_write) {
    add_writer(cell, cell.write);
  } else {
    drop_reads(cell, (now.flags & kAccessShared) != 0);
  }
  cell.write = now;
  return conflicts_;
}

// A write stands for the writes before it, but not for reads and atomics: another thread may write
// the same value, which conflicts with them and not with it. What a barrier of the CTA has ordered
// before all of its threads can be dropped where only they get at the memory.
void HappensBefore::drop_reads(Shadow& cell, bool cta_only) {
  const auto over = [&](const Stamp& s) {
    return !in_launch(s) || (cta_only && (s.cta != cta_.number || s.phase < cta_.phase));
  };
  if (over(cell.read)) {
    cell.read.cta = 0;
    cell.lanes = 0;
  }
  if (over(cell.other)) cell.other.cta = 0;
  if (cell.more == 0) return;
  Extra& more = extras_[cell.more - 1];
  more.writers.clear();
  std::erase_if(more.readers, [&](const Reader& r) { return over(r.stamp); });
  for (AtomicGroup& group : more.atomics) {
    std::erase_if(group.members, [&](const Reader& r) { return over(r.stamp); });
  }
  std::erase_if(more.atomics, [](const AtomicGroup& group) { return group.members.empty(); });
  if (more.readers.empty() && more.atomics.empty()) drop_extra(cell);
}

// An atomic access stands for nothing that came before: two of one kind do not conflict, but a
// third access may conflict with what came before either.
const Conflicts& HappensBefore::atomic(Shadow& cell, const Stamp& now, const AtomicKind& kind) {
  conflicts_.clear();
  bound_ = bound_of(now.thread);
  const auto against = [&](Stamp w) {
    return unordered(w, 1u << w.thread % kWarpSize, now.thread) && add(w, true, now, true);
  };
  bool settled = against(cell.write);
  if (!settled && cell.more != 0) {
    for (const Reader& w : extras_[cell.more - 1].writers) settled = settled || against(w.stamp);
  }
  if (!settled) settled = find_among_reads(cell, now);
  if (!settled && cell.more != 0) {
    for (const AtomicGroup& group : extras_[cell.more - 1].atomics) {
      settled = settled || find_in_group(group, now, kind);
    }
  }
  record_atomic(cell, now, kind);
  return conflicts_;
}

bool HappensBefore::find_in_group(const AtomicGroup& group, const Stamp& now,
                                  const AtomicKind& kind) {
  using Kind = Conflict::Kind;
  const bool same = group.kind.operation == kind.operation && group.bytes == now.bytes &&
                    group.kind.b == kind.b && group.kind.c == kind.c;
  const bool free = same && kind.commutes && !kind.used && !group.kind.used;
  const bool narrow = kind.narrow || group.kind.narrow;
  if (free && !narrow && !kind.rounds) return false;
  for (const Reader& member : group.members) {
    Stamp earlier = member.stamp;
    if (!unordered(earlier, member.lanes, now.thread)) continue;
    Kind found = Kind::kOrder;
    if (narrow && earlier.cta != cta_.number) {
      found = Kind::kScope;
    } else if (group.bytes != now.bytes) {
      found = Kind::kOverlap;
    } else if (free && !kind.rounds) {
      continue;
    } else if (free) {
      found = Kind::kRounding;
    }
    const size_t before = conflicts_.size();
    if (add(earlier, true, now, true, found)) return true;
    // One of these says all there is to say.
    const bool added = conflicts_.size() != before;
    if (added && (found == Kind::kRounding || found == Kind::kOrder)) return false;
  }
  return false;
}

void HappensBefore::record_atomic(Shadow& cell, const Stamp& now, const AtomicKind& kind) {
  std::vector<AtomicGroup>& groups = extra(cell).atomics;
  auto group = std::find_if(groups.begin(), groups.end(), [&](const AtomicGroup& g) {
    return g.kind == kind && g.bytes == now.bytes;
  });
  if (group == groups.end()) {
    groups.push_back({kind, now.bytes, {}});
    group = groups.end() - 1;
  }
  std::vector<Reader>& members = group->members;
  const uint32_t lane = 1u << now.thread % kWarpSize;
  if (!members.empty()) {
    Reader& last = members.back();
    const Stamp& s = last.stamp;
    if (s.cta == now.cta && s.phase == now.phase && s.clock == now.clock && s.guard == now.guard &&
        s.site == now.site && warp_of(s.thread) == warp_of(now.thread)) {
      last.lanes |= lane;
      return;
    }
  }
  if (members.size() >= group->prune_at) prune(*group, now);
  members.push_back({now, lane});
}

// Drops what `now`, or another member, stands for: with the same kind, whatever conflicts with a
// dropped member conflicts with the one that stays.
void HappensBefore::prune(AtomicGroup& group, const Stamp& now) {
  bool other_cta = false;  // an unconditional one of another CTA is kept
  std::erase_if(group.members, [&](const Reader& member) {
    if (!in_launch(member.stamp)) return true;
    if (member.stamp.guard != true_) return false;
    if (member.stamp.cta != cta_.number) return !follows_ && std::exchange(other_cta, true);
    Stamp earlier = member.stamp;
    return now.guard == true_ && !unordered(earlier, member.lanes, now.thread);
  });
  group.prune_at = std::max<size_t>(32, 2 * group.members.size());
}

bool HappensBefore::alike(const Stamp& a, const Stamp& b) const {
  if (((a.flags | b.flags) & kAccessMany) != 0 || a.flags != b.flags) return false;
  if (follows_ && (a.cta != cta_.number || b.cta != cta_.number)) {
    return a.cta == b.cta && a.phase == b.phase && a.clock == b.clock && a.thread == b.thread;
  }
  // Nothing orders an access of another CTA any more.
  if (a.cta != b.cta) return a.cta != cta_.number && b.cta != cta_.number;
  if (a.cta != cta_.number) return true;
  if (a.phase < cta_.phase && b.phase < cta_.phase)
    return true;  // ordered here, unordered elsewhere
  return a.phase == b.phase && a.clock == b.clock && a.thread == b.thread;
}

// Drops what belongs to earlier launches, and joins what is alike.
void HappensBefore::compress(std::vector<Reader>& entries) {
  std::vector<Reader> kept;
  for (const Reader& entry : entries) {
    if (!in_launch(entry.stamp)) continue;
    const auto same = std::find_if(kept.begin(), kept.end(), [&](const Reader& k) {
      const bool now = k.stamp.cta == cta_.number && k.stamp.phase == cta_.phase;
      return alike(k.stamp, entry.stamp) && (!now || k.lanes == entry.lanes);
    });
    if (same == kept.end()) {
      kept.push_back(entry);
      continue;
    }
    Stamp& stamp = same->stamp;
    if (stamp.guard != true_) stamp.guard = arena_.logic_or(stamp.guard, entry.stamp.guard);
    stamp.bytes = std::max(stamp.bytes, entry.stamp.bytes);
  }
  entries = std::move(kept);
}

void HappensBefore::add_reader(Shadow& cell, const Stamp& stamp, uint32_t lanes) {
  auto& readers = extra(cell).readers;
  if (readers.size() >= kMaxExtraReaders) compress(readers);
  if (readers.size() < kMaxExtraReaders) {
    readers.push_back({stamp, lanes});
    return;
  }
  merge(readers.back().stamp, stamp);
}

// Too many to keep apart: `into` stands for both from now on, and for more than they did.
void HappensBefore::merge(Stamp& into, const Stamp& other) {
  into.guard = arena_.logic_or(into.guard, other.guard);
  if (into.cta != other.cta) into.cta = many_;  // never ordered
  into.phase = std::max(into.phase, other.phase);
  into.flags |= kAccessMany | other.flags;
}

void HappensBefore::add_writer(Shadow& cell, const Stamp& stamp) {
  auto& writers = extra(cell).writers;
  if (writers.size() >= kMaxExtraWriters) compress(writers);
  if (writers.size() < kMaxExtraWriters) {
    writers.push_back({stamp, 1u << stamp.thread % kWarpSize});
    return;
  }
  merge(writers.back().stamp, stamp);
}

HappensBefore::Extra& HappensBefore::extra(Shadow& cell) {
  if (cell.more == 0) {
    if (free_extras_.empty()) {
      extras_.emplace_back();
      cell.more = static_cast<uint32_t>(extras_.size());
    } else {
      cell.more = free_extras_.back();
      free_extras_.pop_back();
    }
  }
  return extras_[cell.more - 1];
}

void HappensBefore::drop_extra(Shadow& cell) {
  if (cell.more == 0) return;
  extras_[cell.more - 1].writers.clear();
  extras_[cell.more - 1].readers.clear();
  extras_[cell.more - 1].atomics.clear();
  free_extras_.push_back(cell.more);
  cell.more = 0;
}

void HappensBefore::separate(Shadow& copy) {
  if (copy.more == 0) return;
  Extra contents = extras_[copy.more - 1];
  copy.more = 0;
  extra(copy) = std::move(contents);
}

}  // namespace ptxequiv::machine
