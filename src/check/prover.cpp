#include "check/prover.h"

#include <set>

#include "base/error.h"
#include "check/values.h"
#include "real/arg_reduction.h"
#include "real/early_exit.h"
#include "term/exhaust.h"

namespace ptxequiv::check {

using real::Obligation;
using real::Proof;
using real::RealId;

namespace {

// Evaluations of single operations: before normal forms, and where these do not decide.
constexpr uint64_t kLittleWork = uint64_t{1} << 20;
constexpr uint64_t kMuchWork = uint64_t{1} << 26;

}  // namespace

Prover::Prover(term::Arena& arena, real::Reading& reading, const SpecFacts& facts,
               real::Normalizer& normalizer, smt::Solver& solver, const base::Deadline& deadline)
    : arena_(arena),
      reading_(reading),
      facts_(facts),
      normalizer_(normalizer),
      solver_(solver),
      deadline_(deadline) {}

// All terms in one sweep: sooner or later most are asked for.
bool Prover::poisoned(TermId id) {
  if (id >= poison_.size()) poison_.reserve(arena_.size());
  for (auto next = static_cast<TermId>(poison_.size()); id >= poison_.size(); ++next) {
    const op::Kind kind = arena_.kind(next);
    bool bad = kind == op::Kind::kPoison || kind == op::Kind::kInitial;
    for (const TermId operand : arena_.operands(next)) bad = bad || poison_[operand];
    poison_.push_back(bad);
  }
  return poison_[id];
}

RealId Prover::condition_of(const Obligation& obligation) {
  real::Dag& dag = reading_.dag();
  const RealId zero = dag.integer(0);
  RealId condition = dag.truth(false);
  switch (obligation.kind) {
    case Obligation::Kind::kNonZero:
      condition = dag.make(real::Kind::kNot, dag.make(real::Kind::kEq, obligation.argument, zero));
      break;
    case Obligation::Kind::kNonNegative:
      condition = dag.make(real::Kind::kLe, zero, obligation.argument);
      break;
    case Obligation::Kind::kPositive:
      condition = dag.make(real::Kind::kLt, zero, obligation.argument);
      break;
    case Obligation::Kind::kDefined:
      break;
  }
  return condition;
}

// Where its guard holds, if it has one.
RealId Prover::guarded(const Obligation& obligation) {
  const RealId condition = condition_of(obligation);
  if (obligation.guard == real::kNoReal) return condition;
  real::Dag& dag = reading_.dag();
  return dag.make(real::Kind::kOr, dag.make(real::Kind::kNot, obligation.guard), condition);
}

void Prover::settle_definedness(RealId reference, RealId candidate, Decision& decision) {
  if (reference == candidate) return;
  real::Dag& dag = reading_.dag();
  const std::vector<Obligation> given = normalizer_.obligations(reference);
  decision.reference_domain = given.size();
  std::vector<RealId> assumed;
  for (const Obligation& wanted : normalizer_.obligations(candidate)) {
    if (normalizer_.implied(wanted, given) == Proof::kProved) continue;
    if (assumed.empty()) {
      for (const Obligation& o : given) {
        assumed.push_back(guarded(o));
      }
    }
    if (effort_ == Effort::kForms) {
      decision.proved = false;
      decision.why_open = "definedness";
      return;
    }
    std::vector<RealId> query = assumed;
    if (wanted.guard != real::kNoReal) query.push_back(wanted.guard);
    query.push_back(dag.make(real::Kind::kNot, condition_of(wanted)));
    const smt::Answer answer = solver_.check(dag, query, facts_, deadline_);
    if (const auto* unsat = std::get_if<smt::Unsat>(&answer)) {
      decision.nonlinear = decision.nonlinear || unsat->nonlinear;
      continue;
    }
    decision.proved = false;
    decision.why_open = "definedness";
    if (const auto* model = std::get_if<smt::Model>(&answer)) decision.model = *model;
    return;
  }
}

Prover::Decision Prover::ask_solver(RealId reference, RealId candidate) {
  real::Dag& dag = reading_.dag();
  Decision out;
  std::vector<RealId> query;
  for (const Obligation& o : normalizer_.obligations(reference)) {
    query.push_back(guarded(o));
  }
  query.push_back(dag.make(real::Kind::kNot, dag.make(real::Kind::kEq, reference, candidate)));
  const smt::Answer answer = solver_.check(dag, query, facts_, deadline_);
  if (const auto* unsat = std::get_if<smt::Unsat>(&answer)) {
    out.proved = true;
    out.step = "z3";
    out.nonlinear = unsat->nonlinear;
  } else if (const auto* model = std::get_if<smt::Model>(&answer)) {
    out.why_open = "model-not-confirmed";
    out.model = *model;
  } else {
    out.why_open = "solver-" + std::get<smt::Unknown>(answer).reason;
  }
  return out;
}

Prover::Decision Prover::ask_for_bits(TermId reference, TermId candidate) {
  Decision out;
  const TermId same = arena_.equal(reference, candidate);
  const std::vector<TermId> differ = facts_.within_ranges(arena_, arena_.logic_not(same));
  const smt::Answer answer = solver_.check_bits(arena_, differ, deadline_);
  out.proved = std::holds_alternative<smt::Unsat>(answer);
  out.step = "z3-bits";
  if (const auto* model = std::get_if<smt::Model>(&answer)) out.model = *model;
  if (!out.proved) out.why_open = "bits";
  return out;
}

bool Prover::sees_opaque(RealId id) const {
  const real::Dag& dag = reading_.dag();
  const RealId roots[] = {id};
  for (const RealId below : real::cone(dag, roots)) {
    if (dag[below].kind == real::Kind::kOpaque || dag[below].kind == real::Kind::kOpaqueBool) {
      return true;
    }
  }
  return false;
}

// Of integers always; of floats, where bits have no meaning over the reals and Z3 would be next.
bool Prover::decided_by_bits(RealId left, RealId right, op::Type type) const {
  if (!op::is_float(type)) return true;
  return effort_ == Effort::kFull && (sees_opaque(left) || sees_opaque(right));
}

bool Prover::equal_for_all_inputs(TermId a, TermId b, uint64_t most_work) const {
  constexpr size_t kMostValues = 1 << 16;
  const auto values = [&](TermId leaf) { return facts_.all_values(arena_[leaf], kMostValues); };
  return term::equal_for_all_values(arena_, a, b, values, most_work);
}

Prover::Decision Prover::decide_value(TermId reference, TermId candidate, op::Type type) {
  Decision out;
  if (reference == candidate) return {true, "identical", "", 0, false, std::nullopt};
  if (poisoned(reference) || poisoned(candidate)) {
    out.why_open = "uninitialised";
    return out;
  }
  return compare(reference, candidate, type);
}

Prover::Decision Prover::compare(TermId reference, TermId candidate, op::Type type) {
  Decision out;
  const RealId left = reading_.read(reference, type), right = reading_.read(candidate, type);
  if (left == right) return {true, "same-meaning", "", 0, false, std::nullopt};
  if (!op::is_float(type) && equal_for_all_inputs(reference, candidate, kLittleWork)) {
    return {true, "all-inputs", "", 0, false, std::nullopt};
  }
  if (!op::is_float(type)) {
    const auto same_value = [&](TermId x, TermId y, op::Type as) {
      return x == y || normalizer_.normalize(reading_.read(x, as)) ==
                           normalizer_.normalize(reading_.read(y, as));
    };
    if (real::same_arg_reduction(reading_, reference, candidate, same_value)) {
      return {true, "arg-reduction", "", 0, false, std::nullopt};
    }
  }
  // Forms of many conditions are large: choices among whole numbers are looked at as such first.
  if (!op::is_float(type)) out = by_order(reference, candidate, type);
  if (out.proved) settle_definedness(left, right, out);
  if (out.proved || out.model) return out;
  const auto floats_by_order = [&] {
    if (op::is_float(type)) out = by_order(reference, candidate, type);
    return out.proved || out.model;
  };
  if (real::without_early_exits(reading_.dag(), left) ==
      real::without_early_exits(reading_.dag(), right)) {
    out.proved = true;
    out.step = "fixed-point";
  } else if (normalizer_.normalize(left) == normalizer_.normalize(right)) {
    out.proved = true;
    out.step = "normal-form";
  } else if (decided_by_bits(left, right, type) &&
             equal_for_all_inputs(reference, candidate, kMuchWork)) {
    return {true, "all-inputs", "", 0, false, std::nullopt};
  } else if (effort_ == Effort::kForms) {
    out.why_open = "algebra";
  } else if (floats_by_order()) {
    // Nothing else is tried on what differs in bits at inputs that were made for it.
  } else if (normalizer_.equal(left, right) == Proof::kProved) {
    out.proved = true;
    out.step = "case-split";
  } else if (!op::is_float(type)) {
    // What the reading cannot see into is bits; whole numbers alone are linear arithmetic.
    const bool as_bits_first = sees_opaque(left) || sees_opaque(right);
    std::optional<smt::Model> found;
    for (const bool as_bits : {as_bits_first, !as_bits_first}) {
      out = as_bits ? ask_for_bits(reference, candidate) : ask_solver(left, right);
      if (as_bits && out.proved) return out;
      if (out.proved) break;
      if (!found) found = out.model;
    }
    if (!out.proved && found) out.model = found;
  } else {
    out = ask_solver(left, right);
    if (!out.proved && decided_by_bits(left, right, type)) {
      Decision bits = ask_for_bits(reference, candidate);
      if (bits.proved) return bits;
      out.model_of_bits = std::move(bits.model);
    }
  }
  if (out.proved) settle_definedness(left, right, out);
  return out;
}

// What the element held before is chosen or not, but nothing is computed from it, and nothing else
// unwritten occurs.
bool Prover::keeps_own_contents(const Element& element) const {
  const TermId roots[] = {element.reference, element.candidate};
  std::set<TermId> holds;  // terms that may be the old contents
  for (const TermId id : term::cone(arena_, roots)) {
    const op::Kind kind = arena_.kind(id);
    if (kind == op::Kind::kPoison) return false;
    if (kind == op::Kind::kInitial) {
      if (!is_initial(arena_, id, element)) return false;
      holds.insert(id);
      continue;
    }
    const auto operands = arena_.operands(id);
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!holds.contains(operands[i])) continue;
      if (kind != op::Kind::kSelect || i == 0) return false;
      holds.insert(id);
    }
  }
  return true;
}

