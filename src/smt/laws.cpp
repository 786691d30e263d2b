#include "smt/laws.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ptxequiv::smt {
namespace {

using real::Kind;

// A point where the function is known exactly.
struct Point {
  bool known;
  int argument, value;
};

struct Row {
  Kind kind;
  const char* low;       // strict bounds, or nullptr
  const char* high;
  bool closed;           // the bounds may be reached
  bool increasing;       // strictly, on its domain
  bool positive_domain;  // arguments > 0 only
  Point point;
};

constexpr std::array<Row, 8> kRows = {{
    {Kind::kExp, "0", nullptr, false, true, false, {true, 0, 1}},
    {Kind::kExp2, "0", nullptr, false, true, false, {true, 0, 1}},
    {Kind::kLog, nullptr, nullptr, false, true, true, {true, 1, 0}},
    {Kind::kLog2, nullptr, nullptr, false, true, true, {true, 1, 0}},
    {Kind::kSin, "-1", "1", true, false, false, {true, 0, 0}},
    {Kind::kCos, "-1", "1", true, false, false, {true, 0, 1}},
    {Kind::kTanh, "-1", "1", false, true, false, {true, 0, 0}},
    {Kind::kErf, "-1", "1", false, true, false, {true, 0, 0}},
}};

// Pairs grow with the square; beyond this many applications of one function they are left out.
constexpr size_t kMaxForPairs = 12;

class Writer {
 public:
  Writer(z3::context& context, std::vector<z3::expr>& out) : context_(context), out_(out) {}

  void single(const Row& row, const Application& f) {
    if (row.low != nullptr) {
      const z3::expr low = context_.real_val(row.low);
      out_.push_back(row.closed ? f.value >= low : f.value > low);
    }
    if (row.high != nullptr) {
      const z3::expr high = context_.real_val(row.high);
      out_.push_back(row.closed ? f.value <= high : f.value < high);
    }
    if (row.point.known) {
      const Application known{row.kind, context_.real_val(row.point.argument),
                              context_.real_val(row.point.value)};
      if (row.increasing) {
        pair(row, f, known);
      } else {
        out_.push_back(z3::implies(f.argument == known.argument, f.value == known.value));
      }
    }
    // e^x >= 1 + x, and log x <= x - 1.
    if (row.kind == Kind::kExp) out_.push_back(f.value >= f.argument + 1);
    if (row.kind == Kind::kLog) {
      out_.push_back(z3::implies(f.argument > 0, f.value <= f.argument - 1));
    }
  }

  // f increasing: a < b <=> f(a) < f(b), both ways round, which also gives injectivity.
  void pair(const Row& row, const Application& f, const Application& g) {
    const z3::expr order = ((f.argument < g.argument) == (f.value < g.value)) &&
                           ((g.argument < f.argument) == (g.value < f.value));
    out_.push_back(row.positive_domain ? z3::implies(f.argument > 0 && g.argument > 0, order)
                                       : order);
  }

 private:
  z3::context& context_;
  std::vector<z3::expr>& out_;
};

}  // namespace

std::vector<z3::expr> laws(z3::context& context, const std::vector<Application>& applications) {
  std::vector<z3::expr> out;
  Writer writer(context, out);
  for (const Row& row : kRows) {
    std::vector<const Application*> same;
    for (const Application& f : applications) {
      if (f.kind == row.kind) same.push_back(&f);
    }
    for (const Application* f : same) writer.single(row, *f);
    if (!row.increasing || same.size() > kMaxForPairs) continue;
    for (size_t i = 0; i < same.size(); ++i) {
      for (size_t j = i + 1; j < same.size(); ++j) writer.pair(row, *same[i], *same[j]);
    }
  }
  return out;
}

}  // namespace ptxequiv::smt
