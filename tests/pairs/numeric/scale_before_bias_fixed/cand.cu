// F11: softmax of s l + b, or of s (l + b)
extern "C" __global__ void candidate(const float* l, const float* b, float* out, float s) {
  const int t = threadIdx.x;
  float m = -INFINITY;
  for (int i = 0; i < 16; ++i) m = fmaxf(m, fmaf(s, l[i], b[i]));
  float d = 0.0f;
  for (int i = 0; i < 16; ++i) d += __expf(fmaf(s, l[i], b[i]) - m);
  out[t] = __expf(fmaf(s, l[t], b[t]) - m) / d;
}
