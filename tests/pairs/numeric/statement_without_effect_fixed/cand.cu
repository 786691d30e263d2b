// F2: the maximum of a row that is masked whole becomes 0, or should
extern "C" __global__ void candidate(const float* x, const int* keep, float* out) {
  const int t = threadIdx.x;
  float m = -INFINITY;
  int any = 0;
  for (int i = 0; i < 4; ++i) {
    any |= keep[i];
    if (keep[i] != 0) m = fmaxf(m, x[i]);
  }
  if (any == 0) m = 0.0f;
  float s = 0.0f;
  for (int i = 0; i < 4; ++i) {
    if (keep[i] != 0) s += __expf(x[i] - m);
  }
  out[t] = s * (float)(t + 1);
}
