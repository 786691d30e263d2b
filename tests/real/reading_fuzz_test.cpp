// Random integer and bit operations: what the reading says a term's number is, at points, against
// the operations themselves. Every formula of reading_integer, reading_fields and reading_encoding
// is exact, so one disagreement is an error.
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <random>

#include "op/evaluate.h"
#include "real/constants.h"
#include "real/dag_fold.h"
#include "real/reading.h"
#include "term/arena.h"
#include "term/evaluate.h"

namespace ptxequiv::real {
namespace {

using op::Op;
using op::Type;
using term::Arena;
using term::TermId;

mpq_class number_of(Type type, uint64_t bits) {
  mpz_class value = static_cast<unsigned long>(bits & op::mask(op::bits(type)));
  if (op::is_signed(type) && (bits >> (op::bits(type) - 1) & 1) != 0) {
    value -= mpz_class(1) << op::bits(type);
  }
  return value;
}

mpq_class power_of_two(long n) {
  const mpz_class power = mpz_class(1) << static_cast<unsigned long>(std::abs(n));
  return n < 0 ? mpq_class(1, power) : mpq_class(power);
}

// The value at a point; nothing where it is no rational (a logarithm) or not known (opaque). Only
// the selected arm of a choice counts.
class Exact {
 public:
  Exact(const Dag& dag, const Arena& arena, const std::map<TermId, uint64_t>& leaves)
      : dag_(dag), arena_(arena), leaves_(leaves) {}

  std::optional<mpq_class> of(RealId root) {
    const RealId roots[] = {root};
    std::map<RealId, std::optional<mpq_class>> at;
    for (const RealId id : cone(dag_, roots)) at[id] = value(id, at);
    return at[root];
  }

 private:
  std::optional<mpq_class> value(RealId id, std::map<RealId, std::optional<mpq_class>>& at) {
    const Node& n = dag_[id];
    if (n.kind == Kind::kRational) return dag_.rational_value(id);
    if (n.kind == Kind::kTrue || n.kind == Kind::kFalse) return n.kind == Kind::kTrue ? 1 : 0;
    if (n.kind == Kind::kLeaf) {
      const auto type = static_cast<Type>(n.b);
      const uint64_t bits = leaves_.at(n.a);
      if (!op::is_float(type)) return number_of(type, bits);
      const FloatValue v = decode(type, bits);
      return v.kind == FloatValue::Class::kFinite ? std::optional(v.value) : std::nullopt;
    }
    if (n.kind == Kind::kIte || n.kind == Kind::kIteBool) {
      if (!at[n.a]) return {};
      return *at[n.a] != 0 ? at[n.b] : at[n.c];
    }
    if (n.kind == Kind::kFloor && dag_[n.a].kind == Kind::kLog2) {
      const auto x = at[dag_[n.a].a];
      if (!x || *x <= 0) return {};
      long e = 0;
      while (power_of_two(e) > *x) --e;
      while (power_of_two(e + 1) <= *x) ++e;
      return mpq_class(e);
    }
    const unsigned arity = info(n.kind).arity;
    if (arity == 0 || !at[n.a] || (arity > 1 && !at[n.b])) return {};
    const mpq_class& a = *at[n.a];
    const mpq_class b = arity > 1 ? *at[n.b] : mpq_class(0);
    switch (n.kind) {
      case Kind::kAdd:
        return a + b;
      case Kind::kSub:
        return a - b;
      case Kind::kNeg:
        return -a;
      case Kind::kMul:
        return a * b;
      case Kind::kDiv:
        return b == 0 ? std::nullopt : std::optional<mpq_class>(a / b);
      case Kind::kMin:
        return a < b ? a : b;
      case Kind::kMax:
        return a < b ? b : a;
      case Kind::kAbs:
        return abs(a);
      case Kind::kFloor:
        return mpq_class(floor(a));
      case Kind::kCeil:
        return mpq_class(ceil(a));
      case Kind::kTrunc:
        return mpq_class(trunc(a));
      case Kind::kExp2:
        return exact_function(Kind::kExp2, a);
      case Kind::kLt:
        return a < b ? 1 : 0;
      case Kind::kLe:
        return a <= b ? 1 : 0;
      case Kind::kEq:
        return a == b ? 1 : 0;
      case Kind::kAnd:
        return a != 0 && b != 0 ? 1 : 0;
      case Kind::kOr:
        return a != 0 || b != 0 ? 1 : 0;
      case Kind::kNot:
        return a != 0 ? 0 : 1;
      default:
        return {};
    }
  }

