#include "check/narrowing.h"

#include <catch2/catch.hpp>

using namespace ptxequiv;
using namespace ptxequiv::check;
using op::Kind;
using op::Op;
using op::Rounding;
using op::Type;

namespace {

struct Sides {
  term::Arena arena;
  term::TermId x = arena.leaf(Kind::kInput, Type::kF16, 0, 0);
  term::TermId word = arena.leaf(Kind::kInput, Type::kF32, 1, 0);

  // acc + x * x in a tensor core, as f16.
  term::TermId pass(Type accumulator, Type result) {
    const term::TermId zero = arena.constant(op::bits(accumulator), 0);
    term::TermId chain = arena.make(Op{.kind = Kind::kDotOpen, .type = accumulator}, zero);
    chain = arena.make(Op{.kind = Kind::kDotTerm, .type = accumulator, .src = Type::kF16}, chain, x, x);
    return arena.make(Op{.kind = Kind::kDotClose, .type = result, .src = accumulator}, chain);
  }
  term::TermId cvt(Type to, Type from, term::TermId value) {
    return arena.make(Op{.kind = Kind::kFCvt, .type = to, .src = from, .rounding = Rounding::kRn}, value);
  }
  term::TermId square(Type type, term::TermId value) {
    return arena.make(Op{.kind = Kind::kFMul, .type = type, .rounding = Rounding::kRn}, value, value);
  }
  size_t lines(Type type, term::TermId reference, term::TermId candidate) {
    Element element;
    element.type = type;
    element.reference = reference;
    element.candidate = candidate;
    return narrowing_origins(arena, {element}).size();
  }
};

}  // namespace

TEST_CASE("accumulating in f16 narrows although both sides store f16") {
  Sides s;
  s.arena.set_origin(7);
  const term::TermId wide = s.cvt(Type::kF16, Type::kF32, s.pass(Type::kF32, Type::kF32));
  const term::TermId narrow = s.pass(Type::kF16, Type::kF16);
  CHECK(s.lines(Type::kF16, wide, narrow) == 1);
  CHECK(s.lines(Type::kF16, narrow, wide) == 0);
  CHECK(s.lines(Type::kF16, wide, wide) == 0);
  // An f16 accumulator that is only read, and then summed in f32, rounds nothing.
  CHECK(s.lines(Type::kF32, s.pass(Type::kF32, Type::kF32), s.pass(Type::kF16, Type::kF32)) == 0);
}

TEST_CASE("widening is no rounding") {
  Sides s;
  const term::TermId reference = s.square(Type::kF32, s.word);
  const term::TermId widened = s.square(Type::kF32, s.cvt(Type::kF32, Type::kF16, s.x));
  CHECK(s.lines(Type::kF32, reference, widened) == 0);
  const term::TermId through_half =
      s.square(Type::kF32, s.cvt(Type::kF32, Type::kF16, s.cvt(Type::kF16, Type::kF32, s.word)));
  CHECK(s.lines(Type::kF32, reference, through_half) == 1);
}

TEST_CASE("tf32 factors are cut") {
  Sides s;
  const Op link{.kind = Kind::kDotTerm, .type = Type::kF32, .src = Type::kTF32};
  term::TermId chain = s.arena.make(Op{.kind = Kind::kDotOpen, .type = Type::kF32}, s.arena.constant(32, 0));
  chain = s.arena.make(link, chain, s.word, s.word);
  chain = s.arena.make(Op{.kind = Kind::kDotClose, .type = Type::kF32, .src = Type::kF32}, chain);
  CHECK(s.lines(Type::kF32, s.square(Type::kF32, s.word), chain) == 1);
}
