// F10: GELU by erf, or by tanh
extern "C" __global__ void candidate(const float* x, float* out) {
  const int t = threadIdx.x;
  const float h = x[t] / 2.0f;
  out[t] = h - h * erff(-0.70710678f * x[t]);
}
