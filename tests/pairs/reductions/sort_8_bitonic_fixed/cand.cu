// Sorting 8: a bitonic network against odd-even transposition
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  if (t >= 8) return;
  __shared__ float a[8];
  a[t] = x[t];
  __syncwarp((1ull << 8) - 1);
  for (int r = 0; r < 8; ++r) {
    const int i = 2 * t + r % 2;
    if (i + 1 < 8 && a[i] > a[i + 1]) {
      const float v = a[i];
      a[i] = a[i + 1];
      a[i + 1] = v;
    }
    __syncwarp((1ull << 8) - 1);
  }
  out[t] = a[t];
}
