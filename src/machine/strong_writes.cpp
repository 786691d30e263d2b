#include "machine/strong_writes.h"

#include <algorithm>

#include "base/error.h"

namespace ptxequiv::machine {
namespace {

constexpr size_t kMost = 1 << 16;  // of one place
constexpr int kLook = 64;          // writes back, for one that is ordered before

}  // namespace

StrongWrites::Place* StrongWrites::find(const Key& key) {
  const auto it = places_.find(key);
  return it == places_.end() ? nullptr : &it->second;
}

bool StrongWrites::add(const Key& key, unsigned size, const Lane& before, Write write) {
  Place& place = places_[key];
  if (place.writes.empty()) {
    place.before = before;
    place.size = size;
  }
  place.mixed = place.mixed || place.size != size;
  if (place.writes.size() >= kMost) {
    throw base::LimitReached("strong-writes", "strong writes to one place in a launch");
  }
  const unsigned thread = write.stamp.thread;
  const int last = static_cast<int>(place.writes.size()) - 1;
  for (int i = last; i >= 0 && i > last - kLook && write.after < 0; --i) {
    if (order_.ordered(place.writes[static_cast<size_t>(i)].stamp, thread)) write.after = i;
  }
  bool overtakes = false;
  for (const Exit& exit : place.exits) {
    if (order_.ordered(exit.stamp, thread)) write.after = std::max(write.after, exit.write);
  }
  for (const Exit& exit : place.exits) overtakes = overtakes || write.after < exit.write;
  place.writes.push_back(std::move(write));
  return overtakes;
}

void StrongWrites::see(Place& place, int index, unsigned thread, Reach reach, bool acquires,
                       Seen::Always always) {
  if (index < 0) return;
  const auto mine = std::find_if(place.seen.rbegin(), place.seen.rend(), [&](const Seen& s) {
    return s.stamp.thread == thread && s.stamp.cta == order_.cta() && s.always == always;
  });
  if (mine == place.seen.rend() || mine->write < index) {
    place.seen.push_back({order_.stamp(thread, kNoSite, kNoTerm, 0, 0), index, always});
  }
  for (int i = index; i >= 0; --i) {
    const Write& write = place.writes[static_cast<size_t>(i)];
    const bool near = write.stamp.cta == order_.cta();
    order_.see(thread, near ? write.near : write.far, reach, acquires);
    if (!write.is_rmw) return;
  }
}

bool StrongWrites::after(const Place& place, const Stamp& write, unsigned thread,
                         bool always) const {
  const auto is = std::find_if(place.writes.begin(), place.writes.end(), [&](const Write& w) {
    const Stamp& s = w.stamp;
    return s.cta == write.cta && s.thread == write.thread && s.phase == write.phase &&
           s.clock == write.clock && s.site == write.site;
  });
  if (is == place.writes.end()) return false;
  const int index = static_cast<int>(is - place.writes.begin());
  return std::any_of(place.seen.begin(), place.seen.end(), [&](const Seen& s) {
    if (s.write < index || !order_.ordered(s.stamp, thread)) return false;
    if (!always || s.always == Seen::Always::kAll) return true;
    const Write& seen = place.writes[static_cast<size_t>(s.write)];
    return s.always == Seen::Always::kLike && is->is_rmw && seen.is_rmw &&
           is->operation == seen.operation;
  });
}

bool StrongWrites::settled(const Place& place, int index) {
  if (place.mixed) return false;
  for (size_t i = 0; i < place.writes.size(); ++i) {
    const Write& write = place.writes[i];
    const int at = static_cast<int>(i);
    if (at > index) {
      if (write.after < index) return false;
      continue;
    }
    if (at == 0 || write.after >= at - 1) continue;
    const Write& previous = place.writes[i - 1];
    const bool alike = write.is_rmw && previous.is_rmw && write.operation == previous.operation &&
                       write.operand == previous.operand;
    if (!alike) return false;
  }
  return true;
}

}  // namespace ptxequiv::machine
