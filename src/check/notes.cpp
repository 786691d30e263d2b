// Notes that are no faults, but that people want to know of.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/describe.h"
#include "check/runner.h"

namespace ptxequiv::check {
namespace {

constexpr size_t kMaxPlaces = 8;

// The first line of a block that does something; null for what compilers add: asserts, traps, ends.
const ptx::Instruction* work_of(const ir::Function& function, const ir::Block& block) {
  const ptx::Instruction* first = nullptr;
  for (const ir::InstId id : block.insts) {
    const ir::Inst& inst = function.insts[id];
    if (inst.opcode == ir::Opcode::kTrap || inst.opcode == ir::Opcode::kPrint) return nullptr;
    if (inst.source == nullptr || inst.opcode == ir::Opcode::kPhi || ir::ends_block(inst.opcode)) {
      continue;
    }
    if (first == nullptr) first = inst.source;
  }
  return first;
}

// Which inputs, and scalars without a value, lie below these terms.
struct Uses {
  std::vector<bool> buffers, scalars;
};

Uses uses_of(const term::Arena& arena, const std::vector<TermId>& roots, const Prepared& prepared) {
  Uses out{std::vector<bool>(prepared.buffers.size()), std::vector<bool>(prepared.scalars.size())};
  const std::vector<bool> reached = term::reachable(arena, roots);
  for (TermId id = 0; id < reached.size(); ++id) {
    if (!reached[id]) continue;
    const term::Node& node = arena[id];
    if (node.op.kind == op::Kind::kInput) out.buffers[node.a] = true;
    if (node.op.kind == op::Kind::kScalar) out.scalars[node.a] = true;
  }
  return out;
}

}  // namespace

void Runner::note_unexecuted(const machine::Outcome& outcome, const std::string& side) {
  for (const auto& [function, executed] : outcome.blocks_executed) {
    Note out{"never-executed", "", {}, 0};
    for (size_t block = 0; block < executed.size() && block < function->blocks.size(); ++block) {
      if (executed[block]) continue;
      const ptx::Instruction* work = work_of(*function, function->blocks[block]);
      if (work == nullptr) continue;
      ++out.count;
      if (out.places.size() < kMaxPlaces) {
        out.places.push_back(place_of({0, function, work}, side));
      }
    }
    if (out.count == 0) continue;
    out.message = fmt::format("code of {} that this launch never executes", function->name);
    report_.notes.push_back(std::move(out));
  }
}

void Runner::note_unused_inputs() {
  if (elements_.empty()) return;
  std::vector<TermId> references, candidates;
  for (const Element& element : elements_) {
    references.push_back(element.reference);
    candidates.push_back(element.candidate);
  }
  const Uses reference = uses_of(arena_, references, prepared_);
  const Uses candidate = uses_of(arena_, candidates, prepared_);
  std::vector<std::string> by_neither, by_reference;
  const auto sort_in = [&](const std::string& name, bool in_reference, bool in_candidate) {
    if (in_candidate) return;
    (in_reference ? by_reference : by_neither).push_back(name);
  };
  for (size_t b = 0; b < prepared_.buffers.size(); ++b) {
    const machine::Role role = prepared_.buffers[b].role;
    if (role != machine::Role::kInput && role != machine::Role::kInout) continue;
    sort_in(prepared_.buffers[b].name, reference.buffers[b], candidate.buffers[b]);
  }
  for (size_t s = 0; s < prepared_.scalars.size(); ++s) {
    if (prepared_.scalars[s].value) continue;
    sort_in(prepared_.scalars[s].name, reference.scalars[s], candidate.scalars[s]);
  }
  if (!by_reference.empty()) {
    report_.notes.push_back(
        {"unused-input",
         fmt::format("no output of the candidate depends on {}, though the reference's do",
                     fmt::join(by_reference, ", ")),
         {},
         1});
  }
  if (!by_neither.empty()) {
    report_.notes.push_back(
        {"unused-input",
         fmt::format("no output of either side depends on {}", fmt::join(by_neither, ", ")),
         {},
         1});
  }
}

}  // namespace ptxequiv::check
