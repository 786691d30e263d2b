extern "C" __global__ void c(const float* x, float* o, int n) {
  int t = threadIdx.x;
  o[t] = n == 1025 ? x[t] * 1025.0f : x[t] * (float)n;
}
