#include "base/deadline.h"

#include <catch2/catch.hpp>
#include <thread>

#include "base/error.h"

using namespace ptxequiv::base;

TEST_CASE("never is never over") {
  const Deadline deadline = Deadline::never();
  CHECK_FALSE(deadline.passed());
  CHECK(deadline.left() > 1e6);
  CHECK_NOTHROW(deadline.poll());
}

TEST_CASE("a deadline passes and then throws") {
  const Deadline deadline = Deadline::in(0.01);
  CHECK(deadline.left() <= 0.01);
  std::this_thread::sleep_for(std::chrono::milliseconds(15));
  CHECK(deadline.passed());
  CHECK(deadline.left() == 0);
  try {
    deadline.poll();
    FAIL("poll() did not throw");
  } catch (const LimitReached& limit) {
    CHECK(limit.limit() == "timeout");
  }
}

TEST_CASE("a deadline in the future has not passed") {
  const Deadline deadline = Deadline::in(1000);
  CHECK_FALSE(deadline.passed());
  CHECK(deadline.left() > 900);
  CHECK(deadline.left() <= 1000);
  CHECK_NOTHROW(deadline.poll());
}

TEST_CASE("no time at all has passed at once") {
  CHECK(Deadline::in(0).passed());
}
