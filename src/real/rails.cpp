#include "real/rails.h"

namespace ptxequiv::real {

Rail Rails::conjoin(const Rail& a, const Rail& b) {
  const Bdd::Edge yes = bdd_.conjoin(a.yes, b.yes);
  if (is_known(a) && is_known(b)) return known(yes);
  return {yes, bdd_.disjoin(a.no, b.no)};
}

Rail Rails::differ(const Rail& a, const Rail& b) {
  return choose(a, negate(b), b);
}

Rail Rails::choose(const Rail& condition, const Rail& a, const Rail& b) {
  if (a == b) return a;
  const auto arm = [&](Bdd::Edge of_a, Bdd::Edge of_b) {
    const Bdd::Edge chosen =
        bdd_.disjoin(bdd_.conjoin(condition.yes, of_a), bdd_.conjoin(condition.no, of_b));
    return is_known(condition) ? chosen : bdd_.disjoin(chosen, bdd_.conjoin(of_a, of_b));
  };
  const Bdd::Edge yes = arm(a.yes, b.yes);
  if (is_known(condition) && is_known(a) && is_known(b)) return known(yes);
  return {yes, arm(a.no, b.no)};
}

Bits Rails::constant(unsigned width, uint64_t value) {
  Bits out;
  for (unsigned i = 0; i < width; ++i) out.push_back(truth((value >> i & 1) != 0));
  return out;
}

Bits Rails::choose(const Rail& condition, const Bits& a, const Bits& b) {
  Bits out;
  for (size_t i = 0; i < a.size(); ++i) out.push_back(choose(condition, a[i], b[i]));
  return out;
}

Bits Rails::add(const Bits& a, const Bits& b, Rail carry) {
  Bits out;
  for (size_t i = 0; i < a.size(); ++i) {
    const Rail half = differ(a[i], b[i]);
    out.push_back(differ(half, carry));
    if (i + 1 < a.size()) carry = choose(half, carry, a[i]);
  }
  return out;
}

Bits Rails::subtract(const Bits& a, const Bits& b) {
  Bits inverted;
  for (const Rail& r : b) inverted.push_back(negate(r));
  return add(a, inverted, truth(true));
}

Rail Rails::less(const Bits& a, const Bits& b, bool is_signed) {
  Rail out = truth(false);
  for (size_t i = 0; i < a.size(); ++i) {
    const bool sign = is_signed && i + 1 == a.size();
    out = choose(differ(a[i], b[i]), sign ? a[i] : b[i], out);
  }
  return out;
}

Rail Rails::same(const Bits& a, const Bits& b) {
  Rail out = truth(true);
  for (size_t i = a.size(); i-- > 0;) out = conjoin(out, negate(differ(a[i], b[i])));
  return out;
}

Bits Rails::count(const Bits& a, unsigned width) {
  Bits out = constant(width, 0);
  for (const Rail& r : a) {
    Rail carry = r;
    for (Rail& bit : out) {
      const Rail next = conjoin(bit, carry);
      bit = differ(bit, carry);
      carry = next;
      if (carry == truth(false)) break;
    }
  }
  return out;
}

Bits Rails::highest(const Bits& a, unsigned width) {
  Bits out = constant(width, ~uint64_t{0});
  for (size_t i = 0; i < a.size(); ++i) out = choose(a[i], constant(width, i), out);
  return out;
}

}  // namespace ptxequiv::real
