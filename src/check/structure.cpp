// The runner's part that settles what the machine found: faults, what may be one, and gaps in the
// argument.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "check/describe.h"
#include "check/exact.h"
#include "check/runner.h"

namespace ptxequiv::check {
namespace {

// Gaps that leave the one execution a possible one, so that its values may refute. Elsewhere the
// machine went on with something that hardware need not do.
constexpr std::string_view kLegalExecution[] = {
    "schedule", "schedule-input", "strong-access", "fence", "race", "barrier-count", "state"};

bool is_legal(const machine::Gap& gap) {
  return !gap.unsupported && std::find(std::begin(kLegalExecution), std::end(kLegalExecution),
                                       gap.id) != std::end(kLegalExecution);
}

std::vector<Place> places_of(const machine::Fault& fault, const std::string& side) {
  std::vector<Place> out;
  for (const machine::Fault::Access& access : fault.accesses) {
    Place place = place_of(access.site, side);
    place.access = access.is_write ? "write" : "read";
    place.thread = fmt::format("thread {}", access.thread.thread[0]);
    if (access.thread.thread[1] || access.thread.thread[2]) {
      place.thread = fmt::format("thread {}", fmt::join(access.thread.thread, ","));
    }
    if (access.thread.cta != std::array<uint32_t, 3>{}) {
      place.thread += fmt::format(" of CTA {}", fmt::join(access.thread.cta, ","));
    }
    out.push_back(std::move(place));
  }
  return out;
}

}  // namespace

Finding finding_of(const SettledFault& settled, const std::string& side) {
  const machine::Fault& fault = *settled.fault;
  Finding finding;
  finding.category = std::string(machine::name(fault.category));
  finding.side = side;
  finding.message =
      settled.point && !fault.when_certain.empty() ? fault.when_certain : fault.message;
  finding.location = fault.location;
  finding.remedy = fault.remedy;
  finding.places = places_of(fault, side);
  return finding;
}

// The first finding is the verdict; later ones are listed.
void Runner::report_finding(Finding finding, Witness witness, bool is_reference) {
  if (!decided()) {
    report_.verdict = is_reference ? Verdict::kInvalid : Verdict::kNotEquivalent;
    report_.category = finding.category;
    report_.reason = is_reference ? "reference-fault" : "";
    report_.message = (is_reference ? "the reference is itself faulty: " : "") + finding.message;
    witness.confirmed = true;
    report_.witness = std::move(witness);
  }
  report_.findings.push_back(std::move(finding));
}

void Runner::report_fault(const SettledFault& settled, bool is_reference) {
  Finding finding = finding_of(settled, is_reference ? "reference" : "candidate");
  Witness witness;
  witness.element = finding.location;
  witness.places = finding.places;
  witness.schedule = finding.remedy;
  if (settled.point) {
    describe_inputs(prepared_, arena_, *settled.point,
                    world(false).refuter.leaves({settled.fault->condition}), witness);
  } else {
    witness.other_inputs = "any input";
  }
  report_finding(std::move(finding), std::move(witness), is_reference);
}

bool Runner::suppress(const Finding& finding, bool certain) {
  for (size_t i = 0; i < options_.suppressions.size(); ++i) {
    const spec::Suppression& suppression = options_.suppressions[i];
    const auto matches = [&](const Place& place) {
      return suppression.matches(place.kernel, finding.category);
    };
    const bool found = finding.places.empty()
                           ? suppression.matches("", finding.category)
                           : std::any_of(finding.places.begin(), finding.places.end(), matches);
    if (!found) continue;
    suppression_used_[i] = true;
    const std::string kernel = finding.places.empty() ? "" : finding.places[0].kernel;
    report_.suppressed.push_back({finding, kernel, suppression.reason, certain});
    return true;
  }
  return false;
}

void Runner::note_suppressions() {
  for (size_t i = 0; i < options_.suppressions.size(); ++i) {
    if (suppression_used_[i]) continue;
    const spec::Suppression& unused = options_.suppressions[i];
    report_.notes.push_back(
        {"unused-suppression",
         fmt::format("the suppression of {} in {} is not used", unused.category, unused.kernel),
         {},
         1});
  }
}

bool Runner::settle_structure() {
  Refuter& refuter = world(false).refuter;
  Blocked blocked;
  std::optional<SettledFault> primary;  // of the candidate
  bool possible = false, unsupported = false;
  for (const bool is_reference : {true, false}) {
    const std::string side = is_reference ? "reference" : "candidate";
    const machine::Outcome& outcome = is_reference ? reference_ : candidate_;
    const auto faults = settle_faults(outcome.faults, arena_, refuter, *solver_, deadline_);
    for (const SettledFault& fault : faults) {
      const bool certain = fault.state == SettledFault::State::kCertain;
      if (suppress(finding_of(fault, side), certain)) continue;
      if (certain) {
        if (!decided() && !is_reference) primary = fault;
        report_fault(fault, is_reference);
        continue;
      }
      possible = true;
      report_.open.push_back(
          {fault.fault->message, fmt::format("a fault of the {} could not be excluded", side), {}});
      if (is_reference) blocked.may_refute = false;
      if (!is_reference) blocked.possible.push_back(fault);
    }
    for (const machine::Gap& gap : outcome.gaps) {
      unsupported = unsupported || gap.unsupported;
      report_.open.push_back({gap.message, gap.id, {place_of(gap.site, side)}});
      if (is_reference || !is_legal(gap)) blocked.may_refute = false;
    }
  }
  if (decided()) {
    if (primary) explain_fault(*primary);
    return true;
  }
  const bool gaps = !reference_.gaps.empty() || !candidate_.gaps.empty();
  if (!possible && !gaps) return false;
  blocked.verdict = unsupported ? Verdict::kUnsupported : Verdict::kUnknown;
  blocked.reason =
      gaps ? (reference_.gaps.empty() ? candidate_.gaps : reference_.gaps)[0].id : "possible-fault";
  blocked.message = report_.open.front().what;
  blocked_ = std::move(blocked);
  return false;
}

void Runner::explain_fault(const SettledFault& settled) {
  using machine::Category;
  const machine::Fault& fault = *settled.fault;
  const bool may_be_overflow = fault.category == Category::kOutOfBounds ||
                               fault.category == Category::kRaceShared ||
                               fault.category == Category::kRaceGlobal;
  if (!may_be_overflow || fault.accesses.empty()) return;
  explain_by_overflow(settled.point, false, [&](const machine::Outcome& outcome) {
    // A gap that was not there would hide the fault rather than mend it.
    return outcome.gaps.size() <= candidate_.gaps.size() &&
           !happens(fault, outcome, settled.point);
  });
}

const SettledFault* Runner::fault_at(const Point& point) const {
  if (!blocked_) return nullptr;
  for (const SettledFault& fault : blocked_->possible) {
    if (fault.fault->condition == term::kNoTerm) continue;
    const TermId roots[] = {fault.fault->condition};
    const op::Result happens = evaluate_exactly(arena_, roots, point)[0];
    const bool always = arena_.is_const(fault.fault->condition);
    if (!always && happens.exact && (happens.bits & 1) != 0) return &fault;
  }
  return nullptr;
}

// What an element held before, or an unwritten byte, lies below what was stored.
bool Runner::reads_unwritten(TermId value, const Element& element) {
  if (is_initial(arena_, value, element)) return false;
  for (GuardedStore store = take_apart(arena_, value, element); store.condition != term::kNoTerm;
       store = take_apart(arena_, value, element)) {
    value = store.value;
    if (world(false).prover.poisoned(store.condition)) return true;
  }
  return world(false).prover.poisoned(value);
}

// A difference on inputs is one whatever the candidate does in other schedules or for other inputs,
// as long as the reference is beyond doubt: either its values differ there, or its fault happens.
void Runner::refute_only() {
  if (blocked_->may_refute && spec_.level != Level::kBitwise) {
    std::vector<size_t> which = timed("classify", [&] { return classify(); });
    std::erase_if(which, [&](size_t i) {
      const Element& e = elements_[i];
      return e.reference == e.candidate || reads_unwritten(e.reference, e) ||
             reads_unwritten(e.candidate, e);
    });
    World& w = world(literals_matter());
    timed("sample", [&] { refute(w, w.refuter.search(elements_, which)); });
    if (refuted_) return;
  }
  report_.verdict = blocked_->verdict;
  report_.reason = blocked_->reason;
  report_.message = blocked_->message;
}

bool Runner::settle_uninitialised() {
  World& w = world(false);
  for (const Element& element : elements_) {
    for (const bool is_reference : {true, false}) {
      const TermId value = is_reference ? element.reference : element.candidate;
      if (!w.prover.poisoned(value)) continue;
      const auto shows = [&](const std::vector<TermId>* which) {
        return shows_uninitialised(arena_, w.facts, value, element, options_.seed, which);
      };
      const auto point = shows(nullptr);
      if (!point) continue;
      const std::string name = element_name(prepared_.spec.buffers[element.buffer], element.index);
      const std::string side = is_reference ? "reference" : "candidate";
      Finding finding;
      finding.category = "uninit-read";
      finding.side = side;
      finding.location = name;
      finding.message = fmt::format(
          "{} of the {} depends on memory or a register that was never written", name, side);
      finding.places.push_back(
          place_of(is_reference ? element.reference_store : element.candidate_store, side));
      // What a warp operation reads from a lane that takes no part is a fault of the operation.
      for (const machine::LanePoison& lane : (is_reference ? reference_ : candidate_).lane_poison) {
        const std::vector<TermId> leaf{lane.leaf};
        if (!shows(&leaf)) continue;
        finding.category = std::string(machine::name(machine::Category::kShuffleMask));
        finding.message = fmt::format("{}, and {} depends on it", lane.message, name);
        finding.places.insert(finding.places.begin(), place_of(lane.site, side));
        break;
      }
      if (suppress(finding, true)) continue;
      Witness witness;
      witness.element = name;
      witness.buffer = prepared_.spec.buffers[element.buffer].name;
      witness.index = element.index;
      witness.places = finding.places;
      describe_inputs(prepared_, arena_, *point, w.refuter.leaves({value}), witness);
      report_finding(std::move(finding), std::move(witness), is_reference);
      return true;
    }
  }
  return false;
}

}  // namespace ptxequiv::check
