// Synchronisation through memory: what a release hands over, and who has acquired it.
#include <algorithm>

#include "machine/happens_before.h"

namespace ptxequiv::machine {
namespace {

// Is the access before the release, which may be of another CTA?
bool covers(const Release& release, const Stamp& s) {
  if (s.cta != release.cta) {
    return std::any_of(release.earlier.begin(), release.earlier.end(),
                       [&](const ReleaseRef& r) { return r->cta == s.cta && covers(*r, s); });
  }
  if (s.phase != release.phase) return s.phase < release.phase;
  if ((s.flags & kAccessMany) != 0) return false;
  if (s.thread == release.thread) return s.clock <= release.clock;
  if (s.thread / kWarpSize == release.thread / kWarpSize &&
      s.clock <= release.warp[s.thread % kWarpSize]) {
    return true;
  }
  return release.row != nullptr && s.thread < release.row->size() &&
         (*release.row)[s.thread] >= s.clock;
}

// Does `a` hold all that `b` does? Only where that is plain.
bool at_least(const Release& a, const Release& b) {
  return a.cta == b.cta && a.thread == b.thread &&
         (a.phase > b.phase || (a.phase == b.phase && a.clock >= b.clock));
}

Stamp time_of(const CtaClocks::Acquired& acquired, uint32_t cta) {
  Stamp at;
  at.cta = cta;
  at.phase = acquired.phase;
  at.clock = acquired.clock;
  at.thread = acquired.thread;
  return at;
}

}  // namespace

bool HappensBefore::ordered_elsewhere(const Stamp& s, unsigned thread) const {
  return std::any_of(cta_.acquired.begin(), cta_.acquired.end(), [&](const auto& a) {
    if (!covers(*a.release, s)) return false;
    return ordered(time_of(a, cta_.number), thread);
  });
}

ReleaseRef HappensBefore::release_of(unsigned thread, Reach reach, bool releases) {
  if (!releases) {
    const auto fence = cta_.fences.find(thread);
    return fence == cta_.fences.end() ? nullptr : fence->second[static_cast<size_t>(reach)];
  }
  auto release = std::make_shared<Release>();
  release->cta = cta_.number;
  release->phase = cta_.phase;
  release->thread = static_cast<uint16_t>(thread);
  release->clock = cta_.clocks[thread]++;
  const unsigned warp = thread / kWarpSize;
  cta_.uneven[warp] = 1;
  for (unsigned i = 0; i < kWarpSize; ++i) {
    release->warp[i] = cta_.known_by_warp[warp * kWarpSize + i];
  }
  release->row = cta_.rows[thread];
  for (const auto& a : cta_.acquired) {  // a release hands on what its thread has acquired
    if (a.release->cta == cta_.number || !ordered(time_of(a, cta_.number), thread)) continue;
    release->earlier.push_back(a.release);
    release->earlier.insert(release->earlier.end(), a.release->earlier.begin(),
                            a.release->earlier.end());
  }
  auto& earlier = release->earlier;
  std::sort(earlier.begin(), earlier.end());
  earlier.erase(std::unique(earlier.begin(), earlier.end()), earlier.end());
  return release;
}

void HappensBefore::fence(unsigned warp, uint32_t mask, uint32_t live, Reach reach) {
  if (!follows_) return;
  uint8_t uneven = cta_.uneven[warp];
  for_each_lane(mask, [&](unsigned lane) {
    const unsigned thread = warp * kWarpSize + lane;
    if (const auto pending = cta_.pending.find(thread); pending != cta_.pending.end()) {
      std::vector<CtaClocks::Pending> rest;
      for (CtaClocks::Pending& p : pending->second) {
        if (p.reach == Reach::kGpu && reach == Reach::kCta && p.release->cta != cta_.number) {
          rest.push_back(std::move(p));
        } else {
          acquire_release(thread, p.release);
          uneven = 1;
        }
      }
      pending->second = std::move(rest);
    }
    auto& fences = cta_.fences[thread];
    fences[0] = release_of(thread, reach, true);
    if (reach == Reach::kGpu) fences[1] = fences[0];
  });
  if (mask == live) cta_.uneven[warp] = uneven;
}

void HappensBefore::see(unsigned thread, const ReleaseRef& release, Reach reach, bool acquires) {
  if (release == nullptr) return;
  // Morally strong only if each includes the other (PTX 8.7.1).
  if (reach == Reach::kCta && release->cta != cta_.number) return;
  if (acquires) return acquire_release(thread, release);
  cta_.pending[thread].push_back({release, reach});
}

void HappensBefore::acquire_release(unsigned thread, const ReleaseRef& release) {
  for (const auto& a : cta_.acquired) {
    const bool same = a.release == release || at_least(*a.release, *release);
    if (same && a.thread == thread) return;
  }
  if (release->cta == cta_.number && release->phase == cta_.phase) {
    Knowledge known = release->row == nullptr ? Knowledge{} : *release->row;
    known.resize(cta_.clocks.size(), 0);
    const unsigned base = release->thread / kWarpSize * kWarpSize;
    for (unsigned i = 0; i < kWarpSize; ++i) {
      known[base + i] = std::max(known[base + i], release->warp[i]);
    }
    known[release->thread] = std::max(known[release->thread], release->clock);
    acquire(thread, known);
  }
  cta_.acquired.push_back(
      {cta_.phase, cta_.clocks[thread], static_cast<uint16_t>(thread), release});
  ++cta_.clocks[thread];
  cta_.uneven[thread / kWarpSize] = 1;
}

}  // namespace ptxequiv::machine
