// A length scaled by the greater side against plainly
// 0 / 0 where both are 0.
extern "C" __global__ void candidate(const float* x, const float* y, float* out) {
  const int t = threadIdx.x;
  const float a = fabsf(x[t]), b = fabsf(y[t]);
  const float hi = fmaxf(a, b), lo = fminf(a, b);
  const float r = lo / hi;
  out[t] = hi * sqrtf(1.0f + r * r);
}
