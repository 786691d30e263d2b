#include "spec/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "base/error.h"
#include "spec/nearest.h"
#include "spec/number.h"

namespace ptxequiv::spec {
namespace {

using base::InputError;
using base::SourceLoc;
using Kind = ExpressionNode::Kind;

constexpr int kMaxNesting = 64;
constexpr size_t kMaxNodes = 10000;
constexpr std::array<std::string_view, 6> kRelations = {"==", "!=", "<", "<=", ">", ">="};

struct Token {
  enum class Kind : uint8_t { kEnd, kNumber, kName, kSymbol };
  Kind kind = Kind::kEnd;
  std::string_view text;
  size_t offset = 0;
};

// Recursive descent with a bound on nesting; texts are one line.
class Parser {
 public:
  enum class Use : uint8_t { kExtent, kAssume };
  Parser(std::string_view text, const std::string& path, SourceLoc loc, Use use)
      : text_(text), path_(path), loc_(loc), use_(use) {
    advance();
  }

  Expression parse_extent() {
    sum(0);
    expect_end();
    return std::move(result_);
  }

  Expression parse_comparisons() {
    uint32_t left = sum(0);
    while (const std::optional<Relation> relation = this->relation()) {
      const uint32_t right = sum(0);
      result_.comparisons.push_back({*relation, left, right});
      left = right;
    }
    if (token_.kind == Token::Kind::kSymbol && (token_.text == "&" || token_.text == "|"))
      fail("assumptions are not combined", "give each its own entry; all of them hold");
    expect_end();
    if (result_.comparisons.empty())
      fail("compares nothing", "an assumption is a comparison such as \"lo <= hi\"");
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail_at(size_t offset, const std::string& message, const std::string& hint) {
    SourceLoc at = loc_;
    if (at.line != 0) at.column += static_cast<uint32_t>(offset);
    const std::string shown(text_.substr(0, 60));
    throw InputError(path_, at, fmt::format("in \"{}\": {}", shown, message), hint);
  }
  [[noreturn]] void fail(const std::string& message, const std::string& hint) {
    fail_at(token_.offset, message, hint);
  }

  static bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

  void advance() {
    while (next_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[next_]))) ++next_;
    const size_t start = next_;
    token_ = {Token::Kind::kEnd, {}, start};
    if (start == text_.size()) return;
    const char c = text_[start];
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') {
      while (next_ < text_.size()) {
        const char d = text_[next_];
        const bool exponent_sign = (d == '+' || d == '-') &&
                                   (text_[next_ - 1] == 'e' || text_[next_ - 1] == 'E') &&
                                   text_.substr(start, 2) != "0x" && text_.substr(start, 2) != "0f";
        if (!is_name(d) && d != '.' && !exponent_sign) break;
        ++next_;
      }
      token_.kind = Token::Kind::kNumber;
    } else if (is_name(c)) {
      while (next_ < text_.size() && (is_name(text_[next_]) || text_[next_] == '.')) ++next_;
      token_.kind = Token::Kind::kName;
    } else {
      const std::string_view two = text_.substr(start, 2);
      const bool wide = two == "<=" || two == ">=" || two == "==" || two == "!=" || two == "**";
      next_ += wide ? 2 : 1;
      token_.kind = Token::Kind::kSymbol;
    }
    token_.text = text_.substr(start, next_ - start);
  }

  bool take(std::string_view symbol) {
    if (token_.kind != Token::Kind::kSymbol || token_.text != symbol) return false;
    advance();
    return true;
  }

  void need(std::string_view symbol) {
    if (!take(symbol)) fail(fmt::format("\"{}\" expected, {}", symbol, found()), "");
  }

  std::string found() const {
    return token_.kind == Token::Kind::kEnd ? "but the text ends"
                                            : fmt::format("found \"{}\"", token_.text);
  }

  void expect_end() {
    if (token_.kind == Token::Kind::kEnd) return;
    if (token_.text == "=") fail("\"=\" assigns", "write \"==\" to compare");
    if (token_.text == "**" || token_.text == "^")
      fail("powers are not written with " + std::string(token_.text), "write x*x");
    fail(found() + " after a complete expression", "is an operator missing?");
  }

  uint32_t add(ExpressionNode node) {
    if (result_.nodes.size() >= kMaxNodes) fail("is too long", "");
    result_.nodes.push_back(std::move(node));
    return static_cast<uint32_t>(result_.nodes.size() - 1);
  }

  SourceLoc here() const {
    SourceLoc at = loc_;
    if (at.line != 0) at.column += static_cast<uint32_t>(token_.offset);
    return at;
  }

  uint32_t binary(Kind kind, uint32_t left, uint32_t right, SourceLoc loc) {
    return add({.kind = kind, .number = {}, .name = {}, .left = left, .right = right, .loc = loc});
  }

