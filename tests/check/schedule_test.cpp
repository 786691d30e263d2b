// Schedule inputs by themselves.
#include "check/schedule.h"

#include <catch2/catch.hpp>

using namespace ptxequiv;
using check::ScheduleInputs;
using Nature = machine::ScheduleInput::Nature;
using term::TermId;

namespace {

const op::Op kAdd{.kind = op::Kind::kAdd, .type = op::Type::kB32};

machine::Outcome outcome_with(term::Arena& arena, const std::vector<Nature>& natures) {
  machine::Outcome out;
  for (const Nature nature : natures) {
    out.schedule_inputs.push_back({arena.fresh(32), "what it gives", {}, nature, 0xf0});
  }
  return out;
}

}  // namespace

TEST_CASE("what lies above a schedule input depends on it") {
  term::Arena arena;
  const machine::Outcome outcome = outcome_with(arena, {Nature::kAny});
  const TermId other = arena.fresh(32);  // of nobody's outcome
  ScheduleInputs inputs(arena);
  inputs.add(outcome);
  const TermId leaf = outcome.schedule_inputs[0].leaf;
  const TermId sum = arena.make(kAdd, leaf, arena.constant(32, 1));
  CHECK(inputs.depends(sum));
  CHECK(!inputs.depends(arena.make(kAdd, other, arena.constant(32, 1))));
  CHECK(!inputs.bits(other));
  REQUIRE(inputs.below({sum}).size() == 1);
  CHECK(inputs.below({sum})[0]->leaf == leaf);
}

TEST_CASE("counters go up and numbers are the same for all") {
  term::Arena arena;
  const machine::Outcome outcome =
      outcome_with(arena, {Nature::kCounter, Nature::kCounter, Nature::kNumber, Nature::kNumber});
  ScheduleInputs inputs(arena);
  inputs.add(outcome);
  const auto bits = [&](size_t i) { return *inputs.bits(outcome.schedule_inputs[i].leaf); };
  CHECK(bits(0) < bits(1));
  CHECK(bits(2) == bits(3));
  CHECK(bits(2) < 100);
}

TEST_CASE("a mask has none of its lanes or all") {
  term::Arena arena;
  const machine::Outcome outcome = outcome_with(arena, {Nature::kMask});
  ScheduleInputs inputs(arena);
  inputs.add(outcome);
  const TermId leaf = outcome.schedule_inputs[0].leaf;
  CHECK(inputs.bits(leaf, {.any = 0}) == uint64_t{0});
  CHECK(inputs.bits(leaf, {.any = 1}) == uint64_t{0xf0});
}

TEST_CASE("runs are taken from the constants that values are compared with") {
  term::Arena arena;
  const machine::Outcome outcome = outcome_with(arena, {Nature::kNumber});
  ScheduleInputs inputs(arena);
  inputs.add(outcome);
  const TermId test = arena.equal(outcome.schedule_inputs[0].leaf, arena.constant(32, 77));
  bool found = false;
  for (const check::ScheduleRun& run : inputs.other_runs({test})) {
    CHECK(run.number < 100);
    found = found || arena.const_bits(inputs.in_run(arena, {test}, run)[0]) == 1;
  }
  CHECK(found);
}

TEST_CASE("leaves are replaced below shared nodes and nothing else is") {
  term::Arena arena;
  const TermId x = arena.leaf(op::Kind::kInput, op::Type::kU32, 0, 0);
  const TermId y = arena.leaf(op::Kind::kInput, op::Type::kU32, 0, 1);
  const TermId sum = arena.make(kAdd, x, y);
  const TermId high = arena.extract(arena.concat(sum, x), 16, 32);
  const std::vector<TermId> now =
      check::substitute(arena, {high, y, sum}, {{x, arena.constant(32, 0x10000)}});
  CHECK(now[1] == y);
  CHECK(now[2] == arena.make(kAdd, arena.constant(32, 0x10000), y));
  CHECK(now[0] == arena.extract(arena.concat(now[2], arena.constant(32, 0x10000)), 16, 32));
}
