#include "machine/env.h"

#include <fmt/format.h>

#include "base/error.h"

namespace ptxequiv::machine {

std::array<uint32_t, 3> Env::thread_index(const Launch& launch, unsigned thread) {
  const auto& block = launch.block;
  return {thread % block[0], thread / block[0] % block[1], thread / block[0] / block[1]};
}

void Env::fault(Category category, Fault::Strength strength, TermId guard, std::string message,
                std::vector<Fault::Access> accesses, std::string location, std::string remedy,
                std::string when_certain) {
  const TermId condition = in_world(guard);
  if (condition == values.truth(false)) return;
  if (condition != always() && context.oracle != nullptr &&
      context.oracle->possible(always(), condition) == Possibility::kNever) {
    return;
  }
  context.reporter.fault({category, strength, condition, std::move(message), std::move(accesses),
                          std::move(location), std::move(remedy), std::move(when_certain)});
}

void Env::gap_of_schedule(const char* id, std::string message, SiteId where) {
  if (context.limits.evaluate) {
    context.reporter.note("schedule", std::move(message), where);
  } else {
    context.reporter.gap(id, std::move(message), where);
  }
}

Facts Env::facts(const Path* path, unsigned lane) const {
  Facts all = worlds.decisions();
  for (; path != nullptr; path = path->outer.get()) {
    if (path->literal[lane] != kNoTerm) all.push_back({path->literal[lane], true});
  }
  return all;
}

std::optional<bool> Env::settled(const Lane& condition, const Path* path, unsigned lane) {
  if (const auto bits = values.known(condition, 1)) return (*bits & 1) != 0;
  const TermId id = condition.term();
  for (const Path* p = path; p != nullptr; p = p->outer.get()) {
    if (p->literal[lane] == kNoTerm) continue;
    if (const auto value = implied(arena(), p->literal[lane], true, id)) return value;
  }
  if (const auto value = worlds.decided(id)) return value;
  if (ranges.decidable(id)) {
    if (const auto value = ranges.truth(id, facts(path, lane))) return value;
  }
  if (context.oracle == nullptr) return std::nullopt;
  const TermId under = in_world(path == nullptr ? always() : path->guard[lane]);
  if (context.oracle->possible(under, id) == Possibility::kNever) return false;
  if (context.oracle->possible(under, arena().logic_not(id)) == Possibility::kNever) return true;
  return std::nullopt;
}

Lane Env::under(const Lane& value, const Path* path, unsigned lane) {
  Lane now = value;
  while (now.is_term() && arena().kind(now.term()) == op::Kind::kSelect) {
    const term::Node node = arena()[now.term()];
    std::optional<bool> taken;
    for (const Path* p = path; p != nullptr && !taken; p = p->outer.get()) {
      if (p->literal[lane] != kNoTerm) taken = implied(arena(), p->literal[lane], true, node.a);
    }
    if (!taken) break;
    now = values.lane(*taken ? node.b : node.c);
  }
  return now;
}

Lane Env::defined(Register& reg, unsigned lane, unsigned bits) {
  const Lane value = reg.get(lane);
  if (value.kind != LaneKind::kUndefined) return value;
  const Lane poison = Lane::of_term(arena().poison(bits));
  reg.spread();
  reg.set(lane, poison);
  return poison;
}

Active Env::active(const CodeInst& inst, Warp& warp, const Strand& strand) {
  Active result;
  result.mask = strand.mask;
  if (strand.path != nullptr) result.guards = strand.path->guard.data();
  if (inst.guard == ir::kNone) return result;
  Register& predicate = warp.regs[inst.guard];
  if (predicate.uniform && predicate.terms == 0) {
    if (((predicate.bits[0] & 1) != 0) == inst.guard_negated) result.mask = 0;
    return result;
  }
  uint32_t off = 0;
  bool conditional = false;
  for_each_lane(strand.mask, [&](unsigned lane) {
    const Lane value = defined(predicate, lane, 1);
    result.own[lane] = guard(strand.path, lane);
    const auto known = settled(value, strand.path.get(), lane);
    if (known) {
      if (*known == inst.guard_negated) off |= 1u << lane;
      return;
    }
    const TermId literal = inst.guard_negated ? arena().logic_not(value.term()) : value.term();
    result.own[lane] = arena().logic_and(result.own[lane], literal);
    conditional = true;
  });
  result.mask &= ~off;
  result.conditional = conditional;
  return result;
}

uint64_t Env::concrete_operand(Warp& warp, const CodeInst& inst, uint32_t reg, unsigned lane,
                               const char* what) {
  const unsigned bits = code->function->values[reg].bits;
  const Lane value = defined(warp.regs[reg], lane, bits);
  if (const auto known = values.known(value, bits)) return *known;
  throw_unsupported(context.reporter.site(inst.site), fmt::format("{} depends on data", what));
}

}  // namespace ptxequiv::machine
