#include "machine/happens_before.h"

#include <algorithm>

namespace ptxequiv::machine {
namespace {

constexpr size_t kMaxExtraWriters = 16;
constexpr size_t kMaxExtraReaders = 64;

unsigned warp_of(unsigned thread) {
  return thread / kWarpSize;
}

}  // namespace

void HappensBefore::begin_cta(unsigned threads) {
  ++cta_;
  ++phase_;
  const size_t warps = (threads + kWarpSize - 1) / kWarpSize;
  clocks_.assign(warps * kWarpSize, 1);
  known_by_warp_.assign(warps * kWarpSize, 0);
  uneven_.assign(warps, 0);
  rows_.assign(warps * kWarpSize, nullptr);
  any_row_ = false;
}

bool HappensBefore::ordered(const Stamp& s, unsigned thread) const {
  if (s.phase < phase_) return true;
  if ((s.flags & kAccessMany) != 0) return false;
  if (s.thread == thread) return true;
  if (warp_of(s.thread) == warp_of(thread) && s.clock <= known_by_warp_[s.thread]) return true;
  const Row& row = rows_[thread];
  return row != nullptr && s.thread < row->size() && (*row)[s.thread] >= s.clock;
}

bool HappensBefore::any_unordered(const Stamp& first, uint32_t lanes, unsigned thread) const {
  if (first.phase < phase_) return false;
  Stamp s = first;
  const unsigned base = warp_of(first.thread) * kWarpSize;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    s.thread = static_cast<uint16_t>(base + first_lane(rest));
    if (!ordered(s, thread)) return true;
  }
  return false;
}

std::optional<Conflict> HappensBefore::read(Shadow& cell, uint32_t lanes, const Stamp& now) {
  const unsigned warp = warp_of(now.thread);
  if ((lanes & (lanes - 1)) != 0 && uneven_[warp] != 0) {
    std::optional<Conflict> found;
    for_each_lane(lanes, [&](unsigned lane) {
      Stamp one = now;
      one.thread = static_cast<uint16_t>(warp * kWarpSize + lane);
      one.clock = clocks_[one.thread];
      auto conflict = read_conflict(cell, 1u << lane, one);
      if (conflict && !found) found = conflict;
      record_read(cell, 1u << lane, one);
    });
    return found;
  }
  auto conflict = read_conflict(cell, lanes, now);
  record_read(cell, lanes, now);
  return conflict;
}

std::optional<Conflict> HappensBefore::read_conflict(const Shadow& cell, uint32_t lanes,
                                                     const Stamp& now) const {
  const auto against = [&](const Stamp& w) -> std::optional<Conflict> {
    if (!in_launch(w)) return std::nullopt;
    if (w.cta != cta_ || (now.flags & kAccessNonCoherent) != 0)
      return Conflict{w, now, true, false};
    if (w.phase < phase_) return std::nullopt;
    const unsigned base = warp_of(now.thread) * kWarpSize;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const unsigned thread = base + first_lane(rest);
      if (ordered(w, thread)) continue;
      Stamp one = now;
      one.thread = static_cast<uint16_t>(thread);
      return Conflict{w, one, true, false};
    }
    return std::nullopt;
  };
  if (auto c = against(cell.write)) return c;
  if (cell.more != 0) {
    for (const Stamp& w : extras_[cell.more - 1].writers) {
      if (auto c = against(w)) return c;
    }
  }
  return std::nullopt;
}

