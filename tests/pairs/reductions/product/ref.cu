// Product of 64: a loop against shuffles
// The reference.
extern "C" __global__ void reference(const float* x, float* out) {
  if (threadIdx.x != 0) return;
  float s = 1.0f;
  for (int i = 0; i < 64; ++i) s *= x[i];
  out[0] = s;
}
