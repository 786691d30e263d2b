#include "real/ordered_bits.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "op/op.h"

namespace ptxequiv::real {
namespace {

using op::Kind;
using term::Arena;
using term::Node;
using term::TermId;

constexpr size_t kMaxTerms = 32;
constexpr int kNowhere = -1;

// A bit as a function of one bit of the source, at `from`, and of the source's sign: the value for
// (bit, sign) = (0,0), (1,0), (0,1), (1,1), from the lowest bit of `table` up.
struct Bit {
  int from = kNowhere;
  uint8_t table = 0;
};
constexpr uint8_t kOwn = 0b1010, kSign = 0b1100, kOne = 0b1111;

bool looks_at_own(uint8_t table) {
  return ((table >> 1) & 0b0101) != (table & 0b0101);
}

using Bits = std::array<Bit, 64>;

// Both as functions of one bit of the source, if they are.
bool meet(const Bit& a, const Bit& b, int* from) {
  if (a.from != kNowhere && b.from != kNowhere && a.from != b.from) return false;
  *from = a.from != kNowhere ? a.from : b.from;
  return true;
}

Bit settled(int from, uint8_t table) {
  table &= kOne;
  return {looks_at_own(table) ? from : kNowhere, table};
}

std::optional<Bit> combine(Kind kind, const Bit& a, const Bit& b) {
  int from = kNowhere;
  if (!meet(a, b, &from)) {
    // A constant decides alone.
    return {};
  }
  switch (kind) {
    case Kind::kAnd:
      return settled(from, a.table & b.table);
    case Kind::kOr:
      return settled(from, a.table | b.table);
    default:
      return settled(from, a.table ^ b.table);
  }
}

bool is_followed(const Arena& arena, const Node& node) {
  switch (node.op.kind) {
    case Kind::kConst:
    case Kind::kAnd:
    case Kind::kOr:
    case Kind::kXor:
    case Kind::kNot:
    case Kind::kSelect:
    case Kind::kExtract:
    case Kind::kZext:
    case Kind::kSext:
      return true;
    case Kind::kShl:
    case Kind::kShrU:
    case Kind::kShrS:
      return arena.is_const(node.b);
    case Kind::kLtS:
    case Kind::kEq:
      return arena.is_const(node.a) || arena.is_const(node.b);
    case Kind::kSub:
      return arena.is_const(node.a) && arena.const_bits(node.a) == 0;
    default:
      return false;
  }
}

class Follower {
 public:
  Follower(const Arena& arena, TermId root) : arena_(arena), root_(root) {}
  std::optional<Flipped> run();

 private:
  // Terms below the root that are followed, operands first; false if there is not one source.
  bool collect(std::vector<TermId>& order);
  bool evaluate(TermId id, Bits& out);
  bool shifted(const Node& node, const Bits& a, unsigned width, Bits& out) const;
  bool compared(const Node& node, Bits& out);
  const Bits& at(TermId id) const { return bits_.at(id); }
  Bits constant(TermId id) const {
    Bits out;
    const uint64_t bits = arena_.const_bits(id);
    for (unsigned i = 0; i < arena_.width(id); ++i) out[i].table = (bits >> i & 1) != 0 ? kOne : 0;
    return out;
  }

