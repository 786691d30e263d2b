// Sum of 64: compensated by magnitude (Neumaier) against plain
// The reference.
extern "C" __global__ void reference(const float* x, float* out) {
  if (threadIdx.x != 0) return;
  float s = 0.0f;
  for (int i = 0; i < 64; ++i) s += x[i];
  out[0] = s;
}
