// The rules of real/order.h, proved: what two bits of a value, "above t" and "at least t", tell.
#include <catch2/catch.hpp>

#include "support.h"

using namespace ptxequiv;
using namespace ptxequiv::smt;
using namespace ptxequiv::smt::testing;

namespace {

struct Levels : Fixture {
  RealId t = leaf(100), a = leaf(0), b = leaf(1), p = leaf(2), q = leaf(3);
  RealId lt(RealId x, RealId y) { return make(Kind::kLt, x, y); }
  RealId le(RealId x, RealId y) { return make(Kind::kLe, x, y); }
  RealId no(RealId x) { return make(Kind::kNot, x); }
  RealId both(RealId x, RealId y) { return make(Kind::kAnd, x, y); }
  RealId either(RealId x, RealId y) { return make(Kind::kOr, x, y); }
  RealId iff(RealId x, RealId y) { return either(both(x, y), both(no(x), no(y))); }
  RealId above(RealId x) { return lt(t, x); }
  RealId at_least(RealId x) { return le(t, x); }
  // No input makes `given` true and `then` false.
  bool proves(std::vector<RealId> given, RealId then) {
    given.push_back(no(then));
    return std::holds_alternative<Unsat>(ask(given));
  }
};

}  // namespace

TEST_CASE_METHOD(Levels, "order: maxima and minima are or and and of bits") {
  const RealId most = make(Kind::kIte, lt(a, b), b, a), least = make(Kind::kIte, lt(a, b), a, b);
  CHECK(proves({}, iff(above(most), either(above(a), above(b)))));
  CHECK(proves({}, iff(at_least(most), either(at_least(a), at_least(b)))));
  CHECK(proves({}, iff(above(least), both(above(a), above(b)))));
  CHECK(proves({}, iff(at_least(least), both(at_least(a), at_least(b)))));
  CHECK_FALSE(proves({}, iff(above(most), both(above(a), above(b)))));
}

TEST_CASE_METHOD(Levels, "order: what a comparison is known to be") {
  CHECK(
      proves({either(both(no(above(a)), above(b)), both(no(at_least(a)), at_least(b)))}, lt(a, b)));
  CHECK(proves({at_least(a), no(above(b))}, no(lt(a, b))));
  const RealId equal = make(Kind::kEq, a, b);
  CHECK(proves({at_least(a), no(above(a)), at_least(b), no(above(b))}, equal));
  CHECK(proves({either(lt(a, b), lt(b, a))}, no(equal)));
  // Two values that are both above t, or below it, may be in any order.
  CHECK_FALSE(proves({above(a), above(b)}, lt(a, b)));
  CHECK_FALSE(proves({above(a), above(b)}, no(lt(a, b))));
}

TEST_CASE_METHOD(Levels, "order: a choice is known where its arms agree") {
  const RealId choice = make(Kind::kIte, lt(a, b), p, q);
  CHECK(proves({above(p), above(q)}, above(choice)));
  CHECK(proves({no(above(p)), no(above(q))}, no(above(choice))));
  CHECK(proves({no(above(a)), above(b), above(p)}, above(choice)));
}

TEST_CASE_METHOD(Levels, "order: numbers that differ are told apart by some t between them") {
  const RealId middle = make(Kind::kDiv, make(Kind::kAdd, a, b), num(2));
  CHECK(proves({lt(a, b)}, both(lt(a, middle), lt(middle, b))));
}

TEST_CASE_METHOD(Levels, "order: the greatest value is reached by one") {
  // t is the greatest of a, b, p, q: nothing is above it, and some value is at least t.
  const RealId m = make(Kind::kMax, make(Kind::kMax, a, b), make(Kind::kMax, p, q));
  const RealId is_t = make(Kind::kEq, t, m);
  for (const RealId x : {a, b, p, q}) CHECK(proves({is_t}, no(above(x))));
  CHECK(proves({is_t}, either(either(at_least(a), at_least(b)), either(at_least(p), at_least(q)))));
  // A constant below another is not the greatest.
  CHECK(proves({is_t, lt(a, b)}, no(at_least(a))));
}
