#include "real/bit_slices.h"

#include <array>
#include <optional>

namespace ptxequiv::real {
namespace {

using op::Kind;
using term::kNoTerm;
using term::TermId;

struct Bit {
  TermId source = kNoTerm;  // kNoTerm: a constant
  uint8_t from = 0;
  bool value = false;  // of a constant; of others: complemented

  bool is(bool constant) const { return source == kNoTerm && value == constant; }
  Bit operator~() const { return {source, from, !value}; }
  friend bool operator==(const Bit&, const Bit&) = default;
};
using Bits = std::array<Bit, 64>;

Bits spread(const std::vector<Slice>& slices) {
  Bits out;
  for (const Slice& s : slices) {
    for (unsigned i = 0; i < s.width; ++i) {
      out[s.at + i] = s.source == kNoTerm
                          ? Bit{kNoTerm, 0, (s.bits >> i & 1) != 0}
                          : Bit{s.source, static_cast<uint8_t>(s.from + i), s.negated};
    }
  }
  return out;
}

std::vector<Slice> gather(const Bits& bits, unsigned width) {
  std::vector<Slice> out;
  for (unsigned i = 0; i < width; ++i) {
    const Bit& b = bits[i];
    if (!out.empty() && out.back().source == b.source) {
      Slice& last = out.back();
      const bool follows =
          b.source == kNoTerm || (last.from + last.width == b.from && last.negated == b.value);
      if (follows) {
        if (b.source == kNoTerm && b.value) last.bits |= uint64_t{1} << last.width;
        ++last.width;
        continue;
      }
    }
    const bool constant = b.source == kNoTerm;
    out.push_back({b.source, b.from, i, 1, !constant && b.value, constant && b.value ? 1u : 0u});
  }
  return out;
}

// One bit of a & b, a | b, a ^ b, or of a sum that carries nothing; or nothing where it is neither
// operand's bit nor a constant.
std::optional<Bit> combine(Kind kind, Bit a, Bit b) {
  if (a.source == kNoTerm) std::swap(a, b);
  if (b.source != kNoTerm) {
    if (a.source != b.source || a.from != b.from || kind == Kind::kAdd) return {};
    const bool same = a.value == b.value;
    if (kind == Kind::kXor) return Bit{kNoTerm, 0, !same};
    if (same) return a;
    return Bit{kNoTerm, 0, kind == Kind::kOr};
  }
  switch (kind) {
    case Kind::kAnd:
      return b.value ? a : b;
    case Kind::kOr:
      return b.value ? b : a;
    case Kind::kXor:
      return b.value ? ~a : a;
    default:  // a sum
      if (!b.value) return a;
      return a.is(false) ? std::optional(b) : std::nullopt;
  }
}

}  // namespace

bool BitSlices::is_whole(TermId id) {
  const std::vector<Slice>& slices = of(id);
  return slices.size() == 1 && slices[0].source == id;
}

const std::vector<Slice>& BitSlices::of(TermId root) {
  std::vector<TermId> open{root};
  while (!open.empty()) {
    const TermId id = open.back();
    if (known_.contains(id)) {
      open.pop_back();
      continue;
    }
    bool ready = true;
    switch (arena_.kind(id)) {
      case Kind::kExtract:
      case Kind::kConcat:
      case Kind::kZext:
      case Kind::kAnd:
      case Kind::kOr:
      case Kind::kXor:
      case Kind::kAdd:
      case Kind::kNot:
      case Kind::kShl:
      case Kind::kShrU:
        for (const TermId operand : arena_.operands(id)) {
          if (arena_.width(operand) > 64 || known_.contains(operand)) continue;
          open.push_back(operand);
          ready = false;
        }
        break;
      default:
        break;
    }
    if (!ready) continue;
    known_.emplace(id, take_apart(id));
    open.pop_back();
  }
  return known_.at(root);
}

std::vector<Slice> BitSlices::take_apart(TermId id) {
  const term::Node& node = arena_[id];
  const unsigned width = arena_.width(id);
  const std::vector<Slice> itself{{id, 0, 0, width, false, 0}};
  if (width > 64) return itself;
  if (node.op.kind == Kind::kConst) {
    return {{kNoTerm, 0, 0, width, false, arena_.const_bits(id)}};
  }
  const auto operand = [&](TermId a) { return spread(known_.at(a)); };
  Bits bits;
  switch (node.op.kind) {
    case Kind::kExtract: {
      if (arena_.width(node.a) > 64) return itself;
      const Bits a = operand(node.a);
      for (unsigned i = 0; i < width; ++i) bits[i] = a[node.b + i];
      break;
    }
    case Kind::kConcat: {
      const Bits high = operand(node.a), low = operand(node.b);
      for (unsigned i = 0; i < width; ++i) bits[i] = i < width / 2 ? low[i] : high[i - width / 2];
      break;
    }
    case Kind::kZext:
      bits = operand(node.a);
      break;
    case Kind::kNot: {
      bits = operand(node.a);
      for (unsigned i = 0; i < width; ++i) bits[i] = ~bits[i];
      break;
    }
    case Kind::kShl:
    case Kind::kShrU: {
      if (!arena_.is_const(node.b)) return itself;
      const uint64_t by = arena_.const_bits(node.b);
      const Bits a = operand(node.a);
      for (uint64_t i = 0; i < width; ++i) {
        if (node.op.kind == Kind::kShl) {
          if (i >= by) bits[i] = a[i - by];
        } else if (by < width && i + by < width) {
          bits[i] = a[i + by];
        }
      }
      break;
    }
    case Kind::kAnd:
    case Kind::kOr:
    case Kind::kXor:
    case Kind::kAdd: {
      const Bits a = operand(node.a), b = operand(node.b);
      for (unsigned i = 0; i < width; ++i) {
        const auto bit = combine(node.op.kind, a[i], b[i]);
        if (!bit) return itself;
        bits[i] = *bit;
      }
      break;
    }
    default:
      return itself;
  }
  return gather(bits, width);
}

}  // namespace ptxequiv::real
