extern "C" __global__ void r(const float* x, float* o, float s) {
  int t = threadIdx.x;
  o[t] = x[t];
}
