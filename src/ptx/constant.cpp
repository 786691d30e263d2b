#include "ptx/constant.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace ptxequiv::ptx {
namespace {

using Kind = Constant::Kind;

struct OperatorRow {
  std::string_view name;
  int precedence;
};

constexpr OperatorRow kOperators[] = {
    {"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},  {"-", 9},  {"<<", 8},
    {">>", 8}, {"<", 7},  {">", 7},  {"<=", 7}, {">=", 7}, {"==", 6},
    {"!=", 6}, {"&", 5},  {"^", 4},  {"|", 3},  {"&&", 2}, {"||", 1},
};

Constant truth(bool value) {
  return Constant::of(static_cast<int64_t>(value));
}

ConstantResult finite(double value) {
  if (!std::isfinite(value)) return std::string("the constant is not a finite number");
  return Constant::of(value);
}

template <typename Number>
bool compare(std::string_view operation, Number a, Number b) {
  if (operation == "<") return a < b;
  if (operation == ">") return a > b;
  if (operation == "<=") return a <= b;
  if (operation == ">=") return a >= b;
  if (operation == "==") return a == b;
  return a != b;
}

bool is_comparison(std::string_view operation) {
  return operation[0] == '=' || operation == "!=" ||
         ((operation[0] == '<' || operation[0] == '>') && operation != "<<" && operation != ">>");
}

ConstantResult divide(bool remainder, bool is_signed, uint64_t a, uint64_t b) {
  if (b == 0) return std::string("division by zero");
  if (!is_signed) return Constant{Kind::kUnsigned, remainder ? a % b : a / b};
  auto x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
  if (x == std::numeric_limits<int64_t>::min() && y == -1)
    return std::string("the quotient does not fit 64 bits");
  return Constant::of(remainder ? x % y : x / y);
}

ConstantResult apply_doubles(std::string_view operation, double a, double b) {
  if (is_comparison(operation)) return truth(compare(operation, a, b));
  if (operation == "+") return finite(a + b);
  if (operation == "-") return finite(a - b);
  if (operation == "*") return finite(a * b);
  if (operation == "/")
    return b == 0 ? ConstantResult(std::string("division by zero")) : finite(a / b);
  return "`" + std::string(operation) + "` is for integers only";
}

}  // namespace

double Constant::as_double() const {
  return std::bit_cast<double>(bits);
}
Constant Constant::of(double value) {
  return {Kind::kDouble, std::bit_cast<uint64_t>(value)};
}

int precedence(std::string_view operation) {
  for (const OperatorRow& row : kOperators)
    if (row.name == operation) return row.precedence;
  return 0;
}

IntegerDigits integer_digits(std::string_view text) {
  std::string_view digits = text;
  if (digits.ends_with('U')) digits.remove_suffix(1);
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X"))
    base = 16;
  else if (digits.starts_with("0b") || digits.starts_with("0B"))
    base = 2;
  else if (digits.size() > 1 && digits[0] == '0')
    base = 8;
  if (base == 16 || base == 2) digits.remove_prefix(2);
  return {digits, base};
}

ConstantResult parse_integer(std::string_view text) {
  const auto [digits, base] = integer_digits(text);
  uint64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error == std::errc::result_out_of_range)
    return "the integer " + std::string(text.substr(0, 40)) + " does not fit 64 bits";
  if (error != std::errc() || end != digits.data() + digits.size())
    return "`" + std::string(text.substr(0, 40)) + "` is not an octal number";
  // 4.5.1: signed unless it carries U or does not fit.
  bool fits = value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  return Constant{text.ends_with('U') || !fits ? Kind::kUnsigned : Kind::kSigned, value};
}

ConstantResult parse_decimal(std::string_view text) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return "`" + std::string(text.substr(0, 40)) + "` does not fit a double";
  return Constant::of(value);
}

Constant parse_bits(std::string_view text) {
  uint64_t value = 0;
  std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  return {text.size() == 10 ? Kind::kF32Bits : Kind::kF64Bits, value};
}

ConstantResult apply_unary(char operation, const Constant& value) {
  if (value.kind == Kind::kF32Bits || value.kind == Kind::kF64Bits)
    return std::string("a literal of bits takes no sign or operator: put the sign into the bits");
  if (value.kind == Kind::kDouble) {
    if (operation == '-') return Constant::of(-value.as_double());
    if (operation == '+') return value;
    return std::string("this operator is for integers only");
  }
  switch (operation) {
    case '-':
      return Constant{value.kind, 0 - value.bits};
    case '+':
      return value;
    case '~':
      return Constant{Kind::kUnsigned, ~value.bits};
    default:
      return truth(value.bits == 0);
  }
}

ConstantResult apply_binary(std::string_view operation, const Constant& a, const Constant& b) {
  if (a.kind == Kind::kDouble && b.kind == Kind::kDouble)
    return apply_doubles(operation, a.as_double(), b.as_double());
  if (!a.is_integer() || !b.is_integer())
    return std::string("an operator needs two integers or two decimal numbers");
  bool is_signed = a.kind == Kind::kSigned && b.kind == Kind::kSigned;
  Kind kind = is_signed ? Kind::kSigned : Kind::kUnsigned;
  if (is_comparison(operation))
    return truth(
        is_signed ? compare(operation, static_cast<int64_t>(a.bits), static_cast<int64_t>(b.bits))
                  : compare(operation, a.bits, b.bits));
  if (operation == "+") return Constant{kind, a.bits + b.bits};
  if (operation == "-") return Constant{kind, a.bits - b.bits};
  if (operation == "*") return Constant{kind, a.bits * b.bits};
  if (operation == "/" || operation == "%")
    return divide(operation == "%", is_signed, a.bits, b.bits);
  if (operation == "&&") return truth(a.bits != 0 && b.bits != 0);
  if (operation == "||") return truth(a.bits != 0 || b.bits != 0);
  if (operation == "&") return Constant{kind, a.bits & b.bits};
  if (operation == "^") return Constant{kind, a.bits ^ b.bits};
  if (operation == "|") return Constant{kind, a.bits | b.bits};
  // A shift has its left operand's type.
  if (b.bits >= 64) return std::string("the shift count is not below 64");
  if (operation == "<<") return Constant{a.kind, a.bits << b.bits};
  if (a.kind == Kind::kSigned) return Constant::of(static_cast<int64_t>(a.bits) >> b.bits);
  return Constant{a.kind, a.bits >> b.bits};
}

ConstantResult apply_conditional(const Constant& condition, const Constant& a, const Constant& b) {
  if (!condition.is_integer()) return std::string("the condition is not an integer");
  if (a.is_integer() != b.is_integer())
    return std::string("both sides of `:` must be integers, or both floating-point");
  return condition.bits != 0 ? a : b;  // ptxas: with the chosen side's own type
}

ConstantResult apply_cast(std::string_view type, const Constant& value) {
  if (type != "s64" && type != "u64")
    return "cast to ." + std::string(type) + ": only .s64 and .u64 exist";
  if (!value.is_integer()) return std::string("a floating-point constant cannot be cast");
  return Constant{type == "s64" ? Kind::kSigned : Kind::kUnsigned, value.bits};
}

}  // namespace ptxequiv::ptx
