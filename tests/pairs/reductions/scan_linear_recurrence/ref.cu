// h = a h + b over 32 steps: composed maps by shuffles against a loop
// The reference.
extern "C" __global__ void reference(const float* a, const float* b, float* out) {
  if (threadIdx.x != 0) return;
  float h = 0.0f;
  for (int i = 0; i < 32; ++i) {
    h = a[i] * h + b[i];
    out[i] = h;
  }
}
