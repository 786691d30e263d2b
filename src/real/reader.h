// How one term reads: what the rows of reading_*.cpp work with. Internal to the reading.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "real/affine.h"
#include "real/bit_slices.h"
#include "real/constants.h"
#include "real/dag.h"
#include "real/library.h"
#include "real/snap.h"
#include "term/arena.h"

namespace ptxequiv::real {

// As what a term is read: a float type, U8..U64, S8..S64 or Pred; or, for a float type, the sign of
// its value (a boolean); or as some whole number that differs from the term's by a multiple of
// 2^width, whichever is simplest (named by its unsigned type).
class View {
 public:
  static View of(op::Type type);  // B types read as U types
  static View sign_of(op::Type type) { return View(kTypes + static_cast<unsigned>(type)); }
  static View residue_of(op::Type type) { return View(2 * kTypes + of(type).index()); }
  // A bijection to 0 .. kCount-1.
  unsigned index() const { return index_; }
  bool is_sign() const { return index_ >= kTypes && index_ < 2 * kTypes; }
  bool is_residue() const { return index_ >= 2 * kTypes; }
  op::Type type() const { return static_cast<op::Type>(index_ % kTypes); }
  static constexpr unsigned kTypes = static_cast<unsigned>(op::Type::kCount);
  static constexpr unsigned kCount = 3 * kTypes;

 private:
  explicit View(unsigned index) : index_(static_cast<uint8_t>(index)) {}
  uint8_t index_;
};

struct Ref {
  term::TermId term;
  View view;
};

// Properties of one reading. The low ones are assumptions, in the order of kAssumptionNames.
enum Flag : uint8_t {
  kReals = 1,
  kNoOverflow = 2,
  kDiscontinuity = 4,
  kIntToFloat = 8,
  kConstant = 16,
  kLibm = 32,
  kRounded = 64,      // a rounding operation was idealised on the way from leaves to here
  kInexactInt = 128,  // so was the conversion of an integer
};
inline constexpr std::array<std::string_view, 6> kAssumptionNames = {
    "reals", "no-overflow", "discontinuity", "int-to-float", "constant", "libm"};
inline constexpr uint8_t kAssumptionFlags = 63;
inline constexpr uint8_t kInheritedFlags = kRounded | kInexactInt;

__extension__ typedef __int128 Wide;
// Of an integer's value; low <= high.
struct Bounds {
  Wide low, high;
};
Bounds limits(op::Type type);
Wide constant_number(uint64_t bits, op::Type type);
// What an integer or untyped leaf is a number of; nothing for other types.
std::optional<op::Type> number_type(op::Type type);
op::Type signed_type(unsigned width);
op::Type unsigned_type(unsigned width);

class Reader {
 public:
  Reader(const term::Arena& terms, Dag& reals, const Library* functions)
      : arena(terms), dag(reals), library(functions), slices_(terms) {}

  const term::Arena& arena;
  Dag& dag;
  const Library* library;
  SnapSet snapped;

  // Reads `ref` and all below it.
  RealId read(Ref ref);
  // Forgets all readings (their ids stay valid).
  void clear();
  // Flags of a term that has been read; `needed` gets what it was read from.
  uint8_t uses(Ref ref, std::vector<Ref>& needed);

  // ---- For rows. A row asks for its operands, returns kNoReal at once if some are pending, and is
  // ---- called again when they are there.
  RealId get(term::TermId term, View view);
  RealId get(term::TermId term, op::Type type) { return get(term, View::of(type)); }
  RealId sign(term::TermId term, op::Type type) { return get(term, View::sign_of(type)); }
  RealId residue(term::TermId term) {
    return get(term, View::residue_of(op::bits_type(arena.width(term))));
  }
  bool pending() const { return pending_; }
  void note(unsigned flags) { own_flags_ |= static_cast<uint8_t>(flags); }
  // Inherited flags of the operands asked for so far.
  uint8_t operand_flags() const { return operand_flags_; }
  RealId opaque(Ref ref);

