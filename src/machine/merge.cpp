// Cta: what each world left in memory, and putting it together.
#include <algorithm>
#include <map>

#include "machine/cta.h"

namespace ptxequiv::machine {

bool Cta::diverged() const {
  return env_.context.reporter.any(Category::kBarrierDivergence) ||
         env_.context.reporter.any(Category::kShuffleMask);
}

// Takes the world's stores out of memory and keeps them.
void Cta::keep_world() {
  World world;
  world.condition = env_.worlds.condition();
  std::vector<Undo>& undo = env_.memory.undo();
  std::vector<std::pair<uint32_t, uint64_t>> seen;
  for (const Undo& entry : undo) seen.emplace_back(entry.provenance, entry.cell);
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  for (const auto& [provenance, cell] : seen) {
    world.after.push_back({provenance, cell, env_.memory.region(provenance).cell(cell)});
    world.granules[provenance] = env_.memory.region(provenance).granule_log2;
  }
  for (auto entry = undo.rbegin(); entry != undo.rend(); ++entry) {
    env_.memory.region(entry->provenance).set_cell(entry->cell, entry->before);
  }
  undo.clear();
  finished_.push_back(std::move(world));
}

void Cta::merge_worlds() {
  for (World& world : finished_) env_.memory.catch_up(world.after, world.granules);
  std::map<std::pair<uint32_t, uint64_t>, CellValue> before;
  for (const World& world : finished_) {
    for (const Undo& entry : world.after) {
      const auto key = std::pair{entry.provenance, entry.cell};
      if (!before.count(key)) before[key] = env_.memory.region(entry.provenance).cell(entry.cell);
    }
  }
  // Worlds exclude each other and leave nothing out, so each is a conditional store.
  for (const auto& [key, old] : before) {
    Region& region = env_.memory.region(key.first);
    std::vector<std::pair<TermId, CellValue>> cases;
    for (const World& world : finished_) {
      const auto entry = std::lower_bound(world.after.begin(), world.after.end(), key,
                                          [](const Undo& u, const auto& k) {
                                            return std::pair{u.provenance, u.cell} < k;
                                          });
      const bool stored =
          entry != world.after.end() && std::pair{entry->provenance, entry->cell} == key;
      cases.emplace_back(world.condition, stored ? entry->before : old);
    }
    region.set_cell(key.second, env_.memory.choose(region, cases));
  }
}

}  // namespace ptxequiv::machine
