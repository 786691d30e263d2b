#include "machine/index_condition.h"

#include <bit>
#include <optional>

namespace ptxequiv::machine {

using op::Kind;

namespace {

__extension__ typedef __int128 Wide;

// x * factor with no wrap-around, for every x in the range?
struct NoWrap {
  bool as_unsigned = false, as_signed = false;
};
NoWrap no_wrap(const Range& x, uint64_t factor, unsigned width) {
  NoWrap result;
  result.as_unsigned = Wide{x.high} * Wide{factor} <= static_cast<Wide>(op::mask(width));
  const Wide limit = static_cast<Wide>(op::mask(width) >> 1);
  const auto f = static_cast<Wide>(sign_extend(factor, width));
  result.as_signed =
      f > 0 && Wide{x.signed_high} * f <= limit && Wide{x.signed_low} * f >= -limit - 1;
  return result;
}

}  // namespace

TermId equals(term::Arena& arena, Bounds& ranges, TermId t, uint64_t bits) {
  const TermId never = arena.truth(false);
  for (;;) {
    const term::Node node = arena[t];
    const unsigned width = arena.width(t);
    bits &= op::mask(width);
    const auto constant = [&](uint32_t id) -> std::optional<uint64_t> {
      if (!arena.is_const(id)) return std::nullopt;
      return arena.const_bits(id);
    };
    switch (node.op.kind) {
      case Kind::kZext:
        if (bits > op::mask(arena.width(node.a))) return never;
        t = node.a;
        continue;
      case Kind::kSext: {
        const unsigned inner = arena.width(node.a);
        const uint64_t low = bits & op::mask(inner);
        if ((static_cast<uint64_t>(sign_extend(low, inner)) & op::mask(width)) != bits)
          return never;
        bits = low;
        t = node.a;
        continue;
      }
      case Kind::kAdd:
        if (const auto c = constant(node.b)) {
          bits -= *c;
          t = node.a;
          continue;
        }
        if (const auto c = constant(node.a)) {
          bits -= *c;
          t = node.b;
          continue;
        }
        break;
      case Kind::kConcat: {
        const unsigned half = width / 2;
        if (const auto c = constant(node.b)) {
          if ((bits & op::mask(half)) != *c) return never;
          bits >>= half;
          t = node.a;
          continue;
        }
        if (const auto c = constant(node.a)) {
          if (bits >> half != *c) return never;
          t = node.b;
          continue;
        }
        break;
      }
      case Kind::kOr:
      case Kind::kXor: {  // of bits that lie apart: a sum
        TermId inner = node.a;
        auto c = constant(node.b);
        if (!c) {
          inner = node.b;
          c = constant(node.a);
        }
        if (!c || ranges.of(inner).zeros < static_cast<unsigned>(std::bit_width(*c))) break;
        const uint64_t low = op::mask(static_cast<unsigned>(std::bit_width(*c)));
        if (*c != 0 && (bits & low) != *c) return never;
        bits -= *c;
        t = inner;
        continue;
      }
      case Kind::kAnd: {  // that takes nothing away
        const auto c = constant(node.b) ? constant(node.b) : constant(node.a);
        const TermId inner = constant(node.b) ? node.a : node.b;
        if (!c) break;
        const Range r = ranges.of(inner);
        const auto top = static_cast<unsigned>(std::bit_width(r.high));
        const uint64_t possible =
            top == 0
                ? 0
                : op::mask(top) & ~(r.zeros >= 64 ? ~uint64_t{0} : (uint64_t{1} << r.zeros) - 1);
        if ((possible & ~*c) != 0) break;
        t = inner;
        continue;
      }
      case Kind::kShl:
      case Kind::kMul: {
        TermId inner = node.a;
        auto c = constant(node.b);
        if (!c && node.op.kind == Kind::kMul) {
          inner = node.b;
          c = constant(node.a);
        }
        if (!c || *c == 0) break;
        if (node.op.kind == Kind::kShl && *c >= width) break;
        const uint64_t factor = node.op.kind == Kind::kShl ? uint64_t{1} << *c : *c;
        const NoWrap exact = no_wrap(ranges.of(inner), factor, width);
        if (exact.as_unsigned) {
          if (bits % factor != 0) return never;
          bits /= factor;
          t = inner;
          continue;
        }
        if (exact.as_signed) {
          const int64_t value = sign_extend(bits, width);
          const auto f = static_cast<int64_t>(sign_extend(factor, width));
          if (value % f != 0) return never;
          bits = static_cast<uint64_t>(value / f);
          t = inner;
          continue;
        }
        break;
      }
      default:
        break;
    }
    return arena.equal(t, arena.constant(width, bits));
  }
}

}  // namespace ptxequiv::machine
