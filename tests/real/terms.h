// Builders of terms for the tests of `real`.
#pragma once
#include <cstring>

#include "op/evaluate.h"
#include "term/arena.h"

namespace ptxequiv::real::testing {

using op::Type;
using term::TermId;

struct Terms {
  term::Arena arena;

  static op::Op op(op::Kind kind, Type type, op::Rounding rounding = op::Rounding::kRn) {
    op::Op result;
    result.kind = kind;
    result.type = type;
    const bool rounds = op::info(kind).is_float;
    result.rounding = rounds ? rounding : op::Rounding::kNone;
    return result;
  }
  TermId input(uint32_t index, Type type = Type::kF32) {
    return arena.leaf(op::Kind::kInput, type, 0, index);
  }
  TermId scalar(uint32_t index, Type type) { return arena.leaf(op::Kind::kScalar, type, index); }
  TermId f32(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return arena.constant(32, bits);
  }
  TermId f32_bits(uint32_t bits) { return arena.constant(32, bits); }
  TermId u32(uint32_t value) { return arena.constant(32, value); }
  TermId make(op::Kind kind, Type type, TermId a, TermId b = term::kNoTerm,
              TermId c = term::kNoTerm) {
    return arena.make(op(kind, type), a, b, c);
  }
  // A single-precision operation.
  TermId f(op::Kind kind, TermId a, TermId b = term::kNoTerm, TermId c = term::kNoTerm) {
    return make(kind, Type::kF32, a, b, c);
  }
  TermId convert(op::Kind kind, Type to, Type from, TermId a,
                 op::Rounding rounding = op::Rounding::kRn) {
    op::Op o = op(kind, to, rounding);
    o.src = from;
    return arena.make(o, a);
  }

  // expf as nvcc and libdevice inline it; `sign` -1: with the argument's sign in the constants.
  struct ExpOptions {
    bool negated = false;
    bool ftz = false;
    uint32_t wrong_constant = 0;  // n: constant number n is off by one unit
  };
  struct Exp {
    TermId power, scale;  // factors of the result
  };
  Exp exp_factors(TermId x, ExpOptions options);
  TermId exp(TermId x, ExpOptions options) {
    const Exp e = exp_factors(x, options);
    op::Op mul = op(op::Kind::kFMul, Type::kF32, op::Rounding::kAny);
    mul.ftz = options.ftz;
    return arena.make(mul, e.power, e.scale);
  }
};

inline Terms::Exp Terms::exp_factors(TermId x, ExpOptions options) {
  uint32_t number = 0;
  const uint32_t sign = options.negated ? 0x80000000u : 0;
  const auto constant = [&](uint32_t bits) {
    ++number;
    return f32_bits(number == options.wrong_constant ? bits + 1 : bits);
  };
  const auto fma = [&](TermId a, TermId b, TermId c, op::Rounding rounding) {
    op::Op o = op(op::Kind::kFFma, Type::kF32, rounding);
    o.ftz = options.ftz;
    return arena.make(o, a, b, c);
  };
  using enum op::Rounding;
  const TermId scaled = fma(x, constant(0x3BBB989D ^ sign), constant(0x3F000000), kRn);
  op::Op saturate = op(op::Kind::kFCvt, Type::kF32, op::Rounding::kNone);
  saturate.src = Type::kF32;
  saturate.sat = 1;
  const TermId clamped = arena.make(saturate, scaled);
  const TermId magic = fma(clamped, constant(0x437C0000), constant(0x4B400001), kRm);
  op::Op add = op(op::Kind::kFAdd, Type::kF32, kAny);
  const TermId whole = arena.make(add, magic, constant(0xCB40007F));
  op::Op neg = op(op::Kind::kFNeg, Type::kF32, op::Rounding::kNone);
  const TermId high = fma(x, constant(0x3FB8AA3B ^ sign), arena.make(neg, whole), kRn);
  const TermId low = fma(x, constant(0x32A57060 ^ sign), high, kRn);
  op::Op ex2 = op(op::Kind::kFEx2, Type::kF32, op::Rounding::kApprox);
  ex2.ftz = 1;
  ++number;
  const TermId shift = u32(number == options.wrong_constant ? 22 : 23);
  return {arena.make(ex2, low), make(op::Kind::kShl, Type::kB32, magic, shift)};
}

}  // namespace ptxequiv::real::testing
