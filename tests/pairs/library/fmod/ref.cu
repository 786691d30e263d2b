extern "C" __global__ void k(float* o, const float* x, const float* y) {
  int i = threadIdx.x;
  o[i] = fmodf(x[i], y[i]);
}