Prover::Decision Prover::decide(const Element& element) {
  if (element.reference == element.candidate)
    return {true, "identical", "", 0, false, std::nullopt};
  Decision out = decide_stores(element);
  if (out.proved || effort_ == Effort::kForms || !keeps_own_contents(element)) return out;
  // As functions of what the element held before: equal ones write under the same conditions.
  Decision whole = compare(element.reference, element.candidate, element.type);
  return whole.proved ? whole : out;
}

std::optional<std::pair<TermId, TermId>> Prover::stored_values(const Element& element,
                                                               std::string& why) {
  effort_ = Effort::kFull;
  std::pair<TermId, TermId> out;
  const Decision coverage = same_coverage(element, out.first, out.second);
  why = coverage.why_open;
  if (!coverage.proved) return std::nullopt;
  if (poisoned(out.first) || poisoned(out.second)) {
    why = "uninitialised";
    return std::nullopt;
  }
  return out;
}

Prover::Decision Prover::decide_stores(const Element& element) {
  TermId reference = term::kNoTerm, candidate = term::kNoTerm;
  const Decision coverage = same_coverage(element, reference, candidate);
  return coverage.proved ? decide_value(reference, candidate, element.type) : coverage;
}

Prover::Decision Prover::same_coverage(const Element& element, TermId& reference,
                                       TermId& candidate) {
  const GuardedStore left = take_apart(arena_, element.reference, element);
  const GuardedStore right = take_apart(arena_, element.candidate, element);
  reference = left.value;
  candidate = right.value;
  Decision out;
  if (left.condition == right.condition && left.stored_when == right.stored_when) {
    out.proved = true;
    return out;
  }
  out.why_open = "coverage";
  if (left.condition == term::kNoTerm || right.condition == term::kNoTerm) return out;
  if (poisoned(left.condition) || poisoned(right.condition)) return out;
  const auto written = [&](const GuardedStore& store) {
    return reading_.read(store.stored_when ? store.condition : arena_.logic_not(store.condition),
                         op::Type::kPred);
  };
  const RealId a = written(left), b = written(right);
  real::Dag& dag = reading_.dag();
  const RealId one = dag.integer(1), zero = dag.integer(0);
  const RealId x = dag.make(real::Kind::kIte, a, one, zero);
  const RealId y = dag.make(real::Kind::kIte, b, one, zero);
  if (normalizer_.equal(x, y) != Proof::kProved) {
    Decision asked = ask_solver(x, y);
    if (!asked.proved) {
      // An input at which one side writes alone; what it writes is not what was there.
      out.model = std::move(asked.model);
      if (out.model) {
        const term::Node& whole = arena_[element.reference];
        const TermId initial = left.stored_when ? whole.c : whole.b;
        out.model->bits[initial] = nearest_bits(element.type, mpq_class(42));
      }
      return out;
    }
  }
  out.proved = true;
  settle_definedness(x, y, out);
  return out;
}

