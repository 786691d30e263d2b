#include "machine/fault.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"

namespace ptxequiv::machine {
namespace {

struct CategoryName {
  Category category;
  std::string_view name;
};
constexpr CategoryName kCategories[] = {
    {Category::kValue, "value"},
    {Category::kCoverage, "coverage"},
    {Category::kInputModified, "input-modified"},
    {Category::kUninitRead, "uninit-read"},
    {Category::kOutOfBounds, "out-of-bounds"},
    {Category::kMisaligned, "misaligned"},
    {Category::kRaceShared, "race-shared"},
    {Category::kRaceGlobal, "race-global"},
    {Category::kBarrierDivergence, "barrier-divergence"},
    {Category::kDeadlock, "deadlock"},
    {Category::kShuffleMask, "shuffle-mask"},
    {Category::kAsyncOrder, "async-order"},
    {Category::kTrap, "trap"},
    {Category::kState, "state"},
    {Category::kLaunchLimit, "launch-limit"},
    {Category::kNondeterministic, "nondeterministic"},
    {Category::kIntOverflow, "int-overflow"},
    {Category::kFpSpecial, "fp-special"},
};

// Faults of one kind at one pair of instructions that are kept apart before they are merged.
constexpr size_t kFaultsPerPlace = 16;

}  // namespace

std::string_view name(Category category) {
  const auto* row = std::find_if(std::begin(kCategories), std::end(kCategories),
                                 [&](const CategoryName& r) { return r.category == category; });
  PTXEQUIV_CHECK(row != std::end(kCategories), "category without a name");
  return row->name;
}

Reporter::Reporter(term::Arena& arena, Outcome& outcome) : arena_(arena), outcome_(outcome) {
  // Ids of this run start above those that an earlier run left in the arena.
  uint32_t next = 0;
  for (TermId id = 0; id < arena.size(); ++id) {
    const uint32_t origin = arena.origin(id);
    if (origin != 0xffffffffu) next = std::max(next, origin + 1);
  }
  outcome_.origin_base = next;
}

SiteId Reporter::add_sites(uint32_t step, const ir::Function* function) {
  const auto first = static_cast<SiteId>(outcome_.origin_base + outcome_.origins.size());
  if (function == nullptr) {
    outcome_.origins.push_back({step, nullptr, nullptr});
    return first;
  }
  for (const ir::Inst& inst : function->insts) {
    outcome_.origins.push_back({step, function, inst.source});
  }
  return first;
}

void Reporter::fault(Fault fault) {
  if (!choices_.empty()) fault.message += ", " + choices_;
  const auto source = [&](size_t i) -> const void* {
    return fault.accesses.size() > i ? fault.accesses[i].site.inst : nullptr;
  };
  const Place place{static_cast<int>(fault.category), static_cast<int>(fault.strength), source(0),
                    source(1)};
  const bool always = fault.condition == arena_.truth(true);
  std::vector<size_t>& earlier = faults_[place];
  if (!earlier.empty() && outcome_.faults[earlier.front()].condition == arena_.truth(true)) return;
  if (always && !earlier.empty()) {  // the unconditional one is the one to show
    outcome_.faults[earlier.front()] = std::move(fault);
    return;
  }
  if (earlier.size() >= kFaultsPerPlace) {
    TermId& condition = outcome_.faults[earlier.back()].condition;
    condition = arena_.logic_or(condition, fault.condition);
    return;
  }
  earlier.push_back(outcome_.faults.size());
  outcome_.faults.push_back(std::move(fault));
}

bool Reporter::any_for_all_inputs() const {
  return std::any_of(outcome_.faults.begin(), outcome_.faults.end(), [&](const Fault& fault) {
    return fault.strength == Fault::Strength::kCertain && fault.condition == arena_.truth(true);
  });
}

void Reporter::gap(std::string id, std::string message, SiteId where, bool unsupported) {
  const Site at = site_or_none(where);
  const auto [it, added] = gaps_.try_emplace({id, at.inst}, outcome_.gaps.size());
  if (!added) return;
  outcome_.gaps.push_back({std::move(id), std::move(message), at, unsupported});
}

void Reporter::note(std::string id, std::string message, SiteId where) {
  const Site at = site_or_none(where);
  const auto [it, added] = notes_.try_emplace({id, at.inst}, outcome_.notes.size());
  if (!added) {
    ++outcome_.notes[it->second].count;
    return;
  }
  outcome_.notes.push_back({std::move(id), std::move(message), at, 1});
}

TermId Reporter::schedule_input(unsigned width, std::string what, SiteId where,
                                ScheduleInput::Nature nature) {
  const TermId leaf = arena_.fresh(width);
  outcome_.schedule_inputs.push_back({leaf, std::move(what), site_or_none(where), nature});
  return leaf;
}

TermId Reporter::schedule_mask(uint32_t lanes, std::string what, SiteId where) {
  const TermId leaf = schedule_input(32, std::move(what), where, ScheduleInput::Nature::kMask);
  outcome_.schedule_inputs.back().mask = lanes;
  return leaf;
}

TermId Reporter::lane_poison(std::string message, SiteId where, ThreadRef thread) {
  const TermId leaf = arena_.poison(32);
  outcome_.lane_poison.push_back({leaf, std::move(message), site_or_none(where), thread});
  return leaf;
}

Reporter::Saved Reporter::save() const {
  return {outcome_.faults,          outcome_.gaps, outcome_.notes, outcome_.unordered_sums,
          outcome_.schedule_inputs, faults_,       gaps_,          notes_};
}

void Reporter::restore(const Saved& saved) {
  outcome_.faults = saved.faults;
  outcome_.gaps = saved.gaps;
  outcome_.notes = saved.notes;
  outcome_.unordered_sums = saved.unordered_sums;
  outcome_.schedule_inputs = saved.schedule_inputs;
  faults_ = saved.faults_at;
  gaps_ = saved.gaps_at;
  notes_ = saved.notes_at;
}

bool Reporter::worse_than(const Saved& saved) const {
  if (outcome_.faults.size() != saved.faults.size()) return true;
  return std::any_of(outcome_.gaps.begin() + static_cast<ptrdiff_t>(saved.gaps.size()),
                     outcome_.gaps.end(), [](const Gap& gap) {
                       return gap.id == "schedule" || gap.id == "strong-access" ||
                              gap.id == "race" || gap.id == "barrier-count";
                     });
}

void Reporter::add(const std::vector<ScheduleInput>& inputs) {
  outcome_.schedule_inputs.insert(outcome_.schedule_inputs.end(), inputs.begin(), inputs.end());
}

bool Reporter::any(Category category) const {
  return std::any_of(outcome_.faults.begin(), outcome_.faults.end(),
                     [&](const Fault& f) { return f.category == category; });
}

void throw_unsupported(const Site& site, std::string why) {
  if (site.inst == nullptr) throw base::Unsupported("a host step", "", {}, std::move(why));
  const std::string file = site.function != nullptr && site.function->module != nullptr
                               ? site.function->module->path
                               : std::string();
  throw base::Unsupported(site.inst->full_name(), file, site.inst->loc, std::move(why));
}

}  // namespace ptxequiv::machine
