#include <algorithm>

#include <catch2/catch.hpp>

#include "machine/happens_before.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;

namespace {

struct Clocks {
  term::Arena arena;
  HappensBefore order{arena};
  Shadow cell;
  term::TermId always = arena.truth(true);
  uint32_t index = 0;
  void launch() {
    order.begin_launch(64, false);
    index = 0;
  }
  void next_cta() { order.begin_cta(128, ++index); }
  explicit Clocks(unsigned threads = 128) {
    launch();
    order.begin_cta(threads, index);
  }
  bool write(unsigned thread) {
    bool same = false;
    return !order.write(cell, order.stamp(thread, 0, always, 4, 0), HappensBefore::SameValue::kNo, same).empty();
  }
  bool read(unsigned thread) {
    return !order.read(cell, 1u << thread % 32, order.stamp(thread, 0, always, 4, 0)).empty();
  }
};

}  // namespace

TEST_CASE("program order, warp syncs and barriers order accesses") {
  Clocks c;
  CHECK_FALSE(c.write(3));
  CHECK_FALSE(c.read(3));
  CHECK(c.read(4));
  Clocks d;
  d.write(3);
  d.order.warp_sync(0, kAllLanes, kAllLanes);
  CHECK_FALSE(d.read(4));
  CHECK(d.read(40));
  d.order.cta_barrier();
  CHECK_FALSE(d.write(40));
}

TEST_CASE("all earlier readers matter to a writer") {
  Clocks c;
  for (unsigned t = 0; t < 128; ++t) CHECK_FALSE(c.read(t));
  c.order.warp_sync(3, kAllLanes, kAllLanes);
  CHECK(c.write(127));  // ordered with its warp only
  Clocks d;
  d.read(96);
  d.read(100);
  d.order.warp_sync(3, kAllLanes, kAllLanes);
  d.read(96);  // again, later
  CHECK_FALSE(d.write(96));
}

TEST_CASE("knowledge passes through partial syncs and named barriers") {
  Clocks c;
  c.write(1);
  c.order.warp_sync(0, 0x3, kAllLanes);  // lanes 0 and 1
  c.order.warp_sync(0, 0x5, kAllLanes);  // lanes 0 and 2
  CHECK_FALSE(c.read(2));                // by way of lane 0
  CHECK(c.read(3));
  // Warps 1 and 2 meet at a named barrier; warp 3 does not.
  Clocks d;
  d.write(40);
  d.order.warp_sync(1, kAllLanes, kAllLanes);
  HappensBefore::Knowledge all;
  for (unsigned t = 32; t < 96; ++t) d.order.release(t, all);
  for (unsigned t = 32; t < 96; ++t) d.order.acquire(t, all);
  CHECK_FALSE(d.read(70));
  CHECK(d.read(100));
}

TEST_CASE("what a thread does after an arrival is not ordered by it") {
  Clocks c;
  HappensBefore::Knowledge all;
  c.order.release(0, all);
  c.write(0);
  c.order.acquire(64, all);
  CHECK(c.read(64));
}

TEST_CASE("CTAs of one launch conflict, those of different launches do not") {
  Clocks c;
  c.write(0);
  c.next_cta();
  CHECK(c.read(0));
  c.launch();
  c.order.begin_cta(128, 0);
  CHECK_FALSE(c.write(0));
}

TEST_CASE("a guarded write does not hide an earlier unguarded one") {
  Clocks c;
  const term::TermId guard = c.arena.leaf(op::Kind::kScalar, op::Type::kPred, 0);
  c.write(0);
  bool same = false;
  c.order.write(c.cell, c.order.stamp(0, 0, guard, 4, 0), HappensBefore::SameValue::kNo, same);
  c.next_cta();
  Stamp now = c.order.stamp(5, 0, c.always, 4, 0);
  const Conflicts& conflicts = c.order.read(c.cell, 1u << 5, now);
  REQUIRE(conflicts.size() == 1);  // the certain one stands for both
  CHECK(conflicts[0].earlier.guard == c.always);
  // The other one must still be there.
  Shadow copy = c.cell;
  CHECK(copy.more != 0);
}

namespace {

term::TermId condition(Clocks& c, uint32_t number) {
  return c.arena.leaf(op::Kind::kScalar, op::Type::kPred, number);
}

Conflicts guarded_write(Clocks& c, unsigned thread, term::TermId guard) {
  bool same = false;
  return c.order.write(c.cell, c.order.stamp(thread, 0, guard, 4, 0), HappensBefore::SameValue::kNo, same);
}

bool many(const Conflicts& conflicts) {
  return std::any_of(conflicts.begin(), conflicts.end(), [](const Conflict& conflict) {
    return (conflict.earlier.flags & kAccessMany) != 0;
  });
}

}  // namespace

