// Bits and integers, modulo 2^width.
#include <algorithm>
#include <bit>

#include "op/internal.h"

namespace ptxequiv::op::handlers {
namespace {

__extension__ typedef unsigned __int128 U128;  // not ISO C++
__extension__ typedef __int128 S128;

int64_t as_signed(uint64_t value, unsigned width) {
  const unsigned shift = 64 - width;
  return static_cast<int64_t>(value << shift) >> shift;
}
int64_t as_signed(Op op, uint64_t value) {
  return as_signed(value, bits(op.type));
}
uint64_t low32(uint64_t value) {
  return value & 0xffffffffu;
}

// Position of the most significant bit that is not the sign (9.7.1.17); all ones if there is none.
uint64_t bfind(uint64_t value) {
  return value == 0 ? 0xffffffffu : 63 - static_cast<unsigned>(std::countl_zero(value));
}

// bfe, PTX 9.7.1.20. The 32-bit form takes position and length modulo 256; the 64-bit form does not
// (found on hardware).
uint64_t bit_field(Op op, uint64_t a, uint64_t b, uint64_t c, bool is_signed) {
  const unsigned width = bits(op.type);
  const uint64_t position = width == 32 ? b & 255 : low32(b);
  const uint64_t length = width == 32 ? c & 255 : low32(c);
  if (length == 0) return 0;
  const uint64_t top = std::min<uint64_t>(position + length - 1, width - 1);
  const bool sign = is_signed && (a >> top & 1) != 0;
  uint64_t field = position >= width ? 0 : a >> position;
  const uint64_t valid = position >= width ? 0 : std::min<uint64_t>(length, width - position);
  field &= mask(static_cast<unsigned>(valid)) * (valid != 0);
  return sign ? field | ~(valid == 0 ? 0 : mask(static_cast<unsigned>(valid))) : field;
}

}  // namespace

Result extract(Op, uint64_t a, uint64_t b, uint64_t) {
  return {b >= 64 ? 0 : a >> b};
}
Result concat(Op op, uint64_t a, uint64_t b, uint64_t) {
  return {a << bits(op.type) / 2 | b};
}
Result zext(Op, uint64_t a, uint64_t, uint64_t) {
  return {a};
}
Result sext(Op op, uint64_t a, uint64_t, uint64_t) {
  return {static_cast<uint64_t>(as_signed(a, bits(op.src)))};
}
Result select(Op, uint64_t a, uint64_t b, uint64_t c) {
  return {a != 0 ? b : c};
}

Result add(Op, uint64_t a, uint64_t b, uint64_t) {
  return {a + b};
}
Result sub(Op, uint64_t a, uint64_t b, uint64_t) {
  return {a - b};
}
Result mul(Op, uint64_t a, uint64_t b, uint64_t) {
  return {a * b};
}
Result mul_hi_u(Op op, uint64_t a, uint64_t b, uint64_t) {
  return {static_cast<uint64_t>(U128{a} * b >> bits(op.type))};
}
Result mul_hi_s(Op op, uint64_t a, uint64_t b, uint64_t) {
  return {static_cast<uint64_t>(S128{as_signed(op, a)} * as_signed(op, b) >> bits(op.type))};
}
Result div_u(Op, uint64_t a, uint64_t b, uint64_t) {
  return {b == 0 ? ~uint64_t{0} : a / b};
}
Result rem_u(Op, uint64_t a, uint64_t b, uint64_t) {
  return {b == 0 ? ~uint64_t{0} : a % b};
}
Result div_s(Op op, uint64_t a, uint64_t b, uint64_t) {
  if (b == 0) return {~uint64_t{0}};
  const int64_t divisor = as_signed(op, b);
  if (divisor == -1) return {uint64_t{0} - a};  // the least value wraps
  return {static_cast<uint64_t>(as_signed(op, a) / divisor)};
}
Result rem_s(Op op, uint64_t a, uint64_t b, uint64_t) {
  if (b == 0) return {~uint64_t{0}};
  const int64_t divisor = as_signed(op, b);
  if (divisor == -1) return {0};
  return {static_cast<uint64_t>(as_signed(op, a) % divisor)};
}
Result min_u(Op, uint64_t a, uint64_t b, uint64_t) {
  return {a < b ? a : b};
}
Result max_u(Op, uint64_t a, uint64_t b, uint64_t) {
  return {a < b ? b : a};
}
Result min_s(Op op, uint64_t a, uint64_t b, uint64_t) {
  return {as_signed(op, a) < as_signed(op, b) ? a : b};
}
Result max_s(Op op, uint64_t a, uint64_t b, uint64_t) {
  return {as_signed(op, a) < as_signed(op, b) ? b : a};
}
Result abs_s(Op op, uint64_t a, uint64_t, uint64_t) {
  return {as_signed(op, a) < 0 ? uint64_t{0} - a : a};
}

Result bit_and(Op, uint64_t a, uint64_t b, uint64_t) {
  return {a & b};
}
Result bit_or(Op, uint64_t a, uint64_t b, uint64_t) {
  return {a | b};
}
Result bit_xor(Op, uint64_t a, uint64_t b, uint64_t) {
  return {a ^ b};
}
Result bit_not(Op, uint64_t a, uint64_t, uint64_t) {
  return {~a};
}
Result shl(Op op, uint64_t a, uint64_t b, uint64_t) {
  return {b >= bits(op.type) ? 0 : a << b};
}
Result shr_u(Op op, uint64_t a, uint64_t b, uint64_t) {
  return {b >= bits(op.type) ? 0 : a >> b};
}
Result shr_s(Op op, uint64_t a, uint64_t b, uint64_t) {
  const uint64_t amount = std::min<uint64_t>(b, bits(op.type) - 1);
  return {static_cast<uint64_t>(as_signed(op, a) >> amount)};
}

Result popc(Op, uint64_t a, uint64_t, uint64_t) {
  return {static_cast<uint64_t>(std::popcount(a))};
}
Result clz(Op op, uint64_t a, uint64_t, uint64_t) {
  return {static_cast<unsigned>(std::countl_zero(a)) - (64 - bits(op.src))};
}
Result brev(Op op, uint64_t a, uint64_t, uint64_t) {
  uint64_t reversed = 0;
  for (unsigned i = 0; i < bits(op.type); ++i) reversed = reversed << 1 | (a >> i & 1);
  return {reversed};
}
Result bfind_u(Op, uint64_t a, uint64_t, uint64_t) {
  return {bfind(a)};
}
Result bfind_s(Op op, uint64_t a, uint64_t, uint64_t) {
  const int64_t value = as_signed(a, bits(op.src));
  return {bfind(static_cast<uint64_t>(value < 0 ? ~value : value))};
}
Result bfe_u(Op op, uint64_t a, uint64_t b, uint64_t c) {
  return {bit_field(op, a, b, c, false)};
}
Result bfe_s(Op op, uint64_t a, uint64_t b, uint64_t c) {
  return {bit_field(op, a, b, c, true)};
}
Result prmt(Op, uint64_t a, uint64_t b, uint64_t c) {  // PTX 9.7.9.7, default mode
  const uint64_t bytes = b << 32 | a;
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned selector = static_cast<unsigned>(c >> 4 * i & 15);
    uint64_t byte = bytes >> 8 * (selector & 7) & 255;
    if ((selector & 8) != 0) byte = (byte & 128) != 0 ? 255 : 0;
    result |= byte << 8 * i;
  }
  return {result};
}

Result eq(Op, uint64_t a, uint64_t b, uint64_t) {
  return {a == b};
}
Result lt_u(Op, uint64_t a, uint64_t b, uint64_t) {
  return {a < b};
}
Result lt_s(Op op, uint64_t a, uint64_t b, uint64_t) {
  return {as_signed(op, a) < as_signed(op, b)};
}

}  // namespace ptxequiv::op::handlers
