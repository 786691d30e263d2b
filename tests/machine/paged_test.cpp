#include "machine/paged.h"

#include <catch2/catch.hpp>

using ptxequiv::machine::Paged;

namespace {

struct Seven {
  int value = 7;
};

}  // namespace

TEST_CASE("an array of terabytes costs what is touched", "[paged]") {
  Paged<uint64_t> all(uint64_t{1} << 40);
  all[5] = 1;
  all[(uint64_t{1} << 40) - 1] = 2;
  const Paged<uint64_t>& view = all;
  CHECK(view[5] == 1);
  CHECK(view[(uint64_t{1} << 40) - 1] == 2);
  CHECK(view[uint64_t{1} << 39] == 0);
  CHECK(all.memory_bytes() == 2 * Paged<uint64_t>::kPage * sizeof(uint64_t));
}

TEST_CASE("elements that nobody touched have their default", "[paged]") {
  Paged<Seven> some(3 * Paged<Seven>::kPage + 10);
  const Paged<Seven>& view = some;
  CHECK(view[9].value == 7);
  some[9].value = 1;
  CHECK(view[9].value == 1);
  CHECK(view[10].value == 7);
  some.fill_default();
  CHECK(view[9].value == 7);
  CHECK(some.memory_bytes() == Paged<Seven>::kPage * sizeof(Seven));
}

TEST_CASE("a walk visits the pages that exist", "[paged]") {
  constexpr uint64_t kPage = Paged<int>::kPage;
  Paged<int> some(3 * kPage + 10);
  CHECK(some.next(0) == some.size());
  some[2 * kPage + 5] = 1;
  some[3 * kPage + 9] = 1;
  CHECK(some.next(0) == 2 * kPage);
  CHECK(some.next(2 * kPage + 6) == 2 * kPage + 6);
  uint64_t visited = 0, set = 0;
  some.for_each([&](uint64_t i, int value) {
    CHECK(i < some.size());
    ++visited;
    set += value;
  });
  CHECK(visited == kPage + 10);
  CHECK(set == 2);
}

TEST_CASE("moving leaves the other one empty", "[paged]") {
  Paged<int> from(10), to;
  from[3] = 4;
  to = std::move(from);
  CHECK(to[3] == 4);
  CHECK(to.size() == 10);
  CHECK(from.empty());
  to.reset(0);
  CHECK(to.empty());
}
