#include "term/resolve.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

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

// A predicate and what it is made of by not, and, or.
std::vector<TermId> parts_of(const Arena& arena, TermId condition) {
  std::vector<TermId> parts, open{condition};
  std::unordered_set<TermId> seen;
  while (!open.empty()) {
    const TermId id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    parts.push_back(id);
    const Kind kind = arena.kind(id);
    if (arena.width(id) == 1 && (kind == Kind::kNot || kind == Kind::kAnd || kind == Kind::kOr)) {
      for (const TermId operand : arena.operands(id)) open.push_back(operand);
    }
  }
  return parts;
}

// Which conditions decide about something unwanted: parts of those of selects with it in one arm.
std::unordered_set<TermId> deciding(const Arena& arena, TermId root,
                                    const std::vector<bool>& unwanted) {
  std::unordered_set<TermId> result;
  for (const TermId id : cone(arena, std::span(&root, 1))) {
    const Node& node = arena[id];
    if (node.op.kind != Kind::kSelect || unwanted[node.b] == unwanted[node.c]) continue;
    const std::vector<TermId> parts = parts_of(arena, node.a);
    result.insert(parts.begin(), parts.end());
  }
  return result;
}

// Facts come of the conditions in `wanted` only; null: of all.
TermId resolve_by(Arena& arena, TermId root, const std::vector<bool>& unwanted,
                  const std::unordered_set<TermId>* wanted) {
  const auto is_unwanted = [&](TermId id) { return id < unwanted.size() && unwanted[id]; };
  std::unordered_map<TermId, bool> known_of;
  const auto tells = [&](TermId condition) {
    if (wanted == nullptr) return true;
    const auto [it, fresh] = known_of.emplace(condition, false);
    if (fresh) {
      for (const TermId part : parts_of(arena, condition)) {
        it->second = it->second || wanted->contains(part);
      }
    }
    return it->second;
  };
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
        if (tells(node.a)) {
          frame.part_facts[1] = extend(set, node.a, true);
          frame.part_facts[2] = extend(set, node.a, false);
        }
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
    Node changed = node;
    std::copy_n(frame.parts, count, &changed.a);
    result = count == 0 ? frame.term : arena.build(changed);
    done[{frame.term, frame.facts}] = result;
    stack.pop_back();
  }
  return result;
}

}  // namespace

TermId resolve(Arena& arena, TermId root, const std::vector<bool>& unwanted) {
  if (root >= unwanted.size() || !unwanted[root]) return root;
  // Contexts of other conditions multiply, and mostly decide nothing.
  const std::unordered_set<TermId> wanted = deciding(arena, root, unwanted);
  const TermId first = resolve_by(arena, root, unwanted, &wanted);
  const auto is_left = [&](TermId id) {
    return id < unwanted.size() && unwanted[id] && op::arity(arena.kind(id)) == 0;
  };
  const std::vector<TermId> ids = cone(arena, std::span(&first, 1));
  if (std::none_of(ids.begin(), ids.end(), is_left)) return first;
  return resolve_by(arena, root, unwanted, nullptr);
}

}  // namespace ptxequiv::term
