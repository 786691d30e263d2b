#include "real/order_sweep.h"

#include <algorithm>

namespace ptxequiv::real {

using op::Kind;
using op::Type;
using term::TermId;

namespace {

Rail bit_of(const Bits& bits) {
  return bits[0];
}

}  // namespace

OrderSweep::OrderSweep(const term::Arena& arena, const OrderPlan& plan, const Threshold& threshold,
                       bool all_finite, Bdd& bdd)
    : arena_(arena),
      plan_(plan),
      threshold_(threshold),
      all_finite_(all_finite),
      rails_(bdd),
      levels_(plan.ids.size()),
      bits_(plan.ids.size()) {
  if (threshold.kind != Threshold::Kind::kGreatest && threshold.kind != Threshold::Kind::kLeast) {
    return;
  }
  const bool greatest = threshold.kind == Threshold::Kind::kGreatest;
  const auto is_t = [&](const Level& level) {
    return greatest ? level.at_least.yes : level.above.no;
  };
  constraint_ = Bdd::kFalse;
  for (uint32_t i = static_cast<uint32_t>(plan.atoms.size()); i-- > 0;) {
    if (line_of(plan.atoms[i].type) == threshold.line) {
      constraint_ = bdd.disjoin(constraint_, is_t(level_of_atom(i)));
    }
  }
  for (const Bound& b : plan.constants) {
    constraint_ = bdd.disjoin(constraint_, is_t(level_of_constant(b, threshold.line)));
  }
}

Level OrderSweep::level_of_atom(uint32_t atom) {
  Bdd& bdd = rails_.bdd();
  const bool elsewhere = line_of(plan_.atoms[atom].type) != threshold_.line;
  switch (threshold_.kind) {
    case Threshold::Kind::kBetween: {
      const Rail r = Rails::known(bdd.variable(above_variable(atom)));
      return {r, r};
    }
    case Threshold::Kind::kGreatest:
      if (elsewhere) return {};
      return {Rails::truth(false), Rails::known(bdd.variable(at_least_variable(atom)))};
    case Threshold::Kind::kLeast:
      if (elsewhere) return {};
      return {Rails::known(bdd.variable(above_variable(atom))), Rails::truth(true)};
    case Threshold::Kind::kPivot:
      break;
  }
  if (elsewhere) return {};
  if (threshold_.pivot.is_atom && threshold_.pivot.atom == atom) {
    return {Rails::truth(false), Rails::truth(true)};
  }
  const Bdd::Edge at_least = bdd.variable(at_least_variable(atom));
  return {Rails::known(bdd.conjoin(at_least, bdd.variable(above_variable(atom)))),
          Rails::known(at_least)};
}

Level OrderSweep::level_of_constant(const Bound& bound, Type type) {
  Bdd& bdd = rails_.bdd();
  const auto number =
      static_cast<size_t>(std::lower_bound(plan_.constants.begin(), plan_.constants.end(), bound) -
                          plan_.constants.begin());
  const auto own = static_cast<uint32_t>(plan_.atoms.size() + number);
  const bool low = bound.kind == Bound::Kind::kLow, high = bound.kind == Bound::Kind::kHigh;
  if (threshold_.kind != Threshold::Kind::kBetween && line_of(type) != threshold_.line) return {};
  switch (threshold_.kind) {
    case Threshold::Kind::kBetween: {
      const Rail r = Rails::truth(number >= threshold_.constants_below);
      return {r, r};
    }
    case Threshold::Kind::kGreatest:
      // Only the greatest constant can be the greatest value, and -inf only if nothing is finite.
      if (number + 1 < plan_.constants.size() || (low && all_finite_)) {
        return {Rails::truth(false), Rails::truth(false)};
      }
      return {Rails::truth(false), Rails::known(bdd.variable(at_least_variable(own)))};
    case Threshold::Kind::kLeast:
      if (number > 0 || (high && all_finite_)) return {Rails::truth(true), Rails::truth(true)};
      return {Rails::known(bdd.variable(above_variable(own))), Rails::truth(true)};
    case Threshold::Kind::kPivot:
      break;
  }
  if (!threshold_.pivot.is_atom) {
    return {Rails::truth(threshold_.pivot.constant < bound),
            Rails::truth(!(bound < threshold_.pivot.constant))};
  }
  const Bdd::Edge at_least = bdd.variable(at_least_variable(own));
  return {Rails::known(bdd.conjoin(at_least, bdd.variable(above_variable(own)))),
          Rails::known(at_least)};
}

Level OrderSweep::compute_level(TermId id, const OrderPlan::Wanted& wanted) {
  if (wanted.contradictory) return {};
  const term::Node& node = arena_[id];
  if (chosen_operands(node, wanted.type) != 0) {
    const auto join = [&](const Rail& a, const Rail& b, bool greater) {
      return greater ? rails_.disjoin(a, b) : rails_.conjoin(a, b);
    };
    switch (node.op.kind) {
      case Kind::kSelect: {
        const Rail condition = bit_of(bits(node.a));
        const Level &x = level(node.b), &y = level(node.c);
        const Rail above = rails_.choose(condition, x.above, y.above);
        if (x.above == x.at_least && y.above == y.at_least) return {above, above};
        return {above, rails_.choose(condition, x.at_least, y.at_least)};
      }
      case Kind::kFCvt:
        return level(node.a);
      default: {
        const Kind kind = node.op.kind;
        const bool greater = kind == Kind::kFMax || kind == Kind::kMaxU || kind == Kind::kMaxS;
        const Level &x = level(node.a), &y = level(node.b);
        return {join(x.above, y.above, greater), join(x.at_least, y.at_least, greater)};
      }
    }
  }
  if (wanted.atom != 0) return level_of_atom(wanted.atom - 1);
  return level_of_constant(*bound_of(arena_, id, wanted.type), wanted.type);
}

// a <= t < b or a < t <= b; else, if a >= t and b <= t, certainly not.
Rail OrderSweep::less(TermId a, TermId b) {
  Bdd& bdd = rails_.bdd();
  const Level &x = level(a), &y = level(b);
  const Bdd::Edge yes =
      bdd.disjoin(bdd.conjoin(x.above.no, y.above.yes), bdd.conjoin(x.at_least.no, y.at_least.yes));
  return {yes, bdd.conjoin(x.at_least.yes, y.above.no)};
}

Rail OrderSweep::same(TermId a, TermId b) {
  Bdd& bdd = rails_.bdd();
  const Level &x = level(a), &y = level(b);
  const auto is_t = [&](const Level& level) {
    return bdd.conjoin(level.at_least.yes, level.above.no);
  };
  return {bdd.conjoin(is_t(x), is_t(y)), bdd.disjoin(less(a, b).yes, less(b, a).yes)};
}

// Against a pivot, what two atoms are to each other beside is a variable of its own.
Rail OrderSweep::guess(TermId a, TermId b, const Rail& known, bool equality) {
  if (Rails::is_known(known)) return known;
  const uint32_t x = plan_.wanted[plan_.place.at(a)].atom, y = plan_.wanted[plan_.place.at(b)].atom;
  if (x == 0 || y == 0) return known;
  if (x == y) return Rails::truth(equality);
  if (threshold_.kind != Threshold::Kind::kPivot) return known;
  const auto first = static_cast<uint32_t>(2 * (plan_.atoms.size() + plan_.constants.size()));
  const auto key =
      std::tuple(equality ? std::min(x, y) : x, equality ? std::max(x, y) : y, equality);
  const auto at = guesses_.try_emplace(key, first + static_cast<uint32_t>(guesses_.size())).first;
  Bdd& bdd = rails_.bdd();
  const Bdd::Edge v = bdd.variable(at->second);
  return {bdd.disjoin(known.yes, bdd.conjoin(v, Bdd::negate(known.no))),
          bdd.disjoin(known.no, bdd.conjoin(Bdd::negate(v), Bdd::negate(known.yes)))};
}

Rail OrderSweep::compare(const term::Node& node) {
  const auto by_bits = [&] {
    return !bits(node.a).empty() && plan_.wanted[plan_.place.at(node.a)].bits &&
           plan_.wanted[plan_.place.at(node.b)].bits;
  };
  const auto by_level = [&] {
    const OrderPlan::Wanted &x = plan_.wanted[plan_.place.at(node.a)],
                            &y = plan_.wanted[plan_.place.at(node.b)];
    return x.type != Type::kNone && x.type == y.type && !x.contradictory && !y.contradictory;
  };
  Rail out;
  switch (node.op.kind) {
    case Kind::kFUnordered:
      return Rails::truth(false);
    case Kind::kFLt:
      return guess(node.a, node.b, less(node.a, node.b), false);
    case Kind::kFLe:
      return Rails::negate(guess(node.b, node.a, less(node.b, node.a), false));
    case Kind::kFEq:
      return guess(node.a, node.b, same(node.a, node.b), true);
    case Kind::kLtS:
    case Kind::kLtU: {
      const bool is_signed = node.op.kind == Kind::kLtS;
      if (by_bits()) out = rails_.less(bits(node.a), bits(node.b), is_signed);
      if (by_level() && compared_type(node, false) == plan_.wanted[plan_.place.at(node.a)].type) {
        out = rails_.both(out, guess(node.a, node.b, less(node.a, node.b), false));
      }
      return out;
    }
    default:
      if (by_bits()) out = rails_.same(bits(node.a), bits(node.b));
      if (by_level()) out = rails_.both(out, guess(node.a, node.b, same(node.a, node.b), true));
      return out;
  }
}

Bits OrderSweep::shift(const term::Node& node) {
  const unsigned width = op::bits(node.op.type);
  if (!arena_.is_const(node.b)) return Rails::unknown_bits(width);
  const uint64_t by = arena_.const_bits(node.b) & 0xffffffff;
  const Bits& a = bits(node.a);
  const bool left = node.op.kind == Kind::kShl;
  const Rail fill = node.op.kind == Kind::kShrS ? a.back() : Rails::truth(false);
  Bits out;
  for (uint64_t i = 0; i < width; ++i) {
    if (left) {
      out.push_back(i >= by ? a[i - by] : fill);
    } else {
      out.push_back(by < width - i ? a[i + by] : fill);
    }
  }
  return out;
}

Bits OrderSweep::compute_bits(TermId id) {
  const term::Node& node = arena_[id];
  const unsigned width = arena_.width(id);
  if (arena_.is_const(id)) return Rails::constant(width, arena_.const_bits(id));
  const auto each = [&](auto combine) {
    Bits out;
    const Bits &a = bits(node.a), &b = bits(node.b);
    for (unsigned i = 0; i < width; ++i) out.push_back(combine(a[i], b[i]));
    return out;
  };
  switch (node.op.kind) {
    case Kind::kFEq:
    case Kind::kFLt:
    case Kind::kFLe:
    case Kind::kFUnordered:
    case Kind::kEq:
    case Kind::kLtS:
    case Kind::kLtU:
      return {compare(node)};
    case Kind::kSelect:
      return rails_.choose(bit_of(bits(node.a)), bits(node.b), bits(node.c));
    case Kind::kAnd:
      return each([&](const Rail& x, const Rail& y) { return rails_.conjoin(x, y); });
    case Kind::kOr:
      return each([&](const Rail& x, const Rail& y) { return rails_.disjoin(x, y); });
    case Kind::kXor:
      return each([&](const Rail& x, const Rail& y) { return rails_.differ(x, y); });
    case Kind::kNot: {
      Bits out;
      for (const Rail& r : bits(node.a)) out.push_back(Rails::negate(r));
      return out;
    }
    case Kind::kExtract: {
      const Bits& a = bits(node.a);
      return {a.begin() + node.b, a.begin() + node.b + width};
    }
    case Kind::kConcat: {
      Bits out = bits(node.b);
      out.insert(out.end(), bits(node.a).begin(), bits(node.a).end());
      return out;
    }
    case Kind::kZext:
    case Kind::kSext: {
      Bits out = bits(node.a);
      out.resize(width, node.op.kind == Kind::kSext ? out.back() : Rails::truth(false));
      return out;
    }
    case Kind::kAdd:
      return rails_.add(bits(node.a), bits(node.b), Rails::truth(false));
    case Kind::kSub:
      return rails_.subtract(bits(node.a), bits(node.b));
    case Kind::kShl:
    case Kind::kShrU:
    case Kind::kShrS:
      return shift(node);
    case Kind::kPopc:
      return rails_.count(bits(node.a), width);
    case Kind::kBfindU:
      return rails_.highest(bits(node.a), width);
    case Kind::kClz:
      return rails_.subtract(Rails::constant(width, bits(node.a).size() - 1),
                             rails_.highest(bits(node.a), width));
    case Kind::kBrev: {
      Bits out = bits(node.a);
      std::reverse(out.begin(), out.end());
      return out;
    }
    case Kind::kMinU:
    case Kind::kMinS:
    case Kind::kMaxU:
    case Kind::kMaxS: {
      const Bits &a = bits(node.a), &b = bits(node.b);
      if (a.empty() || b.empty()) return Rails::unknown_bits(width);
      const bool is_signed = node.op.kind == Kind::kMinS || node.op.kind == Kind::kMaxS;
      const bool greater = node.op.kind == Kind::kMaxU || node.op.kind == Kind::kMaxS;
      return rails_.choose(rails_.less(a, b, is_signed), greater ? b : a, greater ? a : b);
    }
    default:
      return Rails::unknown_bits(width);
  }
}

void OrderSweep::run() {
  for (size_t i = 0; i < plan_.ids.size(); ++i) {
    const OrderPlan::Wanted& w = plan_.wanted[i];
    if (w.type != Type::kNone) levels_[i] = compute_level(plan_.ids[i], w);
    if (w.bits) bits_[i] = compute_bits(plan_.ids[i]);
  }
}

}  // namespace ptxequiv::real
