#include "machine/worlds.h"

#include <fmt/format.h>

#include "base/error.h"

namespace ptxequiv::machine {

std::optional<bool> implied(const term::Arena& arena, TermId fact, bool fact_value,
                            TermId question) {
  bool wanted = true;  // the value of `question` that question itself, not negated, stands for
  while (arena.kind(question) == op::Kind::kNot) {
    question = arena[question].a;
    wanted = !wanted;
  }
  std::vector<std::pair<TermId, bool>> work{{fact, fact_value}};
  while (!work.empty()) {
    const auto [term, value] = work.back();
    work.pop_back();
    if (term == question) return value == wanted;
    const term::Node& node = arena[term];
    switch (node.op.kind) {
      case op::Kind::kNot:
        work.emplace_back(node.a, !value);
        break;
      case op::Kind::kAnd:
        if (value) work.insert(work.end(), {{node.a, true}, {node.b, true}});
        break;
      case op::Kind::kOr:
        if (!value) work.insert(work.end(), {{node.a, false}, {node.b, false}});
        break;
      default:
        break;
    }
  }
  return std::nullopt;
}

Worlds::Worlds(Context& context)
    : context_(context), arena_(context.arena), condition_(context.arena.truth(true)) {}

void Worlds::begin_cta() {
  decisions_.clear();
  pending_.clear();
  condition_ = arena_.truth(true);
  started_ = 1;
  split_ = false;
}

std::optional<bool> Worlds::decided(TermId condition) const {
  for (const Decision& d : decisions_) {
    if (auto value = implied(arena_, d.condition, d.value, condition)) return value;
  }
  return std::nullopt;
}

bool Worlds::decide(TermId condition) {
  if (const auto value = decided(condition)) return *value;
  bool value = true;
  bool other = true;  // the other outcome is possible
  if (context_.oracle != nullptr) {
    if (context_.oracle->possible(condition_, condition) == Possibility::kNever) {
      value = false;
      other = false;
    } else if (context_.oracle->possible(condition_, arena_.logic_not(condition)) ==
               Possibility::kNever) {
      other = false;
    }
  }
  if (other) {
    split_ = true;
    pending_.push_back(decisions_);
    pending_.back().push_back({condition, false});
  }
  decisions_.push_back({condition, value});
  condition_ = arena_.logic_and(condition_, value ? condition : arena_.logic_not(condition));
  return value;
}

bool Worlds::next() {
  if (pending_.empty()) return false;
  if (++started_ > context_.limits.max_worlds) {
    throw base::LimitReached("worlds",
                             fmt::format("more than {} outcomes of data-dependent conditions "
                                         "around a barrier or warp operation of one CTA",
                                         context_.limits.max_worlds));
  }
  decisions_ = std::move(pending_.back());
  pending_.pop_back();
  condition_ = arena_.truth(true);
  for (const Decision& d : decisions_) {
    condition_ =
        arena_.logic_and(condition_, d.value ? d.condition : arena_.logic_not(d.condition));
  }
  return true;
}

}  // namespace ptxequiv::machine
