// Layer norm of 64: Welford against two passes
// The unbiased variance.
extern "C" __global__ void candidate(const float* x, const float* w, const float* b, float* out) {
  const int t = threadIdx.x;
  float mean = 0.0f, m2 = 0.0f;
  for (int i = 0; i < 64; ++i) {
    const float d = x[i] - mean;
    mean += d / (float)(i + 1);
    m2 += d * (x[i] - mean);
  }
  const float r = rsqrtf(m2 / 63.0f + 1e-5f);
  out[t] = (x[t] - mean) * r * w[t] + b[t];
}
