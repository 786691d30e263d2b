// Barriers with a count: which warps complete them, where the schedule chooses.
//
// As long as the warps that come to a barrier make up its count, the same ones complete it in every
// schedule. Else the CTA is run again (worlds): then every warp that comes to such a barrier is
// held until nothing else can move, and it is decided whether it is one of those that complete it
// this time. Arrivals at one barrier between two completions commute, so these decisions are all
// that tells two schedules of a program without races apart.
#pragma once
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "machine/env.h"

namespace ptxequiv::machine {

class BarrierChoices {
 public:
  explicit BarrierChoices(Env& env) : env_(env) {}

  // A CTA, or a world of it, starts.
  void begin(size_t warps);

  // One warp that comes to a barrier with a count.
  struct Arrival {
    uint32_t id = 0;
    uint64_t count = 0;
    SiteId site = kNoSite;
    bool again = false;  // it has come already, and the barrier was not complete since
    bool full = false;   // those that are there make up the count
  };
  // May it be counted now? Else the strand waits for its turn.
  bool admit(const Arrival& arrival, Warp& warp, Strand& strand);
  // Warps completed a barrier with a count.
  void completed(uint32_t id, const std::vector<unsigned>& by);
  // The whole CTA met at a barrier: what came before does not count any more, but for barriers that
  // someone waits at.
  void met(const std::vector<uint32_t>& in_use);

  // Where everything waits: gives a held strand its turn. `missing` says how many warps a barrier
  // still lacks. Did any get one?
  template <typename Missing>
  bool next_turn(std::vector<Warp>& warps, const Missing& missing);

 private:
  // Warps that came to a barrier since the whole CTA last met.
  struct Users {
    uint64_t count = 0;
    std::vector<bool> warps;
    unsigned number = 0;
  };
  struct Held {
    uint32_t id = 0;
    SiteId site = kNoSite;
    Warp* warp = nullptr;
    Strand* strand = nullptr;
    bool later = false;  // decided: not one of those that complete it this time
  };
  void note_user(const Arrival& arrival, unsigned warp);
  void leave_open(uint32_t id, uint64_t count, SiteId site);
  bool exploring() const;
  bool enough() const;
  bool decide(const Held& held);
  bool comes_later(const std::vector<Warp>& warps, uint32_t id) const;
  void give_turn(size_t index);

  Env& env_;
  std::map<uint32_t, Users> users_;
  std::vector<Held> held_;  // in the order of their coming
  const Strand* turn_ = nullptr;
  size_t warps_ = 0;
  // Of the CTA, over all its worlds: barriers whose warps the schedule chooses; whether the other
  // schedules are looked at (false in the first world); the leaves that stand for the choices, by
  // those made before.
  std::set<uint32_t> chosen_;
  TermId in_order_ = kNoTerm;
  std::map<std::vector<bool>, TermId> leaves_;
  std::vector<bool> path_;
  std::vector<std::string> story_;
};

template <typename Missing>
bool BarrierChoices::next_turn(std::vector<Warp>& warps, const Missing& missing) {
  if (held_.empty()) return false;
  std::stable_sort(held_.begin(), held_.end(),
                   [](const Held& a, const Held& b) { return a.warp->index < b.warp->index; });
  for (size_t i = 0; i < held_.size(); ++i) {
    Held& held = held_[i];
    if (held.later) continue;
    const auto candidates = std::count_if(
        held_.begin(), held_.end(), [&](const Held& h) { return h.id == held.id && !h.later; });
    const bool forced =
        !exploring() || chosen_.count(held.id) == 0 ||
        (static_cast<uint64_t>(candidates) <= missing(held.id, users_[held.id].count) &&
         !comes_later(warps, held.id));
    if (forced || decide(held)) {
      give_turn(i);
      return true;
    }
    held.later = true;
  }
  give_turn(0);  // the others do not make up the count
  return true;
}

}  // namespace ptxequiv::machine
