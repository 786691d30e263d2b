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
  explicit Clocks(unsigned threads = 128) {
    order.begin_launch();
    order.begin_cta(threads);
  }
  bool write(unsigned thread) {
    bool same = false;
    return !order.write(cell, order.stamp(thread, 0, always, 4, 0), false, same).empty();
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
  c.order.begin_cta(128);
  CHECK(c.read(0));
  c.order.begin_launch();
  c.order.begin_cta(128);
  CHECK_FALSE(c.write(0));
}

TEST_CASE("a guarded write does not hide an earlier unguarded one") {
  Clocks c;
  const term::TermId guard = c.arena.leaf(op::Kind::kScalar, op::Type::kPred, 0);
  c.write(0);
  bool same = false;
  c.order.write(c.cell, c.order.stamp(0, 0, guard, 4, 0), false, same);
  c.order.begin_cta(128);
  Stamp now = c.order.stamp(5, 0, c.always, 4, 0);
  const Conflicts& conflicts = c.order.read(c.cell, 1u << 5, now);
  REQUIRE(conflicts.size() == 1);  // the certain one stands for both
  CHECK(conflicts[0].earlier.guard == c.always);
  // The other one must still be there.
  Shadow copy = c.cell;
  CHECK(copy.more != 0);
}
