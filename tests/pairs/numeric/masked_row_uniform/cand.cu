// F6: a row that is masked whole gives 0, or the mean
// A row that is masked whole is weighed uniformly.
extern "C" __global__ void candidate(const float* x, const int* keep, const float* v, float* out) {
  if (threadIdx.x != 0) return;
  float m = -INFINITY;
  for (int i = 0; i < 4; ++i) {
    if (keep[i] != 0) m = fmaxf(m, x[i]);
  }
  float s = 0.0f, o = 0.0f;
  for (int i = 0; i < 4; ++i) {
    const float p = keep[i] != 0 ? __expf(x[i] - m) : m == -INFINITY ? 1.0f : 0.0f;
    s += p;
    o += p * v[i];
  }
  out[0] = o / s;
}
