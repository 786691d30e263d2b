// Does any exceed the limit, do all: by the extremes against one by one
// All may be equal to the limit.
extern "C" __global__ void candidate(const float* x, int* out, float limit) {
  const int t = threadIdx.x;
  float hi = fmaxf(x[t], x[t + 32]), lo = fminf(x[t], x[t + 32]);
  for (int d = 16; d > 0; d /= 2) {
    hi = fmaxf(hi, __shfl_xor_sync(~0u, hi, d));
    lo = fminf(lo, __shfl_xor_sync(~0u, lo, d));
  }
  if (t == 0) {
    out[0] = hi > limit;
    out[1] = lo >= limit;
  }
}
