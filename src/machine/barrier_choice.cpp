#include "machine/barrier_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxequiv::machine {
namespace {

constexpr size_t kStory = 3;  // completions that a fault's message tells of

}  // namespace

void BarrierChoices::begin(size_t warps) {
  if (!env_.worlds.split()) {
    chosen_.clear();
    leaves_.clear();
    in_order_ = kNoTerm;
  }
  warps_ = warps;
  users_.clear();
  held_.clear();
  turn_ = nullptr;
  path_.clear();
  story_.clear();
  env_.context.reporter.in_schedule({});
}

bool BarrierChoices::exploring() const {
  return in_order_ != kNoTerm && env_.worlds.decided(in_order_) == false;
}

// A fault that another schedule shows is all there is to be shown.
bool BarrierChoices::enough() const {
  const Reporter& reporter = env_.context.reporter;
  return reporter.any(Category::kRaceShared) || reporter.any(Category::kRaceGlobal) ||
         reporter.any(Category::kBarrierDivergence) || reporter.any(Category::kDeadlock);
}

bool BarrierChoices::admit(const Arrival& arrival, Warp& warp, Strand& strand) {
  if (turn_ == &strand) {
    turn_ = nullptr;
    return true;
  }
  note_user(arrival, warp.index);
  if (!arrival.full && !(exploring() && chosen_.count(arrival.id) != 0)) return true;
  held_.push_back({arrival.id, arrival.site, &warp, &strand, false});
  strand.wait = Wait::kTurn;
  return false;
}

void BarrierChoices::leave_open(uint32_t id, uint64_t count, SiteId site) {
  env_.gap_of_schedule(
      "barrier-count",
      fmt::format("which warps complete barrier {}, of {} threads, depends on the schedule", id,
                  count),
      site);
}

void BarrierChoices::note_user(const Arrival& arrival, unsigned warp) {
  Users& users = users_[arrival.id];
  users.warps.resize(warps_, false);
  if (!users.warps[warp]) ++users.number;
  users.warps[warp] = true;
  if (users.count == 0) users.count = arrival.count;
  // A warp that comes twice is counted twice, which is not followed.
  if (arrival.again) return leave_open(arrival.id, arrival.count, arrival.site);
  if (users.count == arrival.count && uint64_t{users.number} * kWarpSize <= arrival.count) return;
  if (!chosen_.insert(arrival.id).second) return;
  if (env_.context.limits.evaluate || exploring() || enough() || !env_.worlds.room()) {
    return leave_open(arrival.id, arrival.count, arrival.site);
  }
  if (in_order_ != kNoTerm) return;
  in_order_ = env_.context.reporter.schedule_input(
      1, "whether warps come to barriers with a count in the order of their numbers", arrival.site);
  env_.worlds.decide(in_order_);
}

bool BarrierChoices::decide(const Held& held) {
  if (enough() || !env_.worlds.room()) {
    leave_open(held.id, users_[held.id].count, held.site);
    return true;
  }
  TermId& leaf = leaves_.try_emplace(path_, kNoTerm).first->second;
  if (leaf == kNoTerm) {
    leaf = env_.context.reporter.schedule_input(
        1,
        fmt::format("whether warp {} is one of those that complete barrier {}", held.warp->index,
                    held.id),
        held.site);
  }
  const bool now = env_.worlds.decide(leaf);
  path_.push_back(now);
  return now;
}

// May a warp come to the barrier that is neither there nor held before it?
bool BarrierChoices::comes_later(const std::vector<Warp>& warps, uint32_t id) const {
  for (const Warp& warp : warps) {
    for (const auto& strand : warp.strands) {
      if (strand->done) continue;
      const auto held = std::find_if(held_.begin(), held_.end(),
                                     [&](const Held& h) { return h.strand == strand.get(); });
      if (held == held_.end() || held->id != id) return true;
    }
  }
  return false;
}

void BarrierChoices::give_turn(size_t index) {
  Strand* strand = held_[index].strand;
  held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(index));
  strand->wait = Wait::kNone;
  turn_ = strand;
}

void BarrierChoices::completed(uint32_t id, const std::vector<unsigned>& by) {
  for (Held& held : held_) {
    if (held.id == id) held.later = false;
  }
  if (chosen_.count(id) == 0) return;
  story_.push_back(fmt::format("{} {} complete{} barrier {}", by.size() == 1 ? "warp" : "warps",
                               fmt::join(by, " and "), by.size() == 1 ? "s" : "", id));
  if (story_.size() > kStory) story_.erase(story_.begin());
  env_.context.reporter.in_schedule(fmt::format("where {}", fmt::join(story_, ", then ")));
}

void BarrierChoices::met(const std::vector<uint32_t>& in_use) {
  for (auto it = users_.begin(); it != users_.end();) {
    const bool used = std::find(in_use.begin(), in_use.end(), it->first) != in_use.end();
    it = used ? std::next(it) : users_.erase(it);
  }
}

}  // namespace ptxequiv::machine
