#include "machine/strong_writes.h"

#include <algorithm>

#include "base/error.h"

namespace ptxequiv::machine {
namespace {

constexpr size_t kMost = 1 << 16;  // of one place
constexpr int kLook = 64;          // writes back, for one that is ordered before
constexpr int kFar = 4096;         // writes on, for all that are

// Read-modify-writes of which any order leaves the same values behind.
bool alike(const StrongWrites::Write& a, const StrongWrites::Write& b) {
  return a.is_rmw && b.is_rmw && a.operation == b.operation && a.operand == b.operand;
}

}  // namespace

StrongWrites::Place* StrongWrites::find(const Key& key) {
  const auto it = places_.find(key);
  return it == places_.end() ? nullptr : &it->second;
}

StrongWrites::Place& StrongWrites::open(const Key& key, unsigned size, const Lane& before) {
  const auto [it, fresh] = places_.try_emplace(key);
  Place& place = it->second;
  if (fresh) {
    place.before = before;
    place.size = size;
  }
  return place;
}

int StrongWrites::all_before(const Place& place, unsigned thread) const {
  const int count = static_cast<int>(place.writes.size());
  int after = -1;
  for (int i = count - 1; i >= 0 && i >= count - kLook; --i) {
    const Write& write = place.writes[static_cast<size_t>(i)];
    if (write.after > after && order_.ordered(write.stamp, thread)) after = write.after;
  }
  for (const Exit& exit : place.exits) {
    if (exit.write > after && order_.ordered(exit.stamp, thread)) after = exit.write;
  }
  for (int i = 0; i < kFar && after + 1 < count; ++i, ++after) {
    if (!order_.ordered(place.writes[static_cast<size_t>(after) + 1].stamp, thread)) break;
  }
  return after;
}

bool StrongWrites::add(const Key& key, unsigned size, const Lane& before, Write write) {
  Place& place = open(key, size, before);
  place.mixed = place.mixed || place.size != size;
  if (place.writes.size() >= kMost) {
    throw base::LimitReached("strong-writes", "strong writes to one place in a launch");
  }
  const unsigned thread = write.stamp.thread;
  const int last = static_cast<int>(place.writes.size()) - 1;
  write.after = all_before(place, thread);
  // PTX 8.7.4: the same thread's later writes of the place are of the same release pattern.
  const auto holds = [](const ReleaseRef& release, const ReleaseRef& other) {
    return release != nullptr && other != nullptr &&
           std::find(release->earlier.begin(), release->earlier.end(), other) !=
               release->earlier.end();
  };
  for (int i = last; i >= 0 && i > last - kLook && write.hands_on < 0; --i) {
    const Write& other = place.writes[static_cast<size_t>(i)];
    const bool own = other.stamp.cta == write.stamp.cta && other.stamp.thread == thread;
    if (own || holds(write.far, other.far)) write.hands_on = i;
  }
  bool overtakes = false;
  const int after = write.after;
  const Lane value = write.value;
  place.writes.push_back(std::move(write));
  for (const Exit& exit : place.exits) {
    if (order_.ordered(exit.stamp, thread)) continue;
    overtakes = overtakes || after < exit.write || exit.ends(value) != true ||
                (exit.write >= 0 && !includes(place, last + 1, exit.write));
  }
  return overtakes;
}

void StrongWrites::see(Place& place, int index, unsigned thread, Reach reach, bool acquires,
                       Seen::Always always, uint16_t operation) {
  if (index < 0) return;
  const auto mine = std::find_if(place.seen.rbegin(), place.seen.rend(), [&](const Seen& s) {
    return s.stamp.thread == thread && s.stamp.cta == order_.cta() && s.always == always;
  });
  if (mine == place.seen.rend() || mine->write < index) {
    place.seen.push_back({order_.stamp(thread, kNoSite, kNoTerm, 0, 0), index, always, operation});
  }
  for (int i = index; i >= 0; --i) {
    const Write& write = place.writes[static_cast<size_t>(i)];
    const bool near = write.stamp.cta == order_.cta();
    order_.see(thread, near ? write.near : write.far, reach, acquires);
    if (!write.is_rmw) return;
  }
}

void StrongWrites::see_any(const Place& place, unsigned thread, Reach reach) {
  for (const Write& write : place.writes) {
    order_.see(thread, write.stamp.cta == order_.cta() ? write.near : write.far, reach, true);
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
    return s.always == Seen::Always::kLike && is->is_rmw && is->operation == s.operation;
  });
}

std::optional<int> StrongWrites::earliest_seen(const Place& place, unsigned thread) const {
  int last = -1, ordered = 0;
  for (size_t i = 0; i < place.writes.size(); ++i) {
    if (!order_.ordered(place.writes[i].stamp, thread)) continue;
    last = static_cast<int>(i);
    ++ordered;
  }
  if (ordered == last + 1) return last;
  // Others among them may come later. Counting up, only their number matters.
  for (int i = 0; i < last; ++i) {
    if (!alike(place.writes[static_cast<size_t>(i)], place.writes[static_cast<size_t>(i) + 1])) {
      return std::nullopt;
    }
  }
  return ordered - 1;
}

bool StrongWrites::includes(const Place& place, int later, int earlier) {
  while (later > earlier && place.writes[static_cast<size_t>(later)].is_rmw) --later;
  return later == earlier || place.writes[static_cast<size_t>(later)].hands_on >= earlier;
}

bool StrongWrites::settled(const Place& place, int index) {
  if (place.mixed) return false;
  int run = 0;  // where the read-modify-writes begin that may change places with this one
  for (int at = 0; at < static_cast<int>(place.writes.size()); ++at) {
    const Write& write = place.writes[static_cast<size_t>(at)];
    if (at > index) {
      if (write.after < index || (index >= 0 && !includes(place, at, index))) return false;
      continue;
    }
    if (at == 0 || !alike(write, place.writes[static_cast<size_t>(at) - 1])) run = at;
    if (write.after < run - 1) return false;
  }
  return true;
}

}  // namespace ptxequiv::machine
