#include "check/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "check/classes.h"
#include "check/describe.h"
#include "check/exact.h"
#include "check/narrowing.h"
#include "ir/ir.h"
#include "library/library.h"
#include "ptx/parser.h"
#include "spec/number.h"

namespace ptxequiv::check {

Runner::Runner(const spec::Check& check, const Options& options, base::Log& log, Report& report)
    : options_(options),
      log_(log),
      report_(report),
      spec_(check),
      deadline_(options.timeout_seconds > 0 ? base::Deadline::in(options.timeout_seconds)
                                            : base::Deadline::never()) {
  if (options.level) spec_.level = *options.level;
  suppression_used_.assign(options.suppressions.size(), false);
}

Runner::~Runner() = default;

void Runner::dump(const std::string& what, const std::function<std::string()>& text) {
  if (options_.dump == what && options_.dump_to) options_.dump_to(text());
}

World& Runner::world(bool snapped) {
  std::unique_ptr<World>& slot = snapped ? snapped_ : exact_;
  if (!slot) {
    slot = std::make_unique<World>(arena_, library_.get(), snapped, prepared_, *solver_, deadline_,
                                   options_.seed, &schedule_);
    if (spec_.level == Level::kTolerance) {
      slot->refuter.set_tolerance(spec::exact(spec_.tolerance->atol).value,
                                  spec::exact(spec_.tolerance->rtol).value);
    }
  }
  return *slot;
}

machine::Outcome Runner::execute(const machine::Program& program, const std::string& side,
                                 machine::Schedule schedule, const base::Deadline* deadline) {
  side_ = side;
  machine::Limits limits;
  limits.schedule = schedule;
  limits.max_bytes = options_.memory_bytes;
  machine::Outcome outcome =
      timed("execute " + side, [&] {
        return machine::execute(program, prepared_.buffers, prepared_.scalars, arena_, limits,
                                deadline != nullptr ? *deadline : deadline_, nullptr, log_);
      });
  side_.clear();
  return outcome;
}

void Runner::run() {
  describe_spec(spec_, report_);
  prepared_ = timed("load", [&] { return prepare(spec_, sources_); });
  describe_scope(prepared_, report_);
  dump("ast", [&] {
    std::string out;
    for (const std::string& path : sources_.paths()) out += ptx::print(sources_.module(path));
    return out;
  });
  dump("ir", [&] {
    std::string out;
    for (const machine::Program* program : {&prepared_.reference, &prepared_.candidate}) {
      for (const machine::Step& step : program->steps) {
        if (const auto* launch = std::get_if<machine::Launch>(&step)) out += ir::to_string(*launch->function);
      }
    }
    return out;
  });
  if (spec_.level == Level::kTolerance) {
    if (!spec_.tolerance) {
      throw base::InputError(spec_.path, {}, "level tolerance is demanded, but no tolerance is given",
                             "--tolerance 1e-6,0, or \"tolerance\": {\"atol\": 1e-6, \"rtol\": 0}");
    }
    report_.tolerance = {spec_.tolerance->atol.text, spec_.tolerance->rtol.text};
  }
  reference_ = execute(prepared_.reference, "reference");
  candidate_ = execute(prepared_.candidate, "candidate");
  smt::Options solver_options;
  solver_options.dump_directory = options_.emit_smt2;
  solver_ = std::make_unique<smt::Solver>(solver_options, log_);
  library_ = timed("library", [&] { return library::make_library(); });
  elements_ = pair_elements(prepared_, reference_, candidate_, arena_);
  report_.elements_compared = elements_.size();
  dump("terms", [&] {
    std::vector<TermId> roots;
    for (const Element& e : elements_) roots.insert(roots.end(), {e.reference, e.candidate});
    return term::to_string(arena_, roots);
  });
  dump("real", [&] {
    std::vector<real::RealId> roots;
    World& w = world(false);
    for (const Element& e : elements_) {
      roots.push_back(w.reading.read(e.reference, e.type));
      roots.push_back(w.reading.read(e.candidate, e.type));
    }
    return real::to_string(w.reading.dag(), roots);
  });
  note(reference_, "reference");
  note(candidate_, "candidate");
  order_.add(reference_);
  order_.add(candidate_);
  schedule_.add(reference_);
  schedule_.add(candidate_);
  decide();
  note_suppressions();
  if (report_.verdict != Verdict::kInvalid) {
    note_unexecuted(reference_, "reference");
    note_unexecuted(candidate_, "candidate");
    note_unused_inputs();
  }
}

void Runner::decide() {
  if (settle_structure() || settle_order()) return;
  if (elements_.empty()) {
    if (blocked_) return refute_only();
    throw base::InputError(spec_.path, {}, "nothing is compared: neither side writes an output element",
                           "declare what the kernels write as \"output\" or \"inout\", and check the grid");
  }
  if (!world(false).refuter.feasible_point()) {
    const auto answer = solver_->check(world(false).reading.dag(), world(false).facts.assumptions(),
                                       world(false).facts, deadline_);
    if (std::holds_alternative<smt::Unsat>(answer)) {
      throw base::InputError(spec_.path, spec_.assume.empty() ? base::SourceLoc{} : spec_.assume[0].loc,
                             "the assumptions contradict each other: no input satisfies them",
                             "a proof under them would say nothing");
    }
    report_.verdict = Verdict::kUnknown;
    report_.reason = "assumptions";
    report_.message = "no concrete input was found that satisfies the assumptions";
    return;
  }
  if (settle_schedule_inputs()) return;
  if (blocked_) return refute_only();
  if (settle_uninitialised()) return;
  decide_elements();
  reopen_order_dependent();
  seek_condition();
  conclude();
}

bool Runner::literals_matter() const {
  for (TermId id = 0; id < arena_.size(); ++id) {
    const op::Kind kind = arena_.kind(id);
    if (kind == op::Kind::kFEx2 || kind == op::Kind::kFLg2) return true;
  }
  return false;
}

void Runner::decide_elements() {
  for (Element& element : elements_) {
    if (element.reference == element.candidate) {
      // Equal in the one order that was executed: over the reals that is equal in every order.
      if (order_.depends(element.reference)) {
        if (spec_.level == Level::kBitwise) continue;
        element.reading = &world(false).reading;
      }
      element.state = ElementState::kProved;
      ++proof_.steps["identical"];
    }
  }
  const auto open = [&] {
    return std::any_of(elements_.begin(), elements_.end(),
                       [](const Element& e) { return e.state == ElementState::kOpen; });
  };
  if (!open()) return;
  if (spec_.level == Level::kBitwise) {
    decide_bitwise(world(false));
    return;
  }
  if (spec_.level == Level::kTolerance) {
    decide_within_tolerance();
    return;
  }
  const bool two_readings = literals_matter();
  World& final_world = world(two_readings);
  const std::vector<size_t> first_of_kind = timed("classify", [&] { return classify(); });
  timed("sample", [&] { refute(final_world, final_world.refuter.search(elements_, first_of_kind)); });
  if (refuted_) return;
  dump("smt2", [&] { return queries(final_world); });
  // Exact literals first; then, as the design has it, those near a multiple of log2 e as that real;
  // last the exact literals again with all that case splits and Z3 can do.
  if (two_readings) prove(world(false), Prover::Effort::kForms);
  const ProofLog log = open() ? prove(final_world, Prover::Effort::kFull) : ProofLog{};
  if (open() && two_readings) prove(world(false), Prover::Effort::kFull);
  if (!open()) return;
  timed("refute", [&] {
    try_models(final_world, log);
    if (!refuted_) look_closely(final_world);
  });
}

// A proof over the reals takes the bits of a rounded value for a function of its term. The bits of
// a sum that atomics made in no fixed order are not.
void Runner::reopen_order_dependent() {
  if (!order_.any()) return;
  for (Element& element : elements_) {
    if (element.state != ElementState::kProved || !element.reading) continue;
    World& w = element.reading == &world(false).reading ? world(false) : world(true);
    for (const TermId side : {element.reference, element.candidate}) {
      if (!order_.depends(side)) continue;
      if (!order_.shows_in_bits(w.reading, w.reading.read(side, element.type))) continue;
      element.state = ElementState::kOpen;
      element.why_open = "order";
    }
  }
}

// At this point one side leaves the element as it was, and the other stores.
bool Runner::differs_in_coverage(const Element& element, const Point& point) const {
  const op::Kind initial = initial_kind(prepared_.buffers[element.buffer]);
  const auto stores = [&](TermId value) {
    if (is_initial(arena_, value, element, initial)) return false;
    const GuardedStore store = take_apart(arena_, value, element, initial);
    if (store.condition == term::kNoTerm) return true;
    const TermId roots[] = {store.condition};
    const bool holds = (evaluate_exactly(arena_, roots, point)[0].bits & 1) != 0;
    return holds == store.stored_when;
  };
  return stores(element.reference) != stores(element.candidate);
}

// Finds each open element's kind; the first element of each, and those without one.
std::vector<size_t> Runner::classify() {
  Classifier classifier(arena_, world(false).facts, !prepared_.spec.assume.empty());
  std::vector<size_t> first;
  std::set<uint32_t> seen;
  for (size_t i = 0; i < elements_.size(); ++i) {
    Element& element = elements_[i];
    if (element.state != ElementState::kOpen) continue;
    if (deadline_.passed()) return first;
    element.kind = classifier.classify(element);
    if (!element.kind || seen.insert(*element.kind).second) first.push_back(i);
  }
  return first;
}

// The solver's question for one element of each kind that is still open.
std::string Runner::queries(World& w) {
  std::string out;
  std::set<uint32_t> seen;
  for (const Element& e : elements_) {
    if (e.state != ElementState::kOpen || (e.kind && !seen.insert(*e.kind).second)) continue;
    real::Dag& dag = w.reading.dag();
    const real::RealId differ[] = {dag.make(
        real::Kind::kNot, dag.make(real::Kind::kEq, w.reading.read(e.reference, e.type),
                                   w.reading.read(e.candidate, e.type)))};
    out += fmt::format("; {}\n", element_name(prepared_.spec.buffers[e.buffer], e.index));
    out += solver_->to_smt2(dag, differ, w.facts);
  }
  return out;
}

ProofLog Runner::prove(World& w, Prover::Effort effort) {
  ProofLog log;
  timed("prove", [&] {
    w.prover.prove(elements_, log, effort, [&](uint64_t done, uint64_t total) {
      if (options_.progress) options_.progress("prove", done, total);
    });
  });
  for (const auto& [step, count] : log.steps) proof_.steps[step] += count;
  proof_.reference_domain += log.reference_domain;
  proof_.nonlinear_unsat += log.nonlinear_unsat;
  for (Element& element : elements_) {
    const bool proved = element.state == ElementState::kProved;
    if (proved && !element.reading && element.reference != element.candidate) {
      element.reading = &w.reading;
    }
  }
  return log;
}

bool Runner::refute(World& w, std::optional<Refutation> found) {
  if (!found) return false;
  // Under snapped constants a difference counts only if the exact literals show it as well.
  if (&w == snapped_.get()) {
    World& plain = world(false);
    Point point(arena_, plain.facts, found->point.draw(), found->point.seed());
    for (const auto& [leaf, bits] : found->point.chosen()) point.set(leaf, bits);
    if (!plain.refuter.confirm(elements_, found->element, point)) return false;
  }
  const Refutation small = w.refuter.minimise(elements_, *found);
  Element& element = elements_[small.element];
  element.state = ElementState::kRefuted;
  report_.elements_refuted = 1;
  refuted_ = true;
  witness_ = small.point;
  if (const SettledFault* fault = fault_at(small.point)) {
    SettledFault certain = *fault;
    certain.state = SettledFault::State::kCertain;
    certain.point = small.point;
    report_fault(certain, false);
    return true;
  }
  report_.verdict = Verdict::kNotEquivalent;
  report_.category = differs_in_coverage(element, small.point) ? "coverage" : "value";
  report_.witness = describe_witness(prepared_, arena_, w.refuter, element, small);
  Witness& witness = *report_.witness;
  if (schedule_.depends(element.reference) || schedule_.depends(element.candidate)) {
    witness.schedule = schedule_.describe({element.reference, element.candidate});
  }
  report_.message = fmt::format("{} is {} in the reference and {} in the candidate", witness.element,
                                witness.reference.real, witness.candidate.real);
  if (report_.tolerance) {
    report_.message += fmt::format(": more than {} + {} * |reference| apart",
                                   report_.tolerance->first, report_.tolerance->second);
  }
  if (report_.category == "value" && small.reference_bits != small.candidate_bits) {
    explain_by_overflow(small.point, true, [&](const machine::Outcome& outcome) {
      return agrees(outcome, element, small.point);
    });
  }
  return true;
}

// Does the candidate, executed otherwise, leave what the reference leaves at this point?
bool Runner::agrees(const machine::Outcome& outcome, const Element& element, const Point& point) {
  if (!outcome.faults.empty()) return false;
  for (const Element& other : pair_elements(prepared_, reference_, outcome, arena_)) {
    if (other.buffer != element.buffer || other.index != element.index) continue;
    const TermId roots[] = {other.reference, other.candidate};
    const std::vector<op::Result> bits = evaluate_exactly(arena_, roots, point);
    return bits[0].bits == bits[1].bits;
  }
  return false;
}

void Runner::try_models(World& w, const ProofLog& log) {
  for (const auto& [index, model] : log.models) {
    if (deadline_.passed()) return;
    if (refute(w, w.refuter.confirm(elements_, index, w.refuter.point_of(model)))) return;
  }
}

// Differences too small for the sampler: a few open elements at a few points, at high precision.
void Runner::look_closely(World& w) {
  constexpr size_t kMaxElements = 12;
  size_t seen = 0;
  std::set<uint32_t> kinds;
  for (size_t i = 0; i < elements_.size() && seen < kMaxElements; ++i) {
    const Element& element = elements_[i];
    if (element.state != ElementState::kOpen) continue;
    if (element.kind && !kinds.insert(*element.kind).second) continue;
    ++seen;
    for (const Point& point : w.refuter.thresholds(element)) {
      if (deadline_.passed()) return;
      if (refute(w, w.refuter.confirm(elements_, i, point))) return;
    }
    for (unsigned draw = 0; draw < kDrawCount; ++draw) {
      if (deadline_.passed()) return;
      const Point point(arena_, w.facts, static_cast<Draw>(draw), options_.seed + seen);
      if (refute(w, w.refuter.confirm(elements_, i, point))) return;
    }
  }
}

// Integers computed without floats: equal numbers are equal bits.
void Runner::prove_integers(World& w) {
  classify();
  const std::vector<bool> floats = floats_below(arena_);
  std::vector<Element> integers;
  std::vector<size_t> where;
  for (size_t i = 0; i < elements_.size(); ++i) {
    const Element& e = elements_[i];
    if (e.state != ElementState::kOpen || op::is_float(e.type)) continue;
    if (floats[e.reference] || floats[e.candidate]) continue;
    integers.push_back(e);
    where.push_back(i);
  }
  if (integers.empty()) return;
  ProofLog log;
  timed("prove", [&] { w.prover.prove(integers, log, Prover::Effort::kFull, {}); });
  for (const auto& [step, count] : log.steps) proof_.steps[step] += count;
  proof_.nonlinear_unsat += log.nonlinear_unsat;
  for (size_t k = 0; k < where.size(); ++k) elements_[where[k]] = integers[k];
}

void Runner::decide_bitwise(World& w) {
  const auto has_order = [&](const Element& e) {
    return order_.depends(e.reference) || order_.depends(e.candidate);
  };
  prove_integers(w);
  if (may_contract(arena_, elements_)) {
    for (Element& e : elements_) {
      if (e.state == ElementState::kOpen) e.why_open = "contraction";
    }
    return;
  }
  for (unsigned draw = 0; draw < kDrawCount && !refuted_; ++draw) {
    const Point point(arena_, w.facts, static_cast<Draw>(draw), options_.seed);
    std::vector<TermId> roots;
    std::vector<size_t> open;
    for (size_t i = 0; i < elements_.size(); ++i) {
      if (elements_[i].state != ElementState::kOpen || has_order(elements_[i])) continue;
      open.push_back(i);
      roots.insert(roots.end(), {elements_[i].reference, elements_[i].candidate});
    }
    const std::vector<op::Result> values = evaluate_exactly(arena_, roots, point);
    for (size_t k = 0; k < open.size() && !refuted_; ++k) {
      if (values[2 * k].bits == values[2 * k + 1].bits || has_approximation(arena_, elements_[open[k]])) continue;
      Refutation found{open[k], point, {}, true, values[2 * k].bits, values[2 * k + 1].bits};
      Element& element = elements_[found.element];
      element.state = ElementState::kRefuted;
      report_.elements_refuted = 1;
      report_.verdict = Verdict::kNotEquivalent;
      report_.category = "value";
      report_.witness = describe_witness(prepared_, arena_, w.refuter, element, found);
      report_.message = fmt::format("{} is {} in the reference and {} in the candidate, bit for bit",
                                    report_.witness->element, report_.witness->reference.bits,
                                    report_.witness->candidate.bits);
      refuted_ = true;
    }
  }
  for (Element& e : elements_) {
    if (e.state == ElementState::kOpen) e.why_open = has_order(e) ? "order" : "bits";
  }
}

}  // namespace ptxequiv::check
