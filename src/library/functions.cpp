#include "library/functions.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "op/evaluate.h"

namespace ptxequiv::library {
namespace {

using real::Dag;
using real::Kind;
using real::RealId;
using Arguments = std::span<const RealId>;

template <Kind kind>
RealId plain(Dag& dag, Arguments a) {
  return dag.make(kind, a[0]);
}
// Where the sign of the argument went into the constants, or was taken off with its magnitude.
template <real::Meaning function>
RealId of_negated(Dag& dag, Arguments a) {
  const RealId minus = dag.make(Kind::kNeg, a[0]);
  return function(dag, Arguments(&minus, 1));
}
RealId exp_negated(Dag& dag, Arguments a) {
  return of_negated<plain<Kind::kExp>>(dag, a);
}
RealId log2_of_10(Dag& dag) {
  return dag.make(Kind::kLog2, dag.integer(10));
}
RealId exp10(Dag& dag, Arguments a) {
  return dag.make(Kind::kExp2, dag.make(Kind::kMul, a[0], log2_of_10(dag)));
}
RealId log10(Dag& dag, Arguments a) {
  return dag.make(Kind::kDiv, dag.make(Kind::kLog2, a[0]), log2_of_10(dag));
}
RealId log1p(Dag& dag, Arguments a) {
  return dag.make(Kind::kLog, dag.make(Kind::kAdd, dag.integer(1), a[0]));
}
RealId expm1(Dag& dag, Arguments a) {
  return dag.make(Kind::kSub, dag.make(Kind::kExp, a[0]), dag.integer(1));
}
template <Kind combine>
RealId hyperbolic(Dag& dag, Arguments a) {
  const RealId sum = dag.make(combine, dag.make(Kind::kExp, a[0]), exp_negated(dag, a));
  return dag.make(Kind::kMul, dag.rational({1, 2}), sum);
}
RealId tan(Dag& dag, Arguments a) {
  return dag.make(Kind::kDiv, dag.make(Kind::kSin, a[0]), dag.make(Kind::kCos, a[0]));
}
RealId erfc(Dag& dag, Arguments a) {
  return dag.make(Kind::kSub, dag.integer(1), dag.make(Kind::kErf, a[0]));
}
RealId rsqrt(Dag& dag, Arguments a) {
  return dag.make(Kind::kDiv, dag.integer(1), dag.make(Kind::kSqrt, a[0]));
}

// x^y for x > 0.
RealId power(Dag& dag, RealId x, RealId y) {
  return dag.make(Kind::kExp2, dag.make(Kind::kMul, y, dag.make(Kind::kLog2, x)));
}
// One value for positive x, one for negative, one for zero.
RealId by_sign(Dag& dag, RealId x, RealId positive, RealId negative, RealId zero) {
  const RealId nil = dag.integer(0);
  const RealId rest = dag.make(Kind::kIte, dag.make(Kind::kLt, x, nil), negative, zero);
  return dag.make(Kind::kIte, dag.make(Kind::kLt, nil, x), positive, rest);
}
RealId cbrt(Dag& dag, Arguments a) {
  const RealId third = dag.rational({1, 3}), minus = dag.make(Kind::kNeg, a[0]);
  return by_sign(dag, a[0], power(dag, a[0], third), dag.make(Kind::kNeg, power(dag, minus, third)),
                 dag.integer(0));
}

// x^n as products; n > 0.
RealId whole_power(Dag& dag, RealId x, unsigned n) {
  RealId result = x;
  for (unsigned i = 1; i < n; ++i) result = dag.make(Kind::kMul, result, x);
  return result;
}
// C23 7.12.7.5 without infinities: x^0 is 1, 0^y needs y > 0, a negative x needs a whole y.
RealId pow(Dag& dag, Arguments a) {
  const RealId x = a[0], y = a[1], nil = dag.integer(0);
  constexpr long kMostFactors = 16;
  if (dag[y].kind == Kind::kRational) {
    const mpq_class& value = dag.rational_value(y);
    if (value == 0) return dag.integer(1);
    if (value.get_den() == 1 && abs(value) <= kMostFactors) {
      const long n = value.get_num().get_si();
      const RealId product = whole_power(dag, x, static_cast<unsigned>(n < 0 ? -n : n));
      return n < 0 ? dag.make(Kind::kDiv, dag.integer(1), product) : product;
    }
  }
  const auto is_whole = [&](RealId value) {
    return dag.make(Kind::kEq, value, dag.make(Kind::kTrunc, value));
  };
  const RealId size = power(dag, dag.make(Kind::kNeg, x), y);
  const RealId even = is_whole(dag.make(Kind::kMul, dag.rational({1, 2}), y));
  const RealId signed_size = dag.make(Kind::kIte, even, size, dag.make(Kind::kNeg, size));
  const RealId negative = dag.make(Kind::kIte, is_whole(y), signed_size, dag.undefined());
  const RealId zero = dag.make(Kind::kIte, dag.make(Kind::kLt, nil, y), nil, dag.undefined());
  const RealId general = by_sign(dag, x, power(dag, x, y), negative, zero);
  return dag.make(Kind::kIte, dag.make(Kind::kEq, y, nil), dag.integer(1), general);
}
RealId fmod(Dag& dag, Arguments a) {
  const RealId whole = dag.make(Kind::kTrunc, dag.make(Kind::kDiv, a[0], a[1]));
  return dag.make(Kind::kSub, a[0], dag.make(Kind::kMul, a[1], whole));
}

constexpr std::array<FunctionRow, 37> kFunctions = {{
    {"exp", "exp", 1, plain<Kind::kExp>, {}, 1},
    {"exp-neg", "exp", 1, exp_negated, {}, 1},
    {"exp2", "exp2", 1, plain<Kind::kExp2>, {}, 2},
    {"exp10", "exp10", 1, exp10, {}, 2},
    {"expm1", "expm1", 1, expm1, {}, 1},
    {"log", "log", 1, plain<Kind::kLog>, {}, 1},
    {"log2", "log2", 1, plain<Kind::kLog2>, {}, 1},
    {"log10", "log10", 1, log10, {}, 2},
    {"log1p", "log1p", 1, log1p, {}, 1},
    {"sin", "sin", 1, plain<Kind::kSin>, {}, 2},
    {"cos", "cos", 1, plain<Kind::kCos>, {}, 2},
    {"sincos-sin", "sin", 1, plain<Kind::kSin>, {}, 2},
    {"sincos-cos", "cos", 1, plain<Kind::kCos>, {}, 2},
    {"sin-neg", "sin", 1, of_negated<plain<Kind::kSin>>, {}, 2},
    {"cos-neg", "cos", 1, of_negated<plain<Kind::kCos>>, {}, 2},
    {"tan-neg", "tan", 1, of_negated<tan>, {}, 4},
    {"tanh-neg", "tanh", 1, of_negated<plain<Kind::kTanh>>, {}, 2},
    {"erf-neg", "erf", 1, of_negated<plain<Kind::kErf>>, {}, 2},
    {"erfc-neg", "erfc", 1, of_negated<erfc>, {}, 4},
    {"expm1-neg", "expm1", 1, of_negated<expm1>, {}, 1},
    {"tan", "tan", 1, tan, {}, 4},
    {"tanh", "tanh", 1, plain<Kind::kTanh>, {}, 2},
    {"sinh", "sinh", 1, hyperbolic<Kind::kSub>, {}, 3},
    {"cosh", "cosh", 1, hyperbolic<Kind::kAdd>, {}, 2},
    {"erf", "erf", 1, plain<Kind::kErf>, {}, 2},
    {"erfc", "erfc", 1, erfc, {}, 4},
    {"sqrt", "sqrt", 1, plain<Kind::kSqrt>, {}, 1},
    {"rsqrt", "rsqrt", 1, rsqrt, {}, 2},
    {"cbrt", "cbrt", 1, cbrt, {}, 1},
    {"pow", "pow", 2, pow, {}, 4},
    {"pow-part", "pow", 1, pow, 5.5, 4},
    {"pow-odd", "pow", 1, pow, 7, 4},
    {"pow-even", "pow", 1, pow, 6, 4},
    {"pow-minus-part", "pow", 1, pow, -5.5, 4},
    {"pow-minus-odd", "pow", 1, pow, -7, 4},
    {"pow-minus-even", "pow", 1, pow, -6, 4},
    {"fmod", "fmod", 2, fmod, {}, 0},
}};
constexpr std::array<std::pair<std::string_view, op::Type>, 2> kPrefixes = {{
    {"f64-", op::Type::kF64},
    {"f16-", op::Type::kF16},
}};

}  // namespace

Named function_named(std::string_view name) {
  Named result;
  for (const auto& [prefix, type] : kPrefixes) {
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    result.type = type;
    break;
  }
  const auto row = std::ranges::find(kFunctions, name, &FunctionRow::name);
  PTXEQUIV_CHECK(row != kFunctions.end(), "a template of an unknown function");
  result.row = &*row;
  return result;
}

real::Template describe(std::string_view name, std::string_view flavour) {
  const Named named = function_named(name);
  const FunctionRow& row = *named.row;
  real::Template result;
  result.name = name;
  result.function = row.function;
  result.flavour = flavour;
  result.meaning = row.meaning;
  result.type = named.type;
  result.arity = row.arity;
  if (row.constant) result.constant = op::from_double(named.type, *row.constant);
  result.max_ulp = row.max_ulp;
  return result;
}

}  // namespace ptxequiv::library
