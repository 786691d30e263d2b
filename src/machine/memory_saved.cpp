// Memory set aside: a CTA's own while others run, and what outlives a CTA to come back to.
#include <algorithm>

#include "base/error.h"
#include "machine/memory.h"

namespace ptxequiv::machine {
namespace {

Region contents_of(const Region& region) {
  Region copy;
  copy.space = region.space;
  copy.provenance = region.provenance;
  copy.bytes = region.bytes;
  copy.written = region.written;
  copy.granule_log2 = region.granule_log2;
  copy.cells_per_copy = region.cells_per_copy;
  copy.payload = region.payload.copy();
  copy.state = region.state.copy();
  copy.partial = region.partial;
  copy.writer = region.writer.copy();
  return copy;
}

bool same(const CellValue& a, const CellValue& b) {
  if (a.state != b.state) return false;
  return a.state == CellState::kUnwritten || (a.payload == b.payload && a.written == b.written);
}

}  // namespace

void Memory::swap_cta(CtaMemory& other) {
  other.regions.resize(cta_regions_.size());
  for (size_t i = 0; i < cta_regions_.size(); ++i) {
    Region& mine = *regions_[cta_regions_[i]];
    Region& its = other.regions[i];
    if (its.provenance == 0) {  // never set aside: as it is at the start
      its.provenance = mine.provenance;
      its.granule_log2 = mine.granule_log2;
      its.cells_per_copy = mine.cells_per_copy;
    }
    std::swap(mine.granule_log2, its.granule_log2);
    std::swap(mine.cells_per_copy, its.cells_per_copy);
    std::swap(mine.payload, its.payload);
    std::swap(mine.state, its.state);
    std::swap(mine.partial, its.partial);
    std::swap(mine.shadow, its.shadow);
  }
  std::swap(undo_, other.undo);
}

SavedMemory Memory::save() const {
  SavedMemory saved;
  for (const auto& region : regions_) {
    if (region->space == ptx::Space::kGlobal) saved.regions.push_back(contents_of(*region));
  }
  return saved;
}

void Memory::restore(const SavedMemory& saved) {
  for (const Region& from : saved.regions) {
    Region& region = *regions_[from.provenance];
    region.shadow.for_each([&](uint64_t, Shadow& shadow) { order_.clear(shadow); });
    region.shadow.reset(0);
    const unsigned finest = region.granule_log2;
    Region copy = contents_of(from);
    region.written = copy.written;
    region.granule_log2 = copy.granule_log2;
    region.cells_per_copy = copy.cells_per_copy;
    region.payload = std::move(copy.payload);
    region.state = std::move(copy.state);
    region.partial = std::move(copy.partial);
    region.writer = std::move(copy.writer);
    if (finest < region.granule_log2) refine(region, finest);
  }
  undo_.clear();
}

bool Memory::any_global(const std::function<bool(TermId)>& f) const {
  for (const auto& region : regions_) {
    if (region->space != ptx::Space::kGlobal) continue;
    for (const auto& [cell, written] : region->partial) {
      if (f(written)) return true;
    }
    const Paged<CellState>& state = region->state;
    for (uint64_t i = state.next(0); i < state.size(); i = state.next(i + 1)) {
      const CellValue cell = std::as_const(*region).cell(i);
      if (cell.state == CellState::kTerm && f(static_cast<TermId>(cell.payload))) return true;
    }
  }
  return false;
}

bool Memory::merge(std::vector<std::pair<TermId, SavedMemory>>& cases, bool must_agree) {
  PTXEQUIV_CHECK(!cases.empty(), "some run to take memory from");
  for (size_t r = 0; r < cases.front().second.regions.size(); ++r) {
    Region& region = *regions_[cases.front().second.regions[r].provenance];
    for (auto& [condition, saved] : cases) {
      Region& its = saved.regions[r];
      if (region.granule_log2 < its.granule_log2) refine(its, region.granule_log2);
      region.written = region.written || its.written;
    }
    std::vector<uint64_t> differ;
    for (auto& [condition, saved] : cases) {
      const Region& its = saved.regions[r];
      if (!its.allocated()) continue;
      if (!region.allocated()) region.allocate();
      for (uint64_t i = its.state.next(0); i < its.state.size(); i = its.state.next(i + 1)) {
        if (!same(its.cell(i), region.cell(i))) differ.push_back(i);
      }
    }
    std::sort(differ.begin(), differ.end());
    differ.erase(std::unique(differ.begin(), differ.end()), differ.end());
    for (const uint64_t i : differ) {
      bool agree = true;
      std::vector<std::pair<TermId, CellValue>> values;
      for (auto& [condition, saved] : cases) {
        const Region& its = saved.regions[r];
        values.emplace_back(condition, its.allocated() ? its.cell(i) : CellValue{});
        agree = agree && same(values.back().second, values.front().second);
      }
      if (!agree && must_agree) return false;
      region.set_cell(i, agree ? values.front().second : choose(region, values));
    }
  }
  undo_.clear();
  return true;
}

}  // namespace ptxequiv::machine