  std::optional<Relation> relation() {
    for (size_t i = 0; i < kRelations.size(); ++i)
      if (take(kRelations[i])) return static_cast<Relation>(i);
    return std::nullopt;
  }

  uint32_t sum(int depth) {
    uint32_t left = product(depth);
    for (;;) {
      const SourceLoc loc = here();
      if (take("+")) {
        left = binary(Kind::kAdd, left, product(depth), loc);
      } else if (take("-")) {
        left = binary(Kind::kSubtract, left, product(depth), loc);
      } else {
        return left;
      }
    }
  }

  uint32_t product(int depth) {
    uint32_t left = unary(depth);
    for (;;) {
      const SourceLoc loc = here();
      if (take("*")) {
        left = binary(Kind::kMultiply, left, unary(depth), loc);
      } else if (token_.text == "/") {
        if (use_ == Use::kAssume)
          fail("assumptions have no division", "multiply the other side instead");
        advance();
        left = binary(Kind::kDivide, left, unary(depth), loc);
      } else if (take("%")) {
        left = binary(Kind::kRemainder, left, unary(depth), loc);
      } else {
        return left;
      }
    }
  }

  uint32_t unary(int depth) {
    const SourceLoc loc = here();
    bool negative = false;
    for (;;) {
      if (take("-")) {
        negative = !negative;
      } else if (!take("+")) {
        break;
      }
    }
    const uint32_t value = primary(depth);
    if (!negative) return value;
    ExpressionNode& node = result_.nodes[value];
    if (node.kind == Kind::kNumber && node.number.text[0] != '-') {
      node.number.text = "-" + node.number.text;  // a literal keeps its sign: -0x10, -1e-5
      return value;
    }
    return binary(Kind::kNegate, value, value, loc);
  }

  uint32_t primary(int depth) {
    if (depth >= kMaxNesting) fail("is nested too deep", "");
    const SourceLoc loc = here();
    const size_t offset = token_.offset;
    if (take("(")) {
      const uint32_t value = sum(depth + 1);
      need(")");
      return value;
    }
    if (token_.kind == Token::Kind::kNumber) {
      ExpressionNode node{.kind = Kind::kNumber,
                          .number = {std::string(token_.text)},
                          .name = {},
                          .left = 0,
                          .right = 0,
                          .loc = loc};
      try {
        exact(node.number);
      } catch (const InputError& error) {
        fail(error.message(), error.hint());
      }
      advance();
      return add(std::move(node));
    }
    if (token_.kind != Token::Kind::kName)
      fail(fmt::format("a number or a name expected, {}", found()), "");
    const std::string name(token_.text);
    advance();
    if (token_.text == "(") return call(name, offset, loc, depth);
    const bool elements = take("[");
    if (elements) {
      if (!take("*")) fail("only every element can be meant", fmt::format("write {}[*]", name));
      need("]");
    }
    return add({.kind = elements ? Kind::kElements : Kind::kScalar,
                .number = {},
                .name = name,
                .left = 0,
                .right = 0,
                .loc = loc});
  }

  uint32_t call(const std::string& name, size_t offset, SourceLoc loc, int depth) {
    static const std::vector<std::string> kFunctions = {"ceil_div", "min", "max"};
    if (use_ == Use::kAssume)
      fail_at(offset, "assumptions call no functions",
              "they compare sums and products of scalars, numbers and x[*]");
    const auto found = std::find(kFunctions.begin(), kFunctions.end(), name);
    if (found == kFunctions.end())
      fail_at(offset, fmt::format("there is no function \"{}\"", name),
              nearest_hint(name, kFunctions));
    need("(");
    const uint32_t left = sum(depth + 1);
    need(",");
    const uint32_t right = sum(depth + 1);
    need(")");
    constexpr Kind kKinds[] = {Kind::kCeilDiv, Kind::kMin, Kind::kMax};
    return binary(kKinds[found - kFunctions.begin()], left, right, loc);
  }

  std::string_view text_;
  const std::string& path_;
  SourceLoc loc_;
  Use use_;
  size_t next_ = 0;
  Token token_;
  Expression result_;
};

struct Evaluator {
  const std::string& path;
  std::string_view text;

  [[noreturn]] void fail(SourceLoc loc, const std::string& message, const std::string& hint) const {
    throw InputError(path, loc, fmt::format("in \"{}\": {}", text.substr(0, 60), message), hint);
  }

  int64_t integer(const Number& number, SourceLoc loc, const std::string& what) const {
    const ExactNumber value = exact(number);
    if (value.kind != ExactNumber::Kind::kFinite || value.value.get_den() != 1 ||
        !mpz_class(value.value.get_num()).fits_slong_p())
      fail(loc, fmt::format("{} is not an integer of ordinary size", what), "");
    return mpz_class(value.value.get_num()).get_si();
  }

