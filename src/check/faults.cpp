#include "check/faults.h"

#include <algorithm>
#include <unordered_set>

#include "check/exact.h"
#include "check/shapes.h"

namespace ptxequiv::check {

namespace {

constexpr size_t kMaxSimplified = 256;

// Zero wherever the condition stays true: a solver's numbers say little to a reader.
void simplify(TermId condition, Refuter& refuter, Point& point) {
  const std::vector<TermId> leaves = refuter.leaves({condition});
  for (size_t i = 0; i < leaves.size() && i < kMaxSimplified; ++i) {
    Point simpler = point;
    simpler.set(leaves[i], 0);
    if (refuter.confirm_true(condition, simpler)) point = simpler;
  }
}

}  // namespace

std::vector<SettledFault> settle_faults(const std::vector<machine::Fault>& faults,
                                        term::Arena& arena, Refuter& refuter, smt::Solver& solver,
                                        const base::Deadline& deadline) {
  std::vector<SettledFault> out;
  Shapes shapes(arena);
  std::unordered_set<uint32_t> impossible;  // shapes of conditions that never hold
  for (const machine::Fault& fault : faults) {
    SettledFault settled{&fault, SettledFault::State::kPossible, std::nullopt};
    const TermId condition = fault.condition;
    const bool always =
        condition == term::kNoTerm || (arena.is_const(condition) && arena.const_bits(condition));
    if (always) {
      // Nothing to find: the accesses happen for every input. A fault the machine itself calls
      // possible stays so.
      if (fault.strength == machine::Fault::Strength::kCertain)
        settled.state = SettledFault::State::kCertain;
    } else if (arena.is_const(condition)) {
      continue;
    } else if (!impossible.empty() && impossible.contains(shapes.shape(condition))) {
      continue;
    } else if (auto point = refuter.find_true(condition)) {
      settled.state = SettledFault::State::kCertain;
      settled.point = std::move(point);
    } else {
      const std::vector<TermId> query = refuter.facts().within_ranges(arena, condition);
      const smt::Answer answer = solver.check_bits(arena, query, deadline);
      if (std::holds_alternative<smt::Unsat>(answer)) {
        impossible.insert(shapes.shape(condition));
        continue;
      }
      if (const auto* model = std::get_if<smt::Model>(&answer)) {
        settled.point = refuter.confirm_true(condition, refuter.point_of(*model));
        if (settled.point) {
          settled.state = SettledFault::State::kCertain;
          simplify(condition, refuter, *settled.point);
        }
      }
    }
    out.push_back(std::move(settled));
  }
  std::stable_sort(out.begin(), out.end(), [](const SettledFault& a, const SettledFault& b) {
    return a.state == SettledFault::State::kCertain && b.state != SettledFault::State::kCertain;
  });
  return out;
}

std::optional<Point> shows_uninitialised(const term::Arena& arena, const SpecFacts& facts,
                                         TermId value, const Element& element, uint64_t seed,
                                         const std::vector<TermId>* which) {
  if (is_initial(arena, value, element)) return std::nullopt;  // not written: coverage, not a read
  // A guarded store is no read of what was there before either.
  for (GuardedStore store = take_apart(arena, value, element); store.condition != term::kNoTerm;
       store = take_apart(arena, value, element)) {
    value = store.value;
  }
  const TermId roots[] = {value};
  std::vector<TermId> unwritten;
  for (TermId id : term::cone(arena, roots)) {
    const op::Kind kind = arena.kind(id);
    if (kind == op::Kind::kPoison || kind == op::Kind::kInitial) unwritten.push_back(id);
  }
  if (unwritten.empty()) return std::nullopt;
  for (unsigned draw = 0; draw < 2 * kDrawCount; ++draw) {
    Point first(arena, facts, static_cast<Draw>(draw % kDrawCount), seed);
    Point second = first;
    // 0 and the bits of an ordinary number, so that products and selections both show; then the
    // bits of a NaN, which no product with zero hides.
    const bool as_nan = draw >= kDrawCount;
    for (TermId id : unwritten) {
      first.set(id, 0);
      second.set(id, 0);
      if (which && std::find(which->begin(), which->end(), id) == which->end()) continue;
      const uint64_t ones = op::mask(arena.width(id));
      const uint64_t number = arena.width(id) == 32 ? 0x41234567u : ones / 3;
      second.set(id, as_nan ? ones : number);
    }
    if (evaluate_exactly(arena, roots, first)[0].bits !=
        evaluate_exactly(arena, roots, second)[0].bits) {
      return second;
    }
  }
  return std::nullopt;
}

}  // namespace ptxequiv::check
