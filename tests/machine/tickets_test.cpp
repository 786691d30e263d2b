// Counted arrivals: what one order shows must hold for all of them.
#include <catch2/catch.hpp>

#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

// CTAs of one thread; m[0], m[1] count, o is what comes out.
Bench arrivals(unsigned ctas, const std::string& body) {
  Bench bench;
  bench.buffer("m", op::Type::kU32, 4, Role::kScratch);
  bench.buffer("o", op::Type::kU32, 4, Role::kOutput);
  bench.step(Fill{0, 0});
  bench.launch(kernel({".u64", ".u64"}, R"(
      .shared .align 4 .b8 s[8];
      ld.param.u64 %d0, [p0];
      ld.param.u64 %d1, [p1];
      mov.u32 %r9, %ctaid.x;
      setp.eq.u32 %p0, %r9, 0;
      )" + body + "\nret;"),
               {ctas, 1, 1}, {1, 1, 1}, {"m", "o"});
  bench.run();
  return bench;
}

const std::string kCountX = "atom.global.add.u32 %r1, [%d0], 1;\n st.shared.u32 [s], %r1;\n";
const std::string kCountY = "atom.global.add.u32 %r2, [%d0+4], 1;\n st.shared.u32 [s+4], %r2;\n";

}  // namespace

TEST_CASE("the last of the arrivals is whoever it is") {
  const Bench same = arrivals(3, kCountX + R"(
      setp.eq.u32 %p1, %r1, 2;
      @%p1 st.global.u32 [%d1], 7;)");
  CHECK(same.clean());
  const Bench own = arrivals(3, kCountX + R"(
      setp.eq.u32 %p1, %r1, 2;
      @%p1 st.global.u32 [%d1], %r9;)");
  CHECK(own.clean());
  CHECK_FALSE(own.outcome().schedule_inputs.empty());
}

TEST_CASE("that one arrival came after another by the order that was executed is no order") {
  // CTA 0 counts at X and then at Y, CTA 1 the other way: in the order that is executed CTA 1 sees
  // at Y what CTA 0 has done, and comes to X after it. Yet CTA 0 may come to X last.
  const Bench bench = arrivals(2, R"(
      @!%p0 bra ONE;
      )" + kCountX + "membar.gl;\n" + kCountY + R"(
      bra JOIN;
    ONE:
      )" + kCountY + "membar.gl;\n" + kCountX + R"(
    JOIN:
      ld.shared.u32 %r3, [s];
      setp.eq.u32 %p1, %r3, 1;
      @%p1 st.global.u32 [%d1], %r9;)");
  CHECK_FALSE((bench.clean() && bench.outcome().schedule_inputs.empty()));
}

TEST_CASE("who is last at one place says nothing of who is last at another") {
  // Both count at X and then at Y. One may be last at X, the other at Y.
  const std::string text = kCountX + kCountY + R"(
      setp.eq.u32 %p1, %r1, 1;
      setp.eq.u32 %p2, %r2, 0;
      and.pred %p3, %p1, %p2;
      @%p3 st.global.u32 [%d1], 9;)";
  const Bench bench = arrivals(2, text);
  CHECK_FALSE((bench.clean() && bench.outcome().schedule_inputs.empty()));
}
