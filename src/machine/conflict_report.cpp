// What is said of two accesses that nothing orders: a race, or what is left open.
#include <fmt/format.h>

#include <algorithm>

#include "machine/access.h"
#include "machine/tickets.h"

namespace ptxequiv::machine {
namespace {

constexpr auto kCertain = Fault::Strength::kCertain;
constexpr auto kPossible = Fault::Strength::kPossible;
using Kind = Conflict::Kind;

bool is_strong(const Stamp& s) {
  return (s.flags & (kAccessStrong | kAccessVolatile)) != 0;
}

// Both take part in the order that the memory model gives each place.
bool both_strong(const Conflict& conflict) {
  const Stamp& a = conflict.earlier;
  const Stamp& b = conflict.now;
  if (((a.flags | b.flags) & (kAccessAtomic | kAccessSpin)) != 0) {
    return is_strong(a) && is_strong(b);
  }
  // Volatile accesses are relaxed ones (8.4.1.1). Within a CTA they are how code says that it
  // relies on lockstep, and that is a race.
  if ((a.flags & b.flags & kAccessVolatile) != 0 && a.cta != b.cta) return true;
  return (a.flags & b.flags & kAccessStrong) != 0;
}

std::string_view verb(const Stamp& s, bool is_write) {
  return (s.flags & kAccessAtomic) != 0 ? "updated" : is_write ? "written" : "read";
}

}  // namespace

// Conflicts that are no fault; true if this was one.
bool Accesses::left_open(const Conflict& conflict, Region& region, uint64_t offset) {
  const Stamp& a = conflict.earlier;
  const Stamp& b = conflict.now;
  Reporter& reporter = env_.context.reporter;
  const auto leave_open = [&](const char* id, std::string message) {
    env_.gap_of_schedule(id, std::move(message), b.site);
    return true;
  };
  const auto place = [&] {
    return env_.memory.element(region, offset, std::max(a.bytes, b.bytes));
  };
  if (env_.order.of_earlier_launch(a)) {
    // A race if that launch let this one start, and no order through memory can be meant.
    const bool certain = env_.order.overtaken(a) && !both_strong(conflict) && !env_.code->follows &&
                         ((a.flags | b.flags) & (kAccessMany | kAccessAtomic)) == 0;
    return !certain &&
           leave_open(
               "dependent-launch",
               place() + ": accessed before a griddepcontrol.wait for a launch that accesses it");
  }
  if (conflict.kind == Kind::kRounding) {
    reporter.note("commutative-atomics",
                  "floats are added to " + place() + " in whatever order the threads come", b.site);
    return true;
  }
  if (conflict.kind == Kind::kOrder) {
    if (env_.tickets != nullptr) env_.tickets->contended(env_.strong_key(region, offset));
    const ptx::Instruction* inst = reporter.site(b.site).inst;
    return leave_open(
        "schedule",
        fmt::format("what {} leaves in {}, or returns, depends on whether thread {} or thread {}{} "
                    "comes first",
                    inst != nullptr ? inst->full_name() : "an atomic operation", place(), b.thread,
                    a.thread, a.cta != b.cta ? " of another CTA" : ""));
  }
  if (conflict.kind == Kind::kRace && both_strong(conflict)) {
    // How often a loop that waits turns does not matter; what it has seen, spin.h settles.
    if (((a.flags | b.flags) & kAccessSpin) != 0) return true;
    return leave_open("strong-access",
                      place() + ": what a strong access reads or leaves depends on the schedule");
  }
  if (((a.flags | b.flags) & kAccessMany) != 0) {
    return leave_open("race", place() + ": more accesses than are kept apart may race");
  }
  return false;
}

void Accesses::report(const Conflicts& conflicts, Region& region, uint64_t offset) {
  // Each with its own condition, so that a witness names the accesses that it brings about; of very
  // many the rest together.
  constexpr size_t kApart = 4;
  size_t reported = 0;
  const Conflict* rest = nullptr;
  TermId rest_condition = env_.values.truth(false);
  for (const Conflict& conflict : conflicts) {
    const TermId a = conflict.earlier.guard, b = conflict.now.guard;
    const TermId both = a == b ? a : env_.arena().logic_and(a, b);
    if (both == env_.values.truth(false)) continue;
    if (both != env_.always() && env_.context.oracle != nullptr &&
        env_.context.oracle->possible(env_.always(), both) == Possibility::kNever) {
      continue;
    }
    if (left_open(conflict, region, offset)) continue;
    if (++reported <= kApart) {
      report_race(conflict, both, region, offset);
    } else {
      rest = &conflict;
      rest_condition = env_.arena().logic_or(rest_condition, both);
    }
  }
  if (rest != nullptr) report_race(*rest, rest_condition, region, offset);
}

void Accesses::report_race(const Conflict& conflict, TermId both, Region& region, uint64_t offset) {
  const Stamp& a = conflict.earlier;
  const Stamp& b = conflict.now;
  const bool is_shared = region.space == ptx::Space::kShared;
  Category category = is_shared ? Category::kRaceShared : Category::kRaceGlobal;
  if (((a.flags | b.flags) & kAccessAsync) != 0 && a.thread == b.thread && a.cta == b.cta) {
    category = Category::kAsyncOrder;
  }
  const bool other_cta = a.cta != b.cta;
  const bool overtaken = env_.order.of_earlier_launch(a);
  const uint32_t index = env_.order.cta_index(a);
  const Launch& launch = overtaken ? *env_.before : *env_.launch;
  const auto& grid = launch.grid;
  ThreadRef first{{index % grid[0], index / grid[0] % grid[1], index / grid[0] / grid[1]},
                  Env::thread_index(launch, a.thread)};
  std::string who =
      other_cta ? fmt::format(" of CTA {},{},{}", first.cta[0], first.cta[1], first.cta[2]) : "";
  if (overtaken) who += " of the launch before";
  std::string_view why = "nothing between them";
  if (((a.flags | b.flags) & kAccessNonCoherent) != 0) {
    why = "in a launch that reads it as read-only data (ld.global.nc)";
  } else if (overtaken) {
    why = "which has not waited for that launch";
  } else if (conflict.kind == Kind::kScope) {
    why = "atomically in the scope of a CTA only";
  } else if (conflict.kind == Kind::kOverlap) {
    why = "in different widths";
  }
  std::string message =
      fmt::format("{}: {} by thread {}{}, {} by thread {}{}, {}",
                  env_.memory.element(region, offset, std::max(a.bytes, b.bytes)),
                  verb(a, conflict.earlier_is_write), a.thread, who, verb(b, conflict.now_is_write),
                  b.thread, other_cta && !overtaken ? " of another CTA" : "", why);
  std::string remedy;
  if (overtaken) {
    remedy = "griddepcontrol.wait before the second access would order them";
  } else if (conflict.kind == Kind::kScope) {
    remedy = "scope .gpu would make them atomic to each other";
  } else if (is_shared && !other_cta) {
    remedy = "a barrier between the two accesses would order them";
  }
  env_.context.reporter.fault(
      {category,
       both == env_.always() ? kCertain : kPossible,
       both,
       std::move(message),
       {{env_.context.reporter.site(a.site), first, conflict.earlier_is_write},
        env_.access(b.site, b.thread, conflict.now_is_write)},
       env_.memory.place(region, offset),
       std::move(remedy)});
}

}  // namespace ptxequiv::machine
