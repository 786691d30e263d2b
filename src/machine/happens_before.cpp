// Clocks: what orders accesses. The cells are in happens_before_cells.cpp.
#include "machine/happens_before.h"

#include <algorithm>

namespace ptxequiv::machine {
namespace {

unsigned warp_of(unsigned thread) {
  return thread / kWarpSize;
}

}  // namespace

void HappensBefore::begin_launch() {
  launch_first_ = cta_ + 1;
  launch_fence_ = released_ = false;
}

void HappensBefore::begin_cta(unsigned threads) {
  ++cta_;
  ++phase_;
  const size_t warps = (threads + kWarpSize - 1) / kWarpSize;
  clocks_.assign(warps * kWarpSize, 1);
  known_by_warp_.assign(warps * kWarpSize, 0);
  uneven_.assign(warps, 0);
  rows_.assign(warps * kWarpSize, nullptr);
  any_row_ = false;
  cta_fence_ = strong_read_ = acquired_ = false;
}

bool HappensBefore::ordered(const Stamp& s, unsigned thread) const {
  if (s.phase < phase_) return true;
  if ((s.flags & kAccessMany) != 0) return false;
  if (s.thread == thread) return true;
  if (warp_of(s.thread) == warp_of(thread) && s.clock <= known_by_warp_[s.thread]) return true;
  const Row& row = rows_[thread];
  return row != nullptr && s.thread < row->size() && (*row)[s.thread] >= s.clock;
}

bool HappensBefore::unordered(Stamp& s, uint32_t lanes, unsigned thread) const {
  if (!in_launch(s)) return false;
  if (s.cta != cta_) return true;
  if (s.phase < phase_) return false;
  const unsigned base = warp_of(s.thread) * kWarpSize;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    s.thread = static_cast<uint16_t>(base + first_lane(rest));
    if (!ordered(s, thread)) return true;
  }
  return false;
}

// Release and acquire patterns are a fence with a strong access after or before it, or a strong
// access with the ordering of its own (PTX 8.7.4).
void HappensBefore::fence() {
  launch_fence_ = cta_fence_ = true;
  if (strong_read_) acquired_ = true;
}

void HappensBefore::strong_access(bool reads, bool writes, bool acquires, bool releases) {
  if (writes && (releases || launch_fence_)) released_ = true;
  if (!reads) return;
  strong_read_ = true;
  // A fence anywhere in the CTA counts, also one before the read: which thread it was is not kept.
  if (acquires || cta_fence_) acquired_ = true;
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
