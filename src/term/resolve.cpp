#include "term/resolve.h"

#include <map>
#include <optional>
#include <unordered_map>

namespace ptxequiv::term {

using op::Kind;

namespace {

// Contexts multiply with the nesting of selects.
constexpr size_t kMaxSteps = 20000;

// What is known of predicates on a path. Paths share their beginnings.
class Facts {
 public:
  // The fact set `known` with `condition` being `value`, and what follows of its parts.
  std::map<TermId, bool> with(const Arena& arena, const std::map<TermId, bool>& known,
                              TermId condition, bool value) const {
    std::map<TermId, bool> out = known;
    std::vector<std::pair<TermId, bool>> open{{condition, value}};
    while (!open.empty()) {
      const auto [id, truth] = open.back();
      open.pop_back();
      if (!out.emplace(id, truth).second) continue;
      const Node& node = arena[id];
      if (node.op.kind == Kind::kNot) open.emplace_back(node.a, !truth);
      if ((node.op.kind == Kind::kAnd && truth) || (node.op.kind == Kind::kOr && !truth)) {
        open.emplace_back(node.a, truth);
        open.emplace_back(node.b, truth);
      }
    }
    return out;
  }
};

// The value of a predicate where the facts settle it: by its own entry, or through not, and, or.
std::optional<bool> settled(const Arena& arena, const std::map<TermId, bool>& facts, TermId root,
                            size_t& steps) {
  std::unordered_map<TermId, std::optional<bool>> values;
  std::vector<TermId> open{root};
  while (!open.empty()) {
    const TermId id = open.back();
    if (values.contains(id)) {
      open.pop_back();
      continue;
    }
    ++steps;
    if (steps > kMaxSteps) return std::nullopt;
    const Node& node = arena[id];
    if (const auto found = facts.find(id); found != facts.end()) {
      values[id] = found->second;
    } else if (arena.is_const(id)) {
      values[id] = arena.const_bits(id) != 0;
    } else if (arena.width(id) == 1 && (node.op.kind == Kind::kNot || node.op.kind == Kind::kAnd ||
                                        node.op.kind == Kind::kOr)) {
      bool ready = true;
      for (const TermId operand : arena.operands(id)) {
        if (values.contains(operand)) continue;
        ready = false;
        open.push_back(operand);
      }
      if (!ready) continue;
      const std::optional<bool> a = values[node.a];
      const std::optional<bool> b = node.op.kind == Kind::kNot ? a : values[node.b];
      std::optional<bool> value;
      if (node.op.kind == Kind::kNot) {
        if (a) value = !*a;
      } else {
        const bool decisive = node.op.kind == Kind::kOr;
        if ((a && *a == decisive) || (b && *b == decisive))
          value = decisive;
        else if (a && b)
          value = !decisive;
      }
      values[id] = value;
    } else {
      values[id] = std::nullopt;
    }
    open.pop_back();
  }
  return values[root];
}

struct Frame {
  TermId term;
  size_t facts;        // index of its fact set
  unsigned stage = 0;  // operands done
  TermId parts[3] = {kNoTerm, kNoTerm, kNoTerm};
  size_t part_facts[3] = {0, 0, 0};
};

}  // namespace

TermId resolve(Arena& arena, TermId root, const std::vector<bool>& unwanted) {
  const auto is_unwanted = [&](TermId id) { return id < unwanted.size() && unwanted[id]; };
  if (!is_unwanted(root)) return root;
  const Facts facts;
  std::vector<std::map<TermId, bool>> sets{{}};
  std::map<std::pair<TermId, size_t>, TermId> done;
  std::map<std::tuple<size_t, TermId, bool>, size_t> extended;
  size_t steps = 0;
  const auto extend = [&](size_t set, TermId condition, bool value) {
    const auto [it, fresh] = extended.emplace(std::tuple{set, condition, value}, sets.size());
    if (fresh) sets.push_back(facts.with(arena, sets[set], condition, value));
    return it->second;
  };
  std::vector<Frame> stack{{root, 0}};
  TermId result = kNoTerm;
  while (!stack.empty()) {
    if (++steps > kMaxSteps) return root;
    Frame& frame = stack.back();
    if (frame.stage == 0) {
      const auto found = done.find({frame.term, frame.facts});
      if (found != done.end() || !is_unwanted(frame.term)) {
        result = found != done.end() ? found->second : frame.term;
        stack.pop_back();
        continue;
      }
      const Node node = arena[frame.term];
      const size_t set = frame.facts;
      for (size_t& f : frame.part_facts) f = set;
      if (node.op.kind == Kind::kSelect) {
        if (const auto value = settled(arena, sets[set], node.a, steps)) {
          const TermId arm = *value ? node.b : node.c;
          frame = {arm, set};
          continue;
        }
        frame.part_facts[1] = extend(set, node.a, true);
        frame.part_facts[2] = extend(set, node.a, false);
      }
    } else {
      frame.parts[frame.stage - 1] = result;
    }
    const Node node = arena[frame.term];
    const unsigned count = op::arity(node.op.kind);
    if (frame.stage < count) {
      const unsigned i = frame.stage++;
      const TermId operand = arena.operands(frame.term)[i];
      const size_t set = frame.part_facts[i];
      stack.push_back({operand, set});
      continue;
    }
    if (count == 0) {
      result = frame.term;
    } else if (node.op.kind == Kind::kExtract) {
      result = arena.extract(frame.parts[0], node.b, op::bits(node.op.type));
    } else {
      result = arena.make(node.op, frame.parts[0], frame.parts[1], frame.parts[2]);
    }
    done[{frame.term, frame.facts}] = result;
    stack.pop_back();
  }
  return result;
}

}  // namespace ptxequiv::term
