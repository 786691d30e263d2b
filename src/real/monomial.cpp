// Monomials: packing, interning, products, exponents.
#include <algorithm>

#include "base/error.h"
#include "real/algebra.h"

namespace ptxequiv::real {
namespace {

uint64_t mix(uint64_t h) {
  h ^= h >> 32;
  h *= 0x9e3779b97f4a7c15u;
  return h ^ h >> 29;
}

uint64_t hash(std::span<const Factor> factors, PolyId exponent) {
  uint64_t h = mix(exponent + 1);
  for (const Factor& f : factors) {
    h = mix(h ^ (uint64_t{f.atom} << 32 | static_cast<uint32_t>(f.power)));
  }
  return h;
}

// 2^n beyond this is no coefficient any more.
constexpr int64_t kMaxShift = 1 << 16;

}  // namespace

std::span<const Factor> Algebra::factors(Monomial m, Factor (&buffer)[3]) const {
  if (!is_packed(m)) {
    const Record& r = record(m);
    return {factor_pool_.data() + r.offset, r.count};
  }
  size_t n = 0;
  for (uint64_t rest = m.bits; rest != 0; rest >>= kFieldBits) {
    const auto atom = static_cast<AtomId>((rest & kField) - 1);
    if (n > 0 && buffer[n - 1].atom == atom)
      buffer[n - 1].power += kOnePower;
    else
      buffer[n++] = {atom, kOnePower};
  }
  return {buffer, n};
}

bool Algebra::multiply_packed(Monomial a, Monomial b, Monomial& product) {
  // Room for all fields, then a merge of two sorted lists.
  if ((a.bits >> (2 * kFieldBits) != 0) || (b.bits >> (2 * kFieldBits) != 0)) return false;
  const bool two_a = a.bits >> kFieldBits != 0, two_b = b.bits >> kFieldBits != 0;
  if (two_a && two_b) return false;
  uint64_t many = two_b ? b.bits : a.bits;
  const uint64_t one = two_b ? a.bits : b.bits;
  uint64_t result = 0;
  unsigned shift = 0;
  bool placed = false;
  for (; many != 0; many >>= kFieldBits, shift += kFieldBits) {
    const uint64_t field = many & kField;
    if (!placed && one <= field) {
      result |= one << shift;
      shift += kFieldBits;
      placed = true;
    }
    result |= field << shift;
  }
  if (!placed) result |= one << shift;
  product.bits = result;
  return true;
}

Monomial Algebra::of(AtomId atom, int32_t power) {
  const Factor f[] = {{atom, power}};
  return make(f, kZeroPoly);
}

Monomial Algebra::make(std::span<const Factor> all, PolyId exponent) {
  std::vector<Factor>& kept = scratch_kept_;  // products are too many for an allocation each
  kept.clear();
  size_t indicators = 0;
  for (Factor f : all) {
    if (f.power == 0) continue;
    if ((f.atom & kSpecialAtom) != 0 && is_indicator(atom(f.atom).kind)) {
      // [c]^n = [c]. A quotient by [c] is selected only where c holds: there 1/[c] = 1.
      if (f.power < 0) continue;
      f.power = kOnePower;
      ++indicators;
    }
    kept.push_back(f);
  }
  if (indicators > 1 && !combine_indicators(kept)) return kNothing;
  if (exponent == kZeroPoly && kept.size() <= 3) {
    uint64_t bits = 0;
    unsigned shift = 0;
    bool fits = true;
    for (const Factor& f : kept) {
      fits = fits && f.atom + 1 <= kField && f.power > 0 && f.power % kOnePower == 0 &&
             f.power <= 3 * kOnePower;
      if (!fits) break;
      for (int32_t k = f.power; k > 0; k -= kOnePower, shift += kFieldBits) {
        if (shift >= 3 * kFieldBits)
          fits = false;
        else
          bits |= uint64_t{f.atom + 1} << shift;
      }
    }
    if (fits) return {bits};
  }
  return intern_record(kept, exponent);
}

bool Algebra::combine_indicators(std::vector<Factor>& factors) const {
  for (size_t i = 0; i < factors.size(); ++i) {
    const Atom& a = atom(factors[i].atom);
    if (!is_indicator(a.kind) || a.direction == kZeroPoly) continue;
    for (size_t j = i + 1; j < factors.size(); ++j) {
      const Atom& b = atom(factors[j].atom);
      if (!is_indicator(b.kind) || b.direction != a.direction) continue;
      // a holds wherever b does, b wherever a does, or never both.
      const bool a_equal = a.kind == AtomKind::kZero, b_equal = b.kind == AtomKind::kZero;
      bool drop_a = false;
      if (a_equal && b_equal) return false;  // different thresholds: the atoms are not one
      if (a_equal || b_equal) {
        const Coefficient& point = a_equal ? a.threshold : b.threshold;
        const Coefficient& bound = a_equal ? b.threshold : a.threshold;
        if (!(bound < point)) return false;
        drop_a = b_equal;
      } else {
        drop_a = a.threshold < b.threshold;
      }
      factors.erase(factors.begin() + static_cast<ptrdiff_t>(drop_a ? i : j));
      if (drop_a) {
        --i;
        break;
      }
      --j;
    }
  }
  return true;
}

Monomial Algebra::intern_record(std::span<const Factor> factors, PolyId exponent) {
  if (2 * (records_.size() + 1) > record_slots_.size()) grow_records();
  size_t slot = hash(factors, exponent) & (record_slots_.size() - 1);
  while (record_slots_[slot] != UINT32_MAX) {
    const Record& r = records_[record_slots_[slot]];
    if (r.exponent == exponent && r.count == factors.size() &&
        std::equal(factors.begin(), factors.end(), factor_pool_.begin() + r.offset)) {
      return {kInterned | record_slots_[slot]};
    }
    slot = (slot + 1) & (record_slots_.size() - 1);
  }
  Record r;
  PTXEQUIV_CHECK(factor_pool_.size() + factors.size() < UINT32_MAX, "too many monomials");
  if (factors.size() > UINT16_MAX) {
    throw base::LimitReached("expansion", "a monomial of more than 65535 factors");
  }
  r.offset = static_cast<uint32_t>(factor_pool_.size());
  r.count = static_cast<uint16_t>(factors.size());
  r.exponent = exponent;
  for (const Factor& f : factors) {
    r.has_negative = r.has_negative || f.power < 0;
    if ((f.atom & kSpecialAtom) == 0) continue;
    const Atom& a = atom(f.atom);
    switch (a.kind) {
      case AtomKind::kFactor: {
        const Poly& p = poly(a.argument);
        const bool constant = p.size() == 1 && p[0].monomial.is_unit();
        r.reducible = r.reducible || f.power >= kOnePower || (constant && f.power < 0);
        break;
      }
      case AtomKind::kMax:
        r.reducible =
            r.reducible || (f.power >= 2 * kOnePower &&
                            poly(a.operands[0]).size() * poly(a.operands[1]).size() <= 256);
        break;
      case AtomKind::kSin:
        r.reducible = r.reducible || f.power >= 2 * kOnePower;
        break;
      default:
        r.has_indicator = true;
    }
  }
  factor_pool_.insert(factor_pool_.end(), factors.begin(), factors.end());
  record_slots_[slot] = static_cast<uint32_t>(records_.size());
  records_.push_back(r);
  if ((records_.size() & 0xffff) == 0) deadline_.poll();
  return {kInterned | (records_.size() - 1)};
}

void Algebra::grow_records() {
  record_slots_.assign(record_slots_.size() * 2, UINT32_MAX);
  for (uint32_t i = 0; i < records_.size(); ++i) {
    const Record& r = records_[i];
    size_t slot =
        hash({factor_pool_.data() + r.offset, r.count}, r.exponent) & (record_slots_.size() - 1);
    while (record_slots_[slot] != UINT32_MAX) slot = (slot + 1) & (record_slots_.size() - 1);
    record_slots_[slot] = i;
  }
}

Product Algebra::multiply(Monomial a, Monomial b) {
  if (a.is_unit()) return {b};
  if (b.is_unit()) return {a};
  if (a == kNothing || b == kNothing) return {kNothing};
  if (Monomial packed; multiply_packed(a, b, packed)) return {packed};
  Factor buffer_a[3], buffer_b[3];
  const auto fa = factors(a, buffer_a), fb = factors(b, buffer_b);
  std::vector<Factor>& merged = scratch_merged_;
  merged.clear();
  size_t i = 0, j = 0;
  while (i < fa.size() || j < fb.size()) {
    if (j == fb.size() || (i < fa.size() && fa[i].atom < fb[j].atom)) {
      merged.push_back(fa[i++]);
    } else if (i == fa.size() || fb[j].atom < fa[i].atom) {
      merged.push_back(fb[j++]);
    } else {
      merged.push_back({fa[i].atom, fa[i].power + fb[j].power});
      ++i, ++j;
    }
  }
  const PolyId ea = exponent(a), eb = exponent(b);
  if (ea == kZeroPoly || eb == kZeroPoly) return {make(merged, ea + eb)};
  const Sum sum = add_exponents(ea, eb);
  return {make(merged, sum.sum), sum.shift};
}

Product Algebra::inverse(Monomial m) {
  Factor buffer[3];
  const auto all = factors(m, buffer);
  std::vector<Factor> negated(all.begin(), all.end());
  for (Factor& f : negated) f.power = -f.power;
  Product result;
  PolyId e = exponent(m);
  if (e != kZeroPoly) {
    const auto [place, fresh] = exponent_negations_.try_emplace(e, Sum{});
    if (fresh) place->second = normal_exponent(scale(poly(e), -1));
    e = place->second.sum;
    result.shift = place->second.shift;
  }
  result.monomial = make(negated, e);
  return result;
}

Product Algebra::exponential(const Poly& e) {
  const Sum sum = normal_exponent(e);
  return {make({}, sum.sum), sum.shift};
}

Algebra::Sum Algebra::normal_exponent(Poly e) {
  Sum result{kZeroPoly, 0};
  if (!e.empty() && e.front().monomial.is_unit()) {
    const mpq_class c = e.front().coefficient.to_mpq();
    mpz_class whole;
    mpz_fdiv_q(whole.get_mpz_t(), c.get_num().get_mpz_t(), c.get_den().get_mpz_t());
    if (abs(whole) > kMaxShift) {
      throw base::LimitReached("expansion", "a power of two beyond 2^65536");
    }
    result.shift = whole.get_si();
    e.front().coefficient = Coefficient(mpq_class(c - whole));
    if (e.front().coefficient.is_zero()) e.erase(e.begin());
  }
  result.sum = intern(e);
  return result;
}

Algebra::Sum Algebra::add_exponents(PolyId a, PolyId b) {
  if (a > b) std::swap(a, b);
  const auto [place, fresh] = exponent_sums_.try_emplace(uint64_t{a} << 32 | b, Sum{});
  if (fresh) place->second = normal_exponent(add(poly(a), poly(b)));
  return place->second;
}

}  // namespace ptxequiv::real