// The obligation of an element that was proved without the solver, for another one.
void Prover::record(const Element& element) {
  real::Dag& dag = reading_.dag();
  const GuardedStore left = take_apart(arena_, element.reference, element);
  const GuardedStore right = take_apart(arena_, element.candidate, element);
  if (left.condition != right.condition || left.stored_when != right.stored_when) return;
  const RealId a = reading_.read(left.value, element.type);
  const RealId b = reading_.read(right.value, element.type);
  if (a == b) return;
  std::vector<RealId> query;
  for (const Obligation& o : normalizer_.obligations(a)) {
    query.push_back(guarded(o));
  }
  query.push_back(dag.make(real::Kind::kNot, dag.make(real::Kind::kEq, a, b)));
  solver_.record_unsat(dag, query, facts_);
}

void Prover::prove(std::vector<Element>& elements, ProofLog& log, Effort effort,
                   const std::function<void(uint64_t, uint64_t)>& progress) {
  effort_ = effort;
  std::map<uint32_t, Decision> by_class;
  uint64_t done = 0;
  for (size_t i = 0; i < elements.size(); ++i) {
    Element& element = elements[i];
    if (element.state != ElementState::kOpen) continue;
    if (deadline_.passed()) {
      element.why_open = "timeout";
      continue;
    }
    if (progress && ++done % 64 == 0) progress(done, elements.size());
    Decision decision;
    bool reused = false;
    try {
      if (element.kind) {
        auto [slot, fresh] = by_class.try_emplace(*element.kind);
        if (fresh) slot->second = decide(element);
        decision = slot->second;
        reused = !fresh;
      } else {
        decision = decide(element);
      }
    } catch (const base::LimitReached& limit) {
      decision = {};
      decision.why_open = limit.limit();
      if (element.kind) by_class[*element.kind] = decision;
    }
    if (!decision.proved) {
      element.why_open = decision.why_open;
      if (decision.model && !reused) log.models.emplace_back(i, *decision.model);
      if (decision.model_of_bits && !reused) log.models.emplace_back(i, *decision.model_of_bits);
      continue;
    }
    const bool by_forms = decision.step == "normal-form" || decision.step == "case-split";
    if (by_forms && !reused && solver_.records()) record(element);
    element.state = ElementState::kProved;
    ++log.steps[reused && decision.step != "identical" ? "same-kind" : decision.step];
    log.reference_domain += decision.reference_domain;
    log.nonlinear_unsat += decision.nonlinear;
  }
}

}  // namespace ptxequiv::check
