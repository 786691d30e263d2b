extern "C" __global__ void c(const float* x, float* o, int n) {
  int t = threadIdx.x;
  o[t] = x[t] * (float)(n > 4096 ? n - 1 : n);
}
