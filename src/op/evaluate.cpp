#include "op/evaluate.h"

#include <iterator>

#include "base/error.h"
#include "op/internal.h"

namespace ptxequiv::op {
namespace {

constexpr unsigned kLeaves = static_cast<unsigned>(Kind::kHole) + 1;

struct Row {
  Kind kind;
  handlers::Handler handler;
};

// In the order of Kind, leaves left out.
constexpr Row kRows[] = {
    {Kind::kExtract, handlers::extract},
    {Kind::kConcat, handlers::concat},
    {Kind::kZext, handlers::zext},
    {Kind::kSext, handlers::sext},
    {Kind::kSelect, handlers::select},
    {Kind::kAdd, handlers::add},
    {Kind::kSub, handlers::sub},
    {Kind::kMul, handlers::mul},
    {Kind::kMulHiU, handlers::mul_hi_u},
    {Kind::kMulHiS, handlers::mul_hi_s},
    {Kind::kDivU, handlers::div_u},
    {Kind::kDivS, handlers::div_s},
    {Kind::kRemU, handlers::rem_u},
    {Kind::kRemS, handlers::rem_s},
    {Kind::kMinU, handlers::min_u},
    {Kind::kMinS, handlers::min_s},
    {Kind::kMaxU, handlers::max_u},
    {Kind::kMaxS, handlers::max_s},
    {Kind::kAbsS, handlers::abs_s},
    {Kind::kAnd, handlers::bit_and},
    {Kind::kOr, handlers::bit_or},
    {Kind::kXor, handlers::bit_xor},
    {Kind::kNot, handlers::bit_not},
    {Kind::kShl, handlers::shl},
    {Kind::kShrU, handlers::shr_u},
    {Kind::kShrS, handlers::shr_s},
    {Kind::kPopc, handlers::popc},
    {Kind::kClz, handlers::clz},
    {Kind::kBrev, handlers::brev},
    {Kind::kBfindU, handlers::bfind_u},
    {Kind::kBfindS, handlers::bfind_s},
    {Kind::kBfeU, handlers::bfe_u},
    {Kind::kBfeS, handlers::bfe_s},
    {Kind::kPrmt, handlers::prmt},
    {Kind::kEq, handlers::eq},
    {Kind::kLtU, handlers::lt_u},
    {Kind::kLtS, handlers::lt_s},
    {Kind::kFAdd, handlers::fadd},
    {Kind::kFSub, handlers::fsub},
    {Kind::kFMul, handlers::fmul},
    {Kind::kFFma, handlers::ffma},
    {Kind::kFDiv, handlers::fdiv},
    {Kind::kFRcp, handlers::frcp},
    {Kind::kFSqrt, handlers::fsqrt},
    {Kind::kFRsqrt, handlers::frsqrt},
    {Kind::kFEx2, handlers::fex2},
    {Kind::kFLg2, handlers::flg2},
    {Kind::kFSin, handlers::fsin},
    {Kind::kFCos, handlers::fcos},
    {Kind::kFTanh, handlers::ftanh},
    {Kind::kFMin, handlers::fmin},
    {Kind::kFMax, handlers::fmax},
    {Kind::kFAbs, handlers::fabs},
    {Kind::kFNeg, handlers::fneg},
    {Kind::kFCopysign, handlers::fcopysign},
    {Kind::kFRint, handlers::frint},
    {Kind::kFCvt, handlers::fcvt},
    {Kind::kFToI, handlers::ftoi},
    {Kind::kIToF, handlers::itof},
    {Kind::kFEq, handlers::feq},
    {Kind::kFLt, handlers::flt},
    {Kind::kFLe, handlers::fle},
    {Kind::kFUnordered, handlers::funordered},
};

constexpr bool in_order() {
  unsigned kind = kLeaves;
  for (const Row& row : kRows) {
    if (static_cast<unsigned>(row.kind) != kind++) return false;
  }
  return kind == static_cast<unsigned>(Kind::kDotOpen);  // the rest: evaluate_dot
}
static_assert(in_order());

}  // namespace

Result evaluate(Op op, uint64_t a, uint64_t b, uint64_t c) {
  const unsigned kind = static_cast<unsigned>(op.kind);
  PTXEQUIV_CHECK(kind >= kLeaves && kind < static_cast<unsigned>(Kind::kDotOpen),
                 "only scalar operations can be evaluated");
  const unsigned width = result_bits(op);
  PTXEQUIV_CHECK(width >= 1 && width <= 64, "operation of an unsupported width");
  uint64_t operands[3] = {a, b, c};
  if (op.kind != Kind::kExtract) {
    for (unsigned i = 0; i < arity(op.kind); ++i) operands[i] &= mask(operand_bits(op, i));
  }
  Result result = kRows[kind - kLeaves].handler(op, operands[0], operands[1], operands[2]);
  result.bits &= mask(width);
  return result;
}

}  // namespace ptxequiv::op
