// Median of nine: a network of minima and maxima against a full sort
__device__ void order(float& a, float& b) {
  const float lo = fminf(a, b);
  b = fmaxf(a, b);
  a = lo;
}
extern "C" __global__ void candidate(const float* x, float* out) {
  if (threadIdx.x != 0) return;
  float a[9];
#pragma unroll
  for (int i = 0; i < 9; ++i) a[i] = x[i];
#pragma unroll
  for (int i = 0; i < 9; i += 3) {
    order(a[i], a[i + 1]);
    order(a[i + 1], a[i + 2]);
    order(a[i], a[i + 1]);
  }
  const float lo = fmaxf(fmaxf(a[0], a[3]), a[6]);
  const float hi = fminf(fminf(a[2], a[5]), a[8]);
  order(a[1], a[4]);
  order(a[4], a[7]);
  order(a[1], a[4]);
  float p = lo, q = a[4], r = hi;
  order(p, q);
  order(q, r);
  order(p, q);
  out[0] = q;
}
