// The scalar operations: what every computation in a kernel is made of once its PTX is lowered.
// One table (op.cpp, kind_table) says what each is; evaluate.h gives its one exact meaning.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "op/type.h"

namespace ptxequiv::op {

// Operands are typeless bits. `Op::type` is the operation's type: the result's, except for
// comparisons, where it is the operands' and the result is one bit.
enum class Kind : uint8_t {
  // Leaves: not computed. Payloads are described in term/arena.h.
  kConst, kInput, kInitial, kScalar, kAddress, kPoison, kFresh, kHole,
  // Structure of bits. kExtract: bits [b, b+width(type)) of a (b is a number, not an operand).
  // kConcat: a is the high half, b the low half, both half as wide as `type`.
  kExtract, kConcat, kZext, kSext,          // kZext/kSext: from width(src) to width(type)
  kSelect,                                  // a ? b : c, a is a predicate
  // Integers, modulo 2^width.
  kAdd, kSub, kMul, kMulHiU, kMulHiS, kDivU, kDivS, kRemU, kRemS,
  kMinU, kMinS, kMaxU, kMaxS, kAbsS,
  kAnd, kOr, kXor, kNot,                    // also on predicates
  kShl, kShrU, kShrS,                       // b is 32 bits wide and unsigned; b >= width: 0 or sign
  kPopc, kClz, kBrev, kBfindU, kBfindS,     // popc/clz/bfind: result 32 bits, operand width(src)
  kBfeU, kBfeS,                             // a, position b, length c (PTX 9.7.1.20)
  kPrmt,                                    // a, b, selector c; default mode (9.7.9.7)
  kEq, kLtU, kLtS,
  // Floating point. Rounding and flags in Op.
  kFAdd, kFSub, kFMul, kFFma, kFDiv, kFRcp, kFSqrt, kFRsqrt,
  kFEx2, kFLg2, kFSin, kFCos, kFTanh,
  kFMin, kFMax, kFAbs, kFNeg, kFCopysign,   // copysign: sign of a, magnitude of b (9.7.3.2)
  kFRint,                                   // to an integral value, by `rounding` (cvt.rni.f32.f32)
  kFCvt,                                    // float src to float type
  kFToI, kIToF,                             // float src to integer type; integer src to float type
  kFEq, kFLt, kFLe, kFUnordered,            // ordered comparisons; kFUnordered: either is NaN
  // One pass of a tensor core: kDotOpen(c) is the accumulator, of `type`; each kDotTerm(chain, a, b)
  // adds the product of two elements of type `src` (`type` is still the accumulator's);
  // kDotClose(chain) is the sum, rounded once from the accumulator's type `src` to `type`. Open
  // chains have no bits of their own: evaluate_dot gives the meaning of a whole one.
  kDotOpen, kDotTerm, kDotClose,
  kCount
};

enum class Rounding : uint8_t {
  kNone,    // not a rounding operation, or the type's default
  kRn, kRz, kRm, kRp, kRna,
  kAny,     // un-suffixed add/sub/mul: rounds to nearest, and ptxas may fuse it (contraction)
  kApprox,  // .approx and .full: the hardware's approximation
};

// 32 bits, so that a term node is 16 bytes.
struct Op {
  Kind kind = Kind::kConst;
  Type type = Type::kNone;
  Type src = Type::kNone;            // conversions, extensions, popc: the operand's type
  Rounding rounding : 3 = Rounding::kNone;
  uint8_t ftz : 1 = 0;               // subnormal inputs and results are zero
  uint8_t sat : 1 = 0;               // clamp to [0, 1]; for kFToI always saturating anyway
  uint8_t nan : 1 = 0;               // min/max: NaN wins (.NaN); an approximate kFDiv: div.full
  uint8_t satfinite : 1 = 0;         // or .relu on kFCvt; see `relu`
  uint8_t relu : 1 = 0;

  friend bool operator==(const Op&, const Op&) = default;
  uint32_t packed() const;           // unique per value, for hashing
};
static_assert(sizeof(Op) == 4);

struct KindInfo {
  Kind kind;
  std::string_view name;     // "fadd", "select"
  uint8_t arity;             // operands that are terms
  bool commutative;          // first two operands
  bool is_float;             // a floating-point arithmetic operation (may round)
  bool is_predicate;         // the result is one bit
};

extern const KindInfo kind_table[static_cast<unsigned>(Kind::kCount)];  // a constant table
inline const KindInfo& info(Kind kind) { return kind_table[static_cast<unsigned>(kind)]; }
inline unsigned arity(Kind kind) { return info(kind).arity; }
inline bool is_dot(Kind kind) { return kind >= Kind::kDotOpen && kind <= Kind::kDotClose; }
// Width of the result in bits.
inline unsigned result_bits(Op op) { return info(op.kind).is_predicate ? 1 : bits(op.type); }
// Width of operand `index` (below the arity) in bits: a select's condition is 1, a shift amount 32.
unsigned operand_bits(Op op, unsigned index);
// "fadd.rn.ftz.f32": for printing and dumps.
std::string to_string(Op op);

}  // namespace ptxequiv::op
