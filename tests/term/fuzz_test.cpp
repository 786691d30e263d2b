// Random terms: what the arena builds, with all its simplifications, must have the bits that the
// same operations give one by one.
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "../op/operands.h"
#include "op/evaluate.h"
#include "term/arena.h"
#include "term/evaluate.h"

using namespace ptxequiv;
using op::Kind;
using op::Op;
using op::Type;
using term::Arena;
using term::TermId;

namespace {

constexpr size_t kPoints = 24;  // leaf assignments each term is evaluated at
constexpr uint64_t kSeeds = 400;

struct Value {
  TermId id;
  std::vector<uint64_t> bits;  // by operation, never simplified
};

class Fuzzer {
 public:
  explicit Fuzzer(uint64_t seed) : random_(seed), operands_(seed + 1) {
    for (unsigned width : {1u, 8u, 16u, 32u, 64u}) {
      for (int i = 0; i < 3; ++i) add_leaf(width);
      for (int i = 0; i < 3; ++i) add_constant(width);
    }
    for (unsigned amount : {0u, 1u, 7u, 8u, 16u, 24u, 31u, 32u, 40u, 63u, 64u}) {
      put(arena.constant(32, amount), std::vector<uint64_t>(kPoints, amount));
    }
  }

  // One random operation on values made before; checks its bits.
  void step() {
    if (random_() % 12 == 0) add_constant(widths_[random_() % 5]);
    const Op op = pick_op();
    const unsigned arity = op::arity(op.kind);
    std::vector<const Value*> args;
    for (unsigned i = 0; i < arity; ++i) {
      args.push_back(&pick(op.kind == Kind::kExtract ? wide_ : op::operand_bits(op, i)));
    }
    const uint64_t position = position_;
    TermId id = term::kNoTerm;
    if (op.kind == Kind::kExtract) {
      id = arena.extract(args[0]->id, static_cast<unsigned>(position), op::bits(op.type));
    } else {
      id = arena.make(op, args[0]->id, arity > 1 ? args[1]->id : term::kNoTerm,
                      arity > 2 ? args[2]->id : term::kNoTerm);
    }
    std::vector<uint64_t> bits(kPoints);
    for (size_t p = 0; p < kPoints; ++p) {
      const uint64_t b = op.kind == Kind::kExtract ? position : arity > 1 ? args[1]->bits[p] : 0;
      bits[p] = op::evaluate(op, args[0]->bits[p], b, arity > 2 ? args[2]->bits[p] : 0).bits;
    }
    const TermId roots[] = {id};
    for (size_t p = 0; p < kPoints; ++p) {
      const uint64_t got = value_at(id, p);
      if (got != bits[p]) {
        UNSCOPED_INFO(op::to_string(op)
                      << std::hex << " gives " << got << ", not " << bits[p] << "\n"
                      << term::to_string(arena, roots));
        REQUIRE(got == bits[p]);
      }
    }
    if (arena[id].op.kind != op.kind) ++rewritten[op.kind];
    put(id, bits);
  }

  Arena arena;
  std::map<Kind, size_t> rewritten;

 private:
  void add_leaf(unsigned width) {
    const TermId id = arena.leaf(Kind::kInput, op::bits_type(width), width, leaves_++);
    std::vector<uint64_t> bits(kPoints);
    for (uint64_t& value : bits) {
      value = width == 32 && random_() % 2 == 0   ? operands_.any_float(Type::kF32)
              : width == 16 && random_() % 2 == 0 ? operands_.any_float(Type::kF16)
                                                  : operands_.any_integer(width);
    }
    put(id, bits);
  }
  void add_constant(unsigned width) {
    uint64_t value = operands_.any_integer(width);
    if (width > 8 && random_() % 3 == 0) {  // whole bytes
      value = 0;
      for (unsigned i = 0; i < width; i += 8) value |= (random_() % 2 != 0 ? 0xffull : 0) << i;
    }
    if (width == 32 && random_() % 4 == 0) value = random_() & 0x7777;  // prmt selectors
    put(arena.constant(width, value), std::vector<uint64_t>(kPoints, value & op::mask(width)));
  }
  void put(TermId id, std::vector<uint64_t> bits) {
    known_.resize(std::max<size_t>(known_.size(), id + 1));
    known_[id] = bits;
    values_[arena.width(id)].push_back({id, std::move(bits)});
  }
  // Recent values are likelier, so that terms grow and meet their own parts.
  const Value& pick(unsigned width) {
    const std::vector<Value>& all = values_[width];
    const size_t window = random_() % 3 == 0 ? all.size() : std::min<size_t>(all.size(), 10);
    return all[all.size() - 1 - random_() % window];
  }
  uint64_t value_at(TermId id, size_t point) {
    const TermId roots[] = {id};
    return term::evaluate(arena, roots,
                          [&](TermId leaf, const term::Node&) { return known_[leaf][point]; })[0];
  }

