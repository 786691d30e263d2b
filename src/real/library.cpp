#include "real/library.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "op/evaluate.h"

namespace ptxequiv::real {
namespace {

using term::Arena;
using term::kNoTerm;
using TermNode = term::Node;
using term::TermId;

// An un-suffixed operation rounds to nearest; that ptxas may fuse it is no other function.
op::Rounding plain_rounding(op::Rounding rounding) {
  return rounding == op::Rounding::kAny ? op::Rounding::kRn : rounding;
}

// The same operation, up to .ftz.
bool same_operation(op::Op a, op::Op b) {
  a.ftz = b.ftz = 0;
  a.rounding = plain_rounding(a.rounding);
  b.rounding = plain_rounding(b.rounding);
  return a == b;
}

// What the code of a power depends on, of an exponent that the compiler knows: its sign, and
// whether it is odd, even or not whole. Zero, infinities and NaN are of no class.
std::optional<unsigned> exponent_class(uint64_t bits, op::Type type) {
  const op::TypeInfo& format = op::info(type);
  const unsigned fraction_bits = format.precision - 1, width = op::bits(type);
  const uint64_t fraction = bits & ((uint64_t{1} << fraction_bits) - 1);
  const unsigned exponent_bits = width - 1 - fraction_bits;
  const uint64_t exponent = bits >> fraction_bits & ((uint64_t{1} << exponent_bits) - 1);
  if (exponent == 0 || exponent == (uint64_t{1} << exponent_bits) - 1) return {};
  const unsigned negative = bits >> (width - 1) & 1;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  // The place of the units in significand = 1.fraction.
  const int units = static_cast<int>(fraction_bits) - (static_cast<int>(exponent) - bias);
  const uint64_t significand = fraction | uint64_t{1} << fraction_bits;
  enum : unsigned { kPart, kOdd, kEven };
  unsigned kind = kPart;
  if (units <= 0) {
    kind = units == 0 && (significand & 1) != 0 ? kOdd : kEven;
  } else if (units <= static_cast<int>(fraction_bits)) {
    const uint64_t below = significand & ((uint64_t{1} << units) - 1);
    if (below == 0) kind = (significand >> units & 1) != 0 ? kOdd : kEven;
  }
  return 2 * kind + negative;
}

struct Goal {
  TermId wanted;  // in the template's arena
  TermId found;   // in the caller's
};

// Matches goals depth first. Where an operation is commutative both orders may have to be tried:
// the state before the second is kept and returned to.
class Matcher {
 public:
  Matcher(const Template& pattern, const Arena& arena)
      : pattern_(pattern),
        wanted_(*pattern.arena),
        found_(arena),
        bound_(pattern.root + 1, kNoTerm) {
    match_.which = &pattern;
  }

  // Does the template match the node `found`?
  std::optional<Match> whole(TermId found) {
    goals_.push_back({pattern_.root, found});
    return run();
  }
  // Does the template's last select match this one, but for operations moved into its arms?
  std::optional<Match> through(TermId found) {
    const auto want = positive(wanted_, wanted_[pattern_.root]);
    const auto have = positive(found_, found_[found]);
    for (const unsigned arm : {1u, 2u}) {
      if (!wanted_.is_const(want[arm]) || !found_.is_const(have[arm])) continue;
      uint64_t value = wanted_.const_bits(want[arm]);
      TermId inner = have[3 - arm];
      for (unsigned steps = 0; steps < Match::kMostOuter; ++steps) {
        const auto next = without_step(inner, value);
        if (!next) break;
        match_.outer[steps] = inner;
        inner = *next;
        if (value != found_.const_bits(have[arm])) continue;
        Matcher fresh(pattern_, found_);
        fresh.goals_.push_back({want[3 - arm], inner});
        fresh.goals_.push_back({want[0], have[0]});
        if (auto match = fresh.run()) {
          match->outer = match_.outer;
          match->outer_count = steps + 1;
          std::reverse(match->outer.begin(), match->outer.begin() + steps + 1);
          match->inner = inner;
          return match;
        }
      }
    }
    return {};
  }
  // Do its root's operands match these, in either order?
  std::optional<Match> product(std::span<const TermId> factors) {
    push_operands(wanted_.operands(pattern_.root), factors, true);
    return run();
  }

 private:
  struct Choice {
    std::vector<Goal> goals;
    std::vector<TermId> bound;
    Match match;
    bool has_constant;
  };

