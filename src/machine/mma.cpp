// MatrixProducts: fragments in, fragments out.
#include "machine/mma.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "op/evaluate.h"

namespace ptxequiv::machine {

using op::Kind;
using op::Op;
using op::Type;
using Element = ir::Mma::Element;

const MmaPlan& MatrixProducts::plan_of(const CodeInst& inst) {
  std::unique_ptr<MmaPlan>& plan = plans_[inst.inst];
  if (!plan) plan = std::make_unique<MmaPlan>(std::get<ir::Mma>(inst.inst->detail));
  return *plan;
}

void MatrixProducts::execute(const CodeInst& inst, Warp& warp) {
  const MmaPlan& plan = plan_of(inst);
  env_.context.deadline.poll();
  read_factors(inst, warp, plan, true);
  read_factors(inst, warp, plan, false);
  read_accumulator(inst, warp, plan);
  if (plan.mma.sparse) read_metadata(inst, warp, plan);
  const size_t n = plan.mma.n;
  d_.resize(c_.size());
  if (plan.sum == MmaPlan::Sum::kTensor) {
    lines_.resize(c_.size());
    for (size_t i = 0; i < c_.size(); ++i) lines_[i] = line_of(plan, i / n, i % n);
    tensor_sums(plan);
  } else {
    for (size_t i = 0; i < c_.size(); ++i) d_[i] = sum(plan, line_of(plan, i / n, i % n), c_[i]);
  }
  write(inst, warp, plan);
}

// `row` counts those of all products.
MatrixProducts::Line MatrixProducts::line_of(const MmaPlan& plan, size_t row, size_t column) const {
  const size_t other = row / plan.mma.m * plan.mma.n + column;
  Line line{row * plan.held, other * plan.depth, nullptr, nullptr,
            a_.known[row] != 0 && b_.known[other] != 0};
  if (!plan.mma.sparse) return line;
  line.places = places_.data() + row * plan.held;
  if (!choices_.empty()) {
    line.choices = choices_.data() + row * plan.held;
    line.known = false;
  }
  return line;
}

// The bits of an element, from `shift` on.
Lane MatrixProducts::element(Register& reg, unsigned lane, unsigned shift, unsigned bits,
                             unsigned register_bits) {
  const Lane whole = env_.defined(reg, lane, register_bits);
  if (whole.is_bits()) return Lane::of_bits(whole.bits >> shift & op::mask(bits));
  if (bits == register_bits) return whole;
  // Four-bit elements come with their byte.
  const unsigned width = std::max(bits, 8u);
  const unsigned position = shift / width * width;
  const Op low{
      .kind = Kind::kExtract, .type = op::bits_type(width), .src = op::bits_type(register_bits)};
  const Lane part = env_.values.apply(
      low, {whole, {}, {}, {static_cast<uint8_t>(register_bits), 0, 0}, position});
  if (bits == width) return part;
  const Lane word = apply(Kind::kZext, Type::kB32, part, {}, {}, Type::kB8);
  const Lane moved = apply(Kind::kShrU, Type::kB32, word, Lane::of_bits(shift - position));
  return apply(Kind::kAnd, Type::kB32, moved, Lane::of_bits(op::mask(bits)));
}

// An integer element as a 32-bit number.
Lane MatrixProducts::integer(const Lane& value, Element element) {
  const bool is_signed = element == Element::kS8 || element == Element::kS4;
  const unsigned bits = ir::element_bits(element);
  if (value.is_bits()) {
    const int64_t number =
        is_signed ? sign_extend(value.bits, bits) : static_cast<int64_t>(value.bits);
    return Lane::of_bits(static_cast<uint32_t>(number));
  }
  if (bits == 8) {
    return apply(is_signed ? Kind::kSext : Kind::kZext, Type::kB32, value, {}, {}, Type::kB8);
  }
  if (!is_signed) return value;
  const Lane top = Lane::of_bits(32 - bits);
  return apply(Kind::kShrS, Type::kB32, apply(Kind::kShl, Type::kB32, value, top), top);
}

// As sums take it.
Lane MatrixProducts::converted(const Lane& value, Element element, const MmaPlan& plan) {
  if (plan.sum == MmaPlan::Sum::kInteger) return integer(value, element);
  const Type type = ir::element_type(element);
  if (type == plan.factor) return value;
  return apply(Kind::kFCvt, plan.factor, value, {}, {}, type);  // exact
}

void MatrixProducts::read_factors(const CodeInst& inst, Warp& warp, const MmaPlan& plan,
                                  bool is_a) {
  Matrix& matrix = is_a ? a_ : b_;
  const std::vector<MmaPlan::Slot>& slots = is_a ? plan.a : plan.b;
  const ir::Fragment& fragment = is_a ? plan.a_fragment : plan.b_fragment;
  const Element kind = is_a ? plan.mma.a : plan.mma.b;
  const size_t first = is_a ? 0 : plan.mma.a_registers;
  if (fragment.distinct != fragment.cores) check_copies(inst, warp, plan, is_a);
  const unsigned bits = fragment.element_bits;
  const bool converts = plan.sum == MmaPlan::Sum::kInteger ||
                        (plan.sum != MmaPlan::Sum::kBits && ir::element_type(kind) != plan.factor);
  const bool apart = plan.sum == MmaPlan::Sum::kTensor;
  const size_t length = is_a ? plan.held : plan.depth;
  matrix.lanes.resize(slots.size());
  matrix.terms.assign(slots.size(), kNoTerm);
  matrix.factors.resize(apart ? slots.size() : 0);
  matrix.known.assign(slots.size() / length, 1);
  for (size_t i = 0; i < slots.size(); ++i) {
    const MmaPlan::Slot slot = slots[i];
    Register& reg = warp.regs[inst.inst->srcs[first + slot.reg]];
    Lane value = element(reg, slot.lane, slot.shift, bits, fragment.register_bits);
    if (converts) value = converted(value, kind, plan);
    if (!value.is_bits()) {
      matrix.known[i / length] = 0;
    } else if (apart) {
      matrix.factors[i] = op::dot_factor(plan.factor, value.bits);
    }
    matrix.lanes[i] = value;
  }
}

// wmma's f16 fragments hold each element two or four times. A program that treats all elements of a
// fragment alike cannot make them differ, and the manual allows nothing else.
void MatrixProducts::check_copies(const CodeInst& inst, Warp& warp, const MmaPlan& plan,
                                  bool is_a) {
  const ir::Fragment& fragment = is_a ? plan.a_fragment : plan.b_fragment;
  const size_t first = is_a ? 0 : plan.mma.a_registers;
  const unsigned distinct = unsigned{fragment.run} * fragment.distinct / fragment.per_register();
  for (unsigned r = distinct; r < fragment.registers(); ++r) {
    const Register& copy = warp.regs[inst.inst->srcs[first + r]];
    const Register& reg = warp.regs[inst.inst->srcs[first + r % distinct]];
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      if (copy.get(lane) == reg.get(lane)) continue;
      throw_unsupported(env_.context.reporter.site(inst.site),
                        "a wmma fragment whose copies of one element differ");
    }
  }
}

