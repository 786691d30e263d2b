// Clocks: what orders accesses. The cells are in happens_before_cells.cpp.
#include "machine/happens_before.h"

#include <algorithm>

namespace ptxequiv::machine {
namespace {

unsigned warp_of(unsigned thread) {
  return thread / kWarpSize;
}

}  // namespace

Reach reach_of(std::string_view scope) {
  return scope == "cta" || scope == "cluster" ? Reach::kCta : Reach::kGpu;
}

void HappensBefore::begin_launch(uint32_t ctas, bool follows, uint32_t step, bool dependent) {
  if (step == kNoStep || step != step_) {
    chain_open_ = dependent && dependent_ && !any_waited_;
    before_first_ = launch_first_;
    before_triggered_ = triggered_;
    kept_first_ = dependent ? (dependent_ ? kept_first_ : launch_first_) : next_;
    dependent_ = dependent;
    step_ = step;
  } else if (!dependent) {
    kept_first_ = next_;
  }
  triggered_ = any_waited_ = false;
  follows = follows || dependent;
  launch_first_ = bound_ = next_;
  many_ = next_ + ctas;
  next_ = many_ + 1;
  follows_ = follows;
}

void HappensBefore::begin_cta(unsigned threads, uint32_t index) {
  const size_t warps = (threads + kWarpSize - 1) / kWarpSize;
  CtaClocks& c = cta_;
  c.number = launch_first_ + index;
  c.phase = 1;
  c.clocks.assign(warps * kWarpSize, 1);
  c.known_by_warp.assign(warps * kWarpSize, 0);
  c.ordered_by_warp.assign(warps * kWarpSize, 0);
  c.soft_rows = false;
  c.uneven.assign(warps, 0);
  c.rows.assign(warps * kWarpSize, nullptr);
  c.any_row = false;
  c.fences.clear();
  c.pending.clear();
  c.acquired.clear();
  c.waited.assign(dependent_ ? warps * kWarpSize : 0, 0);
}

void HappensBefore::grid_wait(unsigned thread) {
  any_waited_ = true;
  if (cta_.waited.empty() || cta_.waited[thread] != 0) return;
  cta_.waited[thread] = 1;
  cta_.uneven[warp_of(thread)] = 1;  // until the warp meets
}

// Of lanes that meet, all have waited if one has.
void HappensBefore::share_wait(unsigned first, uint32_t lanes) {
  if (cta_.waited.empty()) return;
  bool any = false;
  for_each_lane(lanes, [&](unsigned lane) { any = any || cta_.waited[first + lane] != 0; });
  if (!any) return;
  for_each_lane(lanes, [&](unsigned lane) { cta_.waited[first + lane] = 1; });
}

bool HappensBefore::ordered(const Stamp& s, unsigned thread) const {
  if (s.cta != cta_.number) return ordered_elsewhere(s, thread);
  if (s.phase < cta_.phase) return true;
  if ((s.flags & kAccessMany) != 0) return false;
  if (s.thread == thread) return true;
  if (warp_of(s.thread) == warp_of(thread) && s.clock <= cta_.known_by_warp[s.thread]) {
    relied_ = relied_ || s.clock > cta_.ordered_by_warp[s.thread];
    return true;
  }
  const Row& row = cta_.rows[thread];
  if (row == nullptr || s.thread >= row->size() || (*row)[s.thread] < s.clock) return false;
  relied_ = relied_ || cta_.soft_rows;
  return true;
}

bool HappensBefore::ordered_always(const Stamp& s, unsigned thread) const {
  if (s.cta != cta_.number) return false;
  if (s.phase < cta_.phase || s.thread == thread) return true;
  return warp_of(s.thread) == warp_of(thread) && s.clock <= cta_.ordered_by_warp[s.thread];
}

bool HappensBefore::unordered(Stamp& s, uint32_t lanes, unsigned thread) const {
  if (!counts(s)) return false;
  if (s.cta == cta_.number && s.phase < cta_.phase) return false;
  const unsigned base = warp_of(s.thread) * kWarpSize;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    s.thread = static_cast<uint16_t>(base + first_lane(rest));
    if (!ordered(s, thread)) return true;
  }
  return false;
}

