// Collects faults, gaps and notes, merges repeated ones, and knows the places in the program.
#pragma once
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "machine/machine.h"

namespace ptxequiv::machine {

// A running number of a place (Site) in the execution: what Arena::set_origin gets.
using SiteId = uint32_t;
inline constexpr SiteId kNoSite = 0xffffffffu;

class Reporter {
 public:
  Reporter(term::Arena& arena, Outcome& outcome);

  // Sites for all instructions of one step; returns the id of the first.
  SiteId add_sites(uint32_t step, const ir::Function* function);
  const Site& site(SiteId id) const { return outcome_.origins[id - outcome_.origin_base]; }
  bool is_site(SiteId id) const {
    return id >= outcome_.origin_base && id - outcome_.origin_base < outcome_.origins.size();
  }

  Site site_or_none(SiteId id) const { return is_site(id) ? site(id) : Site{}; }

  // Repeated faults of one kind at one place are merged: the condition of the last kept one
  // becomes the disjunction, so that none is lost.
  void fault(Fault fault);
  // The choices of the schedule that is executed, said with every fault: "where warps 0 and 2
  // complete barrier 1"; empty: none.
  void in_schedule(std::string choices) { choices_ = std::move(choices); }
  void gap(std::string id, std::string message, SiteId where, bool unsupported = false);
  void note(std::string id, std::string message, SiteId where);
  // A term for a value of that width which only the schedule decides.
  TermId schedule_input(unsigned width, std::string what, SiteId where,
                        ScheduleInput::Nature nature = ScheduleInput::Nature::kAny);
  // The same for a set of lanes, of which a witness has none or all of `lanes`.
  TermId schedule_mask(uint32_t lanes, std::string what, SiteId where);
  // A 32-bit poison term: what a lane gets from one that takes no part.
  TermId lane_poison(std::string message, SiteId where, ThreadRef thread);
  void unordered_sum(TermId value) { outcome_.unordered_sums.push_back(value); }
  bool any(Category category) const;
  size_t faults() const { return outcome_.faults.size(); }
  // Is there a certain fault that happens whatever the inputs are?
  bool any_for_all_inputs() const;

  // What has been said so far, to come back to.
  struct Saved {
    std::vector<Fault> faults;
    std::vector<Gap> gaps;
    std::vector<Note> notes;
    std::vector<TermId> unordered_sums;
    std::vector<ScheduleInput> schedule_inputs;
    std::map<std::tuple<int, int, const void*, const void*>, std::vector<size_t>> faults_at;
    std::map<std::pair<std::string, const void*>, size_t> gaps_at, notes_at;
  };
  Saved save() const;
  void restore(const Saved& saved);
  // Is there a fault, or a gap that schedules are to blame for, which `saved` does not have?
  bool worse_than(const Saved& saved) const;
  void add(const std::vector<ScheduleInput>& inputs);

 private:
  using Place = std::tuple<int, int, const void*, const void*>;
  term::Arena& arena_;
  Outcome& outcome_;
  std::string choices_;
  std::map<Place, std::vector<size_t>> faults_;
  std::map<std::pair<std::string, const void*>, size_t> gaps_;
  std::map<std::pair<std::string, const void*>, size_t> notes_;
};

// Throws base::Unsupported for the instruction at `site`.
[[noreturn]] void throw_unsupported(const Site& site, std::string why = {});

}  // namespace ptxequiv::machine
