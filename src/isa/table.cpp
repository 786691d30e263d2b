#include "isa/table.h"

#include <fmt/format.h>

#include <algorithm>
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
  bool ok() const { return unknown.empty() && missing.empty(); }
};

bool contains(const ModifierGroup& group, std::string_view modifier) {
  return std::find(group.choices.begin(), group.choices.end(), modifier) != group.choices.end();
}

std::string choices_text(const ModifierGroup& group) {
  return fmt::format(".{}", fmt::join(group.choices, " ."));
}

// Optional type groups stand at the end of a form, so types fit greedily.
Fit fit_modifiers(const Form& form, const std::vector<std::string>& modifiers) {
  Fit fit;
  std::vector<bool> used(form.groups.size());
  size_t next_type = 0;
  for (const std::string& modifier : modifiers) {
    std::optional<size_t> place;
    const bool is_type = is_type_name(modifier);
    for (size_t i = is_type ? next_type : 0; i < form.groups.size() && !place; ++i) {
      const ModifierGroup& group = form.groups[i];
      if (used[i] || group.is_type != is_type) continue;
      if (contains(group, modifier)) place = i;
      if (is_type && !place && group.required) break;  // types come in order
    }
    if (place) {
      used[*place] = true;
      ++fit.matched;
      if (is_type) next_type = *place + 1;
    } else if (!form.any_modifiers && fit.unknown.empty()) {
      fit.unknown = modifier;
    }
  }
  for (size_t i = 0; i < form.groups.size(); ++i) {
    if (form.groups[i].required && !used[i] && fit.missing.empty()) {
      fit.missing = choices_text(form.groups[i]);
    }
  }
  return fit;
}

bool count_fits(const Form& form, size_t count) {
  return form.any_operands || (count >= form.required_operands() && count <= form.operands.size());
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
    integer_rows,         bit_rows,     carry_rows, floating_rows, comparison_rows,
    logic_rows,           convert_rows, move_rows,  memory_rows,   control_rows,
    synchronisation_rows, atomic_rows,  warp_rows,  async_rows,    matrix_rows,
    unsupported_rows};

}  // namespace

Table::Table() {
  for (const auto chapter : kChapters) {
    for (const Row& row : chapter()) entries_.push_back({&row, parse_form(row.form)});
  }
  for (const Entry& entry : entries_) by_opcode_[entry.row->opcode].push_back(&entry);
}

Match Table::match(const ptx::Instruction& inst, const std::string& path) const {
  const auto rows = by_opcode_.find(inst.opcode);
  if (rows == by_opcode_.end()) {
    const auto nearest =
        std::min_element(by_opcode_.begin(), by_opcode_.end(), [&](const auto& a, const auto& b) {
          return distance(a.first, inst.opcode) < distance(b.first, inst.opcode);
        });
    throw base::InputError(path, inst.loc, fmt::format("unknown instruction '{}'", inst.opcode),
                           fmt::format("the nearest name is '{}'", nearest->first));
  }
  Match match;
  for (const std::string& modifier : inst.modifiers) {
    if (is_type_name(modifier)) match.types.push_back(modifier);
  }
  std::vector<const Row*> best;  // those that fit equally well
  Fit best_fit;
  for (const Entry* entry : rows->second) {
    const Fit fit = fit_modifiers(entry->form, inst.modifiers);
    if (fit.ok() && count_fits(entry->form, inst.operands.size())) {
      match.entry = entry;
      return match;
    }
    const auto rank = [](const Fit& f) { return std::pair(f.ok(), f.matched); };
    if (best.empty() || rank(fit) > rank(best_fit)) {
      best.clear();
      best_fit = fit;
    }
    if (rank(fit) == rank(best_fit)) best.push_back(entry->row);
  }
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
  const size_t least = form.required_operands(), most = form.operands.size();
  throw base::InputError(
      path, inst.loc,
      fmt::format("{} takes {} operands, not {}", name,
                  least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most),
                  inst.operands.size()),
      legal);
}

}  // namespace ptxequiv::isa
