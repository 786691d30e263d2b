// Softmax of 32: maximum and sum in one pass against three passes
extern "C" __global__ void candidate(const float* x, float* out) {
  if (threadIdx.x != 0) return;
  float m = -INFINITY, s = 0.0f;
  for (int i = 0; i < 32; ++i) {
    const float next = fmaxf(m, x[i]);
    s = s * __expf(m - next) + __expf(x[i] - next);
    m = next;
  }
  for (int i = 0; i < 32; ++i) out[i] = __expf(x[i] - m) / s;
}
