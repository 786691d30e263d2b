// h = a h + b over 32 steps: composed maps by shuffles against a loop
// The factor is updated before it is used.
extern "C" __global__ void candidate(const float* a, const float* b, float* out) {
  const int t = threadIdx.x;
  float p = a[t], q = b[t];
  for (int d = 1; d < 32; d *= 2) {
    const float u = __shfl_up_sync(~0u, p, d), v = __shfl_up_sync(~0u, q, d);
    if (t >= d) {
      p = p * u;
      q = p * v + q;
    }
  }
  out[t] = q;
}
