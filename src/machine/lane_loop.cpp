#include "machine/lane_loop.h"

namespace ptxequiv::machine {
namespace {

using op::Kind;

template <typename F>
void each(const LaneOperands& in, uint64_t* d, unsigned count, F&& f) {
  if (in.a_step == 1 && in.b_step == 1 && in.c_step == 1) {
    for (unsigned i = 0; i < count; ++i) d[i] = f(in.a[i], in.b[i], in.c[i]);
    return;
  }
  for (unsigned i = 0; i < count; ++i) {
    d[i] = f(in.a[i * in.a_step], in.b[i * in.b_step], in.c[i * in.c_step]);
  }
}

int64_t extend(uint64_t x, unsigned width) {
  return sign_extend(x, width);
}

}  // namespace

bool run_lanes(op::Op op, unsigned position, const LaneOperands& in, uint64_t* d, unsigned count) {
  const unsigned width = op::bits(op.type);
  if (width == 0 || width > 64) return false;
  const uint64_t m = op::mask(width);
  switch (op.kind) {
    case Kind::kAdd:
      each(in, d, count, [m](uint64_t x, uint64_t y, uint64_t) { return (x + y) & m; });
      return true;
    case Kind::kSub:
      each(in, d, count, [m](uint64_t x, uint64_t y, uint64_t) { return (x - y) & m; });
      return true;
    case Kind::kMul:
      each(in, d, count, [m](uint64_t x, uint64_t y, uint64_t) { return (x * y) & m; });
      return true;
    case Kind::kAnd:
      each(in, d, count, [m](uint64_t x, uint64_t y, uint64_t) { return x & y & m; });
      return true;
    case Kind::kOr:
      each(in, d, count, [m](uint64_t x, uint64_t y, uint64_t) { return (x | y) & m; });
      return true;
    case Kind::kXor:
      each(in, d, count, [m](uint64_t x, uint64_t y, uint64_t) { return (x ^ y) & m; });
      return true;
    case Kind::kNot:
      each(in, d, count, [m](uint64_t x, uint64_t, uint64_t) { return ~x & m; });
      return true;
    case Kind::kShl:
      each(in, d, count,
           [m, width](uint64_t x, uint64_t y, uint64_t) { return y >= width ? 0 : (x << y) & m; });
      return true;
    case Kind::kShrU:
      each(in, d, count,
           [m, width](uint64_t x, uint64_t y, uint64_t) { return y >= width ? 0 : (x & m) >> y; });
      return true;
    case Kind::kShrS:
      each(in, d, count, [m, width](uint64_t x, uint64_t y, uint64_t) {
        const uint64_t n = y >= width ? width - 1 : y;
        return static_cast<uint64_t>(extend(x, width) >> n) & m;
      });
      return true;
    case Kind::kZext: {
      const uint64_t from = op::mask(op::bits(op.src));
      each(in, d, count, [from](uint64_t x, uint64_t, uint64_t) { return x & from; });
      return true;
    }
    case Kind::kSext: {
      const unsigned from = op::bits(op.src);
      each(in, d, count, [m, from](uint64_t x, uint64_t, uint64_t) {
        return static_cast<uint64_t>(extend(x, from)) & m;
      });
      return true;
    }
    case Kind::kExtract:
      each(in, d, count,
           [m, position](uint64_t x, uint64_t, uint64_t) { return x >> position & m; });
      return true;
    case Kind::kEq:
      each(in, d, count,
           [m](uint64_t x, uint64_t y, uint64_t) -> uint64_t { return ((x ^ y) & m) == 0; });
      return true;
    case Kind::kLtU:
      each(in, d, count,
           [m](uint64_t x, uint64_t y, uint64_t) -> uint64_t { return (x & m) < (y & m); });
      return true;
    case Kind::kLtS:
      each(in, d, count, [width](uint64_t x, uint64_t y, uint64_t) -> uint64_t {
        return extend(x, width) < extend(y, width);
      });
      return true;
    case Kind::kSelect:
      each(in, d, count, [](uint64_t x, uint64_t y, uint64_t z) { return x & 1 ? y : z; });
      return true;
    default:
      return false;
  }
}

}  // namespace ptxequiv::machine