void MatrixProducts::read_accumulator(const CodeInst& inst, Warp& warp, const MmaPlan& plan) {
  const size_t first = size_t{plan.mma.a_registers} + plan.mma.b_registers;
  c_.resize(plan.c.size());
  for (size_t i = 0; i < plan.c.size(); ++i) {
    const MmaPlan::Slot slot = plan.c[i];
    c_[i] = element(warp.regs[inst.inst->srcs[first + slot.reg]], slot.lane, slot.shift,
                    plan.c_fragment.element_bits, plan.c_fragment.register_bits);
  }
}

// 9.7.14.6: of each four elements of a row A holds two; two bits of metadata say for each where it
// stood. (tf32: one of two; the bits count halves of elements.)
void MatrixProducts::read_metadata(const CodeInst& inst, Warp& warp, const MmaPlan& plan) {
  const ir::Mma& mma = plan.mma;
  const unsigned bits = ir::element_bits(mma.a);
  const uint32_t reg = inst.inst->srcs[inst.inst->srcs.size() - 1];
  // Elements of A that one code of four bits places, and the columns among which it does.
  const unsigned placed = bits == 32 ? 1 : bits == 4 ? 4 : 2;
  const unsigned codes = plan.held / placed;
  const bool halves = bits >= 16;  // a word serves two rows, each with 16 bits
  const unsigned lanes = codes / (halves ? 4 : 8);
  std::array<Lane, kWarpSize> words;
  bool known = true;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    words[lane] = env_.defined(warp.regs[reg], lane, 32);
    if (const auto value = env_.values.known(words[lane], 32)) words[lane] = Lane::of_bits(*value);
    known = known && words[lane].is_bits();
  }
  places_.resize(size_t{mma.m} * plan.held);
  choices_.assign(known ? 0 : places_.size(), {});
  std::vector<unsigned> position(plan.held);
  for (unsigned t = 0; t < plan.held; ++t) position[plan.order[t]] = t;
  // Which of four columns (or pairs of columns) `bit` of a lane's word names for element `t` of a
  // row; the first is `first`.
  const auto place = [&](size_t at, unsigned lane, unsigned bit, unsigned first) {
    if (words[lane].is_bits()) {
      first += (words[lane].bits >> bit & 3) * plan.choice_step;
    } else {
      const TermId word = words[lane].term();
      choices_[at] = {env_.arena().extract(word, bit, 1), env_.arena().extract(word, bit + 1, 1)};
    }
    places_[at] = static_cast<uint16_t>(first);
  };
  for (unsigned row = 0; row < mma.m; ++row) {
    const bool lower = row >= 8;
    for (unsigned code = 0; code < codes; ++code) {
      const unsigned in_word = code % (halves ? 4 : 8), word = code / (halves ? 4 : 8);
      const unsigned lane = halves ? 4 * (row % 8) + mma.selector * lanes + word
                                   : 4 * (row % 8) + 2 * (mma.selector * lanes + word) + lower;
      const unsigned bit = 4 * in_word + (halves && lower ? 16 : 0);
      const size_t at = size_t{row} * plan.held;
      if (bits == 32) {
        const uint64_t nibble = words[lane].bits >> bit & 15;
        if (!words[lane].is_bits() || (nibble != 0x4 && nibble != 0xe)) {
          throw_unsupported(env_.context.reporter.site(inst.site),
                            "metadata of a sparse tf32 matrix that is not known to be allowed");
        }
        places_[at + position[code]] = static_cast<uint16_t>(2 * code + (nibble == 0xe ? 1 : 0));
        continue;
      }
      for (unsigned h = 0; h < 2; ++h) {
        if (bits == 4) {
          for (unsigned i = 0; i < 2; ++i) {
            place(at + position[4 * code + 2 * h + i], lane, bit + 2 * h, 8 * code + i);
          }
        } else {
          place(at + position[2 * code + h], lane, bit + 2 * h, 4 * code);
        }
      }
    }
  }
}

