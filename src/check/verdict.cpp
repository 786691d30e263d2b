// The second half of the runner: what the structural findings and the elements' states add up to.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "check/describe.h"
#include "check/narrowing.h"
#include "check/runner.h"

namespace ptxequiv::check {
namespace {

std::string plural(uint64_t n, const std::string& word) {
  return n == 1 ? fmt::format("1 {}", word) : fmt::format("{} {}s", n, word);
}

// What a reason id of an open element means to a reader.
struct OpenRow {
  std::string_view id, sentence;
};
constexpr OpenRow kOpen[] = {
    {"timeout", "the time for this check was over"},
    {"algebra", "the normal forms differ and no case split settled it"},
    {"definedness", "it is not proved that the candidate is defined wherever the reference is"},
    {"uninitialised", "a value that was never written may reach it"},
    {"coverage", "the two sides write it under different conditions"},
    {"bits", "its bits are not proved equal"},
    {"order", "its bits depend on the order in which floating-point atomics come"},
    {"contraction", "ptxas may fuse a mul and an add there, so its bits are not determined"},
    {"model-not-confirmed", "the solver's difference did not survive evaluation"},
    {"expansion", "its normal form is too large"},
};

// What the machine notes because a proof rests on it.
bool is_assumption(const machine::Note& note) {
  return note.id == "commutative-atomics" || note.id == "elect" || note.id == "printf";
}

std::string open_sentence(const std::string& id) {
  for (const OpenRow& row : kOpen) {
    if (row.id == id) return std::string(row.sentence);
  }
  return id;
}

}  // namespace

void Runner::report_fault(const SettledFault& settled, const std::string& side) {
  const machine::Fault& fault = *settled.fault;
  Finding finding;
  finding.category = std::string(machine::name(fault.category));
  finding.side = side;
  finding.message = fault.message;
  // The machine could not tell; an input that was found can.
  for (const auto& [may, does] : {std::pair{" may read ", " reads "}, std::pair{" may write ", " writes "}}) {
    if (const size_t at = finding.message.find(may); at != std::string::npos && settled.point) {
      finding.message.replace(at, std::string_view(may).size(), does);
    }
  }
  finding.location = fault.location;
  finding.remedy = fault.remedy;
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
    finding.places.push_back(std::move(place));
  }
  report_.findings.push_back(std::move(finding));
}

bool Runner::settle_structure() {
  World& w = world(false);
  struct SideFaults {
    const char* side;
    const machine::Outcome* outcome;
  };
  bool possible = false, unsupported = false;
  for (const SideFaults& s : {SideFaults{"reference", &reference_}, SideFaults{"candidate", &candidate_}}) {
    const auto faults = settle_faults(s.outcome->faults, arena_, w.refuter, *solver_, deadline_);
    for (const SettledFault& fault : faults) {
      if (fault.state != SettledFault::State::kCertain) {
        possible = true;
        report_.open.push_back({fault.fault->message,
                                fmt::format("a fault of the {} could not be excluded", s.side), {}});
        continue;
      }
      const bool first = report_.findings.empty() || report_.verdict != Verdict::kUnknown;
      report_fault(fault, s.side);
      if (report_.verdict == Verdict::kInvalid || report_.verdict == Verdict::kNotEquivalent) continue;
      (void)first;
      const Finding& finding = report_.findings.back();
      const bool is_reference = s.outcome == &reference_;
      report_.verdict = is_reference ? Verdict::kInvalid : Verdict::kNotEquivalent;
      report_.category = finding.category;
      report_.reason = is_reference ? "reference-fault" : "";
      report_.message = (is_reference ? "the reference is itself faulty: " : "") + finding.message;
      Witness witness;
      witness.element = finding.location;
      witness.places = finding.places;
      witness.schedule = finding.remedy;
      witness.confirmed = true;
      if (fault.point) {
        describe_inputs(prepared_, arena_, *fault.point, w.refuter.leaves({fault.fault->condition}), witness);
      } else {
        witness.other_inputs = "any input";
      }
      report_.witness = std::move(witness);
    }
    for (const machine::Gap& gap : s.outcome->gaps) {
      unsupported = unsupported || gap.unsupported;
      report_.open.push_back({gap.message, gap.id, {place_of(gap.site, s.side)}});
    }
  }
  if (report_.verdict == Verdict::kInvalid || report_.verdict == Verdict::kNotEquivalent) return true;
  const bool gaps = !reference_.gaps.empty() || !candidate_.gaps.empty();
  if (!possible && !gaps) return false;
  // Values may still be refuted: a difference on inputs is a difference whatever the schedule, as
  // long as the reference's own execution is beyond doubt.
  report_.verdict = unsupported ? Verdict::kUnsupported : Verdict::kUnknown;
  report_.reason = gaps ? (reference_.gaps.empty() ? candidate_.gaps : reference_.gaps)[0].id : "possible-fault";
  report_.message = report_.open.front().what;
  return true;
}

