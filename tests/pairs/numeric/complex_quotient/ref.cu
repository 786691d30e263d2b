// A complex quotient by Smith's way against plainly
// The reference.
extern "C" __global__ void reference(const float* a, const float* b, const float* c, const float* d, float* re, float* im) {
  const int t = threadIdx.x;
  const float n = c[t] * c[t] + d[t] * d[t];
  re[t] = (a[t] * c[t] + b[t] * d[t]) / n;
  im[t] = (b[t] * c[t] - a[t] * d[t]) / n;
}
