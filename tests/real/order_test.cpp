// Values that are compared and chosen: what is said to be equal is held against all orders of a few
// values, with ties; and what is right in different shapes is recognised.
#include "real/order.h"

#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "op/evaluate.h"
#include "term/evaluate.h"
#include "terms.h"

namespace ptxequiv::real {
namespace {

using op::Kind;
using op::Type;
using term::TermId;

struct Fixture : testing::Terms {
  OrderAnswer ask(TermId a, TermId b, Type type, size_t max_nodes = size_t{1} << 18) {
    const base::Deadline deadline = base::Deadline::never();
    OrderComparison comparison(
        arena, [](TermId id, Type) { return id; }, [](TermId, Type) { return true; }, max_nodes,
        deadline);
    return comparison.equal(a, b, type);
  }
  bool equal(TermId a, TermId b, Type type = Type::kF32) { return ask(a, b, type).equal; }
  TermId less(TermId a, TermId b) { return f(Kind::kFLt, a, b); }
  TermId select(TermId c, TermId a, TermId b) { return arena.select(c, a, b); }
  TermId i32(Kind kind, TermId a, TermId b) { return make(kind, Type::kB32, a, b); }
  std::vector<TermId> inputs(uint32_t n) {
    std::vector<TermId> out;
    for (uint32_t i = 0; i < n; ++i) out.push_back(input(i));
    return out;
  }
};

std::vector<uint64_t> at(const term::Arena& arena, std::span<const TermId> roots,
                         const std::vector<float>& values) {
  return term::evaluate(arena, roots, [&](TermId, const term::Node& node) {
    uint32_t bits;
    std::memcpy(&bits, &values[node.element()], sizeof bits);
    return uint64_t{bits};
  });
}

// All assignments of a few numbers to n inputs.
template <typename Visit>
void every_order(unsigned n, const std::vector<float>& numbers, Visit visit) {
  std::vector<float> values(n, numbers[0]);
  size_t total = 1;
  for (unsigned i = 0; i < n; ++i) total *= numbers.size();
  for (size_t row = 0; row < total; ++row) {
    size_t rest = row;
    for (unsigned i = 0; i < n; ++i, rest /= numbers.size())
      values[i] = numbers[rest % numbers.size()];
    visit(values);
  }
}

TEST_CASE_METHOD(Fixture, "random choices: what is said to be equal is equal in every order") {
  const unsigned seed = GENERATE(range(0u, 15u));
  std::mt19937 random(seed);
  constexpr unsigned kInputs = 4;
  std::vector<TermId> values = inputs(kInputs), conditions, numbers;
  values.push_back(f32(0));
  if (seed % 3 == 0) values.push_back(f32_bits(0xff800000));
  if (seed % 5 == 0) values.push_back(f32(1));
  for (uint32_t i = 0; i < 3; ++i) numbers.push_back(u32(i));
  const auto pick = [&](const std::vector<TermId>& from) { return from[random() % from.size()]; };
  conditions.push_back(less(values[0], values[1]));
  for (int step = 0; step < 120; ++step) {
    switch (random() % 12) {
      case 0:
        values.push_back(f(Kind::kFMax, pick(values), pick(values)));
        break;
      case 1:
        values.push_back(f(Kind::kFMin, pick(values), pick(values)));
        break;
      case 2:
      case 3: {
        const TermId a = pick(values), b = pick(values);
        values.push_back(select(less(a, b), a, b));
        break;
      }
      case 4:
        values.push_back(select(pick(conditions), pick(values), pick(values)));
        break;
      case 5:
        conditions.push_back(less(pick(values), pick(values)));
        break;
      case 6:
        conditions.push_back(f(Kind::kFLe, pick(values), pick(values)));
        break;
      case 7:
        conditions.push_back(f(Kind::kFEq, pick(values), pick(values)));
        break;
      case 8:
        conditions.push_back(arena.logic_or(pick(conditions), pick(conditions)));
        break;
      case 9:
        conditions.push_back(arena.logic_and(pick(conditions), arena.logic_not(pick(conditions))));
        break;
      case 10:
        numbers.push_back(select(pick(conditions), pick(numbers), pick(numbers)));
        break;
      default:
        numbers.push_back(
            i32(random() % 2 == 0 ? Kind::kAdd : Kind::kMinS, pick(numbers), pick(numbers)));
        break;
    }
  }
  size_t said = 0;
  const auto compare = [&](const std::vector<TermId>& of, Type type) {
    for (int i = 0; i < 300; ++i) {
      const TermId roots[] = {pick(of), pick(of)};
      if (roots[0] == roots[1]) continue;
      if (!equal(roots[0], roots[1], type)) continue;
      ++said;
      every_order(kInputs, {-2, -1, 0, 1, 2}, [&](const std::vector<float>& x) {
        const auto bits = at(arena, roots, x);
        if (type == Type::kF32) {
          float a, b;
          std::memcpy(&a, &bits[0], sizeof a);
          std::memcpy(&b, &bits[1], sizeof b);
          REQUIRE(a == b);
        } else {
          REQUIRE(bits[0] == bits[1]);
        }
      });
    }
  };
  compare(values, Type::kF32);
  compare(numbers, Type::kS32);
  compare(conditions, Type::kPred);
  CHECK(said > 0);
}

using Network = std::vector<std::pair<unsigned, unsigned>>;  // (least goes to, greatest goes to)

Network bitonic(unsigned n) {
  Network out;
  for (unsigned k = 2; k <= n; k *= 2) {
    for (unsigned j = k / 2; j > 0; j /= 2) {
      for (unsigned i = 0; i < n; ++i) {
        const unsigned l = i ^ j;
        if (l > i) out.push_back((i & k) == 0 ? std::pair{i, l} : std::pair{l, i});
      }
    }
  }
  return out;
}

Network transposition(unsigned n) {
  Network out;
  for (unsigned r = 0; r < n; ++r) {
    for (unsigned i = r % 2; i + 1 < n; i += 2) out.emplace_back(i, i + 1);
  }
  return out;
}

std::vector<TermId> sorted(Fixture& t, std::vector<TermId> a, const Network& network, bool swaps) {
  for (const auto& [lo, hi] : network) {
    const TermId x = a[lo], y = a[hi];
    if (swaps) {
      const TermId wrong = t.less(y, x);
      a[lo] = t.select(wrong, y, x);
      a[hi] = t.select(wrong, x, y);
    } else {
      a[lo] = t.f(Kind::kFMin, x, y);
      a[hi] = t.f(Kind::kFMax, x, y);
    }
  }
  return a;
}

TEST_CASE_METHOD(Fixture, "sorting networks of different shape, by exchange or by min and max") {
  const unsigned n = GENERATE(4u, 8u, 16u);
  const auto a = sorted(*this, inputs(n), bitonic(n), false);
  const auto b = sorted(*this, inputs(n), transposition(n), true);
  for (unsigned i = 0; i < n; ++i) CHECK(equal(a[i], b[i]));
  for (unsigned i = 1; i < n; ++i) CHECK_FALSE(equal(a[i], b[i - 1]));
  // Without one comparison, the last that counts, some place is wrong; and where it is said to
  // differ, it does.
  Network less_one = bitonic(n);
  less_one.pop_back();
  const auto c = sorted(*this, inputs(n), less_one, false);
  bool wrong = false;
  for (unsigned i = 0; i < n; ++i) {
    const OrderAnswer answer = ask(b[i], c[i], Type::kF32);
    if (answer.equal) continue;
    wrong = true;
    REQUIRE_FALSE(answer.differences.empty());
    std::vector<float> x(n);
    for (const auto& choice : answer.differences[0]) {
      x[arena[choice.term].element()] = static_cast<float>(choice.value.get_d());
    }
    const TermId roots[] = {b[i], c[i]};
    const auto bits = at(arena, roots, x);
    CHECK(bits[0] != bits[1]);
  }
  CHECK(wrong);
}

TEST_CASE_METHOD(Fixture,
                 "an exchange that is no exchange where values are equal is not followed") {
  const auto x = inputs(3);
  // x1 where x0 = x1 and x2 else: no function of thresholds.
  const TermId odd = select(f(Kind::kFEq, x[0], x[1]), x[1], x[2]);
  const TermId same =
      select(arena.logic_and(f(Kind::kFLe, x[0], x[1]), f(Kind::kFLe, x[1], x[0])), x[0], x[2]);
  CHECK_FALSE(equal(odd, same));
  CHECK_FALSE(equal(odd, x[2]));
}

struct Best {
  TermId value, index;
};

TEST_CASE_METHOD(Fixture, "arg-max with ties, however the values are paired") {
  constexpr uint32_t n = 32;
  const auto x = inputs(n);
  const auto better = [&](const Best& a, const Best& b, bool last) {
    const TermId tie =
        arena.logic_and(f(Kind::kFEq, a.value, b.value), last ? i32(Kind::kLtS, a.index, b.index)
                                                              : i32(Kind::kLtS, b.index, a.index));
    const TermId take = arena.logic_or(less(a.value, b.value), tie);
    return Best{select(take, b.value, a.value), select(take, b.index, a.index)};
  };
  const auto serial = [&](Kind kind, float start) {
    Best best{start < 0 ? f32_bits(0xff800000) : x[0], u32(0)};
    for (uint32_t i = start < 0 ? 0 : 1; i < n; ++i) {
      const TermId take = f(kind, best.value, x[i]);
      best = {select(take, x[i], best.value), select(take, u32(i), best.index)};
    }
    return best.index;
  };
  const auto tree = [&](bool last, uint32_t stride) {
    std::vector<Best> all;
    for (uint32_t i = 0; i < n; ++i) all.push_back({x[i], u32(i)});
    for (uint32_t d = stride == 1 ? 1 : n / 2; d > 0 && d < n; d = stride == 1 ? 2 * d : d / 2) {
      const auto before = all;
      for (uint32_t i = 0; i < n; ++i) all[i] = better(before[i], before[i ^ d], last);
    }
    return all[0].index;
  };
  CHECK(equal(serial(Kind::kFLt, 0), tree(false, 1), Type::kS32));
  CHECK(equal(serial(Kind::kFLt, 0), tree(false, 16), Type::kS32));
  CHECK(equal(serial(Kind::kFLt, -1), tree(false, 16), Type::kS32));
  CHECK(equal(serial(Kind::kFLe, 0), tree(true, 1), Type::kS32));
  CHECK_FALSE(equal(serial(Kind::kFLe, 0), tree(false, 1), Type::kS32));
  CHECK_FALSE(equal(serial(Kind::kFLt, 0), tree(true, 16), Type::kS32));
}

TEST_CASE_METHOD(Fixture, "votes, counts and places of comparisons") {
  constexpr uint32_t n = 32;
  const auto x = inputs(n);
  const TermId limit = scalar(0, Type::kF32);
  TermId votes = u32(0), count = u32(0), first = u32(0xffffffff), greatest = x[0];
  for (uint32_t i = 0; i < n; ++i) {
    const TermId p = less(limit, x[i]);
    votes = i32(Kind::kOr, votes, select(p, u32(1u << i), u32(0)));
    count = i32(Kind::kAdd, count, arena.zext(p, 32));
    greatest = f(Kind::kFMax, greatest, x[i]);
  }
  for (uint32_t i = n; i-- > 0;) first = select(less(limit, x[i]), u32(i), first);
  const TermId popc = convert(Kind::kPopc, Type::kB32, Type::kB32, votes);
  CHECK(equal(count, popc, Type::kS32));
  const TermId reversed = make(Kind::kBrev, Type::kB32, votes);
  const TermId clz = convert(Kind::kClz, Type::kB32, Type::kB32, reversed);
  const TermId by_votes = select(arena.equal(votes, u32(0)), u32(0xffffffff), clz);
  CHECK(equal(first, by_votes, Type::kS32));
  CHECK_FALSE(equal(first, clz, Type::kS32));
  CHECK(equal(arena.zext(less(limit, greatest), 32),
              select(arena.equal(votes, u32(0)), u32(0), u32(1)), Type::kS32));
  CHECK_FALSE(equal(arena.zext(f(Kind::kFLe, limit, greatest), 32),
                    select(arena.equal(votes, u32(0)), u32(0), u32(1)), Type::kS32));
}

TEST_CASE_METHOD(Fixture, "constants between the values") {
  const auto x = inputs(2);
  const TermId zero = f32(0), one = f32(1);
  const auto clamp = [&](TermId v) { return f(Kind::kFMin, f(Kind::kFMax, v, zero), one); };
  const TermId other = f(Kind::kFMax, f(Kind::kFMin, x[0], one), zero);
  CHECK(equal(clamp(x[0]), other));
  const TermId turned = f(Kind::kFMax, f(Kind::kFMin, x[0], zero), one);
  const OrderAnswer answer = ask(clamp(x[0]), turned, Type::kF32);
  CHECK_FALSE(answer.equal);
  CHECK_FALSE(answer.differences.empty());
}

TEST_CASE_METHOD(Fixture, "diagrams that are too large are given up") {
  const auto a = sorted(*this, inputs(16), bitonic(16), false);
  const auto b = sorted(*this, inputs(16), transposition(16), true);
  CHECK_FALSE(ask(a[8], b[8], Type::kF32, 50).equal);
}

}  // namespace
}  // namespace ptxequiv::real