  const Arena& arena_;
  TermId root_;
  TermId source_ = term::kNoTerm;
  std::unordered_map<TermId, Bits> bits_;
};

bool Follower::collect(std::vector<TermId>& order) {
  std::vector<TermId> open{root_};
  std::unordered_map<TermId, bool> seen;
  while (!open.empty()) {
    const TermId id = open.back();
    open.pop_back();
    if (!seen.emplace(id, true).second) continue;
    if (seen.size() > kMaxTerms || arena_.width(id) > 64) return false;
    if (!is_followed(arena_, arena_[id])) {
      if (source_ != term::kNoTerm) return false;
      source_ = id;
      continue;
    }
    order.push_back(id);
    for (const TermId operand : arena_.operands(id)) open.push_back(operand);
  }
  std::sort(order.begin(), order.end());  // operands have smaller ids
  return source_ != term::kNoTerm && arena_.width(source_) == arena_.width(root_);
}

bool Follower::shifted(const Node& node, const Bits& a, unsigned width, Bits& out) const {
  const uint64_t by = arena_.const_bits(node.b);
  const bool left = node.op.kind == Kind::kShl;
  for (unsigned i = 0; i < width; ++i) {
    if (left) {
      if (i >= by) out[i] = a[i - by];
    } else if (by < width && i + by < width) {
      out[i] = a[i + by];
    } else if (node.op.kind == Kind::kShrS) {
      out[i] = a[width - 1];
    }
  }
  return true;
}

// x < 0, -1 < x, and x = constant.
bool Follower::compared(const Node& node, Bits& out) {
  const unsigned width = op::bits(node.op.type);
  const bool first = arena_.is_const(node.a);
  const Bits& x = at(first ? node.b : node.a);
  const uint64_t constant = arena_.const_bits(first ? node.a : node.b);
  if (node.op.kind == Kind::kLtS) {
    if (constant != (first ? op::mask(width) : 0)) return false;
    const Bit top = x[width - 1];
    out[0] = first ? settled(top.from, static_cast<uint8_t>(~top.table)) : top;
    return true;
  }
  Bit all{kNowhere, kOne};
  for (unsigned i = 0; i < width; ++i) {
    const bool set = (constant >> i & 1) != 0;
    const Bit same = set ? x[i] : settled(x[i].from, static_cast<uint8_t>(~x[i].table));
    const auto both = combine(Kind::kAnd, all, same);
    if (!both) return false;
    all = *both;
  }
  out[0] = all;
  return true;
}

bool Follower::evaluate(TermId id, Bits& out) {
  const Node& node = arena_[id];
  const unsigned width = arena_.width(id);
  switch (node.op.kind) {
    case Kind::kConst:
      out = constant(id);
      return true;
    case Kind::kAnd:
    case Kind::kOr:
    case Kind::kXor: {
      const Bits &a = at(node.a), &b = at(node.b);
      for (unsigned i = 0; i < width; ++i) {
        const auto bit = combine(node.op.kind, a[i], b[i]);
        if (!bit) return false;
        out[i] = *bit;
      }
      return true;
    }
    case Kind::kNot: {
      const Bits& a = at(node.a);
      for (unsigned i = 0; i < width; ++i) {
        out[i] = settled(a[i].from, static_cast<uint8_t>(~a[i].table));
      }
      return true;
    }
    case Kind::kSelect: {
      const Bit condition = at(node.a)[0];
      const Bit otherwise = settled(condition.from, static_cast<uint8_t>(~condition.table));
      const Bits &b = at(node.b), &c = at(node.c);
      for (unsigned i = 0; i < width; ++i) {
        const auto yes = combine(Kind::kAnd, condition, b[i]);
        const auto no = combine(Kind::kAnd, otherwise, c[i]);
        const auto bit = yes && no ? combine(Kind::kOr, *yes, *no) : std::nullopt;
        if (!bit) return false;
        out[i] = *bit;
      }
      return true;
    }
    case Kind::kExtract:
      for (unsigned i = 0; i < width; ++i) out[i] = at(node.a)[node.b + i];
      return true;
    case Kind::kZext:
    case Kind::kSext: {
      const unsigned inner = arena_.width(node.a);
      const Bits& a = at(node.a);
      for (unsigned i = 0; i < width; ++i) {
        if (i < inner)
          out[i] = a[i];
        else if (node.op.kind == Kind::kSext)
          out[i] = a[inner - 1];
      }
      return true;
    }
    case Kind::kShl:
    case Kind::kShrU:
    case Kind::kShrS:
      return shifted(node, at(node.a), width, out);
    case Kind::kLtS:
    case Kind::kEq:
      return compared(node, out);
    case Kind::kSub: {  // 0 - bit: that bit everywhere
      const Bits& b = at(node.b);
      for (unsigned i = 1; i < width; ++i) {
        if (b[i].table != 0) return false;
      }
      out.fill(b[0]);
      return true;
    }
    default:
      return false;
  }
}

std::optional<Flipped> Follower::run() {
  std::vector<TermId> order;
  if (!collect(order) || source_ == root_) return {};
  const unsigned width = arena_.width(root_);
  Bits source;
  for (unsigned i = 0; i + 1 < width; ++i) source[i] = {static_cast<int>(i), kOwn};
  source[width - 1] = {kNowhere, kSign};
  bits_.emplace(source_, source);
  for (const TermId id : order) {
    Bits out;
    if (!evaluate(id, out)) return {};
    bits_.emplace(id, out);
  }
  const Bits& result = at(root_);
  Flipped flipped{source_, 0, 0};
  for (unsigned i = 0; i < width; ++i) {
    const Bit& bit = result[i];
    const bool top = i + 1 == width;
    if (bit.from != (top ? kNowhere : static_cast<int>(i))) return {};
    // What it is for a source bit of 0, and whether it changes with that bit, under each sign.
    const bool clear = (bit.table & 1) != 0;
    const bool set = top ? (bit.table >> 3 & 1) == 0 : (bit.table >> 2 & 1) != 0;
    const uint8_t expected =
        top ? static_cast<uint8_t>((clear ? 0b0011 : 0) | (set ? 0 : 0b1100))
            : static_cast<uint8_t>((clear ? 0b0001 : 0b0010) | (set ? 0b0100 : 0b1000));
    if (bit.table != expected) return {};
    if (clear) flipped.if_clear |= uint64_t{1} << i;
    if (set) flipped.if_set |= uint64_t{1} << i;
  }
  return flipped;
}

}  // namespace

std::optional<Flipped> flipped_by_sign(const Arena& arena, TermId id) {
  return Follower(arena, id).run();
}

std::optional<TermId> key_source(const Arena& arena, TermId id, Order order) {
  const auto flipped = flipped_by_sign(arena, id);
  if (!flipped) return {};
  const unsigned width = arena.width(id);
  const uint64_t sign = uint64_t{1} << (width - 1);
  const bool is_key = order == Order::kUnsigned
                          ? flipped->if_clear == sign && flipped->if_set == op::mask(width)
                          : flipped->if_clear == 0 && flipped->if_set == sign - 1;
  if (!is_key) return {};
  return flipped->source;
}

std::optional<TermId> decoded_key(const Arena& arena, TermId id, Order order) {
  const auto flipped = flipped_by_sign(arena, id);
  if (!flipped) return {};
  const unsigned width = arena.width(id);
  const uint64_t sign = uint64_t{1} << (width - 1);
  const bool is_float = order == Order::kUnsigned
                            ? flipped->if_clear == op::mask(width) && flipped->if_set == sign
                            : flipped->if_clear == 0 && flipped->if_set == sign - 1;
  if (!is_float) return {};
  return flipped->source;
}

uint64_t decoded(uint64_t key, unsigned width, Order order) {
  const uint64_t sign = uint64_t{1} << (width - 1);
  const bool set = (key & sign) != 0;
  if (order == Order::kUnsigned) return key ^ (set ? sign : op::mask(width));
  return set ? key ^ (sign - 1) : key;
}

}  // namespace ptxequiv::real
