#include "isa/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>

#include "base/error.h"

namespace ptxequiv::isa {
namespace {

// Levenshtein distance, for "did you mean".
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// How far an instruction's modifiers fit a form.
struct Fit {
  std::string unknown;  // a modifier that the form has no place for
  std::string missing;  // choices of a group that must be there and is not
  size_t matched = 0;
  // (modifier, floor) of those with one of their own.
  std::vector<std::pair<std::string_view, const Floor*>> floors;
  bool ok() const { return unknown.empty() && missing.empty(); }
};

// The floor of a modifier in a group; null if it is none of the choices.
const Floor* find(const ModifierGroup& group, std::string_view modifier) {
  for (size_t i = 0; i < group.choices.size(); ++i) {
    if (group.choices[i] == modifier) return &group.floors[i];
  }
  return nullptr;
}

std::string choices_text(const ModifierGroup& group) {
  return fmt::format(".{}", fmt::join(group.choices, " ."));
}

// Optional groups of an order stand at its end in a form, so modifiers fit greedily.
Fit fit_modifiers(const Form& form, const ptx::Instruction& inst) {
  Fit fit;
  std::vector<bool> used(form.groups.size());
  std::array<size_t, kModifierOrders> next{};
  bool in_name = true;
  for (const std::string& modifier : inst.modifiers) {
    std::optional<size_t> place;
    const ModifierOrder order = order_of(inst.opcode, modifier);
    const bool ordered = order != ModifierOrder::kAny;
    in_name = in_name && order == ModifierOrder::kName;
    const bool misplaced = order == ModifierOrder::kName && !in_name;
    const size_t first = ordered ? next[static_cast<size_t>(order)] : 0;
    for (size_t i = first; i < form.groups.size() && !place && !misplaced; ++i) {
      const ModifierGroup& group = form.groups[i];
      if (used[i] || group.order != order) continue;
      if (const Floor* floor = find(group, modifier)) {
        place = i;
        fit.floors.push_back({modifier, floor});
      }
      if (ordered && !place && group.required) break;
    }
    if (place) {
      used[*place] = true;
      ++fit.matched;
      if (ordered) next[static_cast<size_t>(order)] = *place + 1;
    } else if (!form.any_modifiers && fit.unknown.empty()) {
      fit.unknown = modifier;
    }
  }
  for (size_t i = 0; i < form.groups.size(); ++i) {
    const unsigned unit = form.groups[i].unit;
    bool needed = form.groups[i].required;
    for (size_t k = 0; k < form.groups.size() && unit != 0; ++k) {
      needed = needed || (used[k] && form.groups[k].unit == unit);
    }
    if (needed && !used[i] && fit.missing.empty()) {
      fit.missing = choices_text(form.groups[i]);
    }
  }
  return fit;
}

bool count_fits(const Form& form, const ptx::Instruction& inst) {
  if (form.any_operands) return true;
  const Form::Count count = form.operand_count(inst.modifiers);
  return inst.operands.size() >= count.least && inst.operands.size() <= count.most;
}

// "the nearest form is add{.sat}.s32 d, a, b (PTX manual, 9.7.1.1)", for a few of them.
std::string nearest_forms(const std::vector<const Row*>& rows) {
  constexpr size_t kMost = 3;
  std::string text = rows.size() == 1 ? "the nearest form is " : "the nearest forms are ";
  for (size_t i = 0; i < std::min(rows.size(), kMost); ++i) {
    if (i > 0) text += "; ";
    text += fmt::format("{}{} (PTX manual, {})", rows[i]->opcode, rows[i]->form, rows[i]->section);
  }
  return text;
}

constexpr std::span<const Row> (*kChapters[])() = {
    integer_rows,    bit_rows,     carry_rows,           floating_rows,
    comparison_rows, logic_rows,   convert_rows,         move_rows,
    memory_rows,     control_rows, synchronisation_rows, atomic_rows,
    warp_rows,       async_rows,   matrix_rows,          mma_rows,
    wmma_rows,       texture_rows, bulk_copy_rows,       mbarrier_rows,
    wgmma_rows,      tcgen05_rows, video_rows,           stack_rows,
    unsupported_rows};

}  // namespace

Table::Table() {
  for (const auto chapter : kChapters) {
    for (const Row& row : chapter()) {
      entries_.push_back({&row, parse_form(row.form)});
      for (ModifierGroup& group : entries_.back().form.groups) {
        group.order = order_of(row.opcode, group.choices.front());
      }
    }
  }
  for (const Entry& entry : entries_) by_opcode_[entry.row->opcode].push_back(&entry);
}

// Why the module's version or target does not have an instruction; empty if they do.
std::string too_new(const Row& row, const Fit& fit, const ptx::Module& module) {
  const uint32_t version = module.version_major * 10 + module.version_minor;
  const auto problem = [&](std::string_view what, uint16_t ptx, const Targets& targets) {
    if (version < ptx) {
      return fmt::format("{}needs PTX {}.{} or later; the module's .version is {}.{}", what,
                         ptx / 10, ptx % 10, module.version_major, module.version_minor);
    }
    if (!targets.contain(module.target, version)) {
      return fmt::format("{}needs .target {}; the module's is {}", what, targets.to_string(),
                         module.target);
    }
    return std::string();
  };
  std::string text = problem("", row.ptx, row.targets);
  for (const auto& [modifier, floor] : fit.floors) {
    if (text.empty()) text = problem(fmt::format(".{} ", modifier), floor->ptx, floor->targets);
  }
  return text;
}

std::vector<Match> Table::matches(const ptx::Instruction& inst, const ptx::Module& module) const {
  const std::string& path = module.path;
  const auto rows = by_opcode_.find(inst.opcode);
  if (rows == by_opcode_.end()) {
    const auto nearest =
        std::min_element(by_opcode_.begin(), by_opcode_.end(), [&](const auto& a, const auto& b) {
          return distance(a.first, inst.opcode) < distance(b.first, inst.opcode);
        });
    throw base::InputError(path, inst.loc, fmt::format("unknown instruction '{}'", inst.opcode),
                           fmt::format("the nearest name is '{}'", nearest->first));
  }
  std::vector<std::string_view> types;
  for (const std::string& modifier : inst.modifiers) {
    if (is_type_name(modifier)) types.push_back(modifier);
  }
  std::vector<Match> found;
  std::vector<const Row*> best;  // those that fit equally well
  Fit best_fit;
  for (const Entry* entry : rows->second) {
    const Fit fit = fit_modifiers(entry->form, inst);
    if (fit.ok() && count_fits(entry->form, inst)) {
      found.push_back({entry, types, too_new(*entry->row, fit, module)});
    }
    const auto rank = [](const Fit& f) { return std::pair(f.ok(), f.matched); };
    if (best.empty() || rank(fit) > rank(best_fit)) {
      best.clear();
      best_fit = fit;
    }
    if (rank(fit) == rank(best_fit)) best.push_back(entry->row);
  }
  if (!found.empty()) return found;
  const std::string name = inst.full_name();
  const std::string legal = nearest_forms(best);
  if (!best_fit.unknown.empty()) {
    throw base::InputError(path, inst.loc,
                           fmt::format("{} does not take .{}", name, best_fit.unknown), legal);
  }
  if (!best_fit.missing.empty()) {
    throw base::InputError(path, inst.loc,
                           fmt::format("{} needs one of {}", name, best_fit.missing), legal);
  }
  const Form form = parse_form(best.front()->form);
  const auto [least, most] = form.operand_count(inst.modifiers);
  throw base::InputError(
      path, inst.loc,
      fmt::format("{} takes {} operands, not {}", name,
                  least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most),
                  inst.operands.size()),
      legal);
}

