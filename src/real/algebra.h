// The objects of the normal form and their exact arithmetic, free of any fact about signs:
//
//   atom      a real quantity that is not taken apart: a leaf, sin(p), max(p, q), [p > 0], ...
//   monomial  2^E * a1^r1 * ... with atoms ai, rational powers ri and an interned exponent E
//   poly      a sum of monomials with rational coefficients
//
// Everything is interned, so equal ids are equal objects, and the products of exponentials that
// make up streaming softmax are one look-up each. Atoms refer to polys that are older, so the
// structure is well-founded.
#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/deadline.h"
#include "real/coefficient.h"
#include "real/dag.h"

namespace ptxequiv::real {

using AtomId = uint32_t;
using PolyId = uint32_t;
inline constexpr PolyId kZeroPoly = 0, kOnePoly = 1;

// Powers of atoms count in 1/64, enough for six nested square roots.
inline constexpr int32_t kOnePower = 64;

enum class AtomKind : uint8_t {
  kLeaf,
  kOpaque,
  kLog2E,
  kSin,
  kCos,
  kErf,
  kLog2,
  kFloor,
  kRint,
  kTrunc,     // of Atom::argument
  kMax,       // of Atom::operands: two or more, sorted, of which every monomial's least coefficient
              // is 0, jointly primitive
  kFactor,    // Atom::argument as a factor: a primitive sum, or what a root could not split
  kPositive,  // 1 where argument > 0, else 0; a primitive argument, positive first coefficient
              // after the constant
  kZero,  // 1 where argument = 0, else 0; likewise
  kBool,  // 1 where Atom::node holds, else 0
};

struct Atom {
  AtomKind kind;
  bool integral = false;  // takes integer values only
  RealId node = kNoReal;  // kLeaf, kOpaque, kBool
  PolyId argument = kZeroPoly;
  std::vector<PolyId> operands = {};  // kMax
  // kPositive and kZero as a condition on one quantity: argument = scale * (direction - threshold),
  // scale > 0, direction primitive and without a constant.
  PolyId direction = kZeroPoly;
  Coefficient threshold = {};
};

// Atoms whose powers are subject to relations carry this bit in their id, and a monomial with one
// is never packed: [c]^2 = [c], (max(a,b) - a)(max(a,b) - b) = 0, sin^2 = 1 - cos^2, factors
// expand.
inline constexpr AtomId kSpecialAtom = 1u << 30;
inline bool is_indicator(AtomKind kind) {
  return kind >= AtomKind::kPositive;
}

// A handle. Up to three plain atoms, with repetition, are packed into fields of 21 bits, each
// holding an id + 1, ascending from the lowest field, then empty ones (a <= b <= c): the products
// of matrix kernels need no table. Otherwise the top bit is set and the rest is an index.
struct Monomial {
  uint64_t bits = 0;
  bool is_unit() const { return bits == 0; }
  friend auto operator<=>(Monomial, Monomial) = default;
};
inline constexpr Monomial kUnit{};
// The product of conditions that exclude each other. Terms with it are dropped.
inline constexpr Monomial kNothing{~uint64_t{0}};

struct Factor {
  AtomId atom;
  int32_t power;  // in 1/kOnePower
  friend bool operator==(const Factor&, const Factor&) = default;
};

struct Term {
  Monomial monomial;
  Coefficient coefficient;
  friend bool operator==(const Term&, const Term&) = default;
};
// Sorted by monomial, without zero coefficients (a "settled" poly), unless said otherwise.
using Poly = std::vector<Term>;

// A monomial and the power of two that its exponent's integer part became.
struct Product {
  Monomial monomial;
  int64_t shift = 0;
};

class Algebra {
 public:
  Algebra(size_t max_monomials, const base::Deadline& deadline);

  // Atoms.
  AtomId leaf(AtomKind kind, RealId node, bool integral);
  AtomId function(AtomKind kind, PolyId argument);
  AtomId maximum(std::vector<PolyId> operands);
  const Atom& atom(AtomId id) const { return atoms_[id & ~kSpecialAtom]; }
  size_t atom_count() const { return atoms_.size(); }