bool Runner::settle_uninitialised() {
  World& w = world(false);
  for (const Element& element : elements_) {
    for (const bool is_reference : {true, false}) {
      const TermId value = is_reference ? element.reference : element.candidate;
      if (!w.prover.poisoned(value)) continue;
      const auto point = shows_uninitialised(arena_, w.facts, value, element, options_.seed);
      if (!point) continue;
      const std::string name = element_name(prepared_.spec.buffers[element.buffer], element.index);
      const std::string side = is_reference ? "reference" : "candidate";
      Finding finding;
      finding.category = "uninit-read";
      finding.side = side;
      finding.location = name;
      finding.message = fmt::format("{} of the {} depends on memory or a register that was never written", name, side);
      finding.places.push_back(place_of(is_reference ? element.reference_store : element.candidate_store, side));
      report_.verdict = is_reference ? Verdict::kInvalid : Verdict::kNotEquivalent;
      report_.category = finding.category;
      report_.reason = is_reference ? "reference-fault" : "";
      report_.message = (is_reference ? "the reference is itself faulty: " : "") + finding.message;
      Witness witness;
      witness.element = name;
      witness.buffer = prepared_.spec.buffers[element.buffer].name;
      witness.index = element.index;
      witness.places = finding.places;
      witness.confirmed = true;
      describe_inputs(prepared_, arena_, *point, w.refuter.leaves({value}), witness);
      report_.witness = std::move(witness);
      report_.findings.push_back(std::move(finding));
      return true;
    }
  }
  return false;
}

void Runner::note(const machine::Outcome& outcome, const std::string& side) {
  for (const machine::Note& n : outcome.notes) {
    if (is_assumption(n)) continue;
    report_.notes.push_back({n.id, n.message, {place_of(n.site, side)}, n.count});
  }
}

