#include "machine/values.h"

#include <fmt/format.h>

#include <unordered_map>
#include <vector>

#include "op/evaluate.h"

namespace ptxequiv::machine {

using op::Kind;

Values::Values(Context& context, Memory& memory)
    : context_(context),
      arena_(context.arena),
      memory_(memory),
      true_(arena_.truth(true)),
      false_(arena_.truth(false)),
      evaluate_(context.limits.evaluate),
      keep_approximate_(context.limits.keep_approximate),
      keep_rounding_(context.limits.keep_rounding) {}

Lane Values::apply(op::Op op, const Operands& in) {
  const unsigned arity = op::arity(op.kind);
  const bool b_used = arity > 1, c_used = arity > 2;
  if (op.kind == Kind::kSelect && !in.a.is_pointer()) {
    if (in.a.is_bits()) return in.a.bits & 1 ? in.b : in.c;
    return select(term(in.a, 1), in.b, in.c, in.bits[1]);
  }
  if (in.a.is_bits() && (!b_used || in.b.is_bits()) && (!c_used || in.c.is_bits())) {
    const uint64_t b = op.kind == Kind::kExtract ? in.position : in.b.bits;
    const op::Result result = op::evaluate(op, in.a.bits, b, in.c.bits);
    if (result.exact || evaluates(op)) return Lane::of_bits(result.bits);
  }
  Operands now = in;
  if (in.a.is_pointer() || (b_used && in.b.is_pointer()) || (c_used && in.c.is_pointer())) {
    // A number that was computed in floating point is a number all the same.
    for (Lane* lane : {&now.a, &now.b, &now.c}) {
      if (!lane->is_term()) continue;
      if (const auto bits = arena_.known_bits(lane->term())) *lane = Lane::of_bits(*bits);
    }
    if (auto exact = pointer_operation(op, now)) return *exact;
    if (op.kind == Kind::kEq && in.bits[0] == 64) {
      const bool first = now.a.is_pointer();
      if (auto equal = choice_equals(first ? now.b : now.a, pointer_of(first ? now.a : now.b))) {
        return *equal;
      }
    }
    const bool keeps_address = op.kind == Kind::kAdd || op.kind == Kind::kSub ||
                               op.kind == Kind::kExtract || op.kind == Kind::kConcat ||
                               op.kind == Kind::kZext || op.kind == Kind::kSext;
    const bool terms_only = !in.a.is_bits() && (!b_used || !in.b.is_bits());
    if (!keeps_address ||
        (terms_only && op.kind != Kind::kSub && b_used && in.a.is_pointer() && in.b.is_pointer())) {
      if (now.a.is_pointer()) now.a = number(now.a, in.bits[0]);
      if (b_used && now.b.is_pointer()) now.b = number(now.b, in.bits[1]);
      if (c_used && now.c.is_pointer()) now.c = number(now.c, in.bits[2]);
      return apply(op, now);  // no pointer is left: one level
    }
  }
  if (op.kind == Kind::kExtract) {
    return lane(arena_.extract(term(now.a, in.bits[0]), in.position, op::result_bits(op)));
  }
  const TermId a = term(now.a, in.bits[0]);
  const TermId b = b_used ? term(now.b, in.bits[1]) : kNoTerm;
  const TermId c = c_used ? term(now.c, in.bits[2]) : kNoTerm;
  return lane(arena_.make(op, a, b, c));
}

Lane Values::select(TermId condition, const Lane& then_lane, const Lane& else_lane, unsigned bits) {
  if (then_lane == else_lane && then_lane.kind != LaneKind::kUndefined) return then_lane;
  if (condition == true_) return then_lane;
  if (condition == false_) return else_lane;
  return lane(arena_.select(condition, term(then_lane, bits), term(else_lane, bits)));
}

std::optional<uint64_t> Values::known(const Lane& value, unsigned bits) {
  switch (value.kind) {
    case LaneKind::kBits:
      return value.bits;
    case LaneKind::kTerm:
      return arena_.known_bits(value.term());
    case LaneKind::kPointer:
      return concrete(value, bits).bits;
    case LaneKind::kUndefined:
      break;
  }
  return std::nullopt;
}

Lane Values::number(const Lane& pointer, unsigned bits) {
  const Pointer p = pointer_of(pointer);
  if (evaluate_ || small(p.provenance)) return concrete(pointer, bits);
  const TermId whole = memory_.address_bits(p.provenance, p.offset);
  return lane(bits == 64 ? whole : arena_.extract(whole, 0, bits));
}

Lane Values::concrete(const Lane& pointer, unsigned bits) {
  const Pointer p = pointer_of(pointer);
  const Region& region = memory_.region(p.provenance);
  context_.reporter.gap("address-bits",
                        fmt::format("the result depends on where {} lies in memory", region.name),
                        site_);
  return Lane::of_bits((region.base + static_cast<uint64_t>(p.offset)) & op::mask(bits));
}

std::optional<Lane> Values::choice_equals(const Lane& value, Pointer p) {
  constexpr size_t kMostNodes = 64;
  if (!value.is_term()) return std::nullopt;
  // Selects before their arms; what each equals is found from the last one back.
  std::vector<TermId> order{value.term()};
  for (size_t i = 0; i < order.size(); ++i) {
    const term::Node node = arena_[order[i]];
    if (lane(order[i]).is_pointer()) continue;
    if (node.op.kind != Kind::kSelect || order.size() > kMostNodes) return std::nullopt;
    order.push_back(node.b);
    order.push_back(node.c);
  }
  std::unordered_map<TermId, TermId> equal;
  for (size_t i = order.size(); i-- > 0;) {
    const term::Node node = arena_[order[i]];
    const Lane each = lane(order[i]);
    equal[order[i]] = each.is_pointer()
                          ? truth(pointer_of(each).pack() == p.pack())
                          : arena_.select(node.a, equal.at(node.b), equal.at(node.c));
  }
  return lane(equal.at(order.front()));
}

Lane Values::moved(Pointer p, int64_t distance, unsigned bits) {
  // The offset is known modulo the register's width: the nearest representative is meant.
  const uint64_t sum = static_cast<uint64_t>(p.offset) + static_cast<uint64_t>(distance);
  const int64_t offset = sign_extend(sum, bits);
  if (!Pointer::fits(offset)) {
    return Lane::of_bits((concrete(p.lane(), bits).bits + static_cast<uint64_t>(distance)) &
                         op::mask(bits));
  }
  return Pointer{p.provenance, offset}.lane();
}

std::optional<Lane> Values::pointer_operation(op::Op op, const Operands& in) {
  const unsigned width = in.bits[0];
  switch (op.kind) {
    case Kind::kZext:
    case Kind::kSext:
      // Addresses of shared, local, const and param memory fit 31 bits.
      if (small(pointer_of(in.a).provenance)) return in.a;
      return std::nullopt;
    case Kind::kExtract: {
      const bool whole = op::result_bits(op) == width;
      if (in.position == 0 &&
          (whole || (op::result_bits(op) == 32 && small(pointer_of(in.a).provenance)))) {
        return in.a;
      }
      return std::nullopt;
    }
    case Kind::kConcat:
      if (in.a.is_bits() && in.a.bits == 0 && in.b.is_pointer() &&
          small(pointer_of(in.b).provenance)) {
        return in.b;
      }
      return std::nullopt;
    default:
      break;
  }
  if (op::arity(op.kind) != 2) return std::nullopt;
  if (in.a.is_pointer() && in.b.is_pointer()) {
    return two_pointers(op, pointer_of(in.a), pointer_of(in.b), width);
  }
  if (in.a.is_pointer() && in.b.is_bits()) {
    return pointer_and_bits(op, pointer_of(in.a), in.b.bits, true, width);
  }
  if (in.b.is_pointer() && in.a.is_bits()) {
    return pointer_and_bits(op, pointer_of(in.b), in.a.bits, false, width);
  }
  return std::nullopt;
}

std::optional<Lane> Values::two_pointers(op::Op op, Pointer a, Pointer b, unsigned bits) {
  if (a.provenance != b.provenance) {
    // Different pieces of memory do not overlap. One past the end of one may be the start of
    // another on a real machine; ours keep a distance.
    if (op.kind == Kind::kEq) return Lane::of_bits(0);
    return std::nullopt;
  }
  switch (op.kind) {
    case Kind::kSub:
      return Lane::of_bits(static_cast<uint64_t>(a.offset - b.offset) & op::mask(bits));
    case Kind::kEq:
      return Lane::of_bits(a.offset == b.offset);
    case Kind::kLtU:
    case Kind::kLtS:
      return Lane::of_bits(a.offset < b.offset);
    case Kind::kMinU:
    case Kind::kMinS:
      return (a.offset < b.offset ? a : b).lane();
    case Kind::kMaxU:
    case Kind::kMaxS:
      return (a.offset < b.offset ? b : a).lane();
    default:
      return std::nullopt;
  }
}

std::optional<Lane> Values::pointer_and_bits(op::Op op, Pointer p, uint64_t number,
                                             bool pointer_first, unsigned bits) {
  switch (op.kind) {
    case Kind::kAdd:
      return moved(p, sign_extend(number, bits), bits);
    case Kind::kSub:
      if (!pointer_first) return std::nullopt;
      return moved(p, -sign_extend(number, bits), bits);
    case Kind::kEq:
      if (number == 0 && bits == 64) return Lane::of_bits(0);  // no object is at null
      return std::nullopt;
    case Kind::kLtU:
      if (number == 0) return Lane::of_bits(!pointer_first);
      return std::nullopt;
    case Kind::kShl:
    case Kind::kShrU:
    case Kind::kShrS:
      if (pointer_first && number == 0) return p.lane();
      return std::nullopt;
    case Kind::kRemU:
      if (pointer_first && number != 0 && (number & (number - 1)) == 0) {
        return masked_pointer(Kind::kAnd, p, number - 1, bits);
      }
      return std::nullopt;
    case Kind::kAnd:
    case Kind::kOr:
    case Kind::kXor:
      return masked_pointer(op.kind, p, number, bits);
    default:
      return std::nullopt;
  }
}

// The bits of an address below its object's alignment are those of the offset.
std::optional<Lane> Values::masked_pointer(op::Kind kind, Pointer p, uint64_t mask, unsigned bits) {
  const Region& region = memory_.region(p.provenance);
  const uint64_t align = region.align;
  const auto offset = static_cast<uint64_t>(p.offset);
  const uint64_t width_mask = op::mask(bits);
  std::optional<Lane> result;
  if (kind == Kind::kAnd && mask < align) {
    result = Lane::of_bits(offset & mask);
  } else if (kind == Kind::kAnd && (~mask & width_mask) < align) {
    const uint64_t cleared = offset & (~mask & width_mask);
    result = Pointer{p.provenance, p.offset - static_cast<int64_t>(cleared)}.lane();
  } else if (kind != Kind::kAnd && mask < align) {
    const uint64_t low = offset & (align - 1);
    const uint64_t changed = kind == Kind::kOr ? low | mask : low ^ mask;
    result =
        Pointer{p.provenance, p.offset - static_cast<int64_t>(low) + static_cast<int64_t>(changed)}
            .lane();
  }
  if (result && mask != 0) {
    context_.reporter.note("base-alignment",
                           fmt::format("{} is aligned to {} bytes", region.name, align), site_);
  }
  return result;
}

}  // namespace ptxequiv::machine
