#include "real/library.h"

#include <utility>

#include "base/error.h"

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
        bound_(pattern.root + 1, kNoTerm) {}

  // Does the template match the node `found`?
  std::optional<Match> whole(TermId found) {
    goals_.push_back({pattern_.root, found});
    return run();
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
    TermId argument;
  };

  std::optional<Match> run() {
    while (true) {
      if (goals_.empty()) {
        if (argument_ == kNoTerm) return {};
        return Match{&pattern_, argument_};
      }
      const Goal goal = goals_.back();
      goals_.pop_back();
      if (!step(goal) && !backtrack()) return {};
    }
  }

  bool step(Goal goal) {
    TermId& bound = bound_[goal.wanted];
    if (bound != kNoTerm) return bound == goal.found;
    bound = goal.found;
    const TermNode& want = wanted_[goal.wanted];
    const TermNode& have = found_[goal.found];
    if (want.op.kind == op::Kind::kHole) {
      if (found_.width(goal.found) != wanted_.width(goal.wanted)) return false;
      if (argument_ != kNoTerm && argument_ != goal.found) return false;
      argument_ = goal.found;
      return true;
    }
    if (want.op.kind == op::Kind::kConst) {
      return have.op.kind == op::Kind::kConst &&
             wanted_.width(goal.wanted) == found_.width(goal.found) &&
             wanted_.const_bits(goal.wanted) == found_.const_bits(goal.found);
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

  // The polarity of a select does not matter: select(!c, x, y) is select(c, y, x).
  bool select(const TermNode& want, const TermNode& have) {
    if (op::result_bits(want.op) != op::result_bits(have.op)) return false;
    const auto positive = [](const Arena& arena, const TermNode& node) {
      std::array<TermId, 3> parts = {node.a, node.b, node.c};
      while (arena.kind(parts[0]) == op::Kind::kNot) {
        parts = {arena[parts[0]].a, parts[2], parts[1]};
      }
      return parts;
    };
    push_operands(positive(wanted_, want), positive(found_, have), false);
    return true;
  }

  void push_operands(std::span<const TermId> wanted, std::span<const TermId> found,
                     bool commutative) {
    if (commutative) {
      Choice swapped{goals_, bound_, argument_};
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
    argument_ = last.argument;
    choices_.pop_back();
    return true;
  }

  const Template& pattern_;
  const Arena& wanted_;
  const Arena& found_;
  std::vector<TermId> bound_;  // by template node
  TermId argument_ = kNoTerm;
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
  PTXEQUIV_CHECK(info(t.kind).arity == 1, "a template is of a function of one argument");
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
