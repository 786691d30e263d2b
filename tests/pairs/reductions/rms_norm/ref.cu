// RMS norm of 64: shuffles and rsqrt against a loop
// The reference.
extern "C" __global__ void reference(const float* x, const float* w, float* out) {
  if (threadIdx.x != 0) return;
  float s = 0.0f;
  for (int i = 0; i < 64; ++i) s += x[i] * x[i];
  for (int i = 0; i < 64; ++i) out[i] = x[i] / sqrtf(s / 64.0f + 1e-6f) * w[i];
}
