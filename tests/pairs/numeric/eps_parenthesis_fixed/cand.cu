// F7: epsilon inside the divisor
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  float v = 0.0f;
  for (int i = 0; i < 32; ++i) v += x[i] * x[i];
  out[t] = x[t] * rsqrtf(fmaf(v, 0.03125f, 1e-5f));
}
