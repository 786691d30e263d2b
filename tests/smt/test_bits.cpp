#include <catch2/catch.hpp>

#include "base/deadline.h"
#include "base/log.h"
#include "op/evaluate.h"
#include "op/op.h"
#include "smt/solver.h"
#include "term/arena.h"
#include "term/evaluate.h"

using namespace ptxequiv;
using namespace ptxequiv::smt;
using op::Kind;
using op::Type;
using term::TermId;

namespace {

op::Op operation(Kind kind, Type type, Type src = Type::kNone) {
  op::Op result;
  result.kind = kind;
  result.type = type;
  result.src = src;
  return result;
}

struct Bits {
  TermId input(unsigned element, Type type = Type::kU32) {
    return arena.leaf(Kind::kInput, type, 0, element);
  }
  TermId make(Kind kind, TermId a, TermId b = term::kNoTerm, TermId c = term::kNoTerm) {
    return arena.make(operation(kind, Type::kB32), a, b, c);
  }
  TermId number(uint64_t value) { return arena.constant(32, value); }
  TermId differ(TermId a, TermId b) { return arena.logic_not(arena.equal(a, b)); }
  Answer ask(std::vector<TermId> conjunction) {
    Solver solver(options, log);
    return solver.check_bits(arena, conjunction, base::Deadline::never());
  }
  // The model really makes the term true, by the one exact evaluator.
  bool confirmed(TermId root, const Answer& answer) {
    const auto& bits = std::get<Model>(answer).bits;
    const std::vector<TermId> roots{root};
    return term::evaluate(arena, roots, [&](TermId id, const term::Node&) {
             const auto found = bits.find(id);
             return found == bits.end() ? uint64_t{0} : found->second;
           })[0] == 1;
  }
  term::Arena arena;
  Options options;
  base::Log log{base::LogLevel::kOff};
};

}  // namespace

TEST_CASE_METHOD(Bits, "shifts and masks") {
  const TermId x = input(0);
  const TermId by_shift = make(Kind::kShrU, make(Kind::kShl, x, number(5)), number(5));
  const TermId by_mask = make(Kind::kAnd, x, number(0x07ffffff));
  CHECK(std::holds_alternative<Unsat>(ask({differ(by_shift, by_mask)})));
  const TermId wrong = differ(by_shift, make(Kind::kAnd, x, number(0x0fffffff)));
  const Answer answer = ask({wrong});
  REQUIRE(std::holds_alternative<Model>(answer));
  CHECK(confirmed(wrong, answer));
}

TEST_CASE_METHOD(Bits, "a shift by the width or more shifts all out") {
  const TermId x = input(0), n = input(1);
  const TermId far = arena.logic_not(arena.make(operation(Kind::kLtU, Type::kU32), n, number(32)));
  CHECK(std::holds_alternative<Unsat>(ask({far, differ(make(Kind::kShl, x, n), number(0))})));
  CHECK(std::holds_alternative<Unsat>(
      ask({far, differ(arena.make(operation(Kind::kShrS, Type::kS32), x, n),
                       arena.make(operation(Kind::kShrS, Type::kS32), x, number(31)))})));
}

TEST_CASE_METHOD(Bits, "wrap-around is part of the meaning") {
  const TermId x = input(0);
  const TermId next = make(Kind::kAdd, x, number(1));
  const TermId above = arena.make(operation(Kind::kLtU, Type::kU32), x, next);
  const TermId question = arena.logic_not(above);
  const Answer answer = ask({question});
  REQUIRE(std::holds_alternative<Model>(answer));
  CHECK(std::get<Model>(answer).bits.at(x) == 0xffffffffu);
  CHECK(confirmed(question, answer));
}

TEST_CASE_METHOD(Bits, "float operations are functions of their operands, no more") {
  const TermId x = input(0, Type::kF32), y = input(1, Type::kF32), z = input(2, Type::kF32);
  op::Op add = operation(Kind::kFAdd, Type::kF32);
  add.rounding = op::Rounding::kRn;
  const TermId xz = arena.make(add, x, z), yz = arena.make(add, y, z);
  CHECK(std::holds_alternative<Unsat>(ask({arena.equal(x, y), differ(xz, yz)})));
  CHECK(std::holds_alternative<Model>(ask({differ(xz, yz)})));
}

