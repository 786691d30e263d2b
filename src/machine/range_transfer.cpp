// Ranges: the interval of an operation's result from those of its operands.
#include <algorithm>
#include <bit>

#include "machine/lane.h"
#include "machine/range.h"

namespace ptxequiv::machine {

using op::Kind;
using term::Node;

namespace {

__extension__ typedef __int128 Wide;

int64_t signed_min(unsigned width) {
  return sign_extend(uint64_t{1} << (width - 1), width);
}
int64_t signed_max(unsigned width) {
  return static_cast<int64_t>(op::mask(width) >> 1);
}

// The range of an exact result [low, high] reduced to `width` bits.
Range wrapped(unsigned width, Wide low, Wide high, Wide signed_low, Wide signed_high,
              unsigned zeros) {
  Range r = Range::full(width);
  if (low >= 0 && high <= static_cast<Wide>(op::mask(width))) {
    r.low = static_cast<uint64_t>(low);
    r.high = static_cast<uint64_t>(high);
  }
  if (signed_low >= signed_min(width) && signed_high <= signed_max(width)) {
    r.signed_low = static_cast<int64_t>(signed_low);
    r.signed_high = static_cast<int64_t>(signed_high);
  }
  r.zeros = std::min(zeros, width);
  r.tighten(width);
  return r;
}

Range product(unsigned width, const Range& a, const Range& b) {
  const Wide corners[] = {Wide{a.signed_low} * b.signed_low, Wide{a.signed_low} * b.signed_high,
                          Wide{a.signed_high} * b.signed_low, Wide{a.signed_high} * b.signed_high};
  const bool fits = std::bit_width(a.high) + std::bit_width(b.high) <= 64;
  const Wide high = fits ? Wide{a.high} * b.high : Wide{op::mask(width)} + 1;
  return wrapped(width, fits ? Wide{a.low} * b.low : Wide{0}, high,
                 *std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4),
                 a.zeros + b.zeros);
}

Range united(unsigned width, const Range& a, const Range& b) {
  Range r;
  r.low = std::min(a.low, b.low);
  r.high = std::max(a.high, b.high);
  r.signed_low = std::min(a.signed_low, b.signed_low);
  r.signed_high = std::max(a.signed_high, b.signed_high);
  r.zeros = std::min({a.zeros, b.zeros, width});
  return r;
}

}  // namespace

Range Ranges::of_select(const Node& node, const Known& known) const {
  if (const auto taken = compare(node.a, known)) return lookup(known, *taken ? node.b : node.c);
  // A clamp: an arm that the condition itself compares is bounded by it.
  Range arms[2];
  for (const bool taken : {true, false}) {
    const TermId arm = taken ? node.b : node.c;
    Known local;
    local.emplace(arm, lookup(known, arm));
    if (arena_.is_const(arm)) {
      arms[taken ? 0 : 1] = lookup(known, arm);
      continue;
    }
    for (const TermId operand : {arena_[node.a].a, arena_[node.a].b}) {
      const Kind kind = arena_.kind(node.a);
      if (kind != Kind::kLtS && kind != Kind::kLtU && kind != Kind::kEq) break;
      local.emplace(operand, lookup(known, operand));
    }
    assume(local, node.a, taken);
    arms[taken ? 0 : 1] = lookup(local, arm);
  }
  return united(op::result_bits(node.op), arms[0], arms[1]);
}

Range Ranges::of_leaf(const Node& node) const {
  const unsigned width = op::bits(node.op.type);
  const std::optional<IntegerRange>* declared = nullptr;
  if (node.op.kind == Kind::kInput) declared = &context_.buffers[node.a].range;
  if (node.op.kind == Kind::kScalar) declared = &context_.scalars[node.a].range;
  Range r = Range::full(width);
  if (declared == nullptr || !declared->has_value() || !op::info(node.op.type).is_integer) return r;
  const IntegerRange& bounds = **declared;
  if (op::is_signed(node.op.type)) {
    r.signed_low = std::max(r.signed_low, bounds.low);
    r.signed_high = std::min(r.signed_high, bounds.high);
  } else {
    if (bounds.low > 0) r.low = static_cast<uint64_t>(bounds.low);
    if (bounds.high >= 0) r.high = std::min(r.high, static_cast<uint64_t>(bounds.high));
  }
  r.tighten(width);
  return r;
}

// x - min(x, y) is how far x lies above y, or 0: how loops count down in steps of y.
Range Ranges::above(const Node& difference, const Known& known, Range r) const {
  const Node& least = arena_[difference.b];
  if (least.op.kind != Kind::kMinU) return r;
  if (least.a != difference.a && least.b != difference.a) return r;
  const Range a = lookup(known, difference.a);
  const Range y = lookup(known, least.a == difference.a ? least.b : least.a);
  r.low = std::max(r.low, a.low > y.high ? a.low - y.high : 0);
  r.high = std::min(r.high, a.high > y.low ? a.high - y.low : 0);
  r.tighten(arena_.width(difference.b));
  return r;
}

