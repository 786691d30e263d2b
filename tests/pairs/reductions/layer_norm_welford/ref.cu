// Layer norm of 64: Welford against two passes
// The reference.
extern "C" __global__ void reference(const float* x, const float* w, const float* b, float* out) {
  if (threadIdx.x != 0) return;
  float s = 0.0f;
  for (int i = 0; i < 64; ++i) s += x[i];
  const float mean = s / 64.0f;
  float v = 0.0f;
  for (int i = 0; i < 64; ++i) v += (x[i] - mean) * (x[i] - mean);
  const float r = 1.0f / sqrtf(v / 64.0f + 1e-5f);
  for (int i = 0; i < 64; ++i) out[i] = (x[i] - mean) * r * w[i] + b[i];
}
