extern "C" __global__ void mirror64(const float* x, float* o) {
  int t = threadIdx.x;
  o[t] = x[t ^ 63];
}
