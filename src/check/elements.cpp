#include "check/elements.h"

#include <fmt/format.h>

#include <algorithm>

#include "term/resolve.h"

namespace ptxequiv::check {
namespace {

TermId initial_contents(const machine::Buffer& buffer, uint32_t index, uint64_t element,
                        term::Arena& arena) {
  return arena.leaf(initial_kind(buffer), buffer.type, index, static_cast<uint32_t>(element),
                    static_cast<uint32_t>(element >> 32));
}

const machine::Cell* cell_of(const machine::Outcome& outcome, size_t buffer, uint64_t element) {
  if (buffer >= outcome.buffers.size() || element >= outcome.buffers[buffer].size()) return nullptr;
  const machine::Cell& cell = outcome.buffers[buffer][element];
  return cell.value == term::kNoTerm ? nullptr : &cell;
}

// The first element from `element` on that may have been written.
uint64_t next_written(const machine::Outcome& outcome, size_t buffer, uint64_t element) {
  constexpr uint64_t kNone = ~uint64_t{0};
  if (buffer >= outcome.buffers.size() || element >= outcome.buffers[buffer].size()) return kNone;
  const uint64_t next = outcome.buffers[buffer].next(element);
  return next < outcome.buffers[buffer].size() ? next : kNone;
}

// Unwritten registers that the selects above them exclude go away.
void drop_excluded_poison(std::vector<Element>& elements, term::Arena& arena) {
  if (!arena.any_poison()) return;
  const std::vector<bool> poisoned =
      term::any_below(arena, [&](TermId id) { return arena.kind(id) == op::Kind::kPoison; });
  for (Element& element : elements) {
    element.reference = term::resolve(arena, element.reference, poisoned);
    element.candidate = term::resolve(arena, element.candidate, poisoned);
  }
}

}  // namespace

std::vector<Element> pair_elements(const Prepared& prepared, const machine::Outcome& reference,
                                   const machine::Outcome& candidate, term::Arena& arena) {
  std::vector<Element> out;
  for (uint32_t b = 0; b < prepared.buffers.size(); ++b) {
    const machine::Buffer& buffer = prepared.buffers[b];
    if (buffer.role != machine::Role::kOutput && buffer.role != machine::Role::kInout) continue;
    for (uint64_t i = 0; i < buffer.elements; ++i) {
      i = std::min(next_written(reference, b, i), next_written(candidate, b, i));
      if (i >= buffer.elements) break;
      const machine::Cell* left = cell_of(reference, b, i);
      const machine::Cell* right = cell_of(candidate, b, i);
      if (!left && !right) continue;
      Element element;
      element.buffer = b;
      element.index = i;
      element.type = buffer.type;
      element.reference_written = left != nullptr;
      element.candidate_written = right != nullptr;
      const TermId initial = initial_contents(buffer, b, i, arena);
      const auto contents = [&](const machine::Cell* cell) {
        if (!cell) return initial;
        return cell->written == term::kNoTerm ? cell->value
                                              : arena.select(cell->written, cell->value, initial);
      };
      element.reference = contents(left);
      element.candidate = contents(right);
      if (left) element.reference_store = left->writer;
      if (right) element.candidate_store = right->writer;
      out.push_back(std::move(element));
    }
  }
  drop_excluded_poison(out, arena);
  return out;
}

op::Kind initial_kind(const machine::Buffer& buffer) {
  return buffer.role == machine::Role::kInout ? op::Kind::kInput : op::Kind::kInitial;
}

bool is_initial(const term::Arena& arena, TermId id, const Element& element, op::Kind kind) {
  const term::Node& node = arena[id];
  return node.op.kind == kind && node.a == element.buffer && element_index(node) == element.index;
}

GuardedStore take_apart(const term::Arena& arena, TermId id, const Element& element,
                        op::Kind kind) {
  const term::Node& node = arena[id];
  if (node.op.kind == op::Kind::kSelect) {
    if (is_initial(arena, node.c, element, kind)) return {node.b, node.a, true};
    if (is_initial(arena, node.b, element, kind)) return {node.c, node.a, false};
  }
  return {id};
}

std::string element_name(const spec::Buffer& buffer, uint64_t index) {
  std::vector<uint64_t> indices(buffer.shape.size());
  for (size_t d = buffer.shape.size(); d-- > 0;) {
    indices[d] = buffer.shape[d] ? index % buffer.shape[d] : 0;
    index = buffer.shape[d] ? index / buffer.shape[d] : 0;
  }
  return fmt::format("{}[{}]", buffer.name, fmt::join(indices, ","));
}

}  // namespace ptxequiv::check
