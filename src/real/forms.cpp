// Quotients, powers, exponentials and logarithms of normal forms.
#include "real/forms.h"

#include <algorithm>

#include "real/content.h"

namespace ptxequiv::real {
namespace {

constexpr size_t kEagerSign = 64;  // factors up to this many terms have their sign found at once
constexpr unsigned long kTrialLimit = 1000;

struct PrimePower {
  mpz_class base;  // a prime, or what trial division left
  unsigned power;
};

std::vector<PrimePower> factorise(mpz_class n) {
  std::vector<PrimePower> result;
  for (unsigned long p = 2; p < kTrialLimit && n > 1; ++p) {
    unsigned k = 0;
    while (mpz_divisible_ui_p(n.get_mpz_t(), p) != 0) {
      mpz_divexact_ui(n.get_mpz_t(), n.get_mpz_t(), p);
      ++k;
    }
    if (k > 0) result.push_back({mpz_class(p), k});
  }
  if (n > 1) {
    if (mpz_perfect_square_p(n.get_mpz_t()) != 0) {
      result.push_back({sqrt(n), 2});
    } else {
      result.push_back({n, 1});
    }
  }
  return result;
}

// Indicators that all monomials share are 1 wherever a quotient by the sum is selected.
Poly without_common_indicators(Algebra& algebra, const Poly& p) {
  std::vector<AtomId> common;
  Factor buffer[3];
  for (const Factor& f : algebra.factors(p[0].monomial, buffer)) {
    if ((f.atom & kSpecialAtom) != 0 && is_indicator(algebra.atom(f.atom).kind)) {
      common.push_back(f.atom);
    }
  }
  if (common.empty()) return p;
  for (const Term& t : p) {
    const auto here = algebra.factors(t.monomial, buffer);
    std::erase_if(common, [&](AtomId a) {
      return std::none_of(here.begin(), here.end(), [&](const Factor& f) { return f.atom == a; });
    });
  }
  if (common.empty()) return p;
  Poly result;
  for (const Term& t : p) {
    std::vector<Factor> kept;
    for (const Factor& f : algebra.factors(t.monomial, buffer)) {
      if (std::find(common.begin(), common.end(), f.atom) == common.end()) kept.push_back(f);
    }
    result.push_back({algebra.make(kept, algebra.exponent(t.monomial)), t.coefficient});
  }
  Algebra::sort_and_merge(result);
  return result;
}

}  // namespace

AtomId Forms::factor(const Poly& primitive) {
  if (primitive.size() <= kEagerSign) signs_.of(primitive);
  return algebra_.function(AtomKind::kFactor, algebra_.intern(primitive));
}

std::optional<Term> Forms::inverse(const Poly& p) {
  if (p.empty()) return std::nullopt;
  const Split parts = split(algebra_, p);
  if (parts.is_zero()) return std::nullopt;
  const Product content = algebra_.inverse(parts.content);
  Term result{content.monomial, parts.scale.inverse().shifted(content.shift)};
  if (parts.is_monomial()) return result;
  const Poly base = without_common_indicators(algebra_, parts.primitive);
  if (base.size() == 1 || base != parts.primitive) {
    // Without its indicators the sum may have content again.
    const std::optional<Term> rest = inverse(base);
    if (!rest) return std::nullopt;
    const Product product = algebra_.multiply(result.monomial, rest->monomial);
    return Term{product.monomial, (result.coefficient * rest->coefficient).shifted(product.shift)};
  }
  const Product product = algebra_.multiply(result.monomial, algebra_.of(factor(base), -kOnePower));
  result.monomial = product.monomial;
  result.coefficient = result.coefficient.shifted(product.shift);
  return result;
}

Poly Forms::power(const Poly& p, int32_t units) {
  if (units % kOnePower == 0) {
    int32_t n = units / kOnePower;
    Poly base = p;
    if (n < 0) {
      base = {inverse(p).value()};
      n = -n;
    }
    Poly result = algebra_.constant(1);
    for (; n > 0; --n) result = algebra_.multiply(result, base);
    return result;
  }
  if (p.size() == 1 && p[0].coefficient.is_one() && algebra_.exponent(p[0].monomial) == kZeroPoly) {
    Factor buffer[3];
    const auto f = algebra_.factors(p[0].monomial, buffer);
    if (f.size() == 1 && f[0].power == kOnePower) return {{algebra_.of(f[0].atom, units), 1}};
  }
  Poly result = {{algebra_.of(factor(p), units), 1}};
  algebra_.settle(result);
  return result;
}

Poly Forms::root_of_rational(const Coefficient& c) {
  // sqrt(n/d) = sqrt(n*d)/d; whole squares leave, primes stay under the root.
  mpz_class outside = 1;
  std::vector<Factor> primes;
  Poly half;
  for (const auto& [base, k] : factorise(c.numerator() * c.denominator())) {
    for (unsigned i = 0; i < k / 2; ++i) outside *= base;
    if (k % 2 == 0) continue;
    if (base == 2) {
      half = algebra_.constant(Coefficient(mpq_class(1, 2)));
    } else {
      const PolyId constant = algebra_.intern(Coefficient(mpq_class(base)));
      primes.push_back({algebra_.function(AtomKind::kFactor, constant), kOnePower / 2});
    }
  }
  std::sort(primes.begin(), primes.end(),
            [](const Factor& a, const Factor& b) { return a.atom < b.atom; });
  mpq_class scale(outside, c.denominator());
  scale.canonicalize();
  return {{algebra_.make(primes, algebra_.intern(half)), Coefficient(scale)}};
}

std::optional<Poly> Forms::root(const Poly& p) {
  if (p.empty()) return Poly{};
  if (signs_.of(p).is_negative()) return std::nullopt;
  const Split parts = split(algebra_, p);
  if (parts.is_zero()) return Poly{};
  Factor buffer[3];
  const auto view = algebra_.factors(parts.content, buffer);
  const std::vector<Factor> content(view.begin(), view.end());
  const bool negative = parts.scale.sign() < 0;
  const bool primitive_positive = parts.is_monomial() || signs_.of(parts.primitive).is_positive();
  // A part is taken out where it is positive, or a square, or the only one whose sign is open; a
  // square that may be zero must not hide a negative rest.
  std::vector<Factor> outside, even, unknown;
  for (const Factor& f : content) {
    if (f.power % 2 == 0 && signs_.of(f.atom).is_positive())
      outside.push_back({f.atom, f.power / 2});
    else if (f.power % 2 == 0 && (f.power % kOnePower != 0 || f.power % (2 * kOnePower) == 0))
      even.push_back(f);
    else
      unknown.push_back(f);
  }
  const size_t open = unknown.size() + (primitive_positive ? 0 : 1) + (negative ? 2 : 0);
  std::vector<Factor> inside;
  std::vector<AtomId> absolute_values;
  for (const Factor& f : even) {
    const bool safe = open == 0 || f.power < 0 || signs_.of(f.atom).is_nonzero();
    if (!safe) {
      inside.push_back(f);
      continue;
    }
    int32_t half = f.power / 2;
    const bool signless = f.power % kOnePower != 0 || signs_.of(f.atom).is_nonnegative();
    if (!signless && half % (2 * kOnePower) != 0) {
      absolute_values.push_back(f.atom);
      half -= kOnePower;
    }
    outside.push_back({f.atom, half});
  }
  const bool primitive_inside = !primitive_positive && (open != 1 || !inside.empty());
  if (open == 1 && inside.empty()) {
    for (const Factor& f : unknown) {
      if (f.power % 2 == 0)
        outside.push_back({f.atom, f.power / 2});
      else
        inside.push_back(f);
    }
  } else {
    inside.insert(inside.end(), unknown.begin(), unknown.end());
  }
  if (!parts.is_monomial() && !primitive_inside) {
    outside.push_back({factor(parts.primitive), kOnePower / 2});
  }
  auto by_atom = [](const Factor& a, const Factor& b) { return a.atom < b.atom; };
  auto merge = [&](std::vector<Factor>& all) {
    std::sort(all.begin(), all.end(), by_atom);
    size_t n = 0;
    for (const Factor& f : all) {
      if (n > 0 && all[n - 1].atom == f.atom)
        all[n - 1].power += f.power;
      else
        all[n++] = f;
    }
    all.resize(n);
  };
  merge(outside);
  merge(inside);
  Coefficient magnitude = negative ? -parts.scale : parts.scale;
  const Poly exponent =
      algebra_.scale(algebra_.poly(algebra_.exponent(parts.content)), Coefficient(mpq_class(1, 2)));
  const Product e = algebra_.exponential(exponent);
  Poly result = root_of_rational(magnitude);
  result = algebra_.scale(result, Coefficient(1).shifted(e.shift), e.monomial);
  result = algebra_.scale(result, 1, algebra_.make(outside, kZeroPoly));
  for (const AtomId a : absolute_values) {
    result = algebra_.multiply(result, absolute(algebra_.of_atom(a)));
  }
  if (!inside.empty() || primitive_inside || negative) {
    Poly inner = algebra_.scale(primitive_inside ? parts.primitive : algebra_.constant(1),
                                negative ? -1 : 1, algebra_.make(inside, kZeroPoly));
    result = algebra_.multiply(result, {{algebra_.of(factor(inner), kOnePower / 2), 1}});
  }
  return result;
}

Poly Forms::exp2(const Poly& p) {
  Poly rest, result = algebra_.constant(1);
  Factor buffer[3];
  for (const Term& t : p) {
    const auto f = algebra_.factors(t.monomial, buffer);
    const bool plain =
        f.size() == 1 && f[0].power == kOnePower && algebra_.exponent(t.monomial) == kZeroPoly;
    if (plain && algebra_.atom(f[0].atom).kind == AtomKind::kLog2) {
      // 2^(k log2 q) = q^k, as far as powers are kept.
      const mpq_class units = t.coefficient.to_mpq() * kOnePower;
      const Poly& base = algebra_.poly(algebra_.atom(f[0].atom).argument);
      if (units.get_den() == 1 && abs(units) <= 16 * kOnePower) {
        result =
            algebra_.multiply(result, power(base, static_cast<int32_t>(units.get_num().get_si())));
        continue;
      }
    }
    rest.push_back(t);
  }
  const Product e = algebra_.exponential(rest);
  return algebra_.scale(result, Coefficient(1).shifted(e.shift), e.monomial);
}

Poly Forms::log2_of_rational(const Coefficient& c) {
  Poly result;
  const mpz_class parts[] = {c.numerator(), c.denominator()};
  for (int side = 0; side < 2; ++side) {
    for (const auto& [base, k] : factorise(parts[side])) {
      const Coefficient n(side == 0 ? int64_t{k} : -int64_t{k});
      if (base == 2) {
        result.push_back({kUnit, n});
      } else {
        const PolyId constant = algebra_.intern(Coefficient(mpq_class(base)));
        result.push_back({algebra_.of(algebra_.function(AtomKind::kLog2, constant)), n});
      }
    }
  }
  Algebra::sort_and_merge(result);
  return result;
}

Poly Forms::log2_of_base(AtomId atom) {
  const PolyId argument = algebra_.atom(atom).kind == AtomKind::kFactor
                              ? algebra_.atom(atom).argument
                              : algebra_.intern(algebra_.of_atom(atom));
  return algebra_.of_atom(algebra_.function(AtomKind::kLog2, argument));
}

std::optional<Poly> Forms::log2(const Poly& p) {
  if (p.empty() || signs_.of(p).is_nonpositive()) return std::nullopt;
  const Split parts = split(algebra_, p);
  if (parts.is_zero()) return std::nullopt;
  Factor buffer[3];
  const auto view = algebra_.factors(parts.content, buffer);
  const std::vector<Factor> content(view.begin(), view.end());
  std::vector<Factor> unknown;
  Poly result = algebra_.poly(algebra_.exponent(parts.content));
  auto add_log = [&](AtomId atom, int32_t units) {
    mpq_class k(units, kOnePower);
    k.canonicalize();
    result = algebra_.add(result, log2_of_base(atom), Coefficient(k));
  };
  for (const Factor& f : content) {
    // The product is positive, so no factor is zero, and roots are positive.
    if (f.power % kOnePower != 0 || signs_.of(f.atom).is_nonnegative()) {
      add_log(f.atom, f.power);
    } else if (f.power % (2 * kOnePower) == 0) {
      const Poly size = absolute(algebra_.of_atom(f.atom));
      const AtomId log = algebra_.function(AtomKind::kLog2, algebra_.intern(size));
      result = algebra_.add(result, algebra_.of_atom(log), f.power / kOnePower);
    } else {
      unknown.push_back(f);
    }
  }
  const bool negative = parts.scale.sign() < 0;
  result = algebra_.add(result, log2_of_rational(negative ? -parts.scale : parts.scale));
  const bool open_primitive = !parts.is_monomial() && !signs_.of(parts.primitive).is_nonnegative();
  const size_t open = unknown.size() + (open_primitive ? 1 : 0);
  if (!negative && open <= 1) {
    for (const Factor& f : unknown) add_log(f.atom, f.power);
    if (!parts.is_monomial()) add_log(factor(parts.primitive), kOnePower);
    return result;
  }
  if (!parts.is_monomial() && !open_primitive) add_log(factor(parts.primitive), kOnePower);
  Poly inner = algebra_.scale(open_primitive ? parts.primitive : algebra_.constant(1),
                              negative ? -1 : 1, algebra_.make(unknown, kZeroPoly));
  const AtomId log = algebra_.function(AtomKind::kLog2, algebra_.intern(inner));
  return algebra_.add(result, algebra_.of_atom(log));
}

}  // namespace ptxequiv::real
