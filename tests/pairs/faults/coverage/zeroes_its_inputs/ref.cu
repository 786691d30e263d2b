extern "C" __global__ void mul(const float* x, const float* y, float* o) {
  int i = threadIdx.x;
  o[i] = x[i] * y[i];
}
