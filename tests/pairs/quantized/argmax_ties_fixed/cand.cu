extern "C" __global__ void argmax_ties(const float* __restrict__ x, int* __restrict__ out) {
  const int i = threadIdx.x;
  float m = fmaxf(x[i], x[i + 32]);
  int at = x[i + 32] > x[i] ? i + 32 : i;
  for (int d = 16; d > 0; d /= 2) {
    float o = __shfl_down_sync(0xffffffffu, m, d);
    int p = __shfl_down_sync(0xffffffffu, at, d);
    if (o > m || (o == m && p < at)) { m = o; at = p; }
  }
  if (i == 0) out[0] = at;
}
