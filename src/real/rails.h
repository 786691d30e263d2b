// Bits of which it is known where they are 1 and where they are 0: functions of the variables of a
// decision diagram, and unknown elsewhere. What is computed from them is known as far as it does
// not depend on what is not.
#pragma once
#include <span>
#include <vector>

#include "real/bdd.h"

namespace ptxequiv::real {

struct Rail {
  Bdd::Edge yes = Bdd::kFalse, no = Bdd::kFalse;  // never both
  friend bool operator==(const Rail&, const Rail&) = default;
};
using Bits = std::vector<Rail>;  // the lowest first

class Rails {
 public:
  explicit Rails(Bdd& bdd) : bdd_(bdd) {}

  static Rail unknown() { return {}; }
  static Rail truth(bool value) {
    return value ? Rail{Bdd::kTrue, Bdd::kFalse} : Rail{Bdd::kFalse, Bdd::kTrue};
  }
  static Rail known(Bdd::Edge yes) { return {yes, Bdd::negate(yes)}; }
  static bool is_known(const Rail& r) { return r.no == Bdd::negate(r.yes); }

  static Rail negate(const Rail& a) { return {a.no, a.yes}; }
  Rail conjoin(const Rail& a, const Rail& b);
  Rail disjoin(const Rail& a, const Rail& b) { return negate(conjoin(negate(a), negate(b))); }
  Rail differ(const Rail& a, const Rail& b);
  Rail choose(const Rail& condition, const Rail& a, const Rail& b);
  // Where either knows something: both speak of one bit.
  Rail both(const Rail& a, const Rail& b) {
    return {bdd_.disjoin(a.yes, b.yes), bdd_.disjoin(a.no, b.no)};
  }

  static Bits constant(unsigned width, uint64_t value);
  static Bits unknown_bits(unsigned width) { return Bits(width); }
  Bits choose(const Rail& condition, const Bits& a, const Bits& b);
  Bits add(const Bits& a, const Bits& b, Rail carry);
  Bits subtract(const Bits& a, const Bits& b);
  Rail less(const Bits& a, const Bits& b, bool is_signed);
  Rail same(const Bits& a, const Bits& b);
  Bits count(const Bits& a, unsigned width);  // of the ones
  // Place of the highest one counted from the lowest bit; all ones if there is none.
  Bits highest(const Bits& a, unsigned width);

  Bdd& bdd() { return bdd_; }

 private:
  Bdd& bdd_;
};

}  // namespace ptxequiv::real