Range Ranges::compute(const Node& node, const Known& known) const {
  if (node.op.kind == Kind::kInput || node.op.kind == Kind::kScalar) return of_leaf(node);
  const unsigned width = op::result_bits(node.op);
  if (width > 64) return Range::full(64);
  const unsigned arity = op::arity(node.op.kind);
  Range a, b;
  if (arity > 0) a = lookup(known, node.a);
  if (arity > 1) b = lookup(known, node.b);
  const bool b_const = arity > 1 && b.low == b.high;
  switch (node.op.kind) {
    case Kind::kZext: {
      Range r = Range::full(width);
      r.low = a.low, r.high = a.high, r.zeros = a.zeros;
      r.tighten(width);
      return r;
    }
    case Kind::kSext: {
      Range r = Range::full(width);
      r.signed_low = a.signed_low, r.signed_high = a.signed_high, r.zeros = a.zeros;
      r.tighten(width);
      return r;
    }
    case Kind::kExtract:
      if (node.b == 0 && a.high <= op::mask(width)) {
        Range r = Range::full(width);
        r.low = a.low, r.high = a.high, r.zeros = std::min(a.zeros, width);
        r.tighten(width);
        return r;
      }
      if (node.b == 0) {
        Range r = wrapped(width, -1, -1, a.signed_low, a.signed_high, a.zeros);
        return r;
      }
      return Range::full(width);
    case Kind::kConcat: {
      const unsigned half = width / 2;
      return wrapped(width, Wide{a.low} << half | Wide{b.low},
                     (Wide{a.high} << half) + Wide{b.high}, -1, Wide{1} << 100,
                     b.zeros < half ? b.zeros : half + a.zeros);
    }
    case Kind::kAdd:
      return wrapped(width, Wide{a.low} + b.low, Wide{a.high} + b.high,
                     Wide{a.signed_low} + b.signed_low, Wide{a.signed_high} + b.signed_high,
                     std::min(a.zeros, b.zeros));
    case Kind::kSub:
      return above(node, known,
                   wrapped(width, Wide{a.low} - Wide{b.high}, Wide{a.high} - Wide{b.low},
                           Wide{a.signed_low} - b.signed_high, Wide{a.signed_high} - b.signed_low,
                           std::min(a.zeros, b.zeros)));
    case Kind::kMul:
      return product(width, a, b);
    case Kind::kShl:
      if (b_const && b.low < width && b.low < 63) {
        return product(width, a, Range::constant(64, uint64_t{1} << b.low));
      }
      return Range::full(width);
    case Kind::kShrU:
      if (b_const && b.low < width) {
        return wrapped(width, a.low >> b.low, a.high >> b.low, 0, Wide{1} << 100,
                       a.zeros > b.low ? a.zeros - static_cast<unsigned>(b.low) : 0);
      }
      return wrapped(width, 0, a.high, -1, Wide{1} << 100, 0);
    case Kind::kShrS:
      if (b_const && b.low < width) {
        return wrapped(width, -1, -1, a.signed_low >> b.low, a.signed_high >> b.low, 0);
      }
      return Range::full(width);
    case Kind::kAnd:
      return wrapped(width, 0, std::min(a.high, b.high), -1, Wide{1} << 100,
                     std::max(a.zeros, b.zeros));
    case Kind::kOr:
    case Kind::kXor: {
      // Where no bit can be set in both, it is a sum.
      const auto apart = [](const Range& x, const Range& y) {
        return x.zeros >= static_cast<unsigned>(std::bit_width(y.high));
      };
      if (apart(a, b) || apart(b, a)) {
        return wrapped(width, Wide{a.low} + b.low, Wide{a.high} + b.high, -1, Wide{1} << 100,
                       std::min(a.zeros, b.zeros));
      }
      const unsigned top = static_cast<unsigned>(std::bit_width(a.high | b.high));
      const uint64_t low = node.op.kind == Kind::kOr ? std::max(a.low, b.low) : 0;
      return wrapped(width, low, op::mask(top == 0 ? 1 : top), -1, Wide{1} << 100,
                     std::min(a.zeros, b.zeros));
    }
    case Kind::kRemU:
      if (b.low > 0) {
        return wrapped(width, 0, std::min<uint64_t>(a.high, b.high - 1), -1, Wide{1} << 100, 0);
      }
      return Range::full(width);
    case Kind::kRemS:
      if (b_const && b.signed_low > 0) {
        return wrapped(width, -1, -1,
                       std::max(std::min<int64_t>(a.signed_low, 0), 1 - b.signed_low),
                       std::min(std::max<int64_t>(a.signed_high, 0), b.signed_low - 1), 0);
      }
      return Range::full(width);
    case Kind::kDivU:
      if (b.low > 0) return wrapped(width, a.low / b.high, a.high / b.low, -1, Wide{1} << 100, 0);
      return Range::full(width);
    case Kind::kMinU:
      return wrapped(width, std::min(a.low, b.low), std::min(a.high, b.high), -1, Wide{1} << 100,
                     std::min(a.zeros, b.zeros));
    case Kind::kMaxU:
      return wrapped(width, std::max(a.low, b.low), std::max(a.high, b.high), -1, Wide{1} << 100,
                     std::min(a.zeros, b.zeros));
    case Kind::kMinS:
      return wrapped(width, -1, -1, std::min(a.signed_low, b.signed_low),
                     std::min(a.signed_high, b.signed_high), std::min(a.zeros, b.zeros));
    case Kind::kMaxS:
      return wrapped(width, -1, -1, std::max(a.signed_low, b.signed_low),
                     std::max(a.signed_high, b.signed_high), std::min(a.zeros, b.zeros));
    case Kind::kPopc:
    case Kind::kClz:
      return wrapped(width, 0, op::bits(node.op.src), -1, Wide{1} << 100, 0);
    case Kind::kBfeU: {
      const Range c = lookup(known, node.c);
      if (c.high < width)
        return wrapped(width, 0, op::mask(c.high == 0 ? 1 : static_cast<unsigned>(c.high)), -1,
                       Wide{1} << 100, 0);
      return Range::full(width);
    }
    case Kind::kSelect:
      return of_select(node, known);
    default:
      return Range::full(width);
  }
}

}  // namespace ptxequiv::machine
