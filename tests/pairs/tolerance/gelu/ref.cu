extern "C" __global__ void r(const float* x, float* o) {
  int t = threadIdx.x;
  o[t] = 0.5f * x[t] * (1.0f + erff(x[t] * 0.70710678f));
}
