#include "check/schedule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace ptxequiv::check {
namespace {

using Nature = machine::ScheduleInput::Nature;

constexpr uint64_t kNumbers = 100;    // processors beyond this are not shown
constexpr size_t kMaxConstants = 16;  // that outputs compare schedule inputs with
constexpr size_t kMaxDescribed = 3;

// Compared with the usual run one after the other: a small difference, a large one, other
// distances between readings.
constexpr ScheduleRun kOtherRuns[] = {
    {.number = 0, .start = 1001, .any = ~uint64_t{0}},
    {.number = 2, .start = 1002, .step = 17, .any = 1},
    {.number = 3, .start = 1004, .step = 32, .any_step = 1},
    {.number = 7, .start = 1016, .step = 64, .any = 0x5555555555555555},
    {.number = 31, .start = 2024, .step = 100, .any = 2},
    {.number = 63, .start = 1000 + (1u << 20), .any = 0x80000000},
    {.number = 99, .start = 1000u + (1u << 31), .step = 1000, .any = 7, .any_step = 3},
};

bool compares(op::Kind kind) {
  return kind == op::Kind::kEq || kind == op::Kind::kLtU || kind == op::Kind::kLtS;
}

}  // namespace

void ScheduleInputs::add(const machine::Outcome& outcome) {
  for (const machine::ScheduleInput& input : outcome.schedule_inputs) {
    index_.emplace(input.leaf, inputs_.size());
    inputs_.push_back(input);
  }
  depends_.clear();
}

bool ScheduleInputs::depends(TermId id) {
  if (!any()) return false;
  for (auto next = static_cast<TermId>(depends_.size()); next <= id; ++next) {
    bool below = index_.contains(next);
    for (const TermId operand : arena_.operands(next)) below = below || depends_[operand];
    depends_.push_back(below);
  }
  return depends_[id];
}

std::vector<const machine::ScheduleInput*> ScheduleInputs::below(
    std::initializer_list<TermId> roots) const {
  std::vector<size_t> found;
  for (const TermId id : term::cone(arena_, std::vector<TermId>(roots))) {
    if (const auto at = index_.find(id); at != index_.end()) found.push_back(at->second);
  }
  std::sort(found.begin(), found.end());
  std::vector<const machine::ScheduleInput*> out;
  for (const size_t i : found) out.push_back(&inputs_[i]);
  return out;
}

std::optional<uint64_t> ScheduleInputs::bits(TermId leaf, const ScheduleRun& run) const {
  const auto at = index_.find(leaf);
  if (at == index_.end()) return std::nullopt;
  uint64_t value = 0;
  const machine::ScheduleInput& input = inputs_[at->second];
  switch (input.nature) {
    case Nature::kTicket:
      value = input.position;
      if (input.any_order) {  // forwards or backwards, from any of them on
        if (run.any_step % 2 != 0) value = input.total - 1 - value;
        value = (value + run.any % input.total) % input.total;
      }
      break;
    case Nature::kAny:
    case Nature::kState:
      value = run.any + run.any_step * at->second;
      break;
    case Nature::kMask:
      value = run.any == 0 ? 0 : inputs_[at->second].mask;
      break;
    case Nature::kNumber:
      value = run.number;
      break;
    case Nature::kCounter:
      value = run.start + run.step * at->second;
      break;
  }
  return value & op::mask(arena_.width(leaf));
}

std::vector<TermId> ScheduleInputs::in_run(term::Arena& arena, const std::vector<TermId>& roots,
                                           const ScheduleRun& run) const {
  std::unordered_map<TermId, TermId> values;
  for (const machine::ScheduleInput& input : inputs_) {
    values[input.leaf] = arena.constant(arena.width(input.leaf), *bits(input.leaf, run));
  }
  return substitute(arena, roots, values);
}

std::vector<ScheduleRun> ScheduleInputs::other_runs(const std::vector<TermId>& roots) {
  std::vector<ScheduleRun> runs(std::begin(kOtherRuns), std::end(kOtherRuns));
  std::set<uint64_t> constants;
  for (const TermId id : term::cone(arena_, roots)) {
    if (constants.size() >= kMaxConstants) break;
    const term::Node& node = arena_[id];
    if (!compares(node.op.kind) || !depends(id)) continue;
    for (const TermId side : {node.a, node.b}) {
      if (arena_.is_const(side)) constants.insert(arena_.const_bits(side));
    }
  }
  for (const uint64_t constant : constants) {
    for (const uint64_t value : {constant, constant + 1, constant - 1}) {
      // A count passes every value once; a processor's number is small.
      ScheduleRun run{.number = value, .start = value, .any = value};
      if (value >= kNumbers) run.number = 0;
      runs.push_back(run);
    }
  }
  return runs;
}

std::string ScheduleInputs::describe(std::initializer_list<TermId> roots,
                                     const ScheduleRun& run) const {
  std::vector<std::string> parts;
  const auto inputs = below(roots);
  for (const machine::ScheduleInput* input : inputs) {
    if (parts.size() == kMaxDescribed) {
      parts.push_back(fmt::format("and {} more", inputs.size() - kMaxDescribed));
      break;
    }
    parts.push_back(fmt::format("{} is {}", input->what, *bits(input->leaf, run)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<TermId> substitute(term::Arena& arena, const std::vector<TermId>& roots,
                               const std::unordered_map<TermId, TermId>& replacements) {
  std::unordered_map<TermId, TermId> done;
  const auto now = [&](TermId id) {
    const auto at = done.find(id);
    return at == done.end() ? id : at->second;
  };
  for (const TermId id : term::cone(arena, roots)) {
    if (const auto given = replacements.find(id); given != replacements.end()) {
      done[id] = given->second;
      continue;
    }
    const term::Node node = arena[id];  // a copy: the arena grows
    uint32_t in[3] = {node.a, node.b, node.c};
    bool changed = false;
    for (unsigned i = 0; i < op::arity(node.op.kind); ++i) {
      const TermId operand = now(in[i]);
      changed = changed || operand != in[i];
      in[i] = operand;
    }
    if (changed) done[id] = arena.make(node.op, in[0], in[1], in[2]);
  }
  std::vector<TermId> out;
  for (const TermId root : roots) out.push_back(now(root));
  return out;
}

}  // namespace ptxequiv::check
