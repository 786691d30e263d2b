// The table: how a node of each kind reads. An empty entry is opaque.
#include "real/reader.h"

namespace ptxequiv::real {
namespace {

constexpr auto kRows = static_cast<size_t>(op::Kind::kCount);

// kind, as a float, as an integer, as a predicate
constexpr std::array<ReadingRow, kRows> kTable = {{
    {op::Kind::kConst, float_constant, integer_constant, predicate_constant},
    {op::Kind::kInput, float_leaf, integer_leaf, nullptr},
    {op::Kind::kInitial, float_leaf, integer_leaf, nullptr},
    {op::Kind::kScalar, float_leaf, integer_leaf, nullptr},
    {op::Kind::kAddress, nullptr, nullptr, nullptr},
    {op::Kind::kPoison, nullptr, nullptr, nullptr},
    {op::Kind::kFresh, float_leaf, integer_leaf, nullptr},
    {op::Kind::kHole, float_leaf, integer_leaf, nullptr},
    {op::Kind::kExtract, float_encoding, integer_structure, nullptr},
    {op::Kind::kConcat, float_concat, integer_structure, nullptr},
    {op::Kind::kZext, float_encoding, integer_extend, nullptr},
    {op::Kind::kSext, nullptr, integer_extend, nullptr},
    {op::Kind::kSelect, float_select, integer_select, predicate_select},
    {op::Kind::kAdd, float_encoding, integer_arithmetic, nullptr},
    {op::Kind::kSub, float_encoding, integer_arithmetic, nullptr},
    {op::Kind::kMul, nullptr, integer_arithmetic, nullptr},
    {op::Kind::kMulHiU, nullptr, integer_high_product, nullptr},
    {op::Kind::kMulHiS, nullptr, integer_high_product, nullptr},
    {op::Kind::kDivU, nullptr, integer_quotient, nullptr},
    {op::Kind::kDivS, nullptr, integer_quotient, nullptr},
    {op::Kind::kRemU, nullptr, integer_quotient, nullptr},
    {op::Kind::kRemS, nullptr, integer_quotient, nullptr},
    {op::Kind::kMinU, nullptr, integer_minmax, nullptr},
    {op::Kind::kMinS, nullptr, integer_minmax, nullptr},
    {op::Kind::kMaxU, nullptr, integer_minmax, nullptr},
    {op::Kind::kMaxS, nullptr, integer_minmax, nullptr},
    {op::Kind::kAbsS, nullptr, integer_minmax, nullptr},
    {op::Kind::kAnd, float_and, integer_structure, predicate_logic},
    {op::Kind::kOr, float_or, integer_structure, predicate_logic},
    {op::Kind::kXor, float_xor, integer_structure, predicate_logic},
    {op::Kind::kNot, float_encoding, integer_structure, predicate_logic},
    {op::Kind::kShl, float_shift, integer_arithmetic, nullptr},
    {op::Kind::kShrU, float_encoding, integer_structure, nullptr},
    {op::Kind::kShrS, nullptr, integer_shift, nullptr},
    {op::Kind::kPopc, nullptr, integer_count, nullptr},
    {op::Kind::kClz, nullptr, integer_count, nullptr},
    {op::Kind::kBrev, nullptr, nullptr, nullptr},
    {op::Kind::kBfindU, nullptr, nullptr, nullptr},
    {op::Kind::kBfindS, nullptr, nullptr, nullptr},
    {op::Kind::kBfeU, nullptr, nullptr, nullptr},
    {op::Kind::kBfeS, nullptr, nullptr, nullptr},
    {op::Kind::kPrmt, nullptr, nullptr, nullptr},
    {op::Kind::kEq, nullptr, nullptr, predicate_equal},
    {op::Kind::kLtU, nullptr, nullptr, predicate_less},
    {op::Kind::kLtS, nullptr, nullptr, predicate_less},
    {op::Kind::kFAdd, float_arithmetic, integer_magic, nullptr},
    {op::Kind::kFSub, float_arithmetic, integer_magic, nullptr},
    {op::Kind::kFMul, float_arithmetic, nullptr, nullptr},
    {op::Kind::kFFma, float_arithmetic, nullptr, nullptr},
    {op::Kind::kFDiv, float_arithmetic, nullptr, nullptr},
    {op::Kind::kFRcp, float_arithmetic, nullptr, nullptr},
    {op::Kind::kFSqrt, float_arithmetic, nullptr, nullptr},
    {op::Kind::kFRsqrt, float_arithmetic, nullptr, nullptr},
    {op::Kind::kFEx2, float_arithmetic, nullptr, nullptr},
    {op::Kind::kFLg2, float_arithmetic, nullptr, nullptr},
    {op::Kind::kFSin, float_arithmetic, nullptr, nullptr},
    {op::Kind::kFCos, float_arithmetic, nullptr, nullptr},
    {op::Kind::kFTanh, float_arithmetic, nullptr, nullptr},
    {op::Kind::kFMin, float_minmax, nullptr, nullptr},
    {op::Kind::kFMax, float_minmax, nullptr, nullptr},
    {op::Kind::kFAbs, float_arithmetic, nullptr, nullptr},
    {op::Kind::kFNeg, float_arithmetic, nullptr, nullptr},
    {op::Kind::kFCopysign, float_copysign, nullptr, nullptr},
    {op::Kind::kFRint, float_rint, nullptr, nullptr},
    {op::Kind::kFCvt, float_convert, nullptr, nullptr},
    {op::Kind::kFToI, nullptr, integer_from_float, nullptr},
    {op::Kind::kIToF, float_from_integer, nullptr, nullptr},
    {op::Kind::kFEq, nullptr, nullptr, predicate_float},
    {op::Kind::kFLt, nullptr, nullptr, predicate_float},
    {op::Kind::kFLe, nullptr, nullptr, predicate_float},
    {op::Kind::kFUnordered, nullptr, nullptr, predicate_unordered},
    {op::Kind::kDotOpen, float_dot_open, nullptr, nullptr},
    {op::Kind::kDotTerm, float_dot_term, nullptr, nullptr},
    {op::Kind::kDotClose, float_dot_close, nullptr, nullptr},
}};

constexpr bool in_order() {
  for (size_t i = 0; i < kRows; ++i) {
    if (kTable[i].kind != static_cast<op::Kind>(i)) return false;
  }
  return true;
}
static_assert(in_order());

}  // namespace

const ReadingRow& reading_row(op::Kind kind) {
  return kTable[static_cast<size_t>(kind)];
}

}  // namespace ptxequiv::real
