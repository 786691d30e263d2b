#include "real/dag_fold.h"

#include <vector>

namespace ptxequiv::real {
namespace {

using Folded = std::optional<RealId>;

// Larger powers of two stay symbolic: their rationals would cost more than they say.
constexpr long kMaxFoldedExponent = 4096;

std::optional<mpq_class> root(const mpq_class& x) {
  if (!mpz_perfect_square_p(x.get_num_mpz_t()) || !mpz_perfect_square_p(x.get_den_mpz_t())) {
    return {};
  }
  return mpq_class(sqrt(x.get_num()), sqrt(x.get_den()));
}

std::optional<mpq_class> power_of_two(const mpq_class& x) {
  if (x.get_den() != 1 || abs(x.get_num()) > kMaxFoldedExponent) return {};
  const long n = x.get_num().get_si();
  const mpz_class power = mpz_class(1) << static_cast<unsigned long>(n < 0 ? -n : n);
  return n < 0 ? mpq_class(1, power) : mpq_class(power);
}

Folded logarithm2(Dag& dag, const mpq_class& x) {
  if (sgn(x) <= 0) return dag.undefined();
  const bool power = mpz_popcount(x.get_num_mpz_t()) == 1 && mpz_popcount(x.get_den_mpz_t()) == 1;
  if (!power) return {};
  return dag.integer(static_cast<long>(mpz_scan1(x.get_num_mpz_t(), 0)) -
                     static_cast<long>(mpz_scan1(x.get_den_mpz_t(), 0)));
}

Folded fold_unary(Dag& dag, Kind kind, const mpq_class& x) {
  switch (kind) {
    case Kind::kNeg:
      return dag.rational(-x);
    case Kind::kAbs:
      return dag.rational(abs(x));
    case Kind::kSqrt:
      if (sgn(x) < 0) return dag.undefined();
      [[fallthrough]];
    case Kind::kExp2:
    case Kind::kExp: {
      const auto value = exact_function(kind, x);
      return value ? Folded(dag.rational(*value)) : std::nullopt;
    }
    case Kind::kLog2:
      return logarithm2(dag, x);
    case Kind::kLog:
      if (sgn(x) <= 0) return dag.undefined();
      return x == 1 ? Folded(dag.integer(0)) : std::nullopt;
    case Kind::kCos:
      return sgn(x) == 0 ? Folded(dag.integer(1)) : std::nullopt;
    case Kind::kSin:
    case Kind::kTanh:
    case Kind::kErf:
      return sgn(x) == 0 ? Folded(dag.integer(0)) : std::nullopt;
    case Kind::kRint:
      return dag.rational(mpq_class(rint(x)));
    case Kind::kFloor:
      return dag.rational(mpq_class(floor(x)));
    case Kind::kCeil:
      return dag.rational(mpq_class(ceil(x)));
    case Kind::kTrunc:
      return dag.rational(mpq_class(trunc(x)));
    default:
      return {};
  }
}

Folded fold_binary(Dag& dag, Kind kind, const mpq_class& x, const mpq_class& y) {
  switch (kind) {
    case Kind::kAdd:
      return dag.rational(x + y);
    case Kind::kSub:
      return dag.rational(x - y);
    case Kind::kMul:
      return dag.rational(x * y);
    case Kind::kDiv:
      return sgn(y) == 0 ? dag.undefined() : dag.rational(x / y);
    case Kind::kMin:
      return dag.rational(x < y ? x : y);
    case Kind::kMax:
      return dag.rational(x < y ? y : x);
    case Kind::kLt:
      return dag.truth(x < y);
    case Kind::kLe:
      return dag.truth(x <= y);
    case Kind::kEq:
      return dag.truth(x == y);
    default:
      return {};
  }
}

bool is_number(const Dag& dag, RealId id, long value) {
  return dag[id].kind == Kind::kRational && dag.rational_value(id) == value;
}

// A step of a clamped value is the clamped step: it is monotone, and constants take theirs.
Folded clamped_step(Dag& dag, Kind step, RealId value) {
  std::vector<RealId> outer;  // outermost first
  const auto constant = [&](const Node& node) {
    return dag[node.a].kind == Kind::kRational ? node.a : node.b;
  };
  while (dag[value].kind == Kind::kMin || dag[value].kind == Kind::kMax) {
    const Node& node = dag[value];
    const RealId bound = constant(node);
    if (dag[bound].kind != Kind::kRational) break;
    outer.push_back(value);
    value = node.a == bound ? node.b : node.a;
  }
  if (outer.empty()) return {};
  RealId result = dag.make(step, value);
  for (size_t i = outer.size(); i-- > 0;) {
    const Node node = dag[outer[i]];
    const RealId whole = dag.make(step, constant(node));
    result = dag.make(node.kind, result, whole);
  }
  return result;
}

Folded fold_real(Dag& dag, Kind kind, RealId a, RealId b) {
  const Kind inner = dag[a].kind;
  switch (kind) {
    case Kind::kAdd:
      if (is_number(dag, a, 0)) return b;
      if (is_number(dag, b, 0)) return a;
      return {};
    case Kind::kSub:
      if (is_number(dag, b, 0)) return a;
      if (is_number(dag, a, 0)) return dag.make(Kind::kNeg, b);
      return {};
    case Kind::kMul:
      if (is_number(dag, a, 1)) return b;
      if (is_number(dag, b, 1)) return a;
      if (is_number(dag, a, -1)) return dag.make(Kind::kNeg, b);
      if (is_number(dag, b, -1)) return dag.make(Kind::kNeg, a);
      return {};
    case Kind::kDiv:
      return is_number(dag, b, 1) ? Folded(a) : std::nullopt;
    case Kind::kNeg:
      if (inner == Kind::kNeg) return dag[a].a;
      if (inner == Kind::kInfinity) return dag.infinity(dag[a].a == 0);
      return {};
    case Kind::kAbs:
      if (inner == Kind::kAbs) return a;
      if (inner == Kind::kNeg) return dag.make(Kind::kAbs, dag[a].a);
      return {};
    case Kind::kMin:
    case Kind::kMax:
      return a == b ? Folded(a) : std::nullopt;
    case Kind::kRint:
    case Kind::kFloor:
    case Kind::kCeil:
    case Kind::kTrunc:
      if (inner == Kind::kRint || inner == Kind::kFloor || inner == Kind::kCeil ||
          inner == Kind::kTrunc) {
        return a;
      }
      return clamped_step(dag, kind, a);
    default:
      return {};
  }
}

Folded fold_choice(Dag& dag, Kind kind, RealId a, RealId b, RealId c) {
  const Kind condition = dag[a].kind;
  if (condition == Kind::kTrue || b == c) return b;
  if (condition == Kind::kFalse) return c;
  if (condition == Kind::kNot) return dag.make(kind, dag[a].a, c, b);
  if (kind == Kind::kIteBool) {
    if (dag[b].kind == Kind::kTrue && dag[c].kind == Kind::kFalse) return a;
    if (dag[b].kind == Kind::kFalse && dag[c].kind == Kind::kTrue) {
      return dag.make(Kind::kNot, a);
    }
  }
  return {};
}

// and(false, x) and or(true, x) stay: x may be a comparison of something undefined.
Folded fold_bool(Dag& dag, Kind kind, RealId a, RealId b) {
  if (kind == Kind::kNot) {
    if (dag[a].kind == Kind::kTrue) return dag.truth(false);
    if (dag[a].kind == Kind::kFalse) return dag.truth(true);
    return dag[a].kind == Kind::kNot ? Folded(dag[a].a) : std::nullopt;
  }
  const Kind neutral = kind == Kind::kAnd ? Kind::kTrue : Kind::kFalse;
  if (dag[a].kind == neutral) return b;
  if (dag[b].kind == neutral || a == b) return a;
  const Kind x = dag[a].kind, y = dag[b].kind;
  if ((x == Kind::kTrue || x == Kind::kFalse) && (y == Kind::kTrue || y == Kind::kFalse)) {
    return a;  // neither is neutral, so both are the absorbing constant
  }
  return {};
}

}  // namespace

Folded fold(Dag& dag, Kind kind, RealId a, RealId b, RealId c) {
  switch (kind) {
    case Kind::kIte:
    case Kind::kIteBool:
      return fold_choice(dag, kind, a, b, c);
    case Kind::kAnd:
    case Kind::kOr:
    case Kind::kNot:
      return fold_bool(dag, kind, a, b);
    default:
      break;
  }
  const KindInfo& row = info(kind);
  const bool number_a = dag[a].kind == Kind::kRational;
  const bool number_b = row.arity > 1 && dag[b].kind == Kind::kRational;
  Folded result;
  // Copies: making the result may move the table that the values stand in.
  if (row.arity == 1 && number_a) {
    result = fold_unary(dag, kind, mpq_class(dag.rational_value(a)));
  } else if (number_a && number_b) {
    result =
        fold_binary(dag, kind, mpq_class(dag.rational_value(a)), mpq_class(dag.rational_value(b)));
  }
  if (result) return result;
  // Every operation but a choice needs its operands defined.
  if (!row.is_bool &&
      (dag[a].kind == Kind::kUndefined || (row.arity > 1 && dag[b].kind == Kind::kUndefined))) {
    return dag.undefined();
  }
  return fold_real(dag, kind, a, b);
}

std::optional<mpq_class> exact_function(Kind kind, const mpq_class& x) {
  switch (kind) {
    case Kind::kSqrt:
      return root(x);
    case Kind::kExp2:
      return power_of_two(x);
    case Kind::kExp:
      return sgn(x) == 0 ? std::optional<mpq_class>(1) : std::nullopt;
    default:
      return {};
  }
}

mpz_class floor(const mpq_class& x) {
  mpz_class result;
  mpz_fdiv_q(result.get_mpz_t(), x.get_num_mpz_t(), x.get_den_mpz_t());
  return result;
}

mpz_class ceil(const mpq_class& x) {
  mpz_class result;
  mpz_cdiv_q(result.get_mpz_t(), x.get_num_mpz_t(), x.get_den_mpz_t());
  return result;
}

mpz_class trunc(const mpq_class& x) {
  mpz_class result;
  mpz_tdiv_q(result.get_mpz_t(), x.get_num_mpz_t(), x.get_den_mpz_t());
  return result;
}

mpz_class rint(const mpq_class& x) {
  const mpz_class low = floor(x);
  const mpq_class rest = x - low;
  const int side = cmp(rest, mpq_class(1, 2));
  if (side < 0) return low;
  if (side > 0) return low + 1;
  return mpz_even_p(low.get_mpz_t()) ? low : mpz_class(low + 1);
}

}  // namespace ptxequiv::real