  std::optional<Match> run() {
    while (true) {
      if (goals_.empty()) {
        for (unsigned i = 0; i < pattern_.arity; ++i) {
          if (match_.arguments[i] == kNoTerm) return {};
        }
        if (pattern_.constant && !has_constant_) return {};
        return match_;
      }
      const Goal goal = goals_.back();
      goals_.pop_back();
      if (!step(goal) && !backtrack()) return {};
    }
  }

  // The operand of an operation with a constant; `value` becomes what it gives for that value.
  std::optional<TermId> without_step(TermId id, uint64_t& value) const {
    const TermNode& node = found_[id];
    if (node.op.type != pattern_.type || node.op.sat) return {};
    switch (node.op.kind) {
      case op::Kind::kFNeg:
        value = op::evaluate(node.op, value, 0, 0).bits;
        return node.a;
      case op::Kind::kFAdd:
      case op::Kind::kFSub:
      case op::Kind::kFMul:
        break;
      default:
        return {};
    }
    if (found_.is_const(node.b)) {
      value = op::evaluate(node.op, value, found_.const_bits(node.b), 0).bits;
      return node.a;
    }
    if (!found_.is_const(node.a)) return {};
    value = op::evaluate(node.op, found_.const_bits(node.a), value, 0).bits;
    return node.b;
  }

  bool step(Goal goal) {
    TermId& bound = bound_[goal.wanted];
    if (bound != kNoTerm) return bound == goal.found;
    bound = goal.found;
    const TermNode& want = wanted_[goal.wanted];
    const TermNode& have = found_[goal.found];
    if (want.op.kind == op::Kind::kHole) {
      if (found_.width(goal.found) != wanted_.width(goal.wanted)) return false;
      TermId& argument = match_.arguments[want.a];
      if (argument != kNoTerm && argument != goal.found) return false;
      argument = goal.found;
      return true;
    }
    if (want.op.kind == op::Kind::kConst) {
      if (pattern_.constant && wanted_.width(goal.wanted) == op::bits(pattern_.type) &&
          wanted_.const_bits(goal.wanted) == *pattern_.constant) {
        return constant(goal.found);
      }
      return have.op.kind == op::Kind::kConst &&
             wanted_.width(goal.wanted) == found_.width(goal.found) &&
             wanted_.const_bits(goal.wanted) == found_.const_bits(goal.found);
    }
    // Whether what was never written shows is asked elsewhere.
    if (want.op.kind == op::Kind::kPoison) {
      return have.op.kind == op::Kind::kPoison &&
             wanted_.width(goal.wanted) == found_.width(goal.found);
    }
    if (want.op.kind == op::Kind::kSelect && have.op.kind == op::Kind::kSelect) {
      return select(want, have);
    }
    if (!same_operation(want.op, have.op)) return false;
    if (want.op.kind == op::Kind::kExtract && want.b != have.b) return false;  // its position
    if (op::arity(want.op.kind) == 0) return want == have;
    push_operands(wanted_.operands(goal.wanted), found_.operands(goal.found),
                  op::info(want.op.kind).commutative);
    return true;
  }

  // One node of the template is its constant: it is met once.
  bool constant(TermId found) {
    if (found_.kind(found) != op::Kind::kConst) return false;
    if (found_.width(found) != op::bits(pattern_.type)) return false;
    match_.constant = found_.const_bits(found);
    has_constant_ = true;
    const auto kind = exponent_class(match_.constant, pattern_.type);
    return kind && kind == exponent_class(*pattern_.constant, pattern_.type);
  }

  // A select's operands, its condition not negated.
  static std::array<TermId, 3> positive(const Arena& arena, const TermNode& node) {
    std::array<TermId, 3> parts = {node.a, node.b, node.c};
    while (arena.kind(parts[0]) == op::Kind::kNot) {
      parts = {arena[parts[0]].a, parts[2], parts[1]};
    }
    return parts;
  }

  // The polarity of a select does not matter: select(!c, x, y) is select(c, y, x).
  bool select(const TermNode& want, const TermNode& have) {
    if (op::result_bits(want.op) != op::result_bits(have.op)) return false;
    push_operands(positive(wanted_, want), positive(found_, have), false);
    return true;
  }

