// Between the files of `op` only: the handlers that give each Kind its meaning. Operands come
// masked to their widths; the result need not be.
#pragma once
#include <cstdint>

#include "op/evaluate.h"

namespace ptxequiv::op::handlers {

using Handler = Result (*)(Op op, uint64_t a, uint64_t b, uint64_t c);
using Function = Result(Op op, uint64_t a, uint64_t b, uint64_t c);

// integer.cpp
Function extract, concat, zext, sext, select;
Function add, sub, mul, mul_hi_u, mul_hi_s, div_u, div_s, rem_u, rem_s;
Function min_u, min_s, max_u, max_s, abs_s;
Function bit_and, bit_or, bit_xor, bit_not, shl, shr_u, shr_s;
Function popc, clz, brev, bfind_u, bfind_s, bfe_u, bfe_s, prmt;
Function eq, lt_u, lt_s;
// float_arith.cpp
Function fadd, fsub, fmul, ffma, fdiv, frcp, fsqrt;
// float_select.cpp
Function fmin, fmax, fabs, fneg, fcopysign, feq, flt, fle, funordered;
// convert.cpp
Function frint, fcvt, ftoi, itof;
// approx.cpp: correctly rounded, though the hardware only approximates
Function frsqrt, fex2, flg2, fsin, fcos, ftanh;

}  // namespace ptxequiv::op::handlers
