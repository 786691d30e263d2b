// What module variables hold at entry, and whether a run leaves them as it found them.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "base/mix.h"
#include "machine/memory.h"
#include "term/evaluate.h"

namespace ptxequiv::machine {
namespace {

constexpr size_t kMostConditions = 256;  // that are looked at to show a change
constexpr uint64_t kDraws = 6;

bool is_input(op::Kind kind) {
  return kind == op::Kind::kConst || kind == op::Kind::kInput || kind == op::Kind::kScalar ||
         kind == op::Kind::kInitial;
}

// A small number of the type: 1.5, -2, ...
uint64_t small_number(op::Type type, uint64_t random) {
  const int number = static_cast<int>(random % 17) - 8;
  const unsigned bits = op::bits(type);
  if (type == op::Type::kF32 || type == op::Type::kTF32) {
    const float value = static_cast<float>(number) / 2;
    uint32_t image = 0;
    std::memcpy(&image, &value, sizeof image);
    return image;
  }
  if (type == op::Type::kF64) {
    const double value = number / 2.0;
    uint64_t image = 0;
    std::memcpy(&image, &value, sizeof image);
    return image;
  }
  if (op::is_float(type)) return random >> 8 & op::mask(bits - 2);  // below 2, whatever the format
  return static_cast<uint64_t>(int64_t{number}) & op::mask(bits);
}

}  // namespace

uint64_t Memory::image_bits(const Region& region, uint64_t offset, unsigned size) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < size; ++i) {
    if (offset + i < region.image.size()) bits |= uint64_t{region.image[offset + i]} << (i * 8);
  }
  return bits;
}

// Bytes of what an earlier run left. They are the same however wide they are looked at.
TermId Memory::unknown_bytes(Region& region, uint64_t offset, unsigned size) {
  region.entry_read = true;
  const unsigned unit = 1u << region.unit_log2;
  auto [leaf, added] = region.unknown.try_emplace(offset >> region.unit_log2, kNoTerm);
  if (added) {
    const uint64_t start = offset & ~uint64_t{unit - 1};
    leaf->second = context_.reporter.schedule_input(
        unit * 8, fmt::format("what {} holds at entry", element(region, start, unit)), kNoSite, ScheduleInput::Nature::kState);
  }
  if (size == unit) return leaf->second;
  return arena_.extract(leaf->second, static_cast<unsigned>(offset & (unit - 1)) * 8, size * 8);
}

// Is one of the conditions true at one of a few inputs?
bool Memory::some_input_makes(const std::vector<TermId>& conditions) const {
  std::set<TermId> state;  // what earlier runs left counts as an input
  for (const auto& region : regions_) {
    for (const auto& [unit, leaf] : region->unknown) state.insert(leaf);
  }
  std::vector<TermId> decided;
  for (const TermId condition : conditions) {
    const TermId roots[] = {condition};
    const std::vector<TermId> below = term::cone(arena_, roots);
    const bool of_inputs = std::all_of(below.begin(), below.end(), [&](TermId id) {
      return op::arity(arena_.kind(id)) != 0 || is_input(arena_.kind(id)) || state.contains(id);
    });
    if (of_inputs) decided.push_back(condition);
  }
  if (decided.empty()) return false;
  for (uint64_t draw = 0; draw < kDraws; ++draw) {
    const auto leaf = [&](TermId id, const term::Node& node) -> uint64_t {
      const uint64_t random = base::mix(base::mix(draw) ^ id);
      const std::optional<IntegerRange>* range = nullptr;
      if (node.op.kind == op::Kind::kInput) range = &context_.buffers[node.a].range;
      if (node.op.kind == op::Kind::kScalar) range = &context_.scalars[node.a].range;
      if (state.contains(id)) return random % 3;
      if (range == nullptr || !*range) return small_number(node.op.type, random);
      const auto width =
          static_cast<uint64_t>((*range)->high) - static_cast<uint64_t>((*range)->low);
      const uint64_t step = random % (std::min<uint64_t>(width, 16) + 1);
      return (static_cast<uint64_t>((*range)->low) + step) & op::mask(op::bits(node.op.type));
    };
    const std::vector<uint64_t> values = term::evaluate(arena_, decided, leaf);
    if (std::find(values.begin(), values.end(), 1) != values.end()) return true;
  }
  return false;
}

Memory::Changed Memory::changed(const Region& region) {
  if (!region.written || !region.allocated()) return Changed::kNo;
  std::vector<TermId> conditions;
  bool undecided = false;
  const unsigned size = region.granule();
  for (uint64_t i = region.state.next(0); i < region.state.size(); i = region.state.next(i + 1)) {
    const CellValue cell = region.cell(i);
    if (cell.state == CellState::kUnwritten || cell.writer == kNoSite) continue;
    const TermId stored = cell.written == kNoTerm ? true_ : cell.written;
    TermId differs = true_;
    if (cell.state == CellState::kBits || cell.state == CellState::kTerm) {
      const TermId before = arena_.constant(size * 8, image_bits(region, i * size, size));
      differs = arena_.logic_not(arena_.equal(cell_term(region, cell), before));
    }
    const TermId condition = arena_.logic_and(stored, differs);
    if (condition == true_) return Changed::kYes;
    if (condition == arena_.truth(false)) continue;
    undecided = true;
    if (conditions.size() < kMostConditions) conditions.push_back(condition);
  }
  if (!undecided) return Changed::kNo;
  return some_input_makes(conditions) ? Changed::kYes : Changed::kMaybe;
}

std::vector<CarriedOver> Memory::carried_over() {
  std::vector<CarriedOver> found;
  if (context_.limits.evaluate) return found;
  for (const auto& [module, symbol, provenance] : variables_) {
    const Region& region = *regions_[provenance];
    if (region.read_only || region.given || !region.entry_read) continue;
    if (region.contents == Contents::kUnknown) {
      if (!region.changes) {
        context_.reporter.gap(
            "state", "whether " + region.name + " is left as it was found is not decided", kNoSite);
      }
      continue;
    }
    const Changed change = changed(region);
    if (change != Changed::kNo) {
      found.push_back({module, symbol, change == Changed::kYes});
    } else {
      context_.reporter.note("initial-state", region.name + " holds what its initialiser says",
                             kNoSite);
    }
  }
  return found;
}

}  // namespace ptxequiv::machine
