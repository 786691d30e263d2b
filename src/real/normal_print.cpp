#include "real/normal_print.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "real/context.h"

namespace ptxequiv::real {
namespace {

constexpr size_t kMaxTerms = 400;

// Atoms print inner ones first, so that each can quote its arguments; no recursion.
class Printer {
 public:
  Printer(const Algebra& algebra, const Dag& dag) : algebra_(algebra), dag_(dag) {}

  std::string all(const Poly& p) {
    for (const AtomId id : atoms_within(algebra_, p)) names_[id] = atom(algebra_.atom(id));
    return sum(p);
  }

 private:
  std::string sum(const Poly& p) const {
    if (p.empty()) return "0";
    std::string out;
    for (size_t i = 0; i < p.size() && i < kMaxTerms; ++i) {
      const Coefficient& c = p[i].coefficient;
      const bool negative = c.sign() < 0;
      out += i == 0 ? (negative ? "-" : "") : (negative ? " - " : " + ");
      const Coefficient size = negative ? -c : c;
      const std::string m = monomial(p[i].monomial);
      if (m.empty())
        out += size.to_string();
      else if (size.is_one())
        out += m;
      else
        out += size.to_string() + "*" + m;
    }
    if (p.size() > kMaxTerms) out += fmt::format(" + ... ({} terms)", p.size());
    return out;
  }

  std::string monomial(Monomial m) const {
    std::string out;
    Factor buffer[3];
    for (const Factor& f : algebra_.factors(m, buffer)) {
      if (!out.empty()) out += "*";
      out += names_.at(f.atom);
      if (f.power == kOnePower) continue;
      mpq_class power(f.power, kOnePower);
      power.canonicalize();
      out += "^" + (power.get_den() == 1 ? power.get_str() : "(" + power.get_str() + ")");
    }
    if (const PolyId e = algebra_.exponent(m); e != kZeroPoly) {
      if (!out.empty()) out += "*";
      out += "2^(" + sum(algebra_.poly(e)) + ")";
    }
    return out;
  }

  std::string atom(const Atom& a) const {
    auto call = [&](const char* name) {
      return fmt::format("{}({})", name, sum(algebra_.poly(a.argument)));
    };
    switch (a.kind) {
      case AtomKind::kLeaf:
      case AtomKind::kOpaque:
        return fmt::format("x{}", dag_[a.node].a);
      case AtomKind::kLog2E:
        return "log2e";
      case AtomKind::kSin:
        return call("sin");
      case AtomKind::kCos:
        return call("cos");
      case AtomKind::kErf:
        return call("erf");
      case AtomKind::kLog2:
        return call("log2");
      case AtomKind::kFloor:
        return call("floor");
      case AtomKind::kRint:
        return call("rint");
      case AtomKind::kTrunc:
        return call("trunc");
      case AtomKind::kFactor:
        return call("");
      case AtomKind::kPositive:
        return fmt::format("[{} > 0]", sum(algebra_.poly(a.argument)));
      case AtomKind::kZero:
        return fmt::format("[{} = 0]", sum(algebra_.poly(a.argument)));
      case AtomKind::kBool:
        return fmt::format("[b{}]", dag_[a.node].a);
      case AtomKind::kMax: {
        std::string out = "max(";
        for (size_t i = 0; i < a.operands.size(); ++i) {
          out += (i == 0 ? "" : ", ") + sum(algebra_.poly(a.operands[i]));
        }
        return out + ")";
      }
    }
    return "?";
  }

  const Algebra& algebra_;
  const Dag& dag_;
  std::map<AtomId, std::string> names_;
};

}  // namespace

std::string print(const Algebra& algebra, const Dag& dag, const Poly& p) {
  return Printer(algebra, dag).all(p);
}

}  // namespace ptxequiv::real
