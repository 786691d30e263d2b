#include "machine/region.h"

namespace ptxequiv::machine {

void Region::allocate() {
  cells_per_copy = (bytes + granule() - 1) >> granule_log2;
  const uint64_t cells = cells_per_copy * copies;
  payload.assign(cells, 0);
  state.assign(cells, CellState::kUnwritten);
}

void Region::forget() {
  payload.clear();
  state.clear();
  partial.clear();
  writer.clear();
  shadow.clear();
}

CellValue Region::cell(uint64_t index) const {
  CellValue value{payload[index], state[index], kNoTerm, kNoSite};
  if (!partial.empty()) {
    if (const auto it = partial.find(index); it != partial.end()) value.written = it->second;
  }
  if (!writer.empty()) value.writer = writer[index];
  return value;
}

void Region::set_cell(uint64_t index, const CellValue& value) {
  payload[index] = value.payload;
  state[index] = value.state;
  if (value.written != kNoTerm) {
    partial[index] = value.written;
  } else if (!partial.empty()) {
    partial.erase(index);
  }
  if (value.writer != kNoSite && writer.empty()) writer.assign(state.size(), kNoSite);
  if (!writer.empty()) writer[index] = value.writer;
}

size_t Region::memory_bytes() const {
  return payload.capacity() * sizeof(uint64_t) + state.capacity() +
         writer.capacity() * sizeof(SiteId) + shadow.capacity() * sizeof(Shadow) +
         partial.size() * 32;
}

}  // namespace ptxequiv::machine
