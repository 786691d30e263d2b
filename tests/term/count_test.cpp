// Population counts, products taken apart and comparisons of moved bits, against the operations
// themselves; and selects settled by the selects around them.
#include <catch2/catch.hpp>

#include "op/evaluate.h"
#include "term/arena.h"
#include "term/evaluate.h"
#include "term/resolve.h"

using namespace ptxequiv;
using op::Kind;
using op::Op;
using op::Type;
using term::Arena;
using term::TermId;

namespace {

Op bits(Kind kind, unsigned width) {
  return Op{.kind = kind, .type = op::bits_type(width)};
}
Op popc(unsigned width) {
  return Op{.kind = Kind::kPopc, .type = Type::kB32, .src = op::bits_type(width)};
}
// By leaf index (Node::b).
uint64_t value(const Arena& arena, TermId root, const std::vector<uint64_t>& leaves) {
  const TermId roots[] = {root};
  return term::evaluate(arena, roots,
                        [&](TermId, const term::Node& node) { return leaves[node.b]; })[0];
}

}  // namespace

TEST_CASE("the count of a ballot is a sum of zeros and ones") {
  constexpr unsigned kLanes = 6;
  for (const uint64_t mask : {0x3fu, 0x15u, 0x07u, 0u}) {
    Arena arena;
    TermId ballot = arena.constant(32, 0);
    for (unsigned i = 0; i < kLanes; ++i) {
      const TermId vote = arena.leaf(Kind::kInput, Type::kPred, 0, i);
      const TermId bit = arena.select(vote, arena.constant(32, 1u << i), arena.constant(32, 0));
      ballot = arena.make(bits(Kind::kOr, 32), ballot, bit);
    }
    const TermId kept = arena.make(bits(Kind::kAnd, 32), ballot, arena.constant(32, mask));
    const TermId count = arena.make(popc(32), kept);
    const TermId roots[] = {count};
    for (const TermId id : term::cone(arena, roots)) CHECK(arena.kind(id) != Kind::kPopc);
    for (uint64_t votes = 0; votes < 64; ++votes) {
      std::vector<uint64_t> leaves;
      for (unsigned i = 0; i < kLanes; ++i) leaves.push_back(votes >> i & 1);
      REQUIRE(value(arena, count, leaves) == op::evaluate(popc(32), votes & mask, 0, 0).bits);
    }
  }
}

TEST_CASE("counts of overlapping unions stay") {
  Arena arena;
  const TermId x = arena.leaf(Kind::kInput, Type::kB32, 0, 0);
  const TermId y = arena.leaf(Kind::kInput, Type::kB32, 0, 1);
  const TermId low = arena.make(bits(Kind::kAnd, 32), x, arena.constant(32, 0x1f));
  const TermId high = arena.make(bits(Kind::kAnd, 32), y, arena.constant(32, 0xf0));
  const TermId both = arena.make(bits(Kind::kOr, 32), low, high);
  CHECK(arena.kind(arena.make(popc(32), both)) == Kind::kPopc);
  const TermId apart = arena.make(bits(Kind::kAnd, 32), y, arena.constant(32, 0xe0));
  const TermId disjoint = arena.make(bits(Kind::kOr, 32), low, apart);
  const TermId sum = arena.make(popc(32), disjoint);
  CHECK(arena.kind(sum) == Kind::kAdd);
  for (uint64_t a = 0; a < 64; ++a) {
    for (uint64_t b = 0; b < 256; b += 5) {
      const uint64_t expected = op::evaluate(popc(32), (a & 0x1f) | (b & 0xe0), 0, 0).bits;
      REQUIRE(value(arena, sum, {a, b}) == expected);
    }
  }
  // Reversal and extension keep the count.
  const Op zext{.kind = Kind::kZext, .type = Type::kB32, .src = Type::kB16};
  const TermId half = arena.leaf(Kind::kInput, Type::kB16, 0, 2);
  const TermId turned = arena.make(bits(Kind::kBrev, 32), arena.make(zext, half));
  CHECK(arena.make(popc(32), turned) == arena.make(popc(16), half));
}

