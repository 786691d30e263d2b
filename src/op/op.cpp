#include "op/op.h"

#include <bit>
#include <cstring>

namespace ptxequiv::op {

// kind, name, arity, commutative, is_float, is_predicate
const KindInfo kind_table[] = {
    {Kind::kConst, "const", 0, false, false, false},
    {Kind::kInput, "input", 0, false, false, false},
    {Kind::kInitial, "initial", 0, false, false, false},
    {Kind::kScalar, "scalar", 0, false, false, false},
    {Kind::kAddress, "address", 0, false, false, false},
    {Kind::kPoison, "poison", 0, false, false, false},
    {Kind::kFresh, "fresh", 0, false, false, false},
    {Kind::kHole, "hole", 0, false, false, false},
    {Kind::kExtract, "extract", 1, false, false, false},
    {Kind::kConcat, "concat", 2, false, false, false},
    {Kind::kZext, "zext", 1, false, false, false},
    {Kind::kSext, "sext", 1, false, false, false},
    {Kind::kSelect, "select", 3, false, false, false},
    {Kind::kAdd, "add", 2, true, false, false},
    {Kind::kSub, "sub", 2, false, false, false},
    {Kind::kMul, "mul", 2, true, false, false},
    {Kind::kMulHiU, "mulhi.u", 2, true, false, false},
    {Kind::kMulHiS, "mulhi.s", 2, true, false, false},
    {Kind::kDivU, "div.u", 2, false, false, false},
    {Kind::kDivS, "div.s", 2, false, false, false},
    {Kind::kRemU, "rem.u", 2, false, false, false},
    {Kind::kRemS, "rem.s", 2, false, false, false},
    {Kind::kMinU, "min.u", 2, true, false, false},
    {Kind::kMinS, "min.s", 2, true, false, false},
    {Kind::kMaxU, "max.u", 2, true, false, false},
    {Kind::kMaxS, "max.s", 2, true, false, false},
    {Kind::kAbsS, "abs.s", 1, false, false, false},
    {Kind::kAnd, "and", 2, true, false, false},
    {Kind::kOr, "or", 2, true, false, false},
    {Kind::kXor, "xor", 2, true, false, false},
    {Kind::kNot, "not", 1, false, false, false},
    {Kind::kShl, "shl", 2, false, false, false},
    {Kind::kShrU, "shr.u", 2, false, false, false},
    {Kind::kShrS, "shr.s", 2, false, false, false},
    {Kind::kPopc, "popc", 1, false, false, false},
    {Kind::kClz, "clz", 1, false, false, false},
    {Kind::kBrev, "brev", 1, false, false, false},
    {Kind::kBfindU, "bfind.u", 1, false, false, false},
    {Kind::kBfindS, "bfind.s", 1, false, false, false},
    {Kind::kBfeU, "bfe.u", 3, false, false, false},
    {Kind::kBfeS, "bfe.s", 3, false, false, false},
    {Kind::kPrmt, "prmt", 3, false, false, false},
    {Kind::kEq, "eq", 2, true, false, true},
    {Kind::kLtU, "lt.u", 2, false, false, true},
    {Kind::kLtS, "lt.s", 2, false, false, true},
    {Kind::kFAdd, "fadd", 2, true, true, false},
    {Kind::kFSub, "fsub", 2, false, true, false},
    {Kind::kFMul, "fmul", 2, true, true, false},
    {Kind::kFFma, "ffma", 3, true, true, false},
    {Kind::kFDiv, "fdiv", 2, false, true, false},
    {Kind::kFRcp, "frcp", 1, false, true, false},
    {Kind::kFSqrt, "fsqrt", 1, false, true, false},
    {Kind::kFRsqrt, "frsqrt", 1, false, true, false},
    {Kind::kFEx2, "fex2", 1, false, true, false},
    {Kind::kFLg2, "flg2", 1, false, true, false},
    {Kind::kFSin, "fsin", 1, false, true, false},
    {Kind::kFCos, "fcos", 1, false, true, false},
    {Kind::kFTanh, "ftanh", 1, false, true, false},
    {Kind::kFMin, "fmin", 2, true, true, false},
    {Kind::kFMax, "fmax", 2, true, true, false},
    {Kind::kFAbs, "fabs", 1, false, true, false},
    {Kind::kFNeg, "fneg", 1, false, true, false},
    {Kind::kFCopysign, "fcopysign", 2, false, true, false},
    {Kind::kFRint, "frint", 1, false, true, false},
    {Kind::kFCvt, "fcvt", 1, false, true, false},
    {Kind::kFToI, "ftoi", 1, false, true, false},
    {Kind::kIToF, "itof", 1, false, true, false},
    {Kind::kFEq, "feq", 2, true, false, true},
    {Kind::kFLt, "flt", 2, false, false, true},
    {Kind::kFLe, "fle", 2, false, false, true},
    {Kind::kFUnordered, "funordered", 2, true, false, true},
    {Kind::kDotOpen, "dot.open", 1, false, true, false},
    {Kind::kDotTerm, "dot.term", 3, false, true, false},
    {Kind::kDotClose, "dot.close", 1, false, true, false},
};

namespace {

constexpr bool rows_in_order() {
  return sizeof(kind_table) / sizeof(kind_table[0]) == static_cast<unsigned>(Kind::kCount);
}
static_assert(rows_in_order());

std::string_view rounding_name(Rounding rounding, bool to_integral) {
  switch (rounding) {
    case Rounding::kNone:
      return "";
    case Rounding::kRn:
      return to_integral ? ".rni" : ".rn";
    case Rounding::kRz:
      return to_integral ? ".rzi" : ".rz";
    case Rounding::kRm:
      return to_integral ? ".rmi" : ".rm";
    case Rounding::kRp:
      return to_integral ? ".rpi" : ".rp";
    case Rounding::kRna:
      return ".rna";
    case Rounding::kAny:
      return ".any";
    case Rounding::kApprox:
      return ".approx";
  }
  return "";
}

}  // namespace

uint32_t Op::packed() const {
  static_assert(std::has_unique_object_representations_v<uint32_t>);
  uint32_t value;
  std::memcpy(&value, this, sizeof value);  // every bit of the four bytes belongs to a field
  return value;
}

unsigned operand_bits(Op op, unsigned index) {
  switch (op.kind) {
    case Kind::kSelect:
      return index == 0 ? 1 : bits(op.type);
    case Kind::kConcat:
      return bits(op.type) / 2;
    case Kind::kExtract:
      return 0;  // any width that holds the bits
    case Kind::kZext:
    case Kind::kSext:
    case Kind::kPopc:
    case Kind::kClz:
    case Kind::kBfindU:
    case Kind::kBfindS:
    case Kind::kFCvt:
    case Kind::kFToI:
    case Kind::kIToF:
    case Kind::kDotClose:
      return bits(op.src);
    case Kind::kDotTerm:
      return index == 0 ? bits(op.type) : bits(op.src);
    case Kind::kShl:
    case Kind::kShrU:
    case Kind::kShrS:
    case Kind::kBfeU:
    case Kind::kBfeS:
      return index == 0 ? bits(op.type) : 32;
    default:
      return bits(op.type);
  }
}

std::string to_string(Op op) {
  const bool to_integral = op.kind == Kind::kFRint || op.kind == Kind::kFToI;
  std::string text(info(op.kind).name);
  text += rounding_name(op.rounding, to_integral);
  if (op.ftz) text += ".ftz";
  if (op.nan) text += op.kind == Kind::kFDiv ? ".full" : ".NaN";
  if (op.relu) text += ".relu";
  if (op.sat) text += ".sat";
  if (op.satfinite) text += ".satfinite";
  if (op.type != Type::kNone) (text += '.') += name(op.type);
  if (op.src != Type::kNone) (text += '.') += name(op.src);
  return text;
}

}  // namespace ptxequiv::op