  const Dag& dag_;
  const Arena& arena_;
  const std::map<TermId, uint64_t>& leaves_;
};

constexpr size_t kPoints = 10;

class Fuzzer {
 public:
  explicit Fuzzer(uint64_t seed) : random_(seed) {
    for (const Type type : {Type::kU8, Type::kS8, Type::kU16, Type::kS16, Type::kU32, Type::kS32,
                            Type::kU64, Type::kF16, Type::kBF16, Type::kF32, Type::kE5M2}) {
      add_leaf(type);
    }
    const TermId x = add_leaf(Type::kF32), h = add_leaf(Type::kF16);
    put(arena_.make(Op{.kind = op::Kind::kFAbs, .type = Type::kF32}, x));
    put(arena_.make(Op{.kind = op::Kind::kFMax, .type = Type::kF32}, by_width_[32].back(),
                    arena_.constant(32, 0x38800000)));
    put(arena_.make(Op{.kind = op::Kind::kFAbs, .type = Type::kF16}, h));
  }

  void step() {
    static constexpr op::Kind kKinds[] = {
        op::Kind::kAdd,    op::Kind::kSub,     op::Kind::kMul,    op::Kind::kMulHiU,
        op::Kind::kMulHiS, op::Kind::kDivU,    op::Kind::kDivS,   op::Kind::kRemU,
        op::Kind::kRemS,   op::Kind::kMinU,    op::Kind::kMinS,   op::Kind::kMaxU,
        op::Kind::kMaxS,   op::Kind::kAbsS,    op::Kind::kAnd,    op::Kind::kOr,
        op::Kind::kXor,    op::Kind::kNot,     op::Kind::kShl,    op::Kind::kShrU,
        op::Kind::kShrS,   op::Kind::kExtract, op::Kind::kConcat, op::Kind::kZext,
        op::Kind::kSext,   op::Kind::kSelect,  op::Kind::kAnd,    op::Kind::kOr};
    const op::Kind kind = kKinds[random_() % std::size(kKinds)];
    const unsigned widths[] = {8, 16, 32, 64};
    const unsigned width = widths[random_() % 4];
    TermId id = term::kNoTerm;
    const Op op{.kind = kind, .type = op::bits_type(width)};
    switch (kind) {
      case op::Kind::kExtract: {
        const TermId a = pick(64);
        id = arena_.extract(a, static_cast<unsigned>(random_() % (65 - width)), width);
        break;
      }
      case op::Kind::kConcat:
        if (width == 8) return;
        id = arena_.concat(pick(width / 2), pick(width / 2));
        break;
      case op::Kind::kZext:
      case op::Kind::kSext:
        if (width == 8) return;
        id = kind == op::Kind::kZext ? arena_.zext(pick(width / 2), width)
                                     : arena_.sext(pick(width / 2), width);
        break;
      case op::Kind::kSelect: {
        const op::Kind test = random_() % 2 ? op::Kind::kLtS : op::Kind::kLtU;
        const TermId c = arena_.make(Op{.kind = test, .type = op::bits_type(width)}, pick(width),
                                     constant(width));
        id = arena_.select(c, pick(width), pick(width));
        break;
      }
      case op::Kind::kShl:
      case op::Kind::kShrU:
      case op::Kind::kShrS:
        id = arena_.make(op, pick(width), arena_.constant(32, random_() % width));
        break;
      default: {
        const bool one = op::arity(kind) == 1;
        const bool fixed =
            random_() % 2 != 0 || (kind >= op::Kind::kMulHiU && kind <= op::Kind::kRemS);
        const TermId a = pick(width);
        id = one ? arena_.make(op, a) : arena_.make(op, a, fixed ? constant(width) : pick(width));
      }
    }
    check(id);
    put(id);
  }

  size_t numbers = 0, floats = 0, encodings = 0;