void HappensBefore::share_row(unsigned warp, uint32_t mask, Row row) {
  for_each_lane(mask, [&](unsigned lane) { cta_.rows[warp * kWarpSize + lane] = row; });
}

void HappensBefore::warp_sync(unsigned warp, uint32_t mask, uint32_t live, bool orders) {
  mask &= live;
  const unsigned base = warp * kWarpSize;
  share_wait(base, mask);
  if (mask != live) {
    auto knowledge = std::make_shared<Knowledge>();
    for_each_lane(mask, [&](unsigned lane) { release(base + lane, *knowledge); });
    share_row(warp, mask, std::move(knowledge));
    cta_.any_row = true;
    cta_.soft_rows = cta_.soft_rows || !orders;
    cta_.uneven[warp] = 1;
    return;
  }
  uint32_t clock = 0;
  for_each_lane(mask, [&](unsigned lane) { clock = std::max(clock, cta_.clocks[base + lane]); });
  if (cta_.any_row) {
    bool same = true;
    const Row& first = cta_.rows[base + first_lane(mask)];
    for_each_lane(mask, [&](unsigned lane) { same = same && cta_.rows[base + lane] == first; });
    if (!same) {
      cta_.soft_rows = cta_.soft_rows || !orders;
      auto joined = std::make_shared<Knowledge>(cta_.clocks.size(), 0);
      for_each_lane(mask, [&](unsigned lane) {
        const Row& row = cta_.rows[base + lane];
        if (row == nullptr) return;
        for (size_t i = 0; i < row->size(); ++i) (*joined)[i] = std::max((*joined)[i], (*row)[i]);
      });
      share_row(warp, mask, std::move(joined));
    }
  }
  for_each_lane(mask, [&](unsigned lane) {
    cta_.known_by_warp[base + lane] = clock;
    if (orders) cta_.ordered_by_warp[base + lane] = clock;
    cta_.clocks[base + lane] = clock + 1;
  });
  cta_.uneven[warp] = 0;
}

void HappensBefore::cta_barrier() {
  ++cta_.phase;
  if (std::find(cta_.waited.begin(), cta_.waited.end(), 1) != cta_.waited.end()) {
    cta_.waited.assign(cta_.waited.size(), 1);
  }
  if (!cta_.any_row) return;
  std::fill(cta_.rows.begin(), cta_.rows.end(), nullptr);
  cta_.any_row = cta_.soft_rows = false;
}

void HappensBefore::release(unsigned thread, Knowledge& into) {
  if (into.size() < cta_.clocks.size()) into.resize(cta_.clocks.size(), 0);
  if (const Row& row = cta_.rows[thread]) {
    for (size_t i = 0; i < row->size(); ++i) into[i] = std::max(into[i], (*row)[i]);
  }
  const unsigned base = warp_of(thread) * kWarpSize;
  for (unsigned i = base; i < base + kWarpSize; ++i)
    into[i] = std::max(into[i], cta_.known_by_warp[i]);
  into[thread] = std::max(into[thread], cta_.clocks[thread]);
  ++cta_.clocks[thread];
  cta_.uneven[warp_of(thread)] = 1;
}

void HappensBefore::acquire(unsigned thread, const Knowledge& from) {
  auto joined = std::make_shared<Knowledge>(from);
  if (const Row& row = cta_.rows[thread]) {
    for (size_t i = 0; i < row->size(); ++i) (*joined)[i] = std::max((*joined)[i], (*row)[i]);
  }
  cta_.rows[thread] = std::move(joined);
  cta_.any_row = true;
}

}  // namespace ptxequiv::machine
