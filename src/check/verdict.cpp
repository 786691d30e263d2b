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
    {"tolerance", "its difference is neither bounded by the tolerance nor shown to exceed it"},
    {"coverage", "the two sides write it under different conditions"},
    {"bits", "its bits are not proved equal"},
    {"schedule-input", "it depends on values that only the schedule decides"},
    {"order", "its bits depend on the order in which floating-point atomics come"},
    {"contraction", "ptxas may fuse a mul and an add there, so its bits are not determined"},
    {"model-not-confirmed", "the solver's difference did not survive evaluation"},
    {"expansion", "its normal form is too large"},
};

// What the machine notes because a proof rests on it.
bool is_assumption(const machine::Note& note) {
  return note.id == "commutative-atomics" || note.id == "elect" || note.id == "printf" ||
         note.id == "initial-state" || note.id == "warp-order";
}

std::string open_sentence(const std::string& id) {
  for (const OpenRow& row : kOpen) {
    if (row.id == id) return std::string(row.sentence);
  }
  return id;
}

}  // namespace

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
  std::vector<World*> worlds{exact_.get(), snapped_.get()};
  if (condition_) worlds.insert(worlds.end(), {condition_->exact.get(), condition_->snapped.get()});
  for (World* w : worlds) {
    if (!w) continue;
    // One element of each kind was read; what its proof used is what theirs use.
    std::vector<std::pair<TermId, op::Type>> roots;
    std::set<uint32_t> kinds;
    uint64_t proved = 0;
    for (const Element& e : elements_) {
      if (e.reading != &w->reading) continue;
      ++proved;
      if (e.kind && !kinds.insert(*e.kind).second) continue;
      roots.emplace_back(e.reference, e.type);
      roots.emplace_back(e.candidate, e.type);
    }
    if (roots.empty()) continue;
    add("reals", proved);
    for (const auto& [id, use] : w->reading.assumptions(roots)) {
      if (id != "reals") add(id, use.count);
      add_places(id, use.origins);
    }
  }
  if (proof_.reference_domain) add("ref-domain", proof_.reference_domain);
  if (!report_.suppressed.empty()) {
    add("suppressed", report_.suppressed.size());
    for (const Suppressed& s : report_.suppressed) {
      for (const Place& place : s.finding.places) {
        if (all["suppressed"].places.size() < 8) all["suppressed"].places.push_back(place);
      }
    }
  }
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

// Integers that were proved equal as numbers, without a float in sight, are equal bits.
void Runner::know_bits() {
  const auto by_number = [](const Element& e) {
    return e.reading && !e.within_tolerance && !op::is_float(e.type);
  };
  if (std::none_of(elements_.begin(), elements_.end(), by_number)) return;
  const std::vector<bool> floats = floats_below(arena_);
  for (Element& e : elements_) {
    if (by_number(e) && !floats[e.reference] && !floats[e.candidate]) e.reading = nullptr;
  }
}

void Runner::conclude() {
  uint64_t proved = 0;
  std::map<std::string, std::vector<size_t>> open;
  for (size_t i = 0; i < elements_.size(); ++i) {
    if (elements_[i].state == ElementState::kProved) ++proved;
    if (elements_[i].state != ElementState::kOpen) continue;
    const Element& e = elements_[i];
    // Nothing showed a dependence on the schedule, and nothing excluded it.
    const bool depends = schedule_.depends(e.reference) || schedule_.depends(e.candidate);
    open[depends && e.why_open != "timeout" ? "schedule-input" : e.why_open].push_back(i);
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
  if (!condition_) know_bits();
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
  const bool bounded = std::any_of(elements_.begin(), elements_.end(),
                                   [](const Element& e) { return e.within_tolerance; });
  report_.level = bitwise      ? Level::kBitwise
                  : condition_ ? Level::kRealIf
                  : bounded    ? Level::kTolerance : Level::kReal;
  report_.message = fmt::format("{} of {}", proved, plural(elements_.size(), "element"));
}

}  // namespace ptxequiv::check
