// F9: one pass over data shifted by the first element, against two passes
// The mean is shifted back too early.
extern "C" __global__ void candidate(const float* x, float* out) {
  if (threadIdx.x != 0) return;
  const float k = x[0];
  float s = 0.0f, q = 0.0f;
  for (int i = 0; i < 64; ++i) {
    const float d = x[i] - k;
    s += d;
    q += d * d;
  }
  out[0] = k + s / 64.0f;
  out[1] = (q - s * (s / 64.0f + k)) / 64.0f;
}
