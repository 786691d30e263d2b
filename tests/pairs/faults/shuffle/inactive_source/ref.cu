extern "C" __global__ void minus_20(const float* x, float* o) {
  int t = threadIdx.x;
  o[t] = x[t] - x[20];
}
