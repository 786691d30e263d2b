// What is known of the signs of forms: from the ranges of leaves, from structure (2^E > 0, squares,
// max(a, b) >= a) and, linearly, from assumptions and the conditions of the current case.
#pragma once
#include <unordered_map>
#include <vector>

#include "real/algebra.h"
#include "real/facts.h"
#include "real/linear.h"
#include "real/range.h"

namespace ptxequiv::real {

// The signs that a value may have.
class SignSet {
 public:
  constexpr explicit SignSet(unsigned bits) : bits_(bits) {}
  static constexpr SignSet any() { return SignSet(7); }
  static SignSet of(int sign) { return SignSet(sign < 0 ? 1u : sign == 0 ? 2u : 4u); }

  bool is_positive() const { return bits_ == 4; }
  bool is_negative() const { return bits_ == 1; }
  bool is_zero() const { return bits_ == 2; }
  bool is_nonnegative() const { return (bits_ & 1) == 0; }
  bool is_nonpositive() const { return (bits_ & 4) == 0; }
  bool is_nonzero() const { return (bits_ & 2) == 0; }
  bool may_be_negative() const { return (bits_ & 1) != 0; }
  bool may_be_zero() const { return (bits_ & 2) != 0; }
  bool may_be_positive() const { return (bits_ & 4) != 0; }
  SignSet operator&(SignSet other) const { return SignSet(bits_ & other.bits_); }
  SignSet operator-() const { return SignSet((bits_ & 2) | (bits_ & 1) << 2 | (bits_ & 4) >> 2); }
  friend SignSet operator*(SignSet a, SignSet b);
  friend SignSet operator+(SignSet a, SignSet b);
  friend bool operator==(SignSet a, SignSet b) = default;

 private:
  unsigned bits_;
};

// Sums beyond this are bounded by the signs of their terms only.
inline constexpr size_t kSmallSum = 64;

enum class Relation : uint8_t { kPositive, kNonNegative, kNonZero };

class Signs {
 public:
  Signs(Algebra& algebra, const Dag& dag, const Facts& facts)
      : algebra_(algebra), dag_(dag), facts_(facts) {}
  // A copy takes the facts; what was derived from them it finds again when asked.
  Signs(const Signs& other)
      : algebra_(other.algebra_),
        dag_(other.dag_),
        facts_(other.facts_),
        known_(other.known_),
        remembered_(other.remembered_),
        narrowed_(other.narrowed_),
        empty_(other.empty_) {}
  Signs& operator=(const Signs&) = delete;

  // Adds a fact about a settled poly.
  void assume(const Poly& p, Relation relation);
  // Whether the facts are shown to exclude each other.
  bool contradictory();

  SignSet of(const Poly& p);
  SignSet of(Monomial m);
  SignSet of(AtomId atom);
  SignSet of_power(const Factor& f);
  const Range& range(PolyId id);
  bool is_integral(const Poly& p) const;  // takes integer values only

 private:
  struct Known {
    Poly poly;
    bool strict;
  };
  Range term_range(const Term& t);
  Range atom_range(AtomId id);
  Range leaf_range(const Atom& atom) const;
  bool push_missing(PolyId id, std::vector<PolyId>& stack);
  Range sum_range(const Poly& p);
  bool needs_linear(const Poly& p) const;
  bool linear(const Poly& target, bool strict);
  SignSet by_facts(const Poly& p, SignSet s);
  SignSet by_exponents(const Poly& p);
  std::optional<Poly> exponent_difference(const Poly& p);
  void add_known(Poly p, bool strict);
  void remember(const Poly& p, SignSet signs);
  SignSet recall(const Poly& p);

  Algebra& algebra_;
  const Dag& dag_;
  const Facts& facts_;
  std::vector<Known> known_;
  std::unordered_map<PolyId, SignSet> remembered_;  // of primitive polys with positive first term
  std::unordered_map<AtomId, Range> narrowed_;      // atoms bounded by facts
  bool empty_ = false;                              // a fact is plainly false
  std::unordered_map<PolyId, Range> poly_ranges_;
  std::unordered_map<AtomId, Range> atom_ranges_;
  std::unordered_map<PolyId, SignSet> signs_;
  std::unordered_map<AtomId, SignSet> atom_signs_;
  int depth_ = 0;
};

}  // namespace ptxequiv::real
