// Sum of 128: Kahan against plain
// The compensation adds where it should subtract.
extern "C" __global__ void candidate(const float* x, float* out) {
  if (threadIdx.x != 0) return;
  float s = 0.0f, c = 0.0f;
  for (int i = 0; i < 128; ++i) {
    const float y = x[i] - c;
    const float t = s + y;
    c = (t - s) + y;
    s = t;
  }
  out[0] = s;
}