TEST_CASE_METHOD(Bits, "float comparisons follow IEEE on bits") {
  const TermId x = input(0, Type::kF32), y = input(1, Type::kF32);
  const auto compare = [&](Kind kind) { return arena.make(operation(kind, Type::kF32), x, y); };
  const TermId lt = compare(Kind::kFLt), le = compare(Kind::kFLe), eq = compare(Kind::kFEq);
  const TermId gt = arena.make(operation(Kind::kFLt, Type::kF32), y, x);
  const TermId unordered = compare(Kind::kFUnordered);
  CHECK(std::holds_alternative<Unsat>(ask({lt, gt})));
  CHECK(std::holds_alternative<Unsat>(ask({lt, arena.logic_not(le)})));
  CHECK(std::holds_alternative<Unsat>(ask({unordered, arena.logic_or(le, gt)})));
  // Equal with different bits: only the zeros.
  const Answer zeros = ask({eq, differ(x, y)});
  REQUIRE(std::holds_alternative<Model>(zeros));
  CHECK((std::get<Model>(zeros).bits.at(x) & 0x7fffffff) == 0);
  CHECK(confirmed(arena.logic_and(eq, differ(x, y)), zeros));
  const TermId none = arena.logic_not(arena.logic_or(arena.logic_or(lt, gt), eq));
  const Answer nan = ask({none});
  REQUIRE(std::holds_alternative<Model>(nan));
  CHECK(confirmed(unordered, nan));
}

TEST_CASE_METHOD(Bits, "integer operations agree with the exact evaluator") {
  const TermId x = input(0), y = input(1);
  const std::vector<std::pair<uint32_t, uint32_t>> points = {
      {0, 0}, {7, 3}, {0x80000000u, 0xffffffffu}, {0xdeadbeefu, 0}, {0x12345678u, 0x9abcdef0u},
      {1, 31}, {0xffffffffu, 33}};
  const Kind kinds[] = {Kind::kAdd, Kind::kSub, Kind::kMul, Kind::kMulHiU, Kind::kMulHiS,
                        Kind::kDivU, Kind::kDivS, Kind::kRemU, Kind::kRemS, Kind::kMinU,
                        Kind::kMinS, Kind::kMaxU, Kind::kMaxS, Kind::kAbsS, Kind::kAnd,
                        Kind::kOr, Kind::kXor, Kind::kNot, Kind::kShl, Kind::kShrU,
                        Kind::kShrS, Kind::kBrev};
  // One query per point: all operations at once give what the evaluator gives.
  for (const auto& [a, b] : points) {
    std::vector<TermId> results;
    for (Kind kind : kinds) {
      results.push_back(op::arity(kind) == 1 ? make(kind, x) : make(kind, x, y));
    }
    results.push_back(arena.make(operation(Kind::kPopc, Type::kU32, Type::kB32), x));
    results.push_back(arena.make(operation(Kind::kClz, Type::kU32, Type::kB32), x));
    results.push_back(arena.make(operation(Kind::kPrmt, Type::kB32), x, y, number(0xb073)));
    const auto values = term::evaluate(arena, results, [&](TermId id, const term::Node&) {
      return uint64_t{id == x ? a : b};
    });
    TermId all = arena.truth(true);
    for (size_t i = 0; i < results.size(); ++i) {
      const TermId same = arena.equal(results[i], number(values[i]));
      INFO("operation " << i << " at " << a << ", " << b);
      all = arena.logic_and(all, same);
    }
    INFO("at " << a << ", " << b);
    CHECK(std::holds_alternative<Unsat>(ask({arena.equal(x, number(a)),
                                             arena.equal(y, number(b)), arena.logic_not(all)})));
  }
}

TEST_CASE_METHOD(Bits, "signs of floats are bits, but of NaN") {
  const TermId x = input(0, Type::kF32);
  const auto make_float = [&](Kind kind, TermId a, TermId b, bool ftz) {
    op::Op op = operation(kind, Type::kF32);
    op.ftz = ftz;
    return arena.make(op, a, b);
  };
  const TermId magnitude = make(Kind::kAnd, x, number(0x7fffffff));
  const TermId nan = make_float(Kind::kFUnordered, x, x, false);
  const TermId size = make_float(Kind::kFAbs, x, term::kNoTerm, false);
  const TermId number_only = arena.logic_not(nan);
  CHECK(std::holds_alternative<Unsat>(ask({differ(size, magnitude), number_only})));
  CHECK(std::holds_alternative<Model>(ask({differ(size, magnitude)})));
  const TermId minus = make_float(Kind::kFNeg, x, term::kNoTerm, false);
  const TermId flipped = make(Kind::kXor, x, number(0x80000000));
  CHECK(std::holds_alternative<Unsat>(ask({differ(minus, flipped), number_only})));
  CHECK(std::holds_alternative<Model>(ask({differ(minus, flipped)})));
  // Flushed, a subnormal is zero, and an ordinary number itself.
  const TermId flushed = make_float(Kind::kFAbs, x, term::kNoTerm, true);
  const Answer small = ask({differ(flushed, magnitude), number_only});
  REQUIRE(std::holds_alternative<Model>(small));
  CHECK(confirmed(differ(flushed, magnitude), small));
  const TermId normal = arena.logic_not(make(Kind::kLtU, magnitude, number(0x00800000)));
  CHECK(std::holds_alternative<Unsat>(ask({differ(flushed, magnitude), number_only, normal})));
  // A comparison flushes its operands.
  const TermId above = make_float(Kind::kFLt, number(0), x, true);
  const Answer tiny = ask({arena.logic_not(above), make_float(Kind::kFLt, number(0), x, false)});
  REQUIRE(std::holds_alternative<Model>(tiny));
  CHECK(confirmed(arena.logic_not(above), tiny));
}