  Op pick_op() {
    const unsigned width = widths_[1 + random_() % 4];
    const Type type = op::bits_type(width);
    if (random_() % 5 == 0) return pick_float();
    static constexpr Kind kSame[] = {
        Kind::kAdd,    Kind::kSub,  Kind::kMul,  Kind::kAnd,  Kind::kOr,   Kind::kXor,
        Kind::kNot,    Kind::kShl,  Kind::kShrU, Kind::kShrS, Kind::kEq,   Kind::kLtU,
        Kind::kLtS,    Kind::kMinU, Kind::kMinS, Kind::kMaxU, Kind::kMaxS, Kind::kMulHiU,
        Kind::kMulHiS, Kind::kDivU, Kind::kDivS, Kind::kRemU, Kind::kRemS, Kind::kAbsS,
        Kind::kBfeU,   Kind::kBfeS};
    switch (random_() % 9) {
      case 0:
        return Op{.kind = Kind::kSelect, .type = op::bits_type(widths_[random_() % 5])};
      case 1: {  // predicates
        static constexpr Kind kLogic[] = {Kind::kAnd, Kind::kOr, Kind::kXor,
                                          Kind::kNot, Kind::kEq, Kind::kSelect};
        return Op{.kind = kLogic[random_() % 6], .type = Type::kPred};
      }
      case 2: {
        wide_ = width == 64 ? 64 : 2 * width;
        position_ = 8 * (random_() % (wide_ / 8));
        unsigned part = 8u << random_() % 3;
        while (position_ + part > wide_) part /= 2;
        if (random_() % 8 == 0 && position_ + part < wide_) position_ += random_() % 8;
        if (part < 8 || position_ + part > wide_) return Op{.kind = Kind::kNot, .type = type};
        return Op{.kind = Kind::kExtract, .type = op::bits_type(part)};
      }
      case 3: {
        if (width == 8) return Op{.kind = Kind::kNot, .type = type};
        return Op{.kind = Kind::kConcat, .type = type};
      }
      case 4: {
        const unsigned from = widths_[random_() % 4];
        if (from >= width) return Op{.kind = Kind::kXor, .type = type};
        const Kind kind = random_() % 2 == 0 ? Kind::kZext : Kind::kSext;
        return Op{.kind = kind, .type = type, .src = op::bits_type(from)};
      }
      case 5:
        if (random_() % 2 == 0) return Op{.kind = Kind::kPrmt, .type = Type::kB32};
        return Op{.kind = Kind::kPopc, .type = Type::kB32, .src = type};
      default: {
        const Kind kind = kSame[random_() % std::size(kSame)];
        const bool field = kind == Kind::kBfeU || kind == Kind::kBfeS;
        return Op{.kind = kind, .type = field && width < 32 ? Type::kB32 : type};
      }
    }
  }
  Op pick_float() {
    static constexpr Kind kKinds[] = {Kind::kFNeg,      Kind::kFAbs, Kind::kFNeg, Kind::kFAbs,
                                      Kind::kFCopysign, Kind::kFAdd, Kind::kFMul, Kind::kFMax,
                                      Kind::kFMin,      Kind::kFCvt, Kind::kFCvt, Kind::kFEq,
                                      Kind::kFLt,       Kind::kFFma};
    const Kind kind = kKinds[random_() % std::size(kKinds)];
    static constexpr Type kTypes[] = {Type::kF32, Type::kF16, Type::kBF16};
    Op op{.kind = kind, .type = kTypes[random_() % 3]};
    if (kind == Kind::kFCvt) {
      op.type = random_() % 2 == 0 ? Type::kF32 : kTypes[1 + random_() % 2];
      op.src = op.type == Type::kF32 ? kTypes[1 + random_() % 2] : Type::kF32;
      if (op.type != Type::kF32) op.rounding = op::Rounding::kRn;
    } else if (kind != Kind::kFNeg && kind != Kind::kFAbs) {
      op.rounding = op::Rounding::kRn;
    }
    op.ftz = random_() % 4 == 0;
    return op;
  }

  std::mt19937_64 random_;
  op::Operands operands_;
  std::map<unsigned, std::vector<Value>> values_;
  std::vector<std::vector<uint64_t>> known_;
  uint32_t leaves_ = 0;
  unsigned wide_ = 32;
  uint64_t position_ = 0;
  static constexpr unsigned widths_[] = {1, 8, 16, 32, 64};
};

}  // namespace

TEST_CASE("random terms keep their bits through all simplifications") {
  std::map<Kind, size_t> rewritten;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Fuzzer fuzzer(seed);
    for (int i = 0; i < 120; ++i) fuzzer.step();
    for (const auto& [kind, count] : fuzzer.rewritten) rewritten[kind] += count;
  }
  // Every rule's kind was replaced by something else, so the rules did run.
  for (Kind kind :
       {Kind::kExtract, Kind::kConcat, Kind::kZext, Kind::kSext, Kind::kSelect, Kind::kAdd,
        Kind::kSub,     Kind::kMul,    Kind::kAnd,  Kind::kOr,   Kind::kXor,    Kind::kNot,
        Kind::kShl,     Kind::kShrU,   Kind::kShrS, Kind::kBfeU, Kind::kBfeS,   Kind::kPrmt,
        Kind::kEq,      Kind::kLtU,    Kind::kLtS,  Kind::kFNeg, Kind::kFAbs}) {
    CAPTURE(op::info(kind).name);
    CHECK(rewritten[kind] > 0);
  }
}