void HappensBefore::record_read(Shadow& cell, uint32_t lanes, const Stamp& now) {
  Stamp& r = cell.read;
  if ((now.flags & kAccessNonCoherent) != 0) cell.non_coherent = cta_;
  if (r.cta == cta_ && r.phase == phase_) {
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
        if (r.clock > known_by_warp_[base + lane]) covered = false;
      });
    }
    if (!covered) add_reader(cell, r, cell.lanes);
    if (!same_warp && cell.more != 0) {  // take this warp's earlier reads back
      auto& readers = extras_[cell.more - 1].readers;
      for (size_t i = 0; i < readers.size(); ++i) {
        const Stamp& s = readers[i].stamp;
        if (warp_of(s.thread) != warp_of(now.thread) || s.clock != now.clock ||
            s.guard != now.guard || (s.flags & kAccessMany) != 0) {
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
  if (in_launch(r) && r.cta != cta_) {
    if (!in_launch(cell.other) || r.guard == true_) {
      cell.other = r;
    } else if (cell.other.guard != true_) {
      cell.other.guard = arena_.logic_or(cell.other.guard, r.guard);
    }
  } else if (r.cta == cta_ && now.guard != true_ && now.guard != r.guard) {
    // An earlier phase: ordered here, but other CTAs may conflict with it.
    add_reader(cell, r, cell.lanes);
    r = now;
    cell.lanes = lanes;
    return;
  }
  if (cell.more != 0) extras_[cell.more - 1].readers.clear();
  if (cell.more != 0 && extras_[cell.more - 1].writers.empty()) drop_extra(cell);
  r = now;
  cell.lanes = lanes;
}

std::optional<Conflict> HappensBefore::write_conflict(const Shadow& cell, const Stamp& now,
                                                      bool same_value,
                                                      bool& same_value_write) const {
  const auto with_write = [&](const Stamp& w) -> std::optional<Conflict> {
    if (!in_launch(w)) return std::nullopt;
    if (w.cta == cta_ && ordered(w, now.thread)) return std::nullopt;
    if (same_value && w.bytes == now.bytes && w.guard == now.guard) {
      same_value_write = true;
      return std::nullopt;
    }
    return Conflict{w, now, true, true};
  };
  const auto with_reads = [&](const Stamp& r, uint32_t lanes) -> std::optional<Conflict> {
    if (!in_launch(r)) return std::nullopt;
    if (r.cta != cta_) return Conflict{r, now, false, true};
    if (r.phase < phase_) return std::nullopt;
    Stamp one = r;
    const unsigned base = warp_of(r.thread) * kWarpSize;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      one.thread = static_cast<uint16_t>(base + first_lane(rest));
      if (!ordered(one, now.thread)) return Conflict{one, now, false, true};
    }
    return std::nullopt;
  };
  if (auto c = with_write(cell.write)) return c;
  if (auto c = with_reads(cell.read, cell.lanes)) return c;
  if (auto c = with_reads(cell.other, 1)) return c;
  if (cell.more != 0) {
    const Extra& more = extras_[cell.more - 1];
    for (const Stamp& w : more.writers) {
      if (auto c = with_write(w)) return c;
    }
    for (const Reader& r : more.readers) {
      if (auto c = with_reads(r.stamp, r.lanes)) return c;
    }
  }
  // PTX 9.7.9.8, ld.global.nc: the memory must be read-only while the grid runs.
  if (cell.non_coherent >= launch_first_) {
    Stamp r = cell.read;
    r.flags |= kAccessNonCoherent;
    return Conflict{r, now, false, true};
  }
  return std::nullopt;
}

std::optional<Conflict> HappensBefore::write(Shadow& cell, const Stamp& now, bool same_value,
                                             bool& same_value_write) {
  auto conflict = write_conflict(cell, now, same_value, same_value_write);
  if (now.guard != true_) {  // does not stand for what came before
    if (in_launch(cell.write)) add_writer(cell, cell.write);
  } else if (same_value_write) {
    add_writer(cell, cell.write);
  } else {
    cell.read.cta = 0;
    cell.other.cta = 0;
    cell.lanes = 0;
    drop_extra(cell);
  }
  cell.write = now;
  return conflict;
}

void HappensBefore::add_reader(Shadow& cell, const Stamp& stamp, uint32_t lanes) {
  auto& readers = extra(cell).readers;
  if (readers.size() < kMaxExtraReaders) {
    readers.push_back({stamp, lanes});
    return;
  }
  merge(readers.back().stamp, stamp);
}

// Too many to keep apart: `into` stands for both from now on.
void HappensBefore::merge(Stamp& into, const Stamp& other) {
  into.guard = arena_.logic_or(into.guard, other.guard);
  into.phase = std::max(into.phase, other.phase);
  into.flags |= kAccessMany | other.flags;
}

void HappensBefore::add_writer(Shadow& cell, const Stamp& stamp) {
  auto& writers = extra(cell).writers;
  if (writers.size() < kMaxExtraWriters) {
    writers.push_back(stamp);
    return;
  }
  merge(writers.back(), stamp);
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
  free_extras_.push_back(cell.more);
  cell.more = 0;
}

void HappensBefore::separate(Shadow& copy) {
  if (copy.more == 0) return;
  Extra contents = extras_[copy.more - 1];
  copy.more = 0;
  extra(copy) = std::move(contents);
}

void HappensBefore::share_row(unsigned warp, uint32_t mask, Row row) {
  for_each_lane(mask, [&](unsigned lane) { rows_[warp * kWarpSize + lane] = row; });
}

void HappensBefore::warp_sync(unsigned warp, uint32_t mask, uint32_t live) {
  mask &= live;
  const unsigned base = warp * kWarpSize;
  if (mask != live) {
    auto knowledge = std::make_shared<Knowledge>();
    for_each_lane(mask, [&](unsigned lane) { release(base + lane, *knowledge); });
    share_row(warp, mask, std::move(knowledge));
    any_row_ = true;
    uneven_[warp] = 1;
    return;
  }
  uint32_t clock = 0;
  for_each_lane(mask, [&](unsigned lane) { clock = std::max(clock, clocks_[base + lane]); });
  if (any_row_) {
    bool same = true;
    const Row& first = rows_[base + first_lane(mask)];
    for_each_lane(mask, [&](unsigned lane) { same = same && rows_[base + lane] == first; });
    if (!same) {
      auto joined = std::make_shared<Knowledge>(clocks_.size(), 0);
      for_each_lane(mask, [&](unsigned lane) {
        const Row& row = rows_[base + lane];
        if (row == nullptr) return;
        for (size_t i = 0; i < row->size(); ++i) (*joined)[i] = std::max((*joined)[i], (*row)[i]);
      });
      share_row(warp, mask, std::move(joined));
    }
  }
  for_each_lane(mask, [&](unsigned lane) {
    known_by_warp_[base + lane] = clock;
    clocks_[base + lane] = clock + 1;
  });
  uneven_[warp] = 0;
}

void HappensBefore::cta_barrier() {
  ++phase_;
  if (!any_row_) return;
  std::fill(rows_.begin(), rows_.end(), nullptr);
  any_row_ = false;
}

void HappensBefore::release(unsigned thread, Knowledge& into) {
  if (into.size() < clocks_.size()) into.resize(clocks_.size(), 0);
  if (const Row& row = rows_[thread]) {
    for (size_t i = 0; i < row->size(); ++i) into[i] = std::max(into[i], (*row)[i]);
  }
  const unsigned base = warp_of(thread) * kWarpSize;
  for (unsigned i = base; i < base + kWarpSize; ++i) into[i] = std::max(into[i], known_by_warp_[i]);
  into[thread] = std::max(into[thread], clocks_[thread]);
  ++clocks_[thread];
  uneven_[warp_of(thread)] = 1;
}

void HappensBefore::acquire(unsigned thread, const Knowledge& from) {
  auto joined = std::make_shared<Knowledge>(from);
  if (const Row& row = rows_[thread]) {
    for (size_t i = 0; i < row->size(); ++i) (*joined)[i] = std::max((*joined)[i], (*row)[i]);
  }
  rows_[thread] = std::move(joined);
  any_row_ = true;
}

}  // namespace ptxequiv::machine
