// F5: a maximum that starts at -50000
// The reference.
extern "C" __global__ void reference(const float* x, float* out) {
  const int t = threadIdx.x;
  float m = -INFINITY;
  for (int i = 0; i < 32; ++i) m = fmaxf(m, x[i]);
  out[t] = x[t] - m;
}
