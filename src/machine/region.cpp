#include "machine/region.h"

namespace ptxequiv::machine {

void Region::allocate() {
  cells_per_copy = (bytes + granule() - 1) >> granule_log2;
  const uint64_t cells = cells_per_copy * copies;
  payload.reset(cells);
  state.reset(cells);
}

void Region::forget() {
  payload.reset(0);
  state.reset(0);
  partial.clear();
  writer.reset(0);
  shadow.reset(0);
}

CellValue Region::cell(uint64_t index) const {
  CellValue value{payload[index], state[index], kNoTerm, kNoSite};
  if (!partial.empty()) {
    if (const auto it = partial.find(index); it != partial.end()) value.written = it->second;
  }
  if (!writer.empty()) value.writer = writer[index] - 1;
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
  if (value.writer != kNoSite && writer.empty()) writer.reset(state.size());
  if (!writer.empty()) writer[index] = value.writer + 1;
}

size_t Region::memory_bytes() const {
  return payload.memory_bytes() + state.memory_bytes() + writer.memory_bytes() +
         shadow.memory_bytes() + partial.size() * 32;
}

}  // namespace ptxequiv::machine
