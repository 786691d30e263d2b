// Mean of 96: a loop and one division against means of three parts
// The reference.
extern "C" __global__ void reference(const float* x, float* out) {
  if (threadIdx.x != 0) return;
  float s = 0.0f;
  for (int i = 0; i < 96; ++i) s += x[i];
  out[0] = s / 96.0f;
}
