#include "real/early_exit.h"

#include <unordered_map>
#include <utility>

namespace ptxequiv::real {
namespace {

constexpr size_t kMaxNodes = 4000, kMaxChoices = 64;

RealId rebuilt(Dag& dag, RealId id, const std::unordered_map<RealId, RealId>& map) {
  const Node node = dag[id];
  const unsigned arity = info(node.kind).arity;
  RealId operands[3] = {node.a, node.b, node.c};
  bool changed = false;
  for (unsigned i = 0; i < arity; ++i) {
    const auto found = map.find(operands[i]);
    if (found == map.end() || found->second == operands[i]) continue;
    operands[i] = found->second;
    changed = true;
  }
  if (!changed) return id;
  return dag.make(node.kind, operands[0], arity > 1 ? operands[1] : kNoReal,
                  arity > 2 ? operands[2] : kNoReal);
}

// `root` with `from` replaced by `to`, again in what that makes.
RealId substituted(Dag& dag, RealId root, RealId from, RealId to) {
  const RealId roots[] = {root};
  std::unordered_map<RealId, RealId> map;
  for (const RealId id : cone(dag, roots)) {
    RealId made = id == from ? to : rebuilt(dag, id, map);
    if (made == from) made = to;
    map[id] = made;
  }
  return map.at(root);
}

}  // namespace

RealId without_early_exits(Dag& dag, RealId root) {
  const RealId roots[] = {root};
  const auto ids = cone(dag, roots);
  if (ids.size() > kMaxNodes) return root;
  size_t choices = 0;
  for (const RealId id : ids) {
    if (dag[id].kind == Kind::kIte && dag[dag[id].a].kind == Kind::kEq) ++choices;
  }
  if (choices == 0 || choices > kMaxChoices) return root;
  std::unordered_map<RealId, RealId> map;
  for (const RealId id : ids) {
    RealId made = rebuilt(dag, id, map);
    const Node node = dag[made];
    if (node.kind == Kind::kIte && dag[node.a].kind == Kind::kEq) {
      const Node test = dag[node.a];
      for (const auto& [from, to] : {std::pair{test.b, test.a}, std::pair{test.a, test.b}}) {
        if (from == to || substituted(dag, node.c, from, to) != node.b) continue;
        made = node.c;
        break;
      }
    }
    map[id] = made;
  }
  return map.at(root);
}

}  // namespace ptxequiv::real