  void push_operands(std::span<const TermId> wanted, std::span<const TermId> found,
                     bool commutative) {
    if (commutative) {
      Choice swapped{goals_, bound_, match_, has_constant_};
      swapped.goals.push_back({wanted[0], found[1]});
      swapped.goals.push_back({wanted[1], found[0]});
      if (wanted.size() > 2) swapped.goals.push_back({wanted[2], found[2]});
      // A second order is worth its copy only where it is not refuted at once.
      if (similar(wanted[0], found[1]) && similar(wanted[1], found[0])) {
        choices_.push_back(std::move(swapped));
      }
    }
    for (size_t i = 0; i < wanted.size(); ++i) goals_.push_back({wanted[i], found[i]});
  }

  bool similar(TermId wanted, TermId found) const {
    const op::Kind kind = wanted_.kind(wanted);
    return kind == op::Kind::kHole || kind == op::Kind::kSelect || kind == found_.kind(found);
  }

  bool backtrack() {
    if (choices_.empty()) return false;
    Choice& last = choices_.back();
    goals_ = std::move(last.goals);
    bound_ = std::move(last.bound);
    match_ = last.match;
    has_constant_ = last.has_constant;
    choices_.pop_back();
    return true;
  }

  const Template& pattern_;
  const Arena& wanted_;
  const Arena& found_;
  std::vector<TermId> bound_;  // by template node
  Match match_;
  bool has_constant_ = false;
  std::vector<Goal> goals_;
  std::vector<Choice> choices_;
};

// What can be seen of a match at the root's operands, without allocating.
bool plausible(const Template& pattern, const Arena& arena, std::span<const TermId> operands) {
  const Arena& wanted = *pattern.arena;
  const auto fits = [&](TermId w, TermId f) {
    const op::Kind kind = wanted.kind(w);
    return kind == op::Kind::kHole || kind == arena.kind(f);
  };
  const auto parts = wanted.operands(pattern.root);
  const op::Kind kind = wanted.kind(pattern.root);
  if (kind == op::Kind::kSelect) {  // in either polarity
    return (fits(parts[1], operands[1]) && fits(parts[2], operands[2])) ||
           (fits(parts[1], operands[2]) && fits(parts[2], operands[1]));
  }
  if (op::info(kind).commutative) {
    return (fits(parts[0], operands[0]) && fits(parts[1], operands[1])) ||
           (fits(parts[0], operands[1]) && fits(parts[1], operands[0]));
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!fits(parts[i], operands[i])) return false;
  }
  return true;
}

}  // namespace

void Library::add(Template t) {
  PTXEQUIV_CHECK(t.arena != nullptr && t.root < t.arena->size(), "a template without a term");
  PTXEQUIV_CHECK(t.meaning != nullptr, "a template without a meaning");
  PTXEQUIV_CHECK(t.arity >= 1 && t.arity + t.constant.has_value() <= kMostArguments,
                 "a template of too many arguments");
  PTXEQUIV_CHECK(op::arity(t.arena->kind(t.root)) > 0, "a template that is a leaf matches all");
  by_root_[static_cast<size_t>(t.arena->kind(t.root))].push_back(
      static_cast<uint32_t>(templates_.size()));
  templates_.push_back(std::move(t));
}

std::optional<Match> Library::match(const Arena& arena, TermId root) const {
  for (const uint32_t index : by_root_[static_cast<size_t>(arena.kind(root))]) {
    const Template& pattern = templates_[index];
    if (!plausible(pattern, arena, arena.operands(root))) continue;
    if (auto match = Matcher(pattern, arena).whole(root)) return match;
  }
  if (arena.kind(root) != op::Kind::kSelect) return {};
  // Only of a select with a constant arm.
  if (!arena.is_const(arena[root].b) && !arena.is_const(arena[root].c)) return {};
  for (const uint32_t index : by_root_[static_cast<size_t>(op::Kind::kSelect)]) {
    const Template& pattern = templates_[index];
    if (op::bits(pattern.type) != arena.width(root)) continue;
    if (auto match = Matcher(pattern, arena).through(root)) return match;
  }
  return {};
}

std::optional<Match> Library::match_product(const Arena& arena, TermId a, TermId b) const {
  const std::array<TermId, 2> factors = {a, b};
  for (const uint32_t index : by_root_[static_cast<size_t>(op::Kind::kFMul)]) {
    const Template& pattern = templates_[index];
    const TermNode& top = (*pattern.arena)[pattern.root];
    if (op::result_bits(top.op) != arena.width(a) || top.op.sat) continue;
    if (!plausible(pattern, arena, factors)) continue;
    if (auto match = Matcher(pattern, arena).product(factors)) return match;
  }
  return {};
}

}  // namespace ptxequiv::real
