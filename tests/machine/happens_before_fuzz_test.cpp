// Random histories of one cell, held against a definition of happens-before that forgets nothing.
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "machine/happens_before.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;

namespace {

constexpr unsigned kThreads = 64;

struct Event {
  uint32_t cta = 0;
  unsigned thread = 0;
  enum class Kind : uint8_t { kRead, kWrite, kAtomic } kind = Kind::kRead;
  AtomicKind atomic;
  int guard = 0;  // 0: always; 1 and -1 exclude each other, so do 2 and -2
};

bool conflict(const Event& a, const Event& b) {
  using Kind = Event::Kind;
  if (a.guard != 0 && a.guard == -b.guard) return false;
  if (a.kind == Kind::kRead && b.kind == Kind::kRead) return false;
  if (a.kind != Kind::kAtomic || b.kind != Kind::kAtomic) return true;
  if (a.atomic.operation != b.atomic.operation || a.atomic.used || b.atomic.used) return true;
  return a.cta != b.cta && (a.atomic.narrow || b.atomic.narrow);
}

class History {
 public:
  // `follows`: several CTAs in turn, that synchronise through memory.
  History(uint32_t seed, bool follows) : random_(seed), follows_(follows) {
    for (uint32_t i = 1; i <= 2; ++i) {
      const TermId p = arena_.leaf(op::Kind::kScalar, op::Type::kPred, i);
      guards_[i + 2] = p;
      guards_[2 - i] = arena_.logic_not(p);
    }
    guards_[2] = arena_.truth(true);
    begin_launch();
  }

  // Until the first conflict by either account: later ones need not all be found.
  void run(unsigned steps, bool guards) {
    for (unsigned i = 0; i < steps && !found && !wanted; ++i) step(guards);
  }
  bool found = false, many = false, wanted = false;

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }

  void begin_launch() {
    order_.begin_launch(follows_ ? kCtas : 64, follows_);
    for (size_t i = 0; i < events_.size(); ++i) before_.insert(i);
    index_ = 0;
    for (unsigned c = 0; c < kCtas; ++c) asides_[c] = {};
    releases_.clear();
    pending_.clear();
    fenced_.clear();
    start_cta();
  }
  void start_cta() {
    ++cta_;
    order_.begin_cta(kThreads, index_);
    known_.assign(kThreads, before_);
  }
  void begin_cta() {
    if (!follows_) {
      ++index_;
      return start_cta();
    }
    const unsigned next = pick(kCtas);
    if (next == index_) return;
    Aside& mine = asides_[index_];
    mine.started = true;
    mine.cta = cta_;
    mine.known = known_;
    order_.swap_cta(mine.clocks);
    index_ = next;
    Aside& its = asides_[index_];
    if (!its.started) {
      cta_ = last_cta_ = std::max(last_cta_, cta_) + 1;
      order_.begin_cta(kThreads, index_);
      known_.assign(kThreads, before_);
      return;
    }
    cta_ = its.cta;
    known_ = its.known;
    order_.swap_cta(its.clocks);
  }

  // Of one thread: a release, an acquire of one, or a fence, that makes both of what is around it.
  void synchronise() {
    const unsigned thread = pick(4) + kWarpSize * pick(kThreads / kWarpSize);
    const auto who = std::pair{index_, thread};
    const auto take = [&](size_t r) {
      known_[thread].insert(releases_[r].second.begin(), releases_[r].second.end());
    };
    switch (pick(5)) {
      case 0:
        releases_.emplace_back(order_.release_of(thread, Reach::kGpu, true), known_[thread]);
        return;
      case 1:
        if (releases_.empty()) return;
        {
          const size_t r = pick(static_cast<unsigned>(releases_.size()));
          order_.see(thread, releases_[r].first, Reach::kGpu, true);
          take(r);
        }
        return;
      case 2:
        if (releases_.empty()) return;
        pending_[who].push_back(pick(static_cast<unsigned>(releases_.size())));
        order_.see(thread, releases_[pending_[who].back()].first, Reach::kGpu, false);
        return;
      case 3:
        order_.fence(thread / kWarpSize, 1u << thread % kWarpSize, kAllLanes, Reach::kGpu);
        for (const size_t r : pending_[who]) take(r);
        pending_[who].clear();
        fenced_[who] = known_[thread];
        return;
      default: {
        const ReleaseRef mark = order_.release_of(thread, Reach::kGpu, false);
        REQUIRE((mark != nullptr) == (fenced_.count(who) != 0));
        if (mark != nullptr) releases_.emplace_back(mark, fenced_[who]);
        return;
      }
    }
  }

  void sync(const std::vector<unsigned>& threads) {
    std::set<size_t> all;
    for (const unsigned t : threads) all.insert(known_[t].begin(), known_[t].end());
    for (const unsigned t : threads) known_[t] = all;
  }

