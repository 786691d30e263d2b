// Layer norm of 64: one pass by shuffles against two passes
extern "C" __global__ void candidate(const float* x, const float* w, const float* b, float* out) {
  const int t = threadIdx.x;
  const float u = x[t], v = x[t + 32];
  float s = u + v, q = u * u + v * v;
  for (int d = 16; d > 0; d /= 2) {
    s += __shfl_xor_sync(~0u, s, d);
    q += __shfl_xor_sync(~0u, q, d);
  }
  const float mean = s * 0.015625f;
  const float r = rsqrtf(q * 0.015625f - mean * mean + 1e-5f);
  const float shift = -mean * r;
  out[t] = fmaf(fmaf(u, r, shift), w[t], b[t]);
  out[t + 32] = fmaf(fmaf(v, r, shift), w[t + 32], b[t + 32]);
}
