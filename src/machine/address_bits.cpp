// Addresses as numbers. Where an object lies is no input and differs from run to run: a value that
// depends on it is nondeterministic, and a proof holds for all places.
#include <fmt/format.h>

#include <bit>

#include "machine/memory.h"

namespace ptxequiv::machine {

using op::Kind;

TermId Memory::address_bits(uint32_t provenance, int64_t offset) {
  Region& region = *regions_[provenance];
  if (region.where == kNoTerm) {
    region.where = context_.reporter.schedule_input(
        64, fmt::format("the address of {} over {}", region.name, region.align), kNoSite,
        ScheduleInput::Nature::kCounter);
  }
  const auto zeros = static_cast<unsigned>(std::countr_zero(region.align));
  const op::Op shift{.kind = Kind::kShl, .type = op::Type::kB64};
  const op::Op add{.kind = Kind::kAdd, .type = op::Type::kB64};
  const TermId base = arena_.make(shift, region.where, arena_.constant(32, zeros));
  return arena_.make(add, base, arena_.constant(64, static_cast<uint64_t>(offset)));
}

TermId Memory::with_address_bits(TermId root) {
  if (root == kNoTerm) return root;
  for (auto next = static_cast<TermId>(has_address_.size()); next <= root; ++next) {
    bool below = arena_.kind(next) == Kind::kAddress;
    for (const TermId operand : arena_.operands(next)) below = below || has_address_[operand];
    has_address_.push_back(below);
  }
  if (!has_address_[root]) return root;
  const auto now = [&](TermId id) {
    const auto at = address_bits_.find(id);
    return at == address_bits_.end() ? id : at->second;
  };
  const TermId roots[] = {root};
  for (const TermId id : term::cone(arena_, roots)) {
    if (id >= has_address_.size() || !has_address_[id] || address_bits_.contains(id)) continue;
    const term::Node node = arena_[id];  // a copy: the arena grows
    if (node.op.kind == Kind::kAddress) {
      const auto offset = static_cast<int64_t>(uint64_t{node.c} << 32 | node.b);
      address_bits_[id] = address_bits(node.a, offset);
      continue;
    }
    const unsigned arity = op::arity(node.op.kind);
    const TermId b = arity > 1 ? now(node.b) : node.b;  // of an extract: the position
    address_bits_[id] = arena_.make(node.op, now(node.a), b, arity > 2 ? now(node.c) : node.c);
  }
  return now(root);
}

}  // namespace ptxequiv::machine
