// The two greatest of 64, by insertion against a tree of merges
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  float a = fmaxf(x[t], x[t + 32]), b = fminf(x[t], x[t + 32]);
  for (int d = 16; d > 0; d /= 2) {
    const float c = __shfl_xor_sync(~0u, a, d), e = __shfl_xor_sync(~0u, b, d);
    const float second = fmaxf(fminf(a, c), fmaxf(b, e));
    a = fmaxf(a, c);
    b = second;
  }
  if (t == 0) {
    out[0] = a;
    out[1] = b;
  }
}
