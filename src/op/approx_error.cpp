#include "op/approx_error.h"

#include <limits>

namespace ptxequiv::op {
namespace {

constexpr double kAll = std::numeric_limits<double>::infinity();
constexpr double kPi = 3.14159265358979;
constexpr double kLeast32 = 1.1754943508222876e-38;  // least normal f32, and bf16
constexpr double kLeast64 = 2.2250738585072014e-308;
constexpr double kTwo126 = 8.507059173023462e37;

constexpr ApproxError kRows[] = {
    {Kind::kFEx2, Type::kF32, 1.46e-7, kLeast32, kAll},
    {Kind::kFLg2, Type::kF32, 1.21e-7, 2.16e-7, kAll},
    {Kind::kFSin, Type::kF32, 0, 3.48e-7, kPi},
    {Kind::kFCos, Type::kF32, 0, 4.04e-7, kPi},
    {Kind::kFTanh, Type::kF32, 1.12e-5, kLeast32, kAll},
    {Kind::kFRcp, Type::kF32, 9.84e-8, kLeast32, kAll},
    {Kind::kFRsqrt, Type::kF32, 1.25e-7, 0, kAll},
    {Kind::kFSqrt, Type::kF32, 1.01e-7, kLeast32, kAll},
    {Kind::kFDiv, Type::kF32, 1.57e-7, kLeast32, kTwo126},
    {Kind::kFEx2, Type::kF16, 9.76e-4, 6e-8, kAll},
    {Kind::kFTanh, Type::kF16, 9.64e-4, 6e-8, kAll},
    {Kind::kFEx2, Type::kBF16, 7.72e-3, kLeast32, kAll},
    {Kind::kFTanh, Type::kBF16, 7.75e-3, kLeast32, kAll},
    {Kind::kFRcp, Type::kF64, 9.93e-7, kLeast64, kAll},
    {Kind::kFRsqrt, Type::kF64, 9.29e-7, kLeast64, kAll},
};

}  // namespace

const ApproxError* approx_error(Op op) {
  if (op.rounding != Rounding::kApprox) return nullptr;
  for (const ApproxError& row : kRows) {
    if (row.kind == op.kind && row.type == op.type) return &row;
  }
  return nullptr;
}

}  // namespace ptxequiv::op