// The slow path of sinf reads six words of 2/pi, shifted by the exponent of a large argument.
TEST_CASE_METHOD(Bits, "a float that is large has a large exponent") {
  const TermId x = input(0, Type::kF32);
  const TermId size = arena.make(operation(Kind::kFAbs, Type::kF32), x);
  const auto at_least = [&](uint64_t bound) {
    const TermId least = number(bound);
    const TermId less = arena.make(operation(Kind::kFLt, Type::kF32), size, least);
    const TermId nan = arena.make(operation(Kind::kFUnordered, Type::kF32), size, least);
    return arena.logic_and(arena.logic_not(less), arena.logic_not(nan));
  };
  const TermId exponent = make(Kind::kAnd, make(Kind::kShrU, x, number(23)), number(224));
  const TermId word = make(Kind::kShrU, make(Kind::kAdd, exponent, number(0xffffff80)), number(5));
  const TermId outside = arena.logic_not(make(Kind::kLtU, word, number(4)));
  CHECK(std::holds_alternative<Unsat>(ask({at_least(0x47CE4780), outside})));
  CHECK(std::holds_alternative<Model>(ask({at_least(0x3f000000), outside})));
}

TEST_CASE_METHOD(Bits, "conversions and extremes agree with the exact evaluator") {
  const auto agrees = [&](op::Op op, std::vector<uint64_t> samples, unsigned from) {
    const bool two = op::arity(op.kind) == 2;
    for (const uint64_t a : samples) {
      for (const uint64_t b : two ? samples : std::vector<uint64_t>{0}) {
        const TermId x = input(0, op::bits_type(from)), y = input(1, op::bits_type(from));
        const TermId value = two ? arena.make(op, x, y) : arena.make(op, x);
        const uint64_t bits = op::evaluate(op, a, b, 0).bits;
        const TermId other =
            arena.logic_not(arena.equal(value, arena.constant(op::bits(op.type), bits)));
        INFO(op::to_string(op) << " " << a << " " << b);
        CHECK(std::holds_alternative<Unsat>(ask({arena.equal(x, arena.constant(from, a)),
                                                 arena.equal(y, arena.constant(from, b)), other})));
      }
    }
  };
  const std::vector<uint64_t> floats{0,          0x80000000, 0x3f800000, 0xbf808000, 0x3f818000,
                                     0x3f808001, 0x00008000, 0x80000001, 0x7f7fffff, 0xff7f8000};
  op::Op narrow = operation(Kind::kFCvt, Type::kBF16, Type::kF32);
  narrow.rounding = op::Rounding::kRn;
  agrees(narrow, floats, 32);
  for (const Kind kind : {Kind::kFMin, Kind::kFMax, Kind::kFCopysign}) {
    agrees(operation(kind, Type::kF32), {0, 0x80000000, 0x3f800000, 0xc0000000, 1}, 32);
  }
  op::Op small = operation(Kind::kFCvt, Type::kE5M2, Type::kF16);
  small.rounding = op::Rounding::kRn;
  small.satfinite = true;
  agrees(small, {0, 0x8000, 0x3c00, 0x3c80, 0x3d80, 0xbc81, 0x7bff, 0xfb80, 0x0001, 0x0180}, 16);
  agrees(operation(Kind::kFCvt, Type::kF32, Type::kBF16), {0, 0x8000, 0x3f81, 0xff7f, 1}, 16);
  const std::vector<uint64_t> integers{0,          1,          511,        0xffffffff, 0x80000000,
                                       0x7fffffff, 0x01000001, 0x01000003, 0xfffffe01, 65535};
  for (const Type to : {Type::kF32, Type::kBF16, Type::kF64}) {
    for (const Type from : {Type::kS32, Type::kU32}) {
      op::Op convert = operation(Kind::kIToF, to, from);
      convert.rounding = op::Rounding::kRn;
      agrees(convert, integers, 32);
    }
  }
}

// What real/reading_integer.cpp makes of such unions.
TEST_CASE_METHOD(Bits, "bits that are shifted over all others add to them") {
  const TermId x = input(0), y = input(1), by = input(2);
  const TermId high = make(Kind::kShl, y, by);
  const TermId fits = make(Kind::kLtU, x, make(Kind::kShl, number(1), by));
  const TermId sum = make(Kind::kAdd, x, high);
  CHECK(std::holds_alternative<Unsat>(ask({fits, differ(make(Kind::kOr, x, high), sum)})));
  CHECK(std::holds_alternative<Unsat>(ask({fits, differ(make(Kind::kXor, x, high), sum)})));
  const TermId wider = make(Kind::kLtU, x, make(Kind::kShl, number(2), by));
  CHECK(std::holds_alternative<Model>(ask({wider, differ(make(Kind::kOr, x, high), sum)})));
}
