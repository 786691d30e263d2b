// MatrixProducts: one element of the result.
#include <algorithm>
#include <cstdint>

#include "machine/mma.h"
#include "op/evaluate.h"

namespace ptxequiv::machine {

using op::Kind;
using op::Op;
using op::Rounding;
using op::Type;

Lane MatrixProducts::apply(Kind kind, Type type, const Lane& a, const Lane& b, const Lane& c,
                           Type src, Rounding rounding) {
  const Op op{.kind = kind, .type = type, .src = src, .rounding = rounding};
  Values::Operands in{a, b, c, {0, 0, 0}, 0};
  for (unsigned i = 0; i < op::arity(kind); ++i) {
    in.bits[i] = static_cast<uint8_t>(op::operand_bits(op, i));
  }
  return env_.values.apply(op, in);
}

TermId MatrixProducts::term(Matrix& matrix, size_t index, unsigned bits) {
  TermId& id = matrix.terms[index];
  if (id == kNoTerm) id = env_.values.term(matrix.lanes[index], bits);
  return id;
}

// The factor of B that meets element `t` of A.
TermId MatrixProducts::b_term(const MmaPlan& plan, const Line& line, unsigned t, unsigned bits) {
  const size_t first = b_index(line, t);
  if (line.choices == nullptr || line.choices[t].low == kNoTerm) return term(b_, first, bits);
  const auto [low, high] = line.choices[t];
  TermId four[4];
  for (unsigned i = 0; i < 4; ++i) four[i] = term(b_, first + i * plan.choice_step, bits);
  term::Arena& arena = env_.arena();
  return arena.select(high, arena.select(low, four[3], four[2]),
                      arena.select(low, four[1], four[0]));
}

Lane MatrixProducts::sum(const MmaPlan& plan, const Line& line, const Lane& c) {
  switch (plan.sum) {
    case MmaPlan::Sum::kTensor:  // tensor_sums
    case MmaPlan::Sum::kFused:
    case MmaPlan::Sum::kEmulated:
      return fused_sum(plan, line, c);
    case MmaPlan::Sum::kInteger:
      return integer_sum(plan, line, c);
    case MmaPlan::Sum::kBits:
      break;
  }
  return bit_sum(plan, line, c);
}

void MatrixProducts::tensor_sums(const MmaPlan& plan) {
  const Type to = plan.total;
  Type from = plan.from_zero ? to : plan.mma.c;
  if (plan.from_zero) {
    std::fill(d_.begin(), d_.end(), Lane::of_bits(0));
  } else {
    d_ = c_;
  }
  for (unsigned i = 0; i < plan.passes; ++i) {
    pass(plan, i, from, to);
    from = to;
  }
  for (size_t i = 0; i < d_.size(); ++i) {
    if (plan.from_zero) {
      d_[i] = apply(Kind::kFAdd, to, d_[i], c_[i], {}, Type::kNone, Rounding::kRn);
    }
    if (plan.mma.d != to) {
      d_[i] = apply(Kind::kFCvt, plan.mma.d, d_[i], {}, {}, to, Rounding::kRn);
    }
  }
}

// Adds the products of one pass to all elements of the result.
void MatrixProducts::pass(const MmaPlan& plan, unsigned number, Type from, Type to) {
  term::Arena& arena = env_.arena();
  chains_.clear();
  for (size_t i = 0; i < d_.size(); ++i) {
    if (const auto known = known_pass(plan, lines_[i], number, d_[i], from, to)) {
      d_[i] = *known;
      continue;
    }
    const TermId start = env_.values.term(d_[i], op::bits(from));
    chains_.push_back({i, arena.make(Op{.kind = Kind::kDotOpen, .type = from}, start)});
  }
  if (chains_.empty()) return;
  const unsigned bits = op::bits(plan.factor);
  const unsigned length = plan.held / plan.passes, first = number * length;
  const Op link{.kind = Kind::kDotTerm, .type = from, .src = plan.factor};
  links_.resize(chains_.size());
  a_factors_.resize(chains_.size());
  b_factors_.resize(chains_.size());
  for (size_t k = 0; k < chains_.size(); ++k) links_[k] = chains_[k].link;
  for (unsigned t = first; t < first + length; ++t) {
    for (size_t k = 0; k < chains_.size(); ++k) {
      const Line& line = lines_[chains_[k].output];
      a_factors_[k] = term(a_, line.a + t, bits);
      b_factors_[k] = b_term(plan, line, t, bits);
    }
    arena.make_many(link, static_cast<unsigned>(links_.size()), links_.data(), a_factors_.data(),
                    b_factors_.data(), links_.data());
  }
  for (size_t k = 0; k < chains_.size(); ++k) chains_[k].link = links_[k];
  const Op close{.kind = Kind::kDotClose, .type = to, .src = from};
  for (const Chain& chain : chains_) {
    d_[chain.output] = env_.values.lane(arena.make(close, chain.link));
  }
}

std::optional<Lane> MatrixProducts::known_pass(const MmaPlan& plan, const Line& line,
                                               unsigned number, const Lane& c, Type from, Type to) {
  if (!line.known || !c.is_bits()) return std::nullopt;
  const unsigned length = plan.held / plan.passes, first = number * length;
  const op::DotFactor* factors = b_.factors.data() + line.b + first;
  if (line.places != nullptr) {
    gathered_.resize(length);
    for (unsigned t = 0; t < length; ++t) gathered_[t] = b_.factors[b_index(line, first + t)];
    factors = gathered_.data();
  }
  const op::Result result =
      op::dot_pass(from, c.bits, to, a_.factors.data() + line.a + first, factors, length);
  const Limits& limits = env_.context.limits;
  if (limits.evaluate && !limits.keep_rounding) return Lane::of_bits(result.bits);
  // Operands of tf32 are cut to it, which counts as rounding.
  const unsigned unused = op::info(Type::kF32).precision - op::info(Type::kTF32).precision;
  const auto is_cut = [&](const Lane& lane) { return (lane.bits & op::mask(unused)) != 0; };
  for (unsigned t = first; plan.factor == Type::kTF32 && t < first + length; ++t) {
    if (is_cut(a_.lanes[line.a + t]) || is_cut(b_.lanes[b_index(line, t)])) return std::nullopt;
  }
  if (!result.exact) return std::nullopt;
  return Lane::of_bits(result.bits);
}

Lane MatrixProducts::fused_sum(const MmaPlan& plan, const Line& line, const Lane& c) {
  const bool emulated = plan.sum == MmaPlan::Sum::kEmulated;
  const Rounding rounding = emulated ? Rounding::kRn : plan.mma.rounding;
  Lane now = emulated ? Lane::of_bits(0) : c;
  for (unsigned t = 0; t < plan.held; ++t) {
    now = apply(Kind::kFFma, plan.factor, a_.lanes[line.a + t], b_.lanes[b_index(line, t)], now,
                Type::kNone, rounding);
  }
  if (!emulated) return now;
  const Lane addend =
      plan.mma.c == Type::kF16 ? apply(Kind::kFCvt, Type::kF32, c, {}, {}, Type::kF16) : c;
  now = apply(Kind::kFAdd, Type::kF32, now, addend, {}, Type::kNone, Rounding::kRn);
  if (plan.mma.d == Type::kF32) return now;
  return apply(Kind::kFCvt, plan.mma.d, now, {}, {}, Type::kF32, Rounding::kRn);
}

// 9.7.14.5.14: with .satfinite the exact sum is clamped, else it wraps around.
Lane MatrixProducts::integer_sum(const MmaPlan& plan, const Line& line, const Lane& c) {
  const bool clamps = plan.mma.satfinite;
  constexpr int64_t kLow = INT32_MIN, kHigh = INT32_MAX;
  if (line.known && c.is_bits()) {
    int64_t total = static_cast<int32_t>(c.bits);
    for (unsigned t = 0; t < plan.held; ++t) {
      total += int64_t{static_cast<int32_t>(a_.lanes[line.a + t].bits)} *
               static_cast<int32_t>(b_.lanes[b_index(line, t)].bits);
    }
    if (clamps) total = std::clamp(total, kLow, kHigh);
    return Lane::of_bits(static_cast<uint32_t>(total));
  }
  Lane total = clamps ? Lane::of_bits(0) : c;
  for (unsigned t = 0; t < plan.held; ++t) {
    const Lane b = line.choices == nullptr ? b_.lanes[b_index(line, t)]
                                           : env_.values.lane(b_term(plan, line, t, 32));
    const Lane product = apply(Kind::kMul, Type::kB32, a_.lanes[line.a + t], b);
    total = apply(Kind::kAdd, Type::kB32, total, product);
  }
  if (!clamps) return total;
  // The products alone fit 32 bits; with c they may not.
  const auto wide = [&](const Lane& value) {
    return apply(Kind::kSext, Type::kB64, value, {}, {}, Type::kB32);
  };
  total = apply(Kind::kAdd, Type::kB64, wide(total), wide(c));
  total = apply(Kind::kMaxS, Type::kB64, total, Lane::of_bits(static_cast<uint64_t>(kLow)));
  total = apply(Kind::kMinS, Type::kB64, total, Lane::of_bits(static_cast<uint64_t>(kHigh)));
  const Op low{.kind = Kind::kExtract, .type = Type::kB32, .src = Type::kB64};
  return env_.values.apply(low, {total, {}, {}, {64, 0, 0}, 0});
}

// Elements are words of 32 bits.
Lane MatrixProducts::bit_sum(const MmaPlan& plan, const Line& line, const Lane& c) {
  const Kind kind = plan.mma.bit_op == ir::Mma::BitOp::kXor ? Kind::kXor : Kind::kAnd;
  Lane total = c;
  for (unsigned t = 0; t < plan.held; ++t) {
    const Lane met = apply(kind, Type::kB32, a_.lanes[line.a + t], b_.lanes[b_index(line, t)]);
    const Lane ones = apply(Kind::kPopc, Type::kB32, met, {}, {}, Type::kB32);
    total = apply(Kind::kAdd, Type::kB32, total, ones);
  }
  return total;
}

}  // namespace ptxequiv::machine
