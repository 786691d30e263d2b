// Sum of 64: compensated by magnitude (Neumaier) against plain
// One arm subtracts the sum.
extern "C" __global__ void candidate(const float* x, float* out) {
  if (threadIdx.x != 0) return;
  float s = 0.0f, c = 0.0f;
  for (int i = 0; i < 64; ++i) {
    const float t = s + x[i];
    if (fabsf(s) >= fabsf(x[i])) {
      c += (s - t) + x[i];
    } else {
      c += (x[i] - t) - s;
    }
    s = t;
  }
  out[0] = s + c;
}
