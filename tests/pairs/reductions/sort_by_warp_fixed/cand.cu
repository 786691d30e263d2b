// Sorting 32 in a warp: bitonic by shuffles against bitonic in shared memory
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  float v = x[t];
#pragma unroll
  for (int k = 2; k <= 32; k *= 2) {
#pragma unroll
    for (int j = k / 2; j > 0; j /= 2) {
      const float w = __shfl_xor_sync(~0u, v, j);
      const bool lower = (t & j) == 0, up = (t & k) == 0;
      v = lower == up ? fminf(v, w) : fmaxf(v, w);
    }
  }
  out[t] = v;
}