void MatrixProducts::write(const CodeInst& inst, Warp& warp, const MmaPlan& plan) {
  const std::vector<ir::ValueId>& dests = inst.inst->dests;
  for (const ir::ValueId dest : dests) {
    if (dest != ir::kNone) warp.regs[dest].open(kAllLanes, kAllLanes);
  }
  const ir::Fragment& fragment = plan.d_fragment;
  if (fragment.per_register() == 1) {
    for (size_t i = 0; i < plan.d.size(); ++i) {
      const MmaPlan::Slot slot = plan.d[i];
      if (dests[slot.reg] != ir::kNone) warp.regs[dests[slot.reg]].set(slot.lane, d_[i]);
    }
    return;
  }
  // Two halves in a register; they stand side by side in a row, or one below the other.
  std::vector<Lane> parts(size_t{kWarpSize} * dests.size() * 2);
  for (size_t i = 0; i < plan.d.size(); ++i) {
    const MmaPlan::Slot slot = plan.d[i];
    parts[(size_t{slot.lane} * dests.size() + slot.reg) * 2 + (slot.shift != 0)] = d_[i];
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    for (size_t r = 0; r < dests.size(); ++r) {
      if (dests[r] == ir::kNone) continue;
      const Lane* const pair = &parts[(lane * dests.size() + r) * 2];
      warp.regs[dests[r]].set(lane, apply(Kind::kConcat, Type::kB32, pair[1], pair[0]));
    }
  }
}

}  // namespace ptxequiv::machine
