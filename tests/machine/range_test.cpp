#include <catch2/catch.hpp>

#include <random>

#include "machine/fault.h"
#include "machine/range.h"
#include "term/evaluate.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using op::Kind;
using term::TermId;

namespace {

op::Op word(Kind kind, op::Type type = op::Type::kB32) {
  return op::Op{.kind = kind, .type = type};
}

// What Ranges needs of an execution: an arena, and what is declared of the inputs.
struct Setting {
  term::Arena arena;
  std::vector<Buffer> buffers = std::vector<Buffer>(1);
  std::vector<Scalar> scalars;
  Limits limits;
  base::Deadline deadline = base::Deadline::never();
  base::Log log;
  Outcome outcome;
  Reporter reporter{arena, outcome};
  Context context{buffers, scalars, arena, limits, deadline, nullptr, log, reporter};
  Ranges ranges{context};
};

}  // namespace

TEST_CASE("ranges contain every value of random expressions") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    Setting setting;
    term::Arena& arena = setting.arena;
    std::vector<TermId> pool;
    for (uint32_t i = 0; i < 3; ++i) {
      pool.push_back(arena.leaf(Kind::kInput, op::Type::kU32, 0, i));
    }
    for (const uint64_t c :
         {0ull, 1ull, 3ull, 7ull, 16ull, 0xffull, 0x7fffffffull, 0xfffffff0ull}) {
      pool.push_back(arena.constant(32, c));
    }
    const Kind kinds[] = {Kind::kAdd,  Kind::kSub,  Kind::kMul,  Kind::kAnd,
                          Kind::kOr,   Kind::kXor,  Kind::kShl,  Kind::kShrU,
                          Kind::kShrS, Kind::kMinU, Kind::kMaxS, Kind::kMinS,
                          Kind::kMaxU, Kind::kRemU, Kind::kDivU, Kind::kRemS};
    const auto pick = [&] { return pool[random() % pool.size()]; };
    for (int i = 0; i < 12; ++i) {
      TermId next = arena.make(word(kinds[random() % std::size(kinds)]), pick(), pick());
      if (random() % 4 == 0) {
        const TermId condition =
            arena.make(word(random() % 2 ? Kind::kLtU : Kind::kLtS), pick(), pick());
        next = arena.select(condition, pick(), pick());
      }
      if (random() % 5 == 0) next = arena.extract(arena.sext(next, 64), 0, 32);
      if (random() % 5 == 0) next = arena.zext(arena.extract(next, 0, 16), 32);
      pool.push_back(next);
    }
    Ranges& ranges = setting.ranges;
    for (int trial = 0; trial < 20; ++trial) {
      uint32_t inputs[3];
      for (uint32_t& x : inputs)
        x = random() % 3 == 0 ? static_cast<uint32_t>(random() % 20)
                              : static_cast<uint32_t>(random());
      const auto values = term::evaluate(
          arena, pool, [&](TermId, const term::Node& node) -> uint64_t { return inputs[node.b]; });
      for (size_t i = 0; i < pool.size(); ++i) {
        const Range r = ranges.of(pool[i], {});
        const int64_t s = static_cast<int32_t>(values[i]);
        REQUIRE((values[i] >= r.low && values[i] <= r.high));
        REQUIRE((s >= r.signed_low && s <= r.signed_high));
        REQUIRE((r.zeros >= 32 ? values[i] == 0 : values[i] % (uint64_t{1} << r.zeros) == 0));
      }
    }
  }
}