  void access(unsigned thread, uint32_t lanes, bool guards) {
    Event event;
    event.cta = cta_;
    event.kind = static_cast<Event::Kind>(pick(3));
    event.guard = guards && pick(2) == 0 ? static_cast<int>(pick(5)) - 2 : 0;
    event.atomic.operation = static_cast<uint16_t>(pick(6) == 0);
    event.atomic.commutes = true;
    event.atomic.used = pick(12) == 0;
    event.atomic.narrow = pick(12) == 0;
    if (event.kind != Event::Kind::kRead) lanes = 1u << thread % kWarpSize;
    const size_t first = events_.size();
    bool conflicts_now = false;
    for_each_lane(lanes, [&](unsigned lane) {
      const std::set<size_t>& known = known_[thread / kWarpSize * kWarpSize + lane];
      for (size_t i = 0; i < first; ++i) {
        if (known.count(i) == 0 && conflict(events_[i], event)) conflicts_now = true;
      }
    });
    if (conflicts_now && pick(8) != 0) return;  // most are left out, so that histories get long
    wanted = conflicts_now;
    for_each_lane(lanes, [&](unsigned lane) {
      event.thread = thread / kWarpSize * kWarpSize + lane;
      events_.push_back(event);
      known_[event.thread].insert(events_.size() - 1);
    });
    const TermId guard = guards_[event.guard + 2];
    const unsigned leader = thread / kWarpSize * kWarpSize + first_lane(lanes);
    const Stamp now = order_.stamp(leader, 0, guard, 4, 0);
    const Conflicts* conflicts = nullptr;
    bool same = false;
    if (event.kind == Event::Kind::kRead) conflicts = &order_.read(cell_, lanes, now);
    if (event.kind == Event::Kind::kWrite)
      conflicts = &order_.write(cell_, now, HappensBefore::SameValue::kNo, same);
    if (event.kind == Event::Kind::kAtomic) conflicts = &order_.atomic(cell_, now, event.atomic);
    for (const Conflict& c : *conflicts) {
      if ((c.earlier.flags & kAccessMany) != 0) {
        many = true;
      } else {
        found = true;
      }
    }
  }

  void step(bool guards) {
    const unsigned what = pick(16);
    const unsigned warp = pick(kThreads / kWarpSize);
    std::vector<unsigned> threads;
    if (what == 0) return begin_cta();
    if (what == 1 && pick(3) == 0) return begin_launch();
    if (what <= 4) {
      order_.cta_barrier();
      for (unsigned t = 0; t < kThreads; ++t) threads.push_back(t);
      return sync(threads);
    }
    if (what <= 8) {  // a few lanes, or all
      const uint32_t mask = pick(2) == 0 ? kAllLanes : 1u << pick(4) | 1u << pick(4);
      order_.warp_sync(warp, mask, kAllLanes);
      for_each_lane(mask, [&](unsigned lane) { threads.push_back(warp * kWarpSize + lane); });
      return sync(threads);
    }
    if (what == 9) {  // a barrier of some threads
      HappensBefore::Knowledge all;
      for (unsigned t = 0; t < 4; ++t) threads.push_back(t + pick(2) * kWarpSize);
      for (const unsigned t : std::set<unsigned>(threads.begin(), threads.end())) {
        order_.release(t, all);
      }
      for (const unsigned t : std::set<unsigned>(threads.begin(), threads.end())) {
        order_.acquire(t, all);
      }
      return sync(threads);
    }
    if (follows_ && pick(2) == 0) return synchronise();
    const uint32_t lanes = pick(4) == 0 ? 1u << pick(4) | 1u << pick(4) : 1u << pick(4);
    access(warp * kWarpSize + first_lane(lanes), lanes, guards);
  }

  std::mt19937 random_;
  term::Arena arena_;
  HappensBefore order_{arena_};
  Shadow cell_;
  TermId guards_[5] = {};
  static constexpr unsigned kCtas = 3;
  struct Aside {
    bool started = false;
    uint32_t cta = 0;
    std::vector<std::set<size_t>> known;
    CtaClocks clocks;
  };
  bool follows_;
  Aside asides_[kCtas];
  uint32_t index_ = 0, last_cta_ = 0;
  std::vector<std::pair<ReleaseRef, std::set<size_t>>> releases_;
  std::map<std::pair<uint32_t, unsigned>, std::vector<size_t>> pending_;
  std::map<std::pair<uint32_t, unsigned>, std::set<size_t>> fenced_;
  uint32_t cta_ = 0;
  std::vector<Event> events_;
  std::vector<std::set<size_t>> known_;  // by thread: events ordered before what it does now
  std::set<size_t> before_;              // events of earlier launches
};

}  // namespace

TEST_CASE("happens-before finds a conflict exactly where there is one") {
  for (const bool follows : {false, true}) {
    unsigned with = 0, without = 0;
    for (uint32_t seed = 0; seed < 20000; ++seed) {
      History history(seed, follows);
      history.run(follows ? 120 : 60, seed % 2 == 1);
      INFO("seed " << seed << (follows ? ", through memory" : ""));
      if (history.wanted) {
        REQUIRE((history.found || history.many));
      } else {
        REQUIRE_FALSE(history.found);
      }
      (history.wanted ? with : without) += 1;
    }
    CHECK(with > 5000);
    CHECK(without > 1000);
  }
}