  bool is_opaque(RealId id) const {
    return dag[id].kind == Kind::kOpaque || dag[id].kind == Kind::kOpaqueBool;
  }
  // Defined at every point, by its operations alone.
  bool is_total(RealId id);
  // Of the number that a term reads as; its type's limits where nothing better is known.
  Bounds bounds(term::TermId term, op::Type type) const { return bounds(term, View::of(type)); }
  Bounds bounds(term::TermId term, View view) const;
  // The same, as a multiple of a leaf where that is known.
  Affine affine(term::TermId term, View view) const;
  BitSlices& slices() { return slices_; }
  // For the number that is being read.
  void set_bounds(Bounds bounds) { own_bounds_ = bounds; }
  void set_affine(const Affine& affine) { own_affine_ = affine; }

  RealId clamp(RealId x, const mpq_class& low, const mpq_class& high) {
    return dag.make(Kind::kMin, dag.make(Kind::kMax, x, dag.rational(low)), dag.rational(high));
  }
  // The constant operand of a commutative node and the other one.
  struct WithConst {
    uint64_t bits;
    term::TermId other;
  };
  std::optional<WithConst> with_const(const term::Node& node) const;

 private:
  RealId evaluate(Ref ref);
  // Evaluates one term whose operands are all read, and lists what it asked for.
  uint8_t replay(Ref ref, std::vector<Ref>& needed);
  RealId* cached(Ref ref);
  void grow(unsigned view);

