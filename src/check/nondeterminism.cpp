// The runner's part that shows a side to be nondeterministic: two schedules, the same inputs, and
// different results.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "check/describe.h"
#include "check/runner.h"

namespace ptxequiv::check {
namespace {

constexpr size_t kMaxPairs = 2048;
constexpr const char* kForward = "CTAs, warps and lanes from first to last";
struct OtherOrder {
  machine::Schedule schedule;
  const char* name;
};
constexpr OtherOrder kOtherOrders[] = {
    {machine::Schedule::kBackward, "CTAs, warps and lanes from last to first"},
    {machine::Schedule::kInterleaved, "every second CTA and warp first"},
};

// Evenly spread over all of them.
void thin_out(std::vector<size_t>& indices, size_t most) {
  if (indices.size() <= most) return;
  std::vector<size_t> kept;
  for (size_t i = 0; i < most; ++i) kept.push_back(indices[i * indices.size() / most]);
  indices = std::move(kept);
}

// Elements whose two values are not the same term.
std::vector<size_t> unlike(const std::vector<Element>& runs) {
  std::vector<size_t> out;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].reference != runs[i].candidate) out.push_back(i);
  }
  return out;
}

}  // namespace

void Runner::report_two_runs(bool is_reference, const Element& runs, const Refutation& difference,
                             const std::string& first, const std::string& second,
                             const machine::Site& cause, machine::Category category) {
  const std::string side = is_reference ? "reference" : "candidate";
  Witness w = describe_witness(prepared_, arena_, world(false).refuter, runs, difference);
  w.runs = {{first, w.reference}, {second, w.candidate}};
  w.reference = w.candidate = {};
  w.ulp.reset();
  w.visible_in_bits.reset();
  const machine::Site& store = runs.reference_written ? runs.reference_store : runs.candidate_store;
  w.places = {place_of(store, side)};
  if (cause.inst != nullptr && cause.inst != store.inst) w.places.push_back(place_of(cause, side));
  Finding finding;
  finding.category = std::string(machine::name(category));
  finding.side = side;
  finding.location = w.element;
  finding.message = fmt::format("with the same inputs {} is {} or {}, as {}", w.element,
                                w.runs[0].value.real, w.runs[1].value.real,
                                category == machine::Category::kState
                                    ? "earlier runs have left the module's variables"
                                    : "the schedule has it");
  finding.places = w.places;
  if (suppress(finding, true)) return;
  report_.open.clear();  // what was open is decided
  report_finding(std::move(finding), std::move(w), is_reference);
}

// The order of atomics of threads that nothing orders. The machine executed one order; another one
// is held against it. That the two agree proves nothing.
bool Runner::settle_order() {
  return differs_in_order(true) || differs_in_order(false);
}

bool Runner::differs_in_order(bool is_reference) {
  const machine::Outcome& forward = is_reference ? reference_ : candidate_;
  const auto gap = std::find_if(forward.gaps.begin(), forward.gaps.end(),
                                [](const machine::Gap& g) { return g.id == "schedule"; });
  if (gap == forward.gaps.end()) return false;
  for (const OtherOrder& order : kOtherOrders) {
    if (deadline_.passed()) return false;
    if (differs_in_order(is_reference, forward, order.schedule, order.name, gap->site)) return true;
  }
  return false;
}

bool Runner::differs_in_order(bool is_reference, const machine::Outcome& forward,
                              machine::Schedule schedule, const char* name,
                              const machine::Site& cause) {
  machine::Outcome other;
  try {
    other = execute(is_reference ? prepared_.reference : prepared_.candidate,
                    is_reference ? "reference" : "candidate", schedule);
  } catch (const base::Unsupported&) {  // what cannot be executed shows nothing
    side_.clear();
    return false;
  } catch (const base::LimitReached&) {
    side_.clear();
    return false;
  }
  schedule_.add(other);
  order_.add(other);
  Refuter& refuter = world(false).refuter;
  // What goes wrong in that order goes wrong.
  for (const SettledFault& fault :
       settle_faults(other.faults, arena_, refuter, *solver_, deadline_)) {
    if (fault.state != SettledFault::State::kCertain) continue;
    if (suppress(finding_of(fault, is_reference ? "reference" : "candidate"), true)) continue;
    report_.open.clear();
    report_fault(fault, is_reference);
    report_.witness->schedule =
        report_.witness->schedule.empty()
            ? fmt::format("with {}", name)
            : fmt::format("with {}; {}", name, report_.witness->schedule);
    return true;
  }
  const std::vector<Element> runs = pair_elements(prepared_, forward, other, arena_);
  std::vector<size_t> which = unlike(runs);
  thin_out(which, kMaxPairs);
  return timed("orders", [&] {
    const auto found = refuter.search(runs, which);
    if (!found) return false;
    const Refutation small = refuter.minimise(runs, *found);
    report_two_runs(is_reference, runs[small.element], small, kForward, name, cause,
                    machine::Category::kNondeterministic);
    return decided();
  });
}

// Two values of a clock, a processor's number and the like.
bool Runner::settle_schedule_inputs() {
  if (!schedule_.any()) return false;
  return timed("schedules", [&] { return differs_in_inputs(true) || differs_in_inputs(false); });
}

bool Runner::differs_in_inputs(bool is_reference) {
  std::vector<size_t> which;
  for (size_t i = 0; i < elements_.size(); ++i) {
    const Element& e = elements_[i];
    if (schedule_.depends(is_reference ? e.reference : e.candidate)) which.push_back(i);
  }
  thin_out(which, kMaxPairs);
  std::vector<TermId> values;
  for (const size_t i : which) {
    values.push_back(is_reference ? elements_[i].reference : elements_[i].candidate);
  }
  if (values.empty()) return false;
  const std::vector<TermId> usual = schedule_.in_run(arena_, values, {});
  Refuter& refuter = world(false).refuter;
  for (const ScheduleRun& run : schedule_.other_runs(values)) {
    if (deadline_.passed()) return false;
    const std::vector<TermId> other = schedule_.in_run(arena_, values, run);
    std::vector<Element> runs;
    for (size_t k = 0; k < which.size(); ++k) {
      Element pair = elements_[which[k]];
      if (!is_reference) {
        pair.reference_written = pair.candidate_written;
        pair.reference_store = pair.candidate_store;
      }
      pair.candidate_written = pair.reference_written;
      pair.candidate_store = pair.reference_store;
      pair.reference = usual[k];
      pair.candidate = other[k];
      runs.push_back(std::move(pair));
    }
    const auto found = refuter.search(runs, unlike(runs));
    if (!found) continue;
    const Refutation small = refuter.minimise(runs, *found);
    const TermId value = values[small.element];
    const auto inputs = schedule_.below({value});
    const machine::Site cause = inputs.front()->site;
    const bool is_state = std::any_of(inputs.begin(), inputs.end(), [](const auto* input) {
      return input->nature == machine::ScheduleInput::Nature::kState;
    });
    report_two_runs(is_reference, runs[small.element], small, schedule_.describe({value}),
                    schedule_.describe({value}, run), cause,
                    is_state ? machine::Category::kState : machine::Category::kNondeterministic);
    return decided();
  }
  return false;
}

}  // namespace ptxequiv::check
