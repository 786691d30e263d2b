// Variance of 64: Welford against one pass
// The count is one ahead.
extern "C" __global__ void candidate(const float* x, float* out) {
  if (threadIdx.x != 0) return;
  float mean = 0.0f, m2 = 0.0f;
  for (int i = 0; i < 64; ++i) {
    const float d = x[i] - mean;
    mean += d / (float)(i + 2);
    m2 += d * (x[i] - mean);
  }
  out[0] = mean;
  out[1] = m2 / 64.0f;
}
