// Softmax of 64 in blocks of 16 with a running maximum, against three passes
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  float m = -INFINITY, s = 0.0f;
  for (int b = 0; b < 4; ++b) {
    float top = -INFINITY;
    for (int i = 0; i < 16; ++i) top = fmaxf(top, x[16 * b + i]);
    const float next = fmaxf(m, top);
    float part = 0.0f;
    for (int i = 0; i < 16; ++i) part += __expf(x[16 * b + i] - next);
    s = s * __expf(m - next) + part;
    m = next;
  }
  out[t] = __expf(x[t] - m) / s;
}