  // Monomials.
  Monomial of(AtomId atom, int32_t power = kOnePower);
  Product multiply(Monomial a, Monomial b);
  Product inverse(Monomial m);
  // From factors sorted by atom (zero powers are dropped) and an exponent.
  Monomial make(std::span<const Factor> factors, PolyId exponent);
  // 2^e for a settled poly; its integer constant becomes the shift.
  Product exponential(const Poly& e);
  std::span<const Factor> factors(Monomial m, Factor (&buffer)[3]) const;
  PolyId exponent(Monomial m) const { return is_packed(m) ? kZeroPoly : record(m).exponent; }
  bool has_indicator(Monomial m) const { return !is_packed(m) && record(m).has_indicator; }
  bool has_negative(Monomial m) const { return !is_packed(m) && record(m).has_negative; }
  bool is_reducible(Monomial m) const { return !is_packed(m) && record(m).reducible; }

  // Polys.
  const Poly& poly(PolyId id) const { return polys_[id]; }
  PolyId intern(const Poly& p);
  PolyId intern(const Coefficient& c);
  static void sort_and_merge(Poly& p);
  Poly constant(const Coefficient& c) const;
  Poly of_atom(AtomId atom) { return {{of(atom), 1}}; }
  Poly add(const Poly& a, const Poly& b, const Coefficient& b_scale = 1);
  Poly scale(const Poly& p, const Coefficient& c, Monomial m = kUnit);
  // Appends c * m * p, unsorted, to `out`.
  void append_scaled(Poly& out, const Poly& p, const Coefficient& c, Monomial m);
  Poly multiply(const Poly& a, const Poly& b);
  // Applies the relations of special atoms until none applies; factors are expanded as long as the
  // result stays within the size limit.
  void settle(Poly& p);

  const base::Deadline& deadline() const { return deadline_; }
  size_t max_monomials() const { return max_monomials_; }

 private:
  struct Record {
    uint32_t offset = 0;
    uint16_t count = 0;
    bool has_negative = false;
    bool has_indicator = false;
    bool reducible = false;
    PolyId exponent = kZeroPoly;
  };
  struct Sum {
    PolyId sum;
    int64_t shift;
  };
  static constexpr uint64_t kInterned = uint64_t{1} << 63;
  static constexpr unsigned kFieldBits = 21;
  static constexpr uint64_t kField = (uint64_t{1} << kFieldBits) - 1;
  static bool is_packed(Monomial m) { return (m.bits & kInterned) == 0; }
  const Record& record(Monomial m) const { return records_[m.bits & ~kInterned]; }
  Sum add_exponents(PolyId a, PolyId b);
  Sum normal_exponent(Poly e);
  AtomId add_atom(Atom atom);
  static bool multiply_packed(Monomial a, Monomial b, Monomial& product);
  // Combines conditions on one quantity: [q > 1][q > 2] = [q > 2]. False if they exclude each
  // other.
  bool combine_indicators(std::vector<Factor>& factors) const;
  Monomial intern_record(std::span<const Factor> factors, PolyId exponent);
  bool reduce_once(const Term& term, Poly& out, bool expand);
  bool reduce_leading(const Term& term, const std::vector<Factor>& all, size_t at, Poly& out);
  void grow_records();
  void grow_polys();

  size_t max_monomials_;
  const base::Deadline& deadline_;
  std::deque<Atom> atoms_;                               // references stay valid
  std::vector<AtomId> leaf_atoms_;                       // by RealId
  std::unordered_map<uint64_t, AtomId> function_atoms_;  // kind and argument
  std::unordered_map<uint64_t, std::vector<AtomId>> maxima_;
  std::vector<Record> records_;
  std::vector<Factor> factor_pool_;
  std::vector<uint32_t> record_slots_;
  std::vector<Factor> scratch_kept_, scratch_merged_;
  std::deque<Poly> polys_;
  std::vector<uint64_t> poly_hashes_;
  std::vector<uint32_t> poly_slots_;
  std::unordered_map<uint64_t, Sum> exponent_sums_;
  std::unordered_map<PolyId, Sum> exponent_negations_;
};

}  // namespace ptxequiv::real
