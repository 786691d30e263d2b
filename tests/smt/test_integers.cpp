// Division by multiply-high, as compilers write it, against division: proved for every 32-bit
// number; and one unit beside the constant or the shift, refuted.
#include <catch2/catch.hpp>

#include "real/reading.h"
#include "support.h"
#include "term/evaluate.h"

using namespace ptxequiv;
using namespace ptxequiv::smt;
using namespace ptxequiv::smt::testing;
using op::Op;
using op::Type;
using term::TermId;

namespace {

struct Division {
  term::Arena arena;
  real::Reading reading{arena, nullptr, {}};
  TermId x;

  explicit Division(Type type) : x(arena.leaf(op::Kind::kInput, type, 0, 0)) {}
  TermId make(op::Kind kind, TermId a, TermId b) {
    return arena.make(Op{.kind = kind, .type = Type::kB32}, a, b);
  }
  TermId k(uint64_t value) { return arena.constant(32, value); }

  // Signed: (x + mulhi(x, magic)) >> shift, plus its sign bit.
  TermId signed_quotient(uint32_t magic, unsigned shift, bool add) {
    const TermId high = make(op::Kind::kMulHiS, x, k(magic));
    const TermId sum = add ? make(op::Kind::kAdd, x, high) : high;
    return make(op::Kind::kAdd, make(op::Kind::kShrS, sum, k(shift)),
                make(op::Kind::kShrU, sum, k(31)));
  }
  // Unsigned, with the 33-bit constant 2^32 + magic: ((x - h) >> 1) + h >> shift.
  TermId unsigned_quotient(uint32_t magic, unsigned shift) {
    const TermId high = make(op::Kind::kMulHiU, x, k(magic));
    const TermId rest = make(op::Kind::kShrU, make(op::Kind::kSub, x, high), k(1));
    return make(op::Kind::kShrU, make(op::Kind::kAdd, rest, high), k(shift));
  }
  Answer differ(TermId a, TermId b, Type type) {
    real::Dag& dag = reading.dag();
    const RealId equal = dag.make(Kind::kEq, reading.read(a, type), reading.read(b, type));
    const std::vector<RealId> query{dag.make(Kind::kNot, equal)};
    base::Log log;
    TestFacts facts;
    return Solver({}, log).check(dag, query, facts, base::Deadline::never());
  }
  // The solver's input does show a difference.
  bool shown(const Answer& answer, TermId a, TermId b) {
    const auto* model = std::get_if<Model>(&answer);
    if (model == nullptr) return false;
    uint64_t value = 0;
    for (const auto& [id, number] : model->reals) {
      if (reading.dag()[id].a != x) continue;
      const mpz_class whole = number.get_num();
      value = sgn(whole) < 0 ? uint64_t{0} - mpz_class(-whole).get_ui() : whole.get_ui();
    }
    const TermId roots[] = {a, b};
    const auto bits = term::evaluate(
        arena, roots, [&](TermId, const term::Node&) { return value & op::mask(32); });
    return bits[0] != bits[1];
  }
};

}  // namespace

TEST_CASE("signed division by a constant is its multiply-high sequence") {
  struct Row {
    uint32_t divisor, magic;
    unsigned shift;
    bool add;
  };
  // As nvcc 13 emits them.
  const Row row = GENERATE(Row{3, 0x55555556, 0, false}, Row{5, 0x66666667, 1, false},
                           Row{7, 0x92492493, 2, true}, Row{10, 0x66666667, 2, false},
                           Row{100, 0x51eb851f, 5, false}, Row{641, 0x663d81, 0, false});
  Division d(Type::kS32);
  const TermId quotient = d.make(op::Kind::kDivS, d.x, d.k(row.divisor));
  const TermId fast = d.signed_quotient(row.magic, row.shift, row.add);
  CHECK(std::holds_alternative<Unsat>(d.differ(quotient, fast, Type::kS32)));
  const TermId rest = d.make(op::Kind::kRemS, d.x, d.k(row.divisor));
  const TermId product = d.make(op::Kind::kMul, fast, d.k(row.divisor));
  const TermId fast_rest = d.make(op::Kind::kSub, d.x, product);
  CHECK(std::holds_alternative<Unsat>(d.differ(rest, fast_rest, Type::kS32)));
  for (const int by : {-2, -1}) {
    const TermId wrong =
        d.signed_quotient(row.magic + static_cast<uint32_t>(by), row.shift, row.add);
    CHECK(d.shown(d.differ(quotient, wrong, Type::kS32), quotient, wrong));
  }
  const TermId shifted = d.signed_quotient(row.magic, row.shift + 1, row.add);
  CHECK(d.shown(d.differ(quotient, shifted, Type::kS32), quotient, shifted));
}

TEST_CASE("unsigned division by a constant of 33 bits is its multiply-high sequence") {
  Division d(Type::kU32);
  const TermId quotient = d.make(op::Kind::kDivU, d.x, d.k(7));
  const TermId fast = d.unsigned_quotient(0x24924925, 2);
  CHECK(std::holds_alternative<Unsat>(d.differ(quotient, fast, Type::kU32)));
  for (const uint32_t magic : {0x24924924u, 0x24924930u}) {
    const TermId wrong = d.unsigned_quotient(magic, 2);
    CHECK(d.shown(d.differ(quotient, wrong, Type::kU32), quotient, wrong));
  }
}

TEST_CASE("sums that wrap are equal in any order, and not without a term") {
  Division d(Type::kS32);
  const TermId y = d.arena.leaf(op::Kind::kInput, Type::kS32, 0, 1);
  const TermId z = d.arena.leaf(op::Kind::kInput, Type::kS32, 0, 2);
  const TermId left = d.make(op::Kind::kAdd, d.make(op::Kind::kAdd, d.x, y), z);
  const TermId right =
      d.make(op::Kind::kSub, d.x, d.make(op::Kind::kSub, d.make(op::Kind::kSub, d.k(0), z), y));
  CHECK(std::holds_alternative<Unsat>(d.differ(left, right, Type::kS32)));
  const TermId twice = d.make(op::Kind::kAdd, left, z);
  CHECK(std::holds_alternative<Model>(d.differ(left, twice, Type::kS32)));
}