TEST_CASE("a conflict that guards exclude does not hide another one") {
  Clocks c;
  const term::TermId p = condition(c, 0), not_p = c.arena.logic_not(p);
  CHECK(guarded_write(c, 0, p).empty());
  CHECK(guarded_write(c, 1, not_p).empty());
  const Conflicts found = guarded_write(c, 2, p);
  REQUIRE(found.size() == 1);
  CHECK(found[0].earlier.thread == 0);
}

TEST_CASE("many guarded writes stay exact where one entry can stand for them") {
  // By one thread: ordered with its own later accesses.
  Clocks c;
  for (uint32_t i = 0; i < 50; ++i) CHECK(guarded_write(c, 5, condition(c, i)).empty());
  CHECK_FALSE(c.read(5));
  const Conflicts other = c.order.read(c.cell, 1u << 6, c.order.stamp(6, 0, c.always, 4, 0));
  CHECK_FALSE(other.empty());
  CHECK_FALSE(many(other));
  // In phases: ordered in this CTA, not for the next one.
  Clocks d;
  for (uint32_t i = 0; i < 50; ++i) {
    CHECK(guarded_write(d, i, condition(d, i)).empty());
    d.order.cta_barrier();
  }
  CHECK_FALSE(d.read(100));
  d.next_cta();
  const Conflicts next = d.order.read(d.cell, 1u, d.order.stamp(0, 0, d.always, 4, 0));
  CHECK_FALSE(next.empty());
  CHECK_FALSE(many(next));
  // Of earlier launches nothing is left.
  for (uint32_t i = 0; i < 30; ++i) {
    d.launch();
    d.order.begin_cta(128, 0);
    CHECK(guarded_write(d, i, condition(d, i)).empty());
  }
  d.next_cta();
  CHECK_FALSE(d.order.read(d.cell, 1u, d.order.stamp(0, 0, d.always, 4, 0)).empty());
}

TEST_CASE("too many to keep apart are never certain") {
  Clocks c;
  for (uint32_t i = 0; i < 40; ++i) guarded_write(c, i, condition(c, i));
  CHECK(many(c.order.read(c.cell, 1u << 2, c.order.stamp(66, 0, c.always, 4, 0))));
}

TEST_CASE("atomics of one kind do not conflict, other accesses do") {
  AtomicKind add;
  add.operation = 1;
  add.commutes = true;
  AtomicKind max = add;
  max.operation = 2;
  AtomicKind looking = add;
  looking.used = true;
  const auto update = [](Clocks& c, unsigned thread, const AtomicKind& kind) {
    return c.order.atomic(c.cell, c.order.stamp(thread, 0, c.always, 4, kAccessAtomic), kind);
  };
  Clocks c;
  for (unsigned t = 0; t < 128; ++t) CHECK(update(c, t, add).empty());
  CHECK(c.read(3));
  CHECK(c.write(3));
  Clocks d;
  for (unsigned t = 0; t < 128; ++t) update(d, t, add);
  REQUIRE(update(d, 5, max).size() == 1);
  CHECK(update(d, 5, max)[0].kind == Conflict::Kind::kOrder);
  d.order.cta_barrier();
  CHECK(update(d, 5, max).empty());
  CHECK_FALSE(d.read(5));
  CHECK(update(d, 6, looking).size() == 1);  // thread 5's, since the barrier
  d.next_cta();
  CHECK(update(d, 0, max).size() >= 1);  // of the other CTA
  d.launch();
  d.order.begin_cta(128, 0);
  CHECK(update(d, 0, looking).empty());
  CHECK(update(d, 1, add).size() == 1);  // who looks sees whether it was there
}

TEST_CASE("an atomic of one thread after many of a warp keeps what it does not stand for") {
  AtomicKind add;
  add.operation = 1;
  add.commutes = true;
  Clocks c;
  const auto update = [&](unsigned thread) {
    return c.order.atomic(c.cell, c.order.stamp(thread, 0, c.always, 4, kAccessAtomic), add);
  };
  for (unsigned round = 0; round < 100; ++round) {
    for (unsigned t = 0; t < 128; t += 32) {
      update(t);
      HappensBefore::Knowledge some;
      c.order.release(t, some);  // ends an epoch: entries do not join by themselves
    }
  }
  CHECK(c.read(97));  // thread 0's are still there
  c.order.cta_barrier();
  CHECK_FALSE(c.read(97));
}