 private:
  TermId add_leaf(Type type) {
    const TermId id = arena_.leaf(op::Kind::kInput, type, 0, static_cast<uint32_t>(leaves_++));
    for (auto& point : points_) {
      uint64_t bits = random_() & op::mask(op::bits(type));
      if (random_() % 4 == 0) bits = random_() % 4;
      if (op::is_float(type)) {
        while (decode(type, bits).kind != FloatValue::Class::kFinite) {
          bits = random_() & op::mask(op::bits(type));
        }
        // Which zero it is nobody can tell.
        if (decode(type, bits).value == 0) bits = 0;
      }
      point[id] = bits;
    }
    put(id);
    return id;
  }
  void put(TermId id) { by_width_[arena_.width(id)].push_back(id); }
  TermId constant(unsigned width) {
    static constexpr uint64_t kInteresting[] = {
        1,        2,          3,          7,          10,         15,         0x7f,      0x80,
        0xff,     0xf0,       0x7fff,     0x8000,     0xff00,     0x6400,     0x3c00,    0x03ff,
        0x7fffff, 0x3f800000, 0x7f800000, 0xff800000, 0x80000000, 0x0f0f0f0f, 0x4b000000};
    const uint64_t bits =
        random_() % 4 == 0 ? random_() : kInteresting[random_() % std::size(kInteresting)];
    return arena_.constant(width, (bits & op::mask(width)) == 0 ? 3 : bits);
  }
  TermId pick(unsigned width) {
    const auto& all = by_width_[width];
    if (random_() % 5 == 0) return constant(width);
    return all[random_() % all.size()];
  }

  void check(TermId id) {
    const unsigned width = arena_.width(id);
    std::vector<Type> types;
    if (width == 8) types = {Type::kU8, Type::kS8, Type::kE5M2};
    if (width == 16) types = {Type::kU16, Type::kS16, Type::kF16, Type::kBF16};
    if (width == 32) types = {Type::kU32, Type::kS32, Type::kF32};
    if (width == 64) types = {Type::kU64, Type::kS64, Type::kF64};
    for (const Type type : types) {
      const RealId read = reading_.read(id, type);
      if (reading_.dag()[read].kind == Kind::kOpaque) continue;
      for (const auto& point : points_) {
        const auto got = Exact(reading_.dag(), arena_, point).of(read);
        if (!got) continue;
        const TermId roots[] = {id};
        const uint64_t bits = term::evaluate(
            arena_, roots, [&](TermId leaf, const term::Node&) { return point.at(leaf); })[0];
        mpq_class expected;
        if (op::is_float(type)) {
          const FloatValue v = decode(type, bits);
          if (v.kind != FloatValue::Class::kFinite) {
            FAIL("a number for a code that is none: " << term::to_string(arena_, roots));
          }
          expected = v.value;
          ++floats;
          if (!arena_.is_const(id) && op::arity(arena_.kind(id)) > 0) ++encodings;
        } else {
          expected = number_of(type, bits);
          ++numbers;
        }
        if (*got == expected) continue;
        const RealId reals[] = {read};
        UNSCOPED_INFO(op::name(type) << " is " << *got << ", not " << expected << "\n"
                                     << term::to_string(arena_, roots) << "\n"
                                     << to_string(reading_.dag(), reals));
        REQUIRE(*got == expected);
      }
    }
  }

  std::mt19937_64 random_;
  Arena arena_;
  Reading reading_{arena_, nullptr, {}};
  std::vector<std::map<TermId, uint64_t>> points_{kPoints};
  std::map<unsigned, std::vector<TermId>> by_width_;
  size_t leaves_ = 0;
};

TEST_CASE("numbers of random integer operations, at points") {
  size_t numbers = 0, floats = 0, encodings = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    Fuzzer fuzzer(seed);
    for (int i = 0; i < 60; ++i) fuzzer.step();
    numbers += fuzzer.numbers;
    floats += fuzzer.floats;
    encodings += fuzzer.encodings;
  }
  CHECK(numbers > 30000);
  CHECK(encodings > 300);
  CHECK(floats >= encodings);
}

}  // namespace
}  // namespace ptxequiv::real
