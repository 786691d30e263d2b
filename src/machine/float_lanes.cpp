// Whole-warp floating point for concrete execution: the processor's own arithmetic where it and
// op::evaluate agree for certain, op::evaluate elsewhere.
#include <bit>
#include <cmath>
#include <limits>

#include "machine/lane_loop.h"
#include "op/evaluate.h"

namespace ptxequiv::machine {
namespace {

using op::Kind;

template <typename Float, typename Bits>
struct Format {
  // Round to nearest, ties to even, is the processor's mode. NaN results (whose payload PTX
  // defines) and, with .ftz, whatever is near the subnormals are left to op::evaluate.
  static bool settled(Float result, bool ftz) {
    if (std::isnan(result)) return false;
    return !ftz || std::fabs(result) >= 2 * std::numeric_limits<Float>::min();
  }
  static bool subnormal(Float x) {
    return x != 0 && std::fabs(x) < std::numeric_limits<Float>::min();
  }
  static Float value(uint64_t bits) { return std::bit_cast<Float>(static_cast<Bits>(bits)); }

  template <typename F>
  static void run(op::Op op, const LaneOperands& in, uint64_t* d, unsigned count, F&& f) {
    const unsigned arity = op::arity(op.kind);
    for (unsigned i = 0; i < count; ++i) {
      const uint64_t ab = in.a[i * in.a_step], bb = in.b[i * in.b_step], cb = in.c[i * in.c_step];
      const Float a = value(ab), b = value(bb), c = value(cb);
      const Float result = f(a, b, c);
      const bool flushed = op.ftz && (subnormal(a) || subnormal(b) || (arity > 2 && subnormal(c)));
      d[i] = settled(result, op.ftz) && !flushed ? std::bit_cast<Bits>(result)
                                                 : op::evaluate(op, ab, bb, cb).bits;
    }
  }

  static bool dispatch(op::Op op, const LaneOperands& in, uint64_t* d, unsigned count) {
    switch (op.kind) {
      case Kind::kFAdd:
        run(op, in, d, count, [](Float a, Float b, Float) { return a + b; });
        return true;
      case Kind::kFSub:
        run(op, in, d, count, [](Float a, Float b, Float) { return a - b; });
        return true;
      case Kind::kFMul:
        run(op, in, d, count, [](Float a, Float b, Float) { return a * b; });
        return true;
      case Kind::kFFma:
        run(op, in, d, count, [](Float a, Float b, Float c) { return std::fma(a, b, c); });
        return true;
      default:
        return false;
    }
  }
};

}  // namespace

bool run_float_lanes(op::Op op, const LaneOperands& in, uint64_t* d, unsigned count) {
  if (op.sat || op.relu) return false;
  if (op.rounding != op::Rounding::kRn && op.rounding != op::Rounding::kAny) return false;
  if (op.type == op::Type::kF32) return Format<float, uint32_t>::dispatch(op, in, d, count);
  if (op.type == op::Type::kF64) return Format<double, uint64_t>::dispatch(op, in, d, count);
  return false;
}

}  // namespace ptxequiv::machine
