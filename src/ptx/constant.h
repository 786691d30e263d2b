// Constant expressions (PTX manual, 4.5): 64-bit integers, signed or not, and doubles.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace ptxequiv::ptx {

struct Constant {
  // The last two are literals of bits, with which nothing can be computed.
  enum class Kind : uint8_t { kSigned, kUnsigned, kDouble, kF32Bits, kF64Bits };
  Kind kind = Kind::kSigned;
  uint64_t bits = 0;
  bool is_integer() const { return kind == Kind::kSigned || kind == Kind::kUnsigned; }
  bool is_float() const { return !is_integer(); }
  double as_double() const;  // kDouble and kF64Bits
  static Constant of(int64_t value) { return {Kind::kSigned, static_cast<uint64_t>(value)}; }
  static Constant of(double value);
};

// A constant, or why there is none.
using ConstantResult = std::variant<Constant, std::string>;

// The digits of an integer literal, without prefix and U, and their base (4.5.1).
struct IntegerDigits {
  std::string_view digits;
  int base;
};
IntegerDigits integer_digits(std::string_view text);
ConstantResult parse_integer(std::string_view text);  // 12, 0x1F, 0b101, 017, each with U
ConstantResult parse_decimal(std::string_view text);  // 1.5, 1e5
Constant parse_bits(std::string_view text);           // 0f3F800000, 0d...; well-formed
ConstantResult apply_unary(char operation, const Constant& value);
ConstantResult apply_binary(std::string_view operation, const Constant& a, const Constant& b);
ConstantResult apply_conditional(const Constant& condition, const Constant& a, const Constant& b);
ConstantResult apply_cast(std::string_view type, const Constant& value);  // "s64", "u64"
// Of a binary operator; higher binds tighter. 0 for none.
int precedence(std::string_view operation);

}  // namespace ptxequiv::ptx