  struct Cache {
    std::vector<RealId> ids;
    std::vector<uint8_t> flags;
  };
  std::array<Cache, View::kCount> caches_;
  std::vector<Ref> stack_;
  std::vector<Ref>* needed_ = nullptr;
  bool pending_ = false;
  uint8_t own_flags_ = 0, operand_flags_ = 0;
  std::vector<uint8_t> total_;
  std::optional<Bounds> own_bounds_;
  std::optional<Affine> own_affine_;
  std::unordered_map<uint64_t, Bounds> bounds_;  // by term and view
  std::unordered_map<uint64_t, Affine> affine_;  // likewise
  BitSlices slices_;
};

// One row per op::Kind: how a node reads. Null: opaque.
using RowFunction = RealId (*)(Reader& reader, const term::Node& node, Ref ref);
struct ReadingRow {
  op::Kind kind;
  RowFunction as_float;  // the node's own type is a float format, or it is a bit operation
  RowFunction as_integer;
  RowFunction as_predicate;
};
const ReadingRow& reading_row(op::Kind kind);

// Do two float formats have the same values, idealised? (TF32 is stored as f32.)
inline bool same_format(op::Type a, op::Type b) {
  const auto storage = [](op::Type t) { return t == op::Type::kTF32 ? op::Type::kF32 : t; };
  return storage(a) == storage(b);
}

// Rows, by file. reading_float.cpp:
RealId float_constant(Reader& reader, const term::Node& node, Ref ref);
RealId float_leaf(Reader& reader, const term::Node& node, Ref ref);
RealId float_arithmetic(Reader& reader, const term::Node& node, Ref ref);
RealId float_minmax(Reader& reader, const term::Node& node, Ref ref);
RealId float_copysign(Reader& reader, const term::Node& node, Ref ref);
RealId float_rint(Reader& reader, const term::Node& node, Ref ref);
RealId float_convert(Reader& reader, const term::Node& node, Ref ref);
RealId float_from_integer(Reader& reader, const term::Node& node, Ref ref);
// Notes that an operation whose result is of this type rounds, and may overflow.
void note_rounding(Reader& reader, op::Type type);
// The step function that a rounding mode to integers is, or nothing.
std::optional<Kind> step(op::Rounding rounding);
RealId read_library(Reader& reader, const term::Node& node, Ref ref);
// reading_dot.cpp:
RealId float_dot_open(Reader& reader, const term::Node& node, Ref ref);
RealId float_dot_term(Reader& reader, const term::Node& node, Ref ref);
RealId float_dot_close(Reader& reader, const term::Node& node, Ref ref);
// reading_bits.cpp:
RealId float_select(Reader& reader, const term::Node& node, Ref ref);
RealId float_concat(Reader& reader, const term::Node& node, Ref ref);
RealId float_shift(Reader& reader, const term::Node& node, Ref ref);
RealId float_and(Reader& reader, const term::Node& node, Ref ref);
RealId float_or(Reader& reader, const term::Node& node, Ref ref);
RealId float_xor(Reader& reader, const term::Node& node, Ref ref);
RealId read_sign(Reader& reader, const term::Node& node, Ref ref);
// reading_float.cpp: these bits as a float.
RealId float_literal(Dag& dag, op::Type type, uint64_t bits);
// reading_magic.cpp: sums with a constant that rounds to a whole number; else opaque.
RealId float_magic(Reader& reader, const term::Node& node, Ref ref);
RealId integer_magic(Reader& reader, const term::Node& node, Ref ref);
// reading_order.cpp: a float that was taken apart to be compared as an integer, put together again
// (kNoReal: operands are pending); a comparison of two such integers. Nothing where it is none.
std::optional<RealId> float_ordered(Reader& reader, Ref ref);
std::optional<RealId> predicate_of_keys(Reader& reader, const term::Node& node);
// reading_encoding.cpp: a float whose bits integer operations put together; or opaque.
RealId float_encoding(Reader& reader, const term::Node& node, Ref ref);
// reading_fields.cpp:
// The number that bits [from, from+width) of a term are, with bounds; kNoReal where operands are
// pending or (with *unknown set) where these bits have no meaning over the reals.
RealId read_field(Reader& reader, term::TermId source, unsigned from, unsigned width,
                  Bounds* bounds, bool* unknown);
// A term that holds the bits of a float, of one format.
bool is_float_bits(const term::Arena& arena, term::TermId id);
// As an unsigned number, by where its bits come from.
RealId integer_from_slices(Reader& reader, Ref ref);
// Between the files of integers:
bool within(Bounds inner, Bounds outer);
mpq_class to_rational(Wide value);
Wide to_wide(const mpz_class& value);
// The whole numbers in both.
Bounds narrowed(Bounds range, const Affine& affine);
RealId bounded(Reader& reader, Ref ref, RealId value, Bounds range);
RealId other_signedness(Reader& reader, Ref ref);
RealId read_residue(Reader& reader, const term::Node& node, Ref ref);
// The reals that a value made of minima, maxima and magnitudes with constants lies between.
struct Ends {
  std::optional<mpq_class> low, high;
};
Ends lattice_ends(const Dag& dag, RealId value);
// reading_integer.cpp:
RealId integer_constant(Reader& reader, const term::Node& node, Ref ref);
RealId integer_leaf(Reader& reader, const term::Node& node, Ref ref);
RealId integer_select(Reader& reader, const term::Node& node, Ref ref);
RealId integer_extend(Reader& reader, const term::Node& node, Ref ref);
RealId integer_arithmetic(Reader& reader, const term::Node& node, Ref ref);
RealId integer_minmax(Reader& reader, const term::Node& node, Ref ref);
RealId integer_shift(Reader& reader, const term::Node& node, Ref ref);
RealId integer_structure(Reader& reader, const term::Node& node, Ref ref);
RealId integer_quotient(Reader& reader, const term::Node& node, Ref ref);
RealId integer_high_product(Reader& reader, const term::Node& node, Ref ref);
RealId integer_count(Reader& reader, const term::Node& node, Ref ref);
RealId integer_from_float(Reader& reader, const term::Node& node, Ref ref);
// reading_predicate.cpp:
RealId predicate_constant(Reader& reader, const term::Node& node, Ref ref);
RealId predicate_logic(Reader& reader, const term::Node& node, Ref ref);
RealId predicate_select(Reader& reader, const term::Node& node, Ref ref);
RealId predicate_equal(Reader& reader, const term::Node& node, Ref ref);
RealId predicate_less(Reader& reader, const term::Node& node, Ref ref);
RealId predicate_float(Reader& reader, const term::Node& node, Ref ref);
RealId predicate_unordered(Reader& reader, const term::Node& node, Ref ref);

}  // namespace ptxequiv::real
