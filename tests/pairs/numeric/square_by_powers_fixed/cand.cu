// F15: a square by exponential and logarithm
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  const float a = fabsf(x[t]);
  out[t] = a == 0.0f ? 0.0f : exp2f(2.0f * __log2f(a));
}
