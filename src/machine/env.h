// One launch under way: what the units that execute its instructions share.
#pragma once
#include <string>
#include <vector>

#include "machine/code.h"
#include "machine/context.h"
#include "machine/happens_before.h"
#include "machine/memory.h"
#include "machine/range.h"
#include "machine/strong_writes.h"
#include "machine/values.h"
#include "machine/warp.h"
#include "machine/worlds.h"

namespace ptxequiv::machine {

class Spins;
class Tickets;

struct Env {
  Context& context;
  Memory& memory;
  HappensBefore& order;
  Values& values;
  Ranges& ranges;
  Worlds& worlds;
  StrongWrites& strong;
  uint32_t step = 0;
  const Launch* launch = nullptr;
  const Launch* before = nullptr;  // the launch before, if any
  const Code* code = nullptr;
  std::array<uint32_t, 3> cta{};
  Spins* spins = nullptr;
  Tickets* tickets = nullptr;

  term::Arena& arena() { return context.arena; }
  TermId always() const { return values.truth(true); }
  // Of the running CTA in its grid.
  uint32_t cta_position() const {
    return cta[0] + launch->grid[0] * (cta[1] + launch->grid[1] * cta[2]);
  }
  unsigned threads() const { return launch->block[0] * launch->block[1] * launch->block[2]; }
  static std::array<uint32_t, 3> thread_index(const Launch& launch, unsigned thread);
  std::array<uint32_t, 3> thread_index(unsigned thread) const {
    return thread_index(*launch, thread);
  }
  ThreadRef thread_ref(unsigned thread) const { return {cta, thread_index(thread)}; }
  // "thread 5"; the linear index within the CTA.
  Fault::Access access(SiteId site, unsigned thread, bool is_write) const {
    return {context.reporter.site(site), thread_ref(thread), is_write};
  }

  // Guard of a lane on a path; the constant true if there is none.
  TermId guard(const PathRef& path, unsigned lane) const {
    return path == nullptr ? always() : path->guard[lane];
  }
  TermId guard(const Active& active, unsigned lane) const {
    if (active.conditional) return active.own[lane];
    return active.guards == nullptr ? always() : active.guards[lane];
  }
  // With what this world assumes.
  TermId in_world(TermId guard) {
    const TermId world = worlds.condition();
    if (world == always()) return guard;
    return guard == always() ? world : arena().logic_and(world, guard);
  }

  // Reports a fault that happens under `guard` in this world, unless the oracle excludes it.
  void fault(Category category, Fault::Strength strength, TermId guard, std::string message,
             std::vector<Fault::Access> accesses, std::string location = {},
             std::string remedy = {}, std::string when_certain = {});
  // Another schedule may do something else. Where one schedule is all that counts (run), a note.
  void gap_of_schedule(const char* id, std::string message, SiteId where);
  // The key of a place for StrongWrites.
  StrongWrites::Key strong_key(const Region& region, uint64_t offset) const {
    const bool shared = region.space == ptx::Space::kShared;
    return {region.provenance, shared ? 1 + cta_position() : 0, offset};
  }
  // Is `condition` (1 bit) settled for this lane: by its bits, the path, this world, ranges, or the
  // oracle?
  std::optional<bool> settled(const Lane& condition, const Path* path, unsigned lane);
  // A value as it is on a path: selects whose condition the path settles are passed through.
  Lane under(const Lane& value, const Path* path, unsigned lane);
  // The facts that hold for a lane on a path in this world.
  Facts facts(const Path* path, unsigned lane) const;
  // The lanes of a strand that execute an instruction.
  Active active(const CodeInst& inst, Warp& warp, const Strand& strand);
  // A register's lane, given a poison term if it was never written.
  Lane defined(Register& reg, unsigned lane, unsigned bits);
  uint64_t concrete_operand(Warp& warp, const CodeInst& inst, uint32_t reg, unsigned lane,
                            const char* what);
};

}  // namespace ptxequiv::machine