void Runner::collect_assumptions() {
  std::map<std::string, Assumption> all;
  const auto add = [&](const std::string& id, uint64_t count) {
    auto [slot, fresh] = all.try_emplace(id, make_assumption(id, 0));
    slot->second.count += count;
  };
  const auto site_of = [&](uint32_t origin, std::string& side) -> const machine::Site* {
    for (const machine::Outcome* outcome : {&reference_, &candidate_}) {
      if (origin < outcome->origin_base) continue;
      const uint32_t index = origin - outcome->origin_base;
      if (index >= outcome->origins.size()) continue;
      side = outcome == &reference_ ? "reference" : "candidate";
      return &outcome->origins[index];
    }
    return nullptr;
  };
  const auto add_places = [&](const std::string& id, const std::vector<uint32_t>& origins) {
    std::set<std::pair<std::string, uint32_t>> seen;
    for (uint32_t origin : origins) {
      std::string side;
      const machine::Site* site = site_of(origin, side);
      if (!site || !site->inst) continue;
      Place place = place_of(*site, side);
      if (all[id].places.size() < 8 && seen.emplace(place.file, place.line).second) {
        all[id].places.push_back(std::move(place));
      }
    }
  };
  for (const auto& [side, outcome] :
       {std::pair{"reference", &reference_}, std::pair{"candidate", &candidate_}}) {
    for (const machine::Note& n : outcome->notes) {
      if (!is_assumption(n)) continue;
      add(n.id, n.count);
      if (all[n.id].places.size() < 8) all[n.id].places.push_back(place_of(n.site, side));
    }
  }
  for (World* w : {exact_.get(), snapped_.get()}) {
    if (!w) continue;
    std::vector<std::pair<TermId, op::Type>> roots;
    for (const Element& e : elements_) {
      if (e.reading != &w->reading) continue;
      roots.emplace_back(e.reference, e.type);
      roots.emplace_back(e.candidate, e.type);
    }
    if (roots.empty()) continue;
    add("reals", roots.size() / 2);
    for (const auto& [id, use] : w->reading.assumptions(roots)) {
      if (id != "reals") add(id, use.count);
      add_places(id, use.origins);
    }
  }
  if (proof_.reference_domain) add("ref-domain", proof_.reference_domain);
  if (proof_.nonlinear_unsat) add("nlsat", proof_.nonlinear_unsat);
  if (prepared_.buffers.size() > 1) add("disjoint-buffers", prepared_.buffers.size());
  add("base-alignment", prepared_.buffers.size());
  if (!prepared_.spec.inferred.empty()) add("inferred", prepared_.spec.inferred.size());
  uint64_t ranges = 0;
  for (const spec::Buffer& b : prepared_.spec.buffers) ranges += b.range.has_value();
  for (const spec::Scalar& s : prepared_.spec.scalars) ranges += s.range.has_value();
  if (ranges) add("range", ranges);
  if (!prepared_.spec.assume.empty()) add("assume", prepared_.spec.assume.size());
  // Equal terms round alike whatever ptxas fuses only if both kernels are assembled alike.
  const bool all_identical =
      std::all_of(elements_.begin(), elements_.end(), [](const Element& e) { return !e.reading; });
  if (all_identical && may_contract(arena_, elements_)) add("no-contraction", 1);
  const std::vector<uint32_t> narrowed = narrowing_origins(arena_, elements_);
  if (!narrowed.empty()) {
    add("narrowing", narrowed.size());
    add_places("narrowing", narrowed);
  }
  for (auto& [id, assumption] : all) report_.assumptions.push_back(std::move(assumption));
}

void Runner::conclude() {
  uint64_t proved = 0;
  std::map<std::string, std::vector<size_t>> open;
  for (size_t i = 0; i < elements_.size(); ++i) {
    if (elements_[i].state == ElementState::kProved) ++proved;
    if (elements_[i].state == ElementState::kOpen) open[elements_[i].why_open].push_back(i);
  }
  report_.elements_proved = proved;
  for (const auto& [step, count] : proof_.steps) report_.proof_steps.emplace_back(step, count);
  if (refuted_) return;
  if (!open.empty()) {
    report_.verdict = Verdict::kUnknown;
    for (const auto& [why, indices] : open) {
      const Element& first = elements_[indices[0]];
      std::string what = element_name(prepared_.spec.buffers[first.buffer], first.index);
      if (indices.size() > 1) what += fmt::format(" and {} more", indices.size() - 1);
      report_.open.push_back({what, open_sentence(why),
                              {place_of(first.reference_store, "reference"),
                               place_of(first.candidate_store, "candidate")}});
    }
    report_.reason = open.count("timeout") ? "timeout" : open.begin()->first;
    report_.message = fmt::format("{} of {} elements proved; {}: {}", proved, elements_.size(),
                                  report_.open[0].what, report_.open[0].why);
    return;
  }
  collect_assumptions();
  for (const std::string& forbidden : options_.forbid) {
    for (const Assumption& a : report_.assumptions) {
      if (a.id != forbidden) continue;
      report_.verdict = Verdict::kUnknown;
      report_.reason = "forbidden-assumption";
      report_.message = fmt::format("the proof needs the assumption '{}', which is forbidden", a.id);
      return;
    }
  }
  report_.verdict = Verdict::kEquivalent;
  const bool bitwise =
      std::all_of(elements_.begin(), elements_.end(), [](const Element& e) { return !e.reading; });
  report_.level = bitwise ? Level::kBitwise : Level::kReal;
  report_.message = fmt::format("{} of {}", proved, plural(elements_.size(), "element"));
}

}  // namespace ptxequiv::check
