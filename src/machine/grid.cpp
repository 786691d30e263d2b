#include "machine/grid.h"

#include "base/error.h"

namespace ptxequiv::machine {

Grid::Grid(Env& env)
    : env_(env), spins_(env), tickets_(env), executed_(env.code->blocks.size(), false) {}

std::unique_ptr<Cta> Grid::make_cta() {
  if (spare_ != nullptr) return std::move(spare_);
  return std::make_unique<Cta>(env_);
}

void Grid::put_away(std::unique_ptr<Cta> cta) {
  thread_instructions_ += cta->take_thread_instructions();
  for (size_t i = 0; i < executed_.size(); ++i) executed_[i] = executed_[i] || cta->executed()[i];
  spare_ = std::move(cta);
}

void Grid::run() {
  env_.spins = &spins_;
  env_.tickets = nullptr;
  const bool one_schedule =
      env_.context.limits.evaluate || env_.context.limits.schedule != Schedule::kForward;
  if (!env_.code->follows || one_schedule) {
    run_once();
    return;
  }
  env_.tickets = &tickets_;
  const SavedMemory before = env_.memory.save();
  const Reporter::Saved said = env_.context.reporter.save();
  tickets_.begin_run(Tickets::Mode::kRecord);
  run_once();
  if (!tickets_.any_contended()) return;
  // A fault of this one schedule is a fault.
  if (env_.context.reporter.faults() != said.faults.size()) return;
  if (!tickets_.plan()) return;
  const SavedMemory after = env_.memory.save();
  const Reporter::Saved all_said = env_.context.reporter.save();
  if (holds_in(before, said, Tickets::Mode::kAny)) {
    if (!tickets_.decide(env_.memory)) return;
    // What depends on tickets that may be any says less than it might of who comes last.
    const SavedMemory any = env_.memory.save();
    const Reporter::Saved any_said = env_.context.reporter.save();
    if (!run_choices(before, said)) {
      env_.memory.restore(any);
      env_.context.reporter.restore(any_said);
    }
  } else if (!run_choices(before, said)) {
    env_.memory.restore(after);
    env_.context.reporter.restore(all_said);
    return;
  }
  env_.context.reporter.add(tickets_.inputs());
}

bool Grid::holds_in(const SavedMemory& before, const Reporter::Saved& said, Tickets::Mode mode,
                    size_t choice) {
  env_.memory.restore(before);
  env_.context.reporter.restore(said);
  tickets_.begin_run(mode, choice);
  try {
    // Perhaps an arrival only cannot be the last as lanes and warps are run here.
    if (run_once() == Outcome::kImpossible) return false;
  } catch (const base::Unsupported&) {
    return false;
  } catch (const base::LimitReached&) {
    return false;
  }
  return !env_.context.reporter.worse_than(said);
}

bool Grid::run_choices(const SavedMemory& before, const Reporter::Saved& said) {
  std::vector<std::pair<size_t, SavedMemory>> results;
  Reporter::Saved best;
  for (size_t choice = 0; choice < tickets_.choices(); ++choice) {
    env_.context.deadline.poll();
    if (!holds_in(before, said, Tickets::Mode::kLast, choice)) return false;
    if (results.empty()) best = env_.context.reporter.save();
    results.emplace_back(choice, env_.memory.save());
  }
  if (results.empty()) return false;
  env_.context.reporter.restore(best);
  std::vector<std::pair<TermId, SavedMemory>> cases;
  for (auto& [choice, memory] : results) {
    const bool one = tickets_.one_place();
    cases.emplace_back(one ? tickets_.is_last(choice) : env_.always(), std::move(memory));
  }
  return env_.memory.merge(cases, !tickets_.one_place());
}

Grid::Outcome Grid::run_once() {
  const auto& [nx, ny, nz] = env_.launch->grid;
  const uint64_t count = uint64_t{nx} * ny * nz;
  env_.order.begin_launch(static_cast<uint32_t>(count), env_.code->follows, env_.step,
                          env_.launch->dependent && env_.before != nullptr);
  env_.strong.begin_launch();
  spins_.begin_launch();
  std::vector<Waiting> waiting;
  std::unique_ptr<Cta> cta = make_cta();
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = in_turn(env_.context.limits.schedule, i, count);
    env_.cta = {static_cast<uint32_t>(at % nx), static_cast<uint32_t>(at / nx % ny),
                static_cast<uint32_t>(at / nx / ny)};
    env_.order.begin_cta(env_.threads(), static_cast<uint32_t>(at));
    env_.memory.begin_cta();
    if (cta->run()) continue;
    Waiting aside{std::move(cta), env_.cta, {}, {}};
    exchange(aside);
    waiting.push_back(std::move(aside));
    cta = make_cta();
  }
  put_away(std::move(cta));
  return finish(waiting);
}

void Grid::exchange(Waiting& aside) {
  env_.cta = aside.position;
  env_.order.swap_cta(aside.clocks);
  env_.memory.swap_cta(aside.memory);
}

Grid::Outcome Grid::finish(std::vector<Waiting>& waiting) {
  // Changes made by any CTA so far; each knows how many it has seen.
  uint64_t changes = waiting.size();
  std::vector<uint64_t> seen(waiting.size(), 0);
  while (!waiting.empty()) {
    bool progress = false;
    for (size_t i = 0; i < waiting.size();) {
      Waiting& next = waiting[i];
      exchange(next);
      env_.worlds.begin_cta();
      const bool changed = seen[i] != changes;
      const bool over = next.cta->resume(changed);
      if (next.cta->progressed() || over) {
        progress = true;
        ++changes;
      }
      seen[i] = changes;
      exchange(next);
      if (!over) {
        ++i;
        continue;
      }
      put_away(std::move(next.cta));
      waiting.erase(waiting.begin() + static_cast<ptrdiff_t>(i));
      seen.erase(seen.begin() + static_cast<ptrdiff_t>(i));
    }
    if (progress || waiting.empty()) continue;
    bool ticket = false, for_ever = true;
    for (const Waiting& w : waiting) {
      ticket = ticket || w.cta->waits_for_ticket();
      for_ever = for_ever && (w.cta->waits_for_ever() || w.cta->waits_for_ticket());
    }
    if (!for_ever) continue;
    if (!ticket) {
      Waiting& first = waiting.front();
      exchange(first);
      first.cta->report_deadlock();
      exchange(first);
    }
    for (Waiting& w : waiting) put_away(std::move(w.cta));
    waiting.clear();
    return ticket ? Outcome::kImpossible : Outcome::kDone;
  }
  return Outcome::kDone;
}

}  // namespace ptxequiv::machine
