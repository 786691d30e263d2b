// One pass over the row by one warp: a running maximum m, and a running sum l that is rescaled
// whenever m grows. The lanes' pairs (m, l) are merged by shuffles, without shared memory.
extern "C" __global__ void softmax_online(const float* __restrict__ x, float* __restrict__ y,
                                          int columns) {
  const float* row = x + blockIdx.x * columns;
  float m = -INFINITY, l = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) {
    float v = row[c];
    float larger = fmaxf(m, v);
    l = l * expf(m - larger) + expf(v - larger);
    m = larger;
  }
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) {
    float other_m = __shfl_xor_sync(0xffffffffu, m, o);
    float other_l = __shfl_xor_sync(0xffffffffu, l, o);
    float larger = fmaxf(m, other_m);
    l = l * expf(m - larger) + other_l * expf(other_m - larger);
    m = larger;
  }
  for (int c = threadIdx.x; c < columns; c += 32) {
    y[blockIdx.x * columns + c] = expf(row[c] - m) / l;
  }
}
