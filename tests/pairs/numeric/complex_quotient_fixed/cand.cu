// A complex quotient by Smith's way against plainly
extern "C" __global__ void candidate(const float* a, const float* b, const float* c, const float* d, float* re, float* im) {
  const int t = threadIdx.x;
  if (fabsf(c[t]) >= fabsf(d[t])) {
    const float r = d[t] / c[t], n = c[t] + d[t] * r;
    re[t] = (a[t] + b[t] * r) / n;
    im[t] = (b[t] - a[t] * r) / n;
  } else {
    const float r = c[t] / d[t], n = c[t] * r + d[t];
    re[t] = (a[t] * r + b[t]) / n;
    im[t] = (b[t] * r - a[t]) / n;
  }
}
