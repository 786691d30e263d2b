// Greatest less least of 128: one loop against shuffles
// The maximum starts at 0.
extern "C" __global__ void candidate(const float* x, float* out) {
  __shared__ float his[4], los[4];
  const int t = threadIdx.x;
  float hi = x[t], lo = x[t];
  for (int d = 1; d < 32; d *= 2) {
    hi = fmaxf(hi, __shfl_xor_sync(~0u, hi, d));
    lo = fminf(lo, __shfl_xor_sync(~0u, lo, d));
  }
  if (t % 32 == 0) {
    his[t / 32] = hi;
    los[t / 32] = lo;
  }
  __syncthreads();
  if (t == 0) {
    hi = 0.0f;
    for (int w = 0; w < 4; ++w) {
      hi = fmaxf(hi, his[w]);
      lo = fminf(lo, los[w]);
    }
    out[0] = hi - lo;
  }
}
