extern "C" __global__ void k(float* o, const float* x, const float* y) {
  int i = threadIdx.x;
  o[i] = powf(x[i], y[i]);
}
