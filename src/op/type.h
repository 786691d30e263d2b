// The types that operations are about. A register has no type: a type belongs to a use.
#pragma once
#include <cstdint>
#include <string_view>

namespace ptxequiv::op {

// PTX fundamental types (manual, 5.2) plus the alternate floating-point formats. Integer operations
// whose result does not depend on signedness use the B types.
enum class Type : uint8_t {
  kNone, kPred,
  kB8, kB16, kB32, kB64, kB128,
  kU8, kU16, kU32, kU64,
  kS8, kS16, kS32, kS64,
  kF16, kBF16, kTF32, kF32, kF64, kE4M3, kE5M2,
  kF16x2, kBF16x2, kE4M3x2, kE5M2x2, kU16x2, kS16x2, kF32x2,
  kCount
};

struct TypeInfo {
  Type type;
  std::string_view name;  // as PTX and check files write it, without the dot
  uint8_t bits;           // 1 for predicates
  bool is_float;          // scalar floating point
  bool is_signed;         // signed integer
  bool is_integer;        // u or s type
  uint8_t precision;      // significand bits with the hidden one (floats), else 0
  int16_t min_exponent;   // of the least normal number, as in 2^e
  int16_t max_exponent;   // of the largest finite number
};

extern const TypeInfo type_table[static_cast<unsigned>(Type::kCount)];  // a constant table
inline const TypeInfo& info(Type type) { return type_table[static_cast<unsigned>(type)]; }
inline unsigned bits(Type type) { return info(type).bits; }
inline bool is_float(Type type) { return info(type).is_float; }
inline bool is_signed(Type type) { return info(type).is_signed; }
inline std::string_view name(Type type) { return info(type).name; }
// Type named `f32`, `s8`, ...; kNone if there is none.
Type type_named(std::string_view name);
// The untyped type of `width` bits: 1 (kPred), 8, 16, 32, 64, 128.
Type bits_type(unsigned width);

// All-ones mask of `width` bits, 1..64.
constexpr uint64_t mask(unsigned width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }

}  // namespace ptxequiv::op
