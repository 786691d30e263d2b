#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "term/arena.h"

namespace ptxequiv::term {

using op::Kind;

namespace {

// Calls visit(id) once for each id reachable from `roots`, in no particular order.
template <typename Visit>
void walk(const Arena& arena, std::span<const TermId> roots, std::vector<bool>* seen,
          const Visit& visit) {
  std::vector<TermId> work;
  const auto push = [&](TermId id) {
    if ((*seen)[id]) return;
    (*seen)[id] = true;
    visit(id);
    work.push_back(id);
  };
  for (TermId root : roots) push(root);
  while (!work.empty()) {
    const TermId id = work.back();
    work.pop_back();
    for (TermId operand : arena.operands(id)) push(operand);
  }
}

std::string leaf_text(const Node& node) {
  switch (node.op.kind) {
    case Kind::kConst: {
      const uint64_t bits = uint64_t{node.b} << 32 | node.a;
      return fmt::format("const.{} {:#x}", op::name(node.op.type), bits);
    }
    case Kind::kInput:
    case Kind::kInitial:
      return fmt::format("{}.{} {}[{}]", op::info(node.op.kind).name, op::name(node.op.type),
                         node.a, node.b);
    case Kind::kAddress: {
      const auto offset = static_cast<int64_t>(uint64_t{node.c} << 32 | node.b);
      return fmt::format("address {}{:+}", node.a, offset);
    }
    default:
      return fmt::format("{}.{} {}", op::info(node.op.kind).name, op::name(node.op.type), node.a);
  }
}

}  // namespace

std::vector<bool> reachable(const Arena& arena, std::span<const TermId> roots) {
  std::vector<bool> seen(arena.size());
  walk(arena, roots, &seen, [](TermId) {});
  return seen;
}

std::vector<TermId> cone(const Arena& arena, std::span<const TermId> roots) {
  std::vector<TermId> ids;
  TermId last = 0;
  for (TermId root : roots) last = std::max(last, root);
  std::vector<bool> seen(roots.empty() ? 0 : size_t{last} + 1);
  walk(arena, roots, &seen, [&](TermId id) { ids.push_back(id); });
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::string to_string(const Arena& arena, std::span<const TermId> roots) {
  std::string text;
  for (TermId id : cone(arena, roots)) {
    const Node& node = arena[id];
    fmt::format_to(std::back_inserter(text), "%{} = ", id);
    if (node.op.kind <= Kind::kHole) {
      text += leaf_text(node);
    } else {
      text += op::to_string(node.op);
      for (TermId operand : arena.operands(id)) {
        fmt::format_to(std::back_inserter(text), " %{}", operand);
      }
      if (node.op.kind == Kind::kExtract) {
        fmt::format_to(std::back_inserter(text), " @{}", node.b);
      }
      if (const auto bits = arena.known_bits(id)) {
        fmt::format_to(std::back_inserter(text), "  ; {:#x}", *bits);
      }
    }
    text += '\n';
  }
  return text;
}

}  // namespace ptxequiv::term