  int64_t scalar(const ExpressionNode& node, const std::vector<Scalar>& scalars) const {
    std::vector<std::string> names;
    for (const Scalar& scalar : scalars) {
      names.push_back(scalar.name);
      if (scalar.name != node.name) continue;
      if (!scalar.value)
        fail(node.loc, fmt::format("the scalar \"{}\" has no value", node.name),
             "shapes and launches are concrete: give the scalar a \"value\"");
      return integer(*scalar.value, node.loc, fmt::format("\"{}\"", node.name));
    }
    fail(node.loc, fmt::format("there is no scalar \"{}\"", node.name),
         names.empty() ? "declare it under \"scalars\"" : nearest_hint(node.name, names));
  }

  int64_t apply(const ExpressionNode& node, int64_t a, int64_t b) const {
    int64_t result = 0;
    bool overflow = false;
    switch (node.kind) {
      case Kind::kNegate:
        overflow = __builtin_sub_overflow(int64_t{0}, a, &result);
        break;
      case Kind::kAdd:
        overflow = __builtin_add_overflow(a, b, &result);
        break;
      case Kind::kSubtract:
        overflow = __builtin_sub_overflow(a, b, &result);
        break;
      case Kind::kMultiply:
        overflow = __builtin_mul_overflow(a, b, &result);
        break;
      case Kind::kDivide:
      case Kind::kRemainder:
      case Kind::kCeilDiv:
        if (b == 0) fail(node.loc, "division by zero", "");
        if (b == -1) {
          // Apart, since INT64_MIN / -1 overflows.
          if (node.kind != Kind::kRemainder)
            overflow = __builtin_sub_overflow(int64_t{0}, a, &result);
        } else if (node.kind == Kind::kRemainder) {
          result = a % b;
        } else {
          result = a / b;
          const bool up = node.kind == Kind::kCeilDiv && a % b != 0 && (a < 0) == (b < 0);
          result += up ? 1 : 0;
        }
        break;
      case Kind::kMin:
        result = std::min(a, b);
        break;
      case Kind::kMax:
        result = std::max(a, b);
        break;
      default:
        PTXEQUIV_CHECK(false, "not an operation");
    }
    if (overflow) fail(node.loc, "the value does not fit in 64 bits", "");
    return result;
  }
};

}  // namespace

std::string_view name(Relation relation) {
  return kRelations[static_cast<size_t>(relation)];
}

Expression parse_assume(const Assume& assume, const Check& check) {
  Parser parser(assume.text, check.path, assume.loc, Parser::Use::kAssume);
  Expression result = parser.parse_comparisons();
  std::vector<std::string> scalars, buffers;
  for (const Scalar& scalar : check.scalars) scalars.push_back(scalar.name);
  for (const Buffer& buffer : check.buffers) buffers.push_back(buffer.name);
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const ExpressionNode& node : result.nodes) {
    const auto fail = [&](const std::string& message, const std::string& hint) {
      throw InputError(check.path, node.loc, fmt::format("in \"{}\": {}", assume.text, message),
                       hint);
    };
    if (node.kind == Kind::kScalar && !has(scalars, node.name)) {
      if (has(buffers, node.name))
        fail(fmt::format("\"{}\" is a buffer", node.name),
             fmt::format("write {}[*] for every element of it", node.name));
      fail(fmt::format("there is no scalar \"{}\"", node.name), nearest_hint(node.name, scalars));
    }
    if (node.kind != Kind::kElements) continue;
    if (!has(buffers, node.name))
      fail(fmt::format("there is no buffer \"{}\"", node.name), nearest_hint(node.name, buffers));
    for (const Buffer& buffer : check.buffers)
      if (buffer.name == node.name &&
          (buffer.role == Role::kOutput || buffer.role == Role::kScratch))
        fail(fmt::format("\"{}\" holds nothing before the launches", node.name),
             "assumptions are about inputs and scalars");
  }
  return result;
}

int64_t evaluate_extent(std::string_view text, const std::vector<Scalar>& scalars,
                        const std::string& path, base::SourceLoc loc) {
  Parser parser(text, path, loc, Parser::Use::kExtent);
  const Expression expression = parser.parse_extent();
  const Evaluator evaluator{path, text};
  std::vector<int64_t> values(expression.nodes.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const ExpressionNode& node = expression.nodes[i];
    switch (node.kind) {
      case Kind::kNumber:
        values[i] = evaluator.integer(node.number, node.loc, node.number.text);
        break;
      case Kind::kScalar:
        values[i] = evaluator.scalar(node, scalars);
        break;
      case Kind::kElements:
        evaluator.fail(node.loc, "buffer contents are no extents", "use scalars with a value");
      default:
        values[i] = evaluator.apply(node, values[node.left], values[node.right]);
        break;
    }
  }
  return values.back();
}

}  // namespace ptxequiv::spec
