// Elements in the bytes of a buffer: little endian, as a GPU has them.
#pragma once
#include <cstdint>
#include <cstring>
#include <vector>

namespace ptxequiv::run {

// Element `index` of `size` bytes (1 to 8); zero past the end.
inline uint64_t load(const std::vector<uint8_t>& bytes, uint64_t index, unsigned size) {
  uint64_t bits = 0;
  if ((index + 1) * size <= bytes.size()) std::memcpy(&bits, bytes.data() + index * size, size);
  return bits;
}

// It must lie within `bytes`.
inline void store(std::vector<uint8_t>& bytes, uint64_t index, unsigned size, uint64_t bits) {
  std::memcpy(bytes.data() + index * size, &bits, size);
}

}  // namespace ptxequiv::run