const Match& Table::choose(const std::vector<Match>& matches, const ptx::Instruction& inst,
                           const ptx::Module& module) {
  const Match* fitting = nullptr;
  std::optional<OperandProblem> first_problem;
  for (const Match& match : matches) {
    std::optional<OperandProblem> problem = operand_problem(match, inst, module);
    if (!problem && match.too_new.empty()) return match;
    if (!problem && fitting == nullptr) fitting = &match;
    if (problem && !first_problem) first_problem = std::move(problem);
  }
  std::vector<const Row*> rows;
  for (const Match& match : matches) rows.push_back(match.entry->row);
  if (fitting != nullptr) {
    throw base::InputError(module.path, inst.loc,
                           fmt::format("{}: {}", inst.full_name(), fitting->too_new),
                           nearest_forms({fitting->entry->row}));
  }
  const ptx::Operand* at = first_problem->operand;
  throw base::InputError(module.path, at != nullptr && at->loc.line != 0 ? at->loc : inst.loc,
                         fmt::format("{}: {}", inst.full_name(), first_problem->message),
                         nearest_forms(rows));
}

std::vector<Binding> bind(const Form& form, const ptx::Instruction& inst) {
  std::vector<Binding> bindings;
  size_t spare =
      form.any_operands ? 0 : inst.operands.size() - form.operand_count(inst.modifiers).least;
  size_t next = 0;
  for (const OperandForm& operand : form.operands) {
    if (!operand.condition.empty()) {
      if (std::find(inst.modifiers.begin(), inst.modifiers.end(), operand.condition) ==
          inst.modifiers.end()) {
        continue;
      }
    } else if (operand.optional) {
      if (spare == 0) continue;
      --spare;
    }
    bindings.push_back({&operand, &inst.operands[next++]});
  }
  return bindings;
}

}  // namespace ptxequiv::isa
