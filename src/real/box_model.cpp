#include "real/box_model.h"

#include <algorithm>

namespace ptxequiv::real::bounding {
namespace {

bool is_smooth(Kind kind) {
  switch (kind) {
    case Kind::kSqrt:
    case Kind::kExp2:
    case Kind::kExp:
    case Kind::kLog2:
    case Kind::kLog:
    case Kind::kSin:
    case Kind::kCos:
    case Kind::kTanh:
    case Kind::kErf:
      return true;
    default:
      return false;
  }
}

}  // namespace

Scope make_scope(const Dag& dag, std::span<const RealId> roots) {
  Scope scope;
  scope.nodes = cone(dag, roots);
  const size_t size = scope.nodes.empty() ? 0 : size_t{scope.nodes.back()} + 1;
  scope.position.assign(size, 0);
  scope.variable.assign(size, Scope::kNoVariable);
  for (size_t i = 0; i < scope.nodes.size(); ++i) {
    const RealId id = scope.nodes[i];
    scope.position[id] = static_cast<uint32_t>(i);
    if (dag[id].kind == Kind::kLeaf || dag[id].kind == Kind::kOpaque) {
      scope.variable[id] = static_cast<uint32_t>(scope.variables.size());
      scope.variables.push_back(id);
    }
  }
  return scope;
}

void BoxModels::evaluate() {
  models_.clear();
  models_.reserve(scope_.nodes.size());
  for (const RealId id : scope_.nodes) {
    Model model = compute(id, dag_[id]);
    if (const auto known = box_.decided.find(id); known != box_.decided.end()) {
      model.truth = known->second ? Truth::kTrue : Truth::kFalse;
    }
    models_.push_back(std::move(model));
  }
}

Model BoxModels::constant(const Span& value) const {
  Model m;
  m.rest = m.range = value;
  return m;
}

Model BoxModels::interval(const Span& range) const {
  return constant(range);
}

Model BoxModels::of_variable(uint32_t index) const {
  Model m;
  m.linear = {{index, Span::integer(1)}};
  m.rest = Span::integer(0);
  m.range = box_.spans[index];
  return m;
}

Span BoxModels::bounded(const Model& m) const {
  Span sum = m.rest;
  for (const auto& [variable, factor] : m.linear) {
    sum = arithmetic_.add(sum, arithmetic_.mul(factor, box_.spans[variable]));
  }
  return sum;
}

Model BoxModels::add(const Model& a, const Model& b) const {
  Model m;
  size_t i = 0, j = 0;
  while (i < a.linear.size() || j < b.linear.size()) {
    const bool left = j == b.linear.size() ||
                      (i < a.linear.size() && a.linear[i].first <= b.linear[j].first);
    const bool right = i == a.linear.size() ||
                       (j < b.linear.size() && b.linear[j].first <= a.linear[i].first);
    const uint32_t variable = left ? a.linear[i].first : b.linear[j].first;
    Span factor = left ? a.linear[i].second : b.linear[j].second;
    if (left && right) factor = arithmetic_.add(factor, b.linear[j].second);
    if (!factor.is_zero()) m.linear.emplace_back(variable, std::move(factor));
    i += left;
    j += right;
  }
  m.rest = arithmetic_.add(a.rest, b.rest);
  m.range = arithmetic_.add(a.range, b.range);
  finish(m);
  return m;
}

Model BoxModels::scaled(const Model& a, const Span& factor) const {
  Model m;
  if (factor.is_zero()) return constant(factor);
  for (const auto& [variable, own] : a.linear) {
    m.linear.emplace_back(variable, arithmetic_.mul(own, factor));
  }
  m.rest = arithmetic_.mul(a.rest, factor);
  m.range = arithmetic_.mul(a.range, factor);
  return m;
}

Model BoxModels::difference(const Model& a, const Model& b) const {
  return add(a, scaled(b, Span::integer(-1)));
}

// A constant, as far as rounding lets one see.
bool BoxModels::is_number(const Model& m) const {
  if (!m.linear.empty() || !m.range.finite()) return false;
  const Dyadic width = arithmetic_.width(m.range);
  return width.zero() || width.exponent() < arithmetic_.magnitude(m.range).exponent() - 40;
}

// u v = u0 v + v0 u - u0 v0 + (u - u0)(v - v0).
Model BoxModels::multiply(const Model& a, const Model& b, bool same) const {
  const Span plain = same ? arithmetic_.square(a.range) : arithmetic_.mul(a.range, b.range);
  if (is_number(a)) return scaled(b, a.range);
  if (is_number(b)) return scaled(a, b.range);
  if (a.linear.empty() && b.linear.empty()) return interval(plain);
  if (!a.range.finite() || !b.range.finite()) {
    // A factor that hardly varies keeps what is linear in the other.
    if (a.linear.empty() && a.range.finite()) {
      Model m = scaled(b, a.range);
      m.range = intersect(m.range, plain);
      return m;
    }
    if (b.linear.empty() && b.range.finite()) {
      Model m = scaled(a, b.range);
      m.range = intersect(m.range, plain);
      return m;
    }
    return interval(plain);
  }
  const Span u = Span::point(arithmetic_.middle(a.range));
  const Span v = Span::point(arithmetic_.middle(b.range));
  const Span du = arithmetic_.sub(a.range, u), dv = arithmetic_.sub(b.range, v);
  Model m = add(scaled(b, u), scaled(a, v));
  const Span second = same ? arithmetic_.square(du) : arithmetic_.mul(du, dv);
  m.rest = arithmetic_.add(m.rest, arithmetic_.sub(second, arithmetic_.mul(u, v)));
  m.range = plain;
  finish(m);
  return m;
}

Model BoxModels::smooth(const Model& a, const Span& range, const Span& slope, const Span& at_low,
                        const Span& at_middle, const Span& at_high) const {
  Model m = interval(range);
  if (!a.range.finite() && a.linear.size() != 1) return m;
  if (a.range.is_point() || a.linear.empty()) return m;
  // g(u) = f(u) - s u, for a slope s: between its ends where it is monotone, else near the middle.
  const auto with = [&](const Dyadic& s, bool monotone) {
    const Span factor = Span::point(s);
    const auto less = [&](const Span& value, const Dyadic& u) {
      return arithmetic_.sub(value, arithmetic_.mul(factor, Span::point(u)));
    };
    if (monotone) return hull(less(at_low, a.range.low), less(at_high, a.range.high));
    const Dyadic middle = arithmetic_.middle(a.range);
    const Span spread = arithmetic_.mul(arithmetic_.sub(slope, factor),
                                        arithmetic_.sub(a.range, Span::point(middle)));
    return arithmetic_.add(less(at_middle, middle), spread);
  };
  std::optional<Span> best;
  Dyadic best_slope;
  const auto consider = [&](const Dyadic& s, bool monotone) {
    if (!s.finite()) return;
    const Span rest = with(s, monotone);
    if (!rest.finite()) return;
    if (best && !(arithmetic_.width(rest) < arithmetic_.width(*best))) return;
    best = rest;
    best_slope = s;
  };
  const bool both_ends = a.range.finite();
  if (both_ends && slope.finite()) consider(arithmetic_.middle(slope), false);
  if (both_ends) consider(slope.low, true);
  if (both_ends) consider(slope.high, true);
  if (!best) return m;
  Model result = scaled(a, Span::point(best_slope));
  result.rest = arithmetic_.add(result.rest, *best);
  result.range = range;
  finish(result);
  return result;
}

Model BoxModels::inverse(const Model& b) const {
  const Span range = arithmetic_.inverse(b.range);
  if (b.range.contains_zero() || !b.range.finite()) return interval(range);
  const Dyadic middle = arithmetic_.middle(b.range);
  const auto at = [&](const Dyadic& x) { return arithmetic_.inverse(Span::point(x)); };
  const Span slope = arithmetic_.negate(arithmetic_.square(range));
  return smooth(b, range, slope, at(b.range.low), at(middle), at(b.range.high));
}

Model BoxModels::divide(const Node& node, const Model& a, const Model& b) const {
  const bool fails = b.range.is_zero(), may = b.range.contains_zero();
  Model m;
  if (node.a == node.b) {
    m = constant(Span::integer(1));
  } else {
    m = multiply(a, inverse(b), false);
    // a / (a + w) = 1 / (1 + w / a), where a is not zero.
    const Node& below = dag_[node.b];
    if (below.kind == Kind::kAdd && (below.a == node.a || below.b == node.a) &&
        !a.range.contains_zero()) {
      const Model& w = at(below.a == node.a ? below.b : below.a);
      if (!w.broken && w.infinite == 0) {
        const Span share = arithmetic_.mul(w.range, arithmetic_.inverse(a.range));
        m.range = intersect(m.range, arithmetic_.inverse(arithmetic_.add(Span::integer(1), share)));
      }
    }
  }
  m.may_fail = may;
  m.must_fail = fails;
  return m;
}

// By the secant of |u| on its range around 0.
Model BoxModels::absolute(const Model& a) const {
  if (a.range.low.sign() >= 0) return a;
  if (a.range.high.sign() <= 0) return scaled(a, Span::integer(-1));
  const Span low{Dyadic(0), arithmetic_.magnitude(a.range)};
  if (!a.range.finite()) return interval(low);
  const Span l = Span::point(a.range.low), h = Span::point(a.range.high);
  const Span width = arithmetic_.sub(h, l);
  const Span secant = arithmetic_.mul(arithmetic_.add(h, l), arithmetic_.inverse(width));
  // |u| - s u is linear on either side of 0: for any s its values at l, 0 and h bound it.
  const Span s = Span::point(arithmetic_.middle(secant));
  const Span at_low = arithmetic_.mul(arithmetic_.sub(Span::integer(-1), s), l);
  const Span at_high = arithmetic_.mul(arithmetic_.sub(Span::integer(1), s), h);
  Model m = scaled(a, s);
  const Span rest = hull(hull(at_low, at_high), Span::integer(0));
  m.rest = arithmetic_.add(m.rest, rest);
  m.range = low;
  finish(m);
  return m;
}

Model BoxModels::lattice(bool least, const Model& a, const Model& b) const {
  const bool a_below = a.range.high <= b.range.low, b_below = b.range.high <= a.range.low;
  if (a_below) return least ? a : b;
  if (b_below) return least ? b : a;
  // (a + b -+ |a - b|) / 2
  const Model gap = absolute(difference(a, b));
  Model sum = add(a, b);
  Model m = scaled(least ? difference(sum, gap) : add(sum, gap),
                   arithmetic_.half(Span::integer(1)));
  const Span range = least ? lesser(a.range, b.range) : greater(a.range, b.range);
  m.range = intersect(range, m.range);
  return m;
}

Model BoxModels::join(const Model& a, const Model& b) const {
  Model m;
  if (a.linear.size() == b.linear.size()) {
    bool same = true;
    for (size_t i = 0; i < a.linear.size(); ++i) {
      same = same && a.linear[i].first == b.linear[i].first;
    }
    if (same) {
      for (size_t i = 0; i < a.linear.size(); ++i) {
        m.linear.emplace_back(a.linear[i].first, hull(a.linear[i].second, b.linear[i].second));
      }
      m.rest = hull(a.rest, b.rest);
      m.range = hull(a.range, b.range);
      return m;
    }
  }
  return interval(hull(a.range, b.range));
}

// log(1 + e^u) in either base.
std::optional<RealId> BoxModels::softplus_argument(const Node& node) const {
  const Node& sum = dag_[node.a];
  if (sum.kind != Kind::kAdd) return std::nullopt;
  const Kind wanted = node.kind == Kind::kLog ? Kind::kExp : Kind::kExp2;
  const auto is_one = [&](RealId id) {
    return dag_[id].kind == Kind::kRational && dag_.rational_value(id) == 1;
  };
  for (const auto& [one, power] : {std::pair{sum.a, sum.b}, {sum.b, sum.a}}) {
    if (is_one(one) && dag_[power].kind == wanted) return dag_[power].a;
  }
  return std::nullopt;
}

Model BoxModels::function(const Node& node, const Model& a) const {
  if (node.kind == Kind::kLog || node.kind == Kind::kLog2) {
    if (const auto argument = softplus_argument(node)) {
      Model u = at(*argument);
      if (!u.broken && u.infinite == 0) {
        const bool binary = node.kind == Kind::kLog2;
        // log2(1 + 2^u) = softplus(u ln 2) log2 e
        if (binary) u = scaled(u, arithmetic_.inverse(arithmetic_.log2e()));
        const Dyadic middle = arithmetic_.middle(u.range);
        Model m = smooth(u, arithmetic_.softplus(u.range), arithmetic_.logistic(u.range),
                         arithmetic_.softplus(Span::point(u.range.low)),
                         arithmetic_.softplus(Span::point(middle)),
                         arithmetic_.softplus(Span::point(u.range.high)));
        return binary ? scaled(m, arithmetic_.log2e()) : m;
      }
    }
  }
  Model argument = a;
  bool may = false, must = false;
  if (node.kind == Kind::kLog || node.kind == Kind::kLog2) {
    may = a.range.low.sign() <= 0;
    must = a.range.high.sign() <= 0;
  } else if (node.kind == Kind::kSqrt) {
    may = a.range.low.sign() < 0;
    must = a.range.high.sign() < 0;
  }
  if (may) argument.range.low = Dyadic(0);
  if (must) argument.range = Span{Dyadic(0), Dyadic(0)};
  const Span range = arithmetic_.function(node.kind, argument.range);
  Model m;
  if (may || !argument.range.finite()) {
    m = interval(range);
  } else {
    const Dyadic middle = arithmetic_.middle(argument.range);
    const auto value = [&](const Dyadic& x) {
      return arithmetic_.function(node.kind, Span::point(x));
    };
    m = smooth(argument, range, arithmetic_.slope(node.kind, argument.range),
               value(argument.range.low), value(middle), value(argument.range.high));
  }
  m.may_fail = may;
  m.must_fail = must;
  return m;
}

Model BoxModels::step(Kind kind, const Model& a) const {
  const auto apply = [&](const Dyadic& x) {
    Dyadic r = x;
    if (!x.finite()) return r;
    const bool down = kind == Kind::kFloor || (kind == Kind::kTrunc && x.sign() > 0);
    const bool up = kind == Kind::kCeil || (kind == Kind::kTrunc && x.sign() < 0);
    if (down) {
      arf_floor(r.get(), x.get());
    } else if (up) {
      arf_ceil(r.get(), x.get());
    } else {
      // Ties to even: exact on dyadics, by way of an integer.
      fmpz_t whole;
      fmpz_init(whole);
      arf_get_fmpz(whole, x.get(), ARF_RND_NEAR);
      arf_set_fmpz(r.get(), whole);
      fmpz_clear(whole);
    }
    return r;
  };
  const Span range{apply(a.range.low), apply(a.range.high)};
  if (range.is_point()) return constant(range);
  const Span unit{Dyadic(-1), Dyadic(1)};
  const Span off = kind == Kind::kRint    ? arithmetic_.half(unit)
                   : kind == Kind::kFloor ? Span{Dyadic(-1), Dyadic(0)}
                   : kind == Kind::kCeil  ? Span{Dyadic(0), Dyadic(1)}
                                          : unit;
  Model m = a;
  m.may_fail = m.must_fail = false;
  m.rest = arithmetic_.add(a.rest, off);
  m.range = range;
  return m;
}

Truth BoxModels::compare(Kind kind, const Model& a, const Model& b) const {
  if (a.broken || b.broken) return Truth::kUndecided;
  if (a.infinite != 0 || b.infinite != 0) {
    const int x = a.infinite, y = b.infinite;
    const bool holds = kind == Kind::kLt ? x < y : kind == Kind::kLe ? x <= y : x == y;
    return holds ? Truth::kTrue : Truth::kFalse;
  }
  const Span gap = difference(a, b).range;
  const int low = gap.low.sign(), high = gap.high.sign();
  switch (kind) {
    case Kind::kLt:
      return high < 0 ? Truth::kTrue : low >= 0 ? Truth::kFalse : Truth::kUndecided;
    case Kind::kLe:
      return high <= 0 ? Truth::kTrue : low > 0 ? Truth::kFalse : Truth::kUndecided;
    default:
      if (gap.is_zero()) return Truth::kTrue;
      return low > 0 || high < 0 ? Truth::kFalse : Truth::kUndecided;
  }
}

Model BoxModels::compute(RealId id, const Node& node) const {
  Model m;
  const uint32_t arity = info(node.kind).arity;
  const auto operand = [&](RealId o) -> const Model& { return at(o); };
  switch (node.kind) {
    case Kind::kRational:
      return constant(arithmetic_.rational(dag_.rational_value(id)));
    case Kind::kLog2E:
      return constant(arithmetic_.log2e());
    case Kind::kInfinity:
      m.infinite = node.a != 0 ? -1 : 1;
      return m;
    case Kind::kUndefined:
      m.may_fail = m.must_fail = true;
      return m;
    case Kind::kLeaf:
    case Kind::kOpaque:
      return of_variable(scope_.variable[id]);
    case Kind::kTrue:
    case Kind::kFalse:
      m.truth = node.kind == Kind::kTrue ? Truth::kTrue : Truth::kFalse;
      return m;
    case Kind::kOpaqueBool:
      return m;
    case Kind::kLt:
    case Kind::kLe:
    case Kind::kEq:
      m.truth = compare(node.kind, operand(node.a), operand(node.b));
      return m;
    case Kind::kNot:
      m.truth = operand(node.a).truth;
      if (m.truth != Truth::kUndecided) {
        m.truth = m.truth == Truth::kTrue ? Truth::kFalse : Truth::kTrue;
      }
      return m;
    case Kind::kAnd:
    case Kind::kOr: {
      const Truth settles = node.kind == Kind::kAnd ? Truth::kFalse : Truth::kTrue;
      const Truth a = operand(node.a).truth, b = operand(node.b).truth;
      if (a == settles || b == settles) {
        m.truth = settles;
      } else if (a != Truth::kUndecided && b != Truth::kUndecided) {
        m.truth = a;
      }
      return m;
    }
    case Kind::kIteBool:
    case Kind::kIte: {
      const Truth c = operand(node.a).truth;
      const Model &b = operand(node.b), &d = operand(node.c);
      if (c != Truth::kUndecided) {
        m = c == Truth::kTrue ? b : d;
      } else if (node.kind == Kind::kIteBool) {
        if (b.truth == d.truth) m.truth = b.truth;
      } else if (b.broken || d.broken || b.infinite != 0 || d.infinite != 0) {
        m.broken = true;
      } else {
        m = join(b, d);
      }
      m.may_fail = m.must_fail = false;
      return m;
    }
    default:
      break;
  }
  const Model& a = operand(node.a);
  const Model& b = arity > 1 ? operand(node.b) : a;
  const bool lattice_kind = node.kind == Kind::kMin || node.kind == Kind::kMax;
  if (a.broken || b.broken) {
    m.broken = m.may_fail = true;
    return m;
  }
  if (a.infinite != 0 || b.infinite != 0) {
    const int ends = node.kind == Kind::kMin ? 1 : -1;   // neutral of min is +inf
    if (lattice_kind) {
      m = a.infinite == ends || (b.infinite != 0 && b.infinite != ends) ? b : a;
      m.may_fail = m.must_fail = false;
      return m;
    }
    if ((node.kind == Kind::kExp || node.kind == Kind::kExp2) && a.infinite < 0) {
      return constant(Span::integer(0));
    }
    if (node.kind == Kind::kNeg) {
      m.infinite = -a.infinite;
      return m;
    }
    m.broken = m.may_fail = true;
    return m;
  }
  switch (node.kind) {
    case Kind::kAdd:
      m = add(a, b);
      break;
    case Kind::kSub:
      m = node.a == node.b ? constant(Span::integer(0)) : difference(a, b);
      break;
    case Kind::kNeg:
      m = scaled(a, Span::integer(-1));
      break;
    case Kind::kMul:
      m = multiply(a, b, node.a == node.b);
      break;
    case Kind::kDiv:
      return divide(node, a, b);
    case Kind::kAbs:
      m = absolute(a);
      break;
    case Kind::kMin:
    case Kind::kMax:
      m = lattice(node.kind == Kind::kMin, a, b);
      break;
    case Kind::kRint:
    case Kind::kFloor:
    case Kind::kCeil:
    case Kind::kTrunc:
      m = step(node.kind, a);
      break;
    default:
      if (is_smooth(node.kind)) return function(node, a);
      m.broken = m.may_fail = true;
      return m;
  }
  m.may_fail = m.must_fail = false;
  return m;
}

}  // namespace ptxequiv::real::bounding