TEST_CASE("halves of products") {
  Arena arena;
  const TermId x = arena.leaf(Kind::kInput, Type::kB16, 0, 0);
  const TermId y = arena.leaf(Kind::kInput, Type::kB16, 0, 1);
  const uint64_t samples[] = {0, 1, 2, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff, 0x1234, 0xd193};
  for (const bool is_signed : {false, true}) {
    const auto wide = [&](TermId id) {
      return is_signed ? arena.sext(id, 32) : arena.zext(id, 32);
    };
    const Op high = bits(is_signed ? Kind::kMulHiS : Kind::kMulHiU, 16);
    for (const uint64_t k : {0xd193u, 0x7001u, 0xffff9001u}) {
      if (is_signed == (k == 0xd193u)) continue;  // not a number of that type
      if (!is_signed && k > 0xffff) continue;
      const TermId product = arena.make(bits(Kind::kMul, 32), wide(x), arena.constant(32, k));
      const TermId top = arena.extract(product, 16, 16), low = arena.extract(product, 0, 16);
      CHECK(arena.kind(top) == high.kind);
      for (const uint64_t a : samples) {
        REQUIRE(value(arena, top, {a, 0}) == op::evaluate(high, a, k & 0xffff, 0).bits);
        REQUIRE(value(arena, low, {a, 0}) ==
                op::evaluate(bits(Kind::kMul, 16), a, k & 0xffff, 0).bits);
      }
    }
    const TermId product = arena.make(bits(Kind::kMul, 32), wide(x), wide(y));
    CHECK(arena.extract(product, 16, 16) == arena.make(high, x, y));
    CHECK(arena.extract(product, 0, 16) == arena.make(bits(Kind::kMul, 16), x, y));
  }
  // One factor of each signedness is neither.
  const TermId mixed = arena.make(bits(Kind::kMul, 32), arena.zext(x, 32), arena.sext(y, 32));
  CHECK(arena.kind(arena.extract(mixed, 16, 16)) == Kind::kExtract);
}

TEST_CASE("comparisons of moved bits, all bytes") {
  uint64_t points = 0;
  for (uint64_t shift = 1; shift < 8; ++shift) {
    for (const uint64_t mask : {0xffu, 0x1cu, 0x38u, 0x81u, 0x7eu}) {
      for (const uint64_t set : {0x00u, 0x40u, 0x05u}) {
        for (uint64_t k = 0; k < 256; k += k < 40 ? 1 : 9) {
          Arena arena;
          const TermId x = arena.leaf(Kind::kInput, Type::kB8, 0, 0);
          const TermId moved = arena.make(bits(Kind::kShl, 8), x, arena.constant(32, shift));
          const TermId kept = arena.make(bits(Kind::kAnd, 8), moved, arena.constant(8, mask));
          const TermId with = arena.make(bits(Kind::kOr, 8), kept, arena.constant(8, set));
          const TermId same = arena.equal(with, arena.constant(8, k));
          for (uint64_t a = 0; a < 256; a += 3) {
            const bool expected = ((((a << shift) & mask) | set) & 0xff) == k;
            ++points;
            if ((value(arena, same, {a}) != 0) != expected) {
              FAIL("shift " << shift << " mask " << mask << " set " << set << " k " << k);
            }
          }
        }
      }
    }
  }
  CHECK(points > 500000);
}

TEST_CASE("an outer select settles an inner one") {
  Arena arena;
  const TermId p = arena.leaf(Kind::kInput, Type::kPred, 0, 0);
  const TermId q = arena.leaf(Kind::kInput, Type::kPred, 0, 1);
  const TermId x = arena.leaf(Kind::kInput, Type::kB32, 0, 2);
  const TermId y = arena.leaf(Kind::kInput, Type::kB32, 0, 3);
  const TermId poison = arena.poison(32);
  const auto marks = [&] {
    std::vector<bool> unwanted(arena.size());
    for (TermId id = 0; id < arena.size(); ++id) {
      unwanted[id] = arena.kind(id) == Kind::kPoison;
      for (const TermId operand : arena.operands(id)) {
        if (unwanted[operand]) unwanted[id] = true;
      }
    }
    return unwanted;
  };
  const TermId both = arena.logic_and(p, arena.logic_not(q));
  const TermId inner = arena.select(both, x, poison);
  const TermId sum = arena.make(bits(Kind::kAdd, 32), inner, y);
  const TermId chosen = arena.select(q, y, sum);
  const TermId root = arena.select(p, chosen, y);
  const TermId expected =
      arena.select(p, arena.select(q, y, arena.make(bits(Kind::kAdd, 32), x, y)), y);
  CHECK(term::resolve(arena, root, marks()) == expected);
  // Without the outer condition the poison may come through, and stays.
  CHECK(term::resolve(arena, chosen, marks()) != expected);
  std::vector<bool> unwanted = marks();
  const TermId left = term::resolve(arena, chosen, unwanted);
  unwanted = marks();
  CHECK(unwanted[left]);
  // The wrong arm is no excuse.
  const TermId wrong = arena.select(p, y, inner);
  const TermId gone = term::resolve(arena, wrong, marks());
  unwanted = marks();
  CHECK(gone == arena.select(p, y, poison));
}
