// Level real-if: preconditions that are found. What the refuted or open elements read gives the
// candidates; each is then a fact under which the ladder is climbed again.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "check/classes.h"
#include "check/runner.h"
#include "check/values.h"
#include "spec/expression.h"

namespace ptxequiv::check {
namespace {

// Where a condition was asked for, and where it would only be said beside a refutation.
constexpr double kMostSeconds = 12, kMostSecondsUnasked = 2;
constexpr size_t kMaxNames = 6, kMaxConstants = 8, kMaxFailing = 8;
constexpr uint64_t kMaxBufferElements = 4096;

// What a candidate may say of one name, weakest first; {0} is the name.
struct Row {
  const char* form;
  bool for_floats, for_integers;
};
constexpr Row kOfOne[] = {
    {"{} != 0", true, true},      {"{} >= 0", true, true},      {"{} <= 0", true, true},
    {"{} % 2 == 0", false, true}, {"{} % 4 == 0", false, true}, {"{} % 8 == 0", false, true},
    {"{} % 16 == 0", false, true}, {"{} % 32 == 0", false, true}, {"{} > 0", true, true},
    {"{} < 0", true, true},
};
constexpr const char* kOfTwo[] = {"{} != {}", "{} <= {}", "{} < {}"};

}  // namespace

std::vector<std::string> Runner::condition_candidates() const {
  std::vector<TermId> roots;
  for (const Element& element : elements_) {
    if (element.state == ElementState::kProved || roots.size() >= 2 * kMaxFailing) continue;
    roots.insert(roots.end(), {element.reference, element.candidate});
  }
  std::set<uint32_t> scalars, buffers;
  std::set<std::pair<uint32_t, uint64_t>> constants;   // bits that a scalar is compared with
  for (const TermId id : term::cone(arena_, roots)) {
    const term::Node& node = arena_[id];
    if (node.op.kind == op::Kind::kScalar) scalars.insert(node.a);
    if (node.op.kind == op::Kind::kInput) buffers.insert(node.a);
    const bool compares = node.op.kind == op::Kind::kFLt || node.op.kind == op::Kind::kFLe ||
                          node.op.kind == op::Kind::kFMin || node.op.kind == op::Kind::kFMax ||
                          node.op.kind == op::Kind::kLtS || node.op.kind == op::Kind::kLtU;
    if (!compares) continue;
    for (const auto& [a, b] : {std::pair{node.a, node.b}, {node.b, node.a}}) {
      if (arena_.kind(a) != op::Kind::kScalar || !arena_.is_const(b)) continue;
      if (constants.size() < kMaxConstants) constants.emplace(arena_[a].a, arena_.const_bits(b));
    }
  }
  struct Name {
    std::string text;
    bool is_float;
  };
  std::vector<Name> names;
  const auto& spec = prepared_.spec;
  for (const uint32_t s : scalars) {
    if (names.size() < kMaxNames) names.push_back({spec.scalars[s].name, op::is_float(spec.scalars[s].type)});
  }
  const size_t scalar_count = names.size();
  for (const uint32_t b : buffers) {
    const spec::Buffer& buffer = spec.buffers[b];
    const bool usable = op::is_float(buffer.type) && buffer.elements() <= kMaxBufferElements;
    if (usable && names.size() < kMaxNames) names.push_back({buffer.name + "[*]", true});
  }
  std::vector<std::string> out;
  const auto of_one = [&](size_t from, size_t to) {
    for (const Row& row : kOfOne) {
      for (size_t i = from; i < to; ++i) {
        if (names[i].is_float ? !row.for_floats : !row.for_integers) continue;
        out.push_back(fmt::format(fmt::runtime(row.form), names[i].text));
      }
    }
  };
  const auto of_two = [&](const char* form) {
    for (size_t i = 0; i < scalar_count; ++i) {
      for (size_t j = 0; j < scalar_count; ++j) {
        if (i == j || names[i].is_float != names[j].is_float) continue;
        if (form == kOfTwo[0] && j < i) continue;
        out.push_back(fmt::format(fmt::runtime(form), names[i].text, names[j].text));
      }
    }
  };
  for (const char* form : kOfTwo) of_two(form);
  of_one(0, scalar_count);
  for (const auto& [scalar, bits] : constants) {
    const op::Type type = spec.scalars[scalar].type;
    if (!value_of(type, bits)) continue;
    for (const char* relation : {"<=", ">="}) {
      out.push_back(fmt::format("{} {} {}", spec.scalars[scalar].name, relation, to_decimal(type, bits)));
    }
  }
  of_one(scalar_count, names.size());
  return out;
}

// Every element that is not proved without it is proved with the condition.
bool Runner::holds_under(Conditional& trial, const base::Deadline& deadline) {
  trial.prepared = prepared_;
  trial.prepared.spec.assume.push_back({trial.text, {}});
  const auto make = [&](bool snapped) {
    return std::make_unique<World>(arena_, library_.get(), snapped, trial.prepared, *solver_,
                                   deadline, options_.seed, &schedule_);
  };
  trial.exact = make(false);
  World& w = *trial.exact;
  if (witness_ && w.refuter.admits(*witness_)) return false;
  if (!w.refuter.feasible_point()) return false;
  trial.elements = elements_;
  Classifier classifier(arena_, w.facts, true);
  std::vector<size_t> first;
  std::set<uint32_t> seen;
  for (size_t i = 0; i < trial.elements.size(); ++i) {
    Element& element = trial.elements[i];
    if (element.state == ElementState::kProved) continue;
    if (deadline.passed()) return false;
    element.state = ElementState::kOpen;
    element.kind = classifier.classify(element);
    if (!element.kind || seen.insert(*element.kind).second) first.push_back(i);
  }
  if (literals_matter()) trial.snapped = make(true);
  World& filter = trial.snapped ? *trial.snapped : w;
  if (filter.refuter.search(trial.elements, first)) return false;
  const auto climb = [&](World& world, Prover::Effort effort) {
    world.prover.prove(trial.elements, trial.log, effort, {});
    bool open = false;
    for (Element& element : trial.elements) {
      open = open || element.state == ElementState::kOpen;
      const bool fresh = element.state == ElementState::kProved && !element.reading &&
                         element.reference != element.candidate;
      if (fresh) element.reading = &world.reading;
    }
    return !open;
  };
  if (climb(w, Prover::Effort::kForms)) return true;
  if (trial.snapped && climb(*trial.snapped, Prover::Effort::kFull)) return true;
  return climb(w, Prover::Effort::kFull);
}

void Runner::seek_condition() {
  if (spec_.level != Level::kReal && spec_.level != Level::kRealIf) return;
  const bool open = std::any_of(elements_.begin(), elements_.end(), [](const Element& e) {
    return e.state == ElementState::kOpen;
  });
  if (!open && !refuted_) return;
  if (refuted_ && (!witness_ || (report_.category != "value" && report_.category != "coverage"))) {
    return;
  }
  if (order_.any()) return;   // proofs that depend on it are looked at again without a condition
  timed("conditions", [&] {
    const double most = spec_.level == Level::kRealIf ? kMostSeconds : kMostSecondsUnasked;
    const auto deadline = base::Deadline::in(std::min(most, 0.8 * deadline_.left()));
    for (const std::string& text : condition_candidates()) {
      if (deadline.passed()) return;
      auto trial = std::make_unique<Conditional>();
      trial->text = text;
      try {
        if (!holds_under(*trial, deadline)) continue;
      } catch (const base::InputError&) {
        continue;   // a relation that the check's names do not allow
      } catch (const base::Unsupported&) {
        continue;
      } catch (const base::LimitReached&) {
        continue;
      }
      report_.holds_if = {text};
      if (spec_.level == Level::kRealIf) {
        condition_ = std::move(trial);
        adopt_condition();
      }
      return;
    }
  });
}

// The proof under the condition is the verdict; a witness outside of it becomes a note.
void Runner::adopt_condition() {
  elements_ = condition_->elements;
  for (const auto& [step, count] : condition_->log.steps) proof_.steps[step] += count;
  proof_.reference_domain += condition_->log.reference_domain;
  proof_.nonlinear_unsat += condition_->log.nonlinear_unsat;
  if (refuted_) {
    report_.notes.push_back({"outside-condition",
                             fmt::format("outside of {}: {}", condition_->text, report_.message),
                             report_.witness ? report_.witness->places : std::vector<Place>{},
                             1});
  }
  refuted_ = false;
  report_.elements_refuted = 0;
  report_.witness.reset();
  report_.findings.clear();
  report_.category.clear();
  report_.message.clear();
}

}  // namespace ptxequiv::check
