#include "spec/expression.h"

#include <catch2/catch.hpp>

#include "support.h"

using namespace ptxequiv;
using spec::evaluate_extent;
using spec::ExpressionNode;
using spec::Relation;

namespace {

const std::vector<spec::Scalar>& scalars() {
  static const std::vector<spec::Scalar> kScalars = [] {
    std::vector<spec::Scalar> list(3);
    list[0].name = "n";
    list[0].type = op::Type::kS32;
    list[0].value = spec::Number{"1000"};
    list[1].name = "eps";
    list[1].type = op::Type::kF32;
    list[1].value = spec::Number{"0.5"};
    list[2].name = "m";
    list[2].type = op::Type::kS32;
    return list;
  }();
  return kScalars;
}

spec::Check check() {
  spec::Check check;
  check.path = "c.json";
  check.scalars = scalars();
  check.buffers.resize(2);
  check.buffers[0].name = "x";
  check.buffers[1].name = "o";
  check.buffers[1].role = spec::Role::kOutput;
  return check;
}

}  // namespace

TEST_CASE("extents are integer arithmetic") {
  struct Case {
    const char* text;
    int64_t value;
  };
  const Case c = GENERATE(
      Case{"64", 64}, Case{"n", 1000}, Case{"(n + 255) / 256", 4}, Case{"ceil_div(n, 256)", 4},
      Case{"2 + 3 * 4", 14}, Case{"(2 + 3) * 4", 20}, Case{"10 - 3 - 2", 5},
      Case{"100 / 10 / 5", 2}, Case{"n % 7", 6}, Case{"-n + 1001", 1}, Case{"--5", 5},
      Case{"min(n, 5) + max(1, 2)", 7}, Case{"0x10", 16}, Case{"1e3", 1000}, Case{" n ", 1000},
      Case{"-7 / 2", -3}, Case{"ceil_div(-7, 2)", -3}, Case{"2*-3", -6});
  INFO(c.text);
  CHECK(evaluate_extent(c.text, scalars(), "c.json", {1, 1}) == c.value);
}

TEST_CASE("bad extents have a place and a reason") {
  struct Case {
    const char* text;
    uint32_t column;
    const char* message;
  };
  const Case c = GENERATE(
      Case{"", 10, "a number or a name expected"}, Case{"n +", 13, "but the text ends"},
      Case{"(n", 12, "\")\" expected"}, Case{"n n", 12, "after a complete expression"},
      Case{"k", 10, "no scalar \"k\""}, Case{"m", 10, "has no value"},
      Case{"eps", 10, "is not an integer"}, Case{"n / (5 - 5)", 12, "division by zero"},
      Case{"x[*]", 10, "buffer contents are no extents"}, Case{"floor(n)", 10, "no function"},
      Case{"9223372036854775807 + 1", 30, "does not fit in 64 bits"}, Case{"n ** 2", 12, "powers"},
      Case{"1.5", 10, "is not an integer"}, Case{"5 $ 6", 12, "found \"$\""});
  INFO(c.text);
  const auto error = input_error([&] { evaluate_extent(c.text, scalars(), "c.json", {3, 10}); });
  CHECK(error.loc() == base::SourceLoc{3, c.column});
  CHECK_THAT(error.message(), Catch::Contains(c.message));
}

TEST_CASE("deep nesting is refused") {
  const std::string text = std::string(100000, '(') + "1";
  CHECK_THAT(input_error([&] { evaluate_extent(text, scalars(), "c.json", {}); }).message(),
             Catch::Contains("nested too deep"));
}

TEST_CASE("an assumption is a tree with its comparisons") {
  const auto e = spec::parse_assume({"0 <= 2*x[*] - m < n", {1, 1}}, check());
  REQUIRE(e.comparisons.size() == 2);
  CHECK(e.comparisons[0].relation == Relation::kLe);
  CHECK(e.comparisons[1].relation == Relation::kLt);
  CHECK(e.comparisons[0].right == e.comparisons[1].left);
  const ExpressionNode& difference = e.nodes[e.comparisons[0].right];
  REQUIRE(difference.kind == ExpressionNode::Kind::kSubtract);
  const ExpressionNode& product = e.nodes[difference.left];
  CHECK(product.kind == ExpressionNode::Kind::kMultiply);
  CHECK(e.nodes[product.right].kind == ExpressionNode::Kind::kElements);
  CHECK(e.nodes[product.right].name == "x");
  CHECK(e.nodes[difference.right].name == "m");
  for (size_t i = 0; i < e.nodes.size(); ++i) {
    if (e.nodes[i].kind < ExpressionNode::Kind::kNegate) continue;
    CHECK(e.nodes[i].left < i);
    CHECK(e.nodes[i].right < i);
  }
}

TEST_CASE("every relation is read") {
  struct Case {
    const char* text;
    Relation relation;
  };
  const Case c = GENERATE(Case{"n == m", Relation::kEq}, Case{"n != m", Relation::kNe},
                          Case{"n < m", Relation::kLt}, Case{"n <= m", Relation::kLe},
                          Case{"n > m", Relation::kGt}, Case{"n >= m", Relation::kGe});
  const auto e = spec::parse_assume({c.text, {}}, check());
  REQUIRE(e.comparisons.size() == 1);
  CHECK(e.comparisons[0].relation == c.relation);
  CHECK(e.nodes[e.comparisons[0].left].name == "n");
}

TEST_CASE("bad assumptions have a place and a hint") {
  struct Case {
    const char* text;
    uint32_t column;
    const char* message;
    const char* hint;
  };
  const Case c = GENERATE(
      Case{"n", 6, "compares nothing", "lo <= hi"}, Case{"n = m", 7, "assigns", "=="},
      Case{"x <= 1", 5, "\"x\" is a buffer", "x[*]"}, Case{"x[3] <= 1", 7, "every element", "x[*]"},
      Case{"o[*] <= 1", 5, "holds nothing", "inputs"},
      Case{"lo <= n", 5, "no scalar \"lo\"", "known"}, Case{"y[*] <= n", 5, "no buffer \"y\"", ""},
      Case{"n / 2 < m", 7, "no division", "multiply"},
      Case{"min(n, m) < 5", 5, "no functions", "sums"},
      Case{"n < m && m < 5", 11, "not combined", "own entry"}, Case{"n < ", 9, "text ends", ""});
  INFO(c.text);
  const auto error = input_error([&] { spec::parse_assume({c.text, {2, 5}}, check()); });
  CHECK(error.file() == "c.json");
  CHECK(error.loc() == base::SourceLoc{2, c.column});
  CHECK_THAT(error.message(), Catch::Contains(c.message));
  CHECK_THAT(error.hint(), Catch::Contains(c.hint));
}