TEST_CASE("facts narrow ranges, soundly") {
  Setting setting;
  term::Arena& arena = setting.arena;
  const TermId x = arena.leaf(Kind::kInput, op::Type::kS32, 0, 0);
  const TermId low = arena.make(word(Kind::kLtS), arena.constant(32, 0xffffffff), x);  // -1 < x
  const TermId high = arena.make(word(Kind::kLtS), x, arena.constant(32, 50));
  Ranges& ranges = setting.ranges;
  const Facts facts{{arena.logic_and(low, high), true}};
  const Range r = ranges.of(x, facts);
  CHECK(r.low == 0);
  CHECK(r.high == 49);
  const TermId wide =
      arena.make(word(Kind::kMul, op::Type::kB64), arena.sext(x, 64), arena.constant(64, 12));
  CHECK(ranges.of(wide, facts).high == 49 * 12);
  CHECK(ranges.of(wide, facts).zeros == 2);
  CHECK(ranges.of(x, {}).signed_low == INT32_MIN);
  CHECK(ranges.truth(arena.make(word(Kind::kLtU), x, arena.constant(32, 50)), facts) == true);
  CHECK(ranges.truth(arena.make(word(Kind::kLtU), x, arena.constant(32, 49)), facts) ==
        std::nullopt);
}

TEST_CASE("declared ranges of inputs count") {
  Setting setting;
  setting.buffers[0].range = IntegerRange{-3, 49};
  const TermId x = setting.arena.leaf(Kind::kInput, op::Type::kS32, 0, 5);
  const Range r = setting.ranges.of(x, {});
  CHECK(r.signed_low == -3);
  CHECK(r.signed_high == 49);
  CHECK(r.high == 0xffffffff);
}

TEST_CASE("of a choice that is settled one arm counts") {
  Setting setting;
  term::Arena& arena = setting.arena;
  setting.buffers[0].range = IntegerRange{0, 49};
  const TermId x = arena.leaf(Kind::kInput, op::Type::kS32, 0, 0);
  const TermId negative = arena.make(word(Kind::kLtS), x, arena.constant(32, 0));
  const TermId wrapped = arena.make(word(Kind::kAdd), x, arena.constant(32, 50));
  const TermId index = arena.select(negative, wrapped, x);
  const TermId inside = arena.make(word(Kind::kLtU), index, arena.constant(32, 50));
  CHECK(setting.ranges.truth(inside, {}) == true);
  const TermId less = arena.make(word(Kind::kLtU), index, arena.constant(32, 49));
  CHECK(setting.ranges.truth(less, {}) == std::nullopt);
}

TEST_CASE("what counts down in steps ends") {
  Setting setting;
  term::Arena& arena = setting.arena;
  const TermId start = arena.leaf(Kind::kInput, op::Type::kU32, 0, 0);
  const TermId step = arena.constant(32, 3);
  TermId left = arena.make(word(Kind::kAnd), start, arena.constant(32, 15));
  for (const uint64_t high : {12u, 9u, 6u, 3u, 0u}) {
    left = arena.make(word(Kind::kSub), left, arena.make(word(Kind::kMinU), left, step));
    CHECK(setting.ranges.of(left, {}).high == high);
  }
  // Compared with zero it is what was subtracted from, with what was subtracted.
  left = arena.make(word(Kind::kSub), left, arena.make(word(Kind::kMinU), left, step));
  const TermId zero = arena.constant(32, 0);
  const TermId done = arena.equal(left, zero), other = arena.equal(start, zero);
  CHECK(setting.ranges.truth(done, {}) == true);
  CHECK_FALSE(setting.ranges.truth(other, {}));
  // A part settles the whole, or none does.
  const TermId goes_on = arena.logic_and(arena.logic_not(done), arena.logic_not(other));
  CHECK(setting.ranges.decidable(goes_on));
  CHECK(setting.ranges.truth(goes_on, {}) == false);
  CHECK(setting.ranges.truth(arena.logic_or(done, other), {}) == true);
  CHECK_FALSE(setting.ranges.truth(arena.logic_and(done, other), {}));
  CHECK_FALSE(setting.ranges.truth(arena.logic_or(arena.logic_not(done), other), {}));
  // Of another minuend nothing is known.
  const TermId apart = arena.make(word(Kind::kSub), arena.make(word(Kind::kAnd), start, step),
                                  arena.make(word(Kind::kMinU), start, step));
  CHECK(setting.ranges.of(apart, {}).high > 3);
}
