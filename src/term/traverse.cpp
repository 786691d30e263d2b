#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>
#include <new>

#include "term/arena.h"

namespace ptxequiv::term {

using op::Kind;

namespace {

// A set of ids below `limit`. Large ones come from the system already zero, page by page as
// touched.
class IdSet {
 public:
  explicit IdSet(size_t limit)
      : words_(static_cast<uint64_t*>(std::calloc(limit / 64 + 1, sizeof(uint64_t)))) {
    if (!words_) throw std::bad_alloc();
  }
  // False if `id` was in it.
  bool add(TermId id) {
    uint64_t& word = words_.get()[id / 64];
    const uint64_t bit = uint64_t{1} << id % 64;
    const bool added = (word & bit) == 0;
    word |= bit;
    return added;
  }
  uint64_t word(size_t index) const { return words_.get()[index]; }

 private:
  struct Free {
    void operator()(uint64_t* words) const { std::free(words); }
  };
  std::unique_ptr<uint64_t, Free> words_;
};

TermId last_of(std::span<const TermId> roots) {
  return roots.empty() ? 0 : *std::max_element(roots.begin(), roots.end());
}

// The ids reachable from `roots`, in no particular order; they are in *seen afterwards.
std::vector<TermId> walk(const Arena& arena, std::span<const TermId> roots, IdSet* seen) {
  std::vector<TermId> ids;
  for (TermId root : roots) {
    if (seen->add(root)) ids.push_back(root);
  }
  for (size_t next = 0; next < ids.size(); ++next) {
    for (TermId operand : arena.operands(ids[next])) {
      if (seen->add(operand)) ids.push_back(operand);
    }
  }
  return ids;
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
                         node.a, node.element());
    case Kind::kAddress: {
      const auto offset = static_cast<int64_t>(uint64_t{node.c} << 32 | node.b);
      return fmt::format("address {}{:+}", node.a, offset);
    }
    default:
      return fmt::format("{}.{} {}", op::info(node.op.kind).name, op::name(node.op.type), node.a);
  }
}

}  // namespace

// One sweep: there are many roots, and most is below them.
std::vector<bool> reachable(const Arena& arena, std::span<const TermId> roots) {
  std::vector<bool> result(arena.size());
  if (roots.empty()) return result;
  for (const TermId root : roots) result[root] = true;
  for (TermId id = last_of(roots) + 1; id-- > 0;) {
    if (!result[id]) continue;
    for (const TermId operand : arena.operands(id)) result[operand] = true;
  }
  return result;
}

std::vector<TermId> cone(const Arena& arena, std::span<const TermId> roots) {
  const TermId last = last_of(roots);
  IdSet seen(size_t{last} + 1);
  std::vector<TermId> ids = walk(arena, roots, &seen);
  if (ids.size() < last / 256) {
    std::sort(ids.begin(), ids.end());
    return ids;
  }
  size_t next = 0;
  for (size_t index = 0; index <= last / 64 && next < ids.size(); ++index) {
    for (uint64_t word = seen.word(index); word != 0; word &= word - 1) {
      ids[next++] = static_cast<TermId>(64 * index + static_cast<size_t>(std::countr_zero(word)));
    }
  }
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
